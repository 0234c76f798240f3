"""The reader of tables says what the program says of every entry and of random positions."""

import csv
import io
import json
import subprocess

import pytest
from test_position import some_positions

import isolde

SMALL = 40_000


def small(tables):
    return sorted(path for path in tables.glob("*.isolde") if path.stat().st_size < SMALL)


def test_every_entry_of_the_small_tables(tables, binary):
    assert len(small(tables)) >= 12
    for path in small(tables):
        exported = subprocess.run(
            [binary, "table", "export", str(path)], capture_output=True, text=True, check=True
        ).stdout
        with isolde.Table(path) as table:
            rows = 0
            for entry, row in zip(table, csv.DictReader(io.StringIO(exported))):
                outcome = entry.outcome
                assert entry.position.diagram == row["position"]
                assert outcome.winner == ("first" if row["value"] == "win" else "second")
                assert outcome.plies == (int(row["plies"]) if row["plies"] else None)
                assert outcome.move == (row["move"] or None)
                rows += 1
            assert rows == len(table) == exported.count("\n") - 1


def test_every_entry_is_found_where_it_is(tables):
    for path in small(tables):
        with isolde.Table(path) as table:
            for entry in list(table)[:: max(1, len(table) // 200)]:
                assert table.probe(entry.position) == entry.outcome


@pytest.mark.parametrize("boards", [["5x5"], ["4x5", "5x4"], ["3x8", "8x3"], ["4x6", "6x4"], ["3x3", "4x4", "3x6"]])
def test_random_positions_equal_the_program_s_answers(tables, binary, boards):
    positions = list(some_positions(boards, 60, seed=len(boards[0])))
    asked = "".join(f"{position}\n" for position in positions)
    command = [binary, "query", "--batch", "--json", "--tables", str(tables)]
    answers = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    with isolde.open_tables(tables) as opened:
        for position, answer in zip(positions, map(json.loads, answers)):
            outcome = opened.probe(position)
            assert (outcome.winner, outcome.plies) == (answer["winner"], answer["plies"]), position
            # A diagram has no history, and the other side may count as the first player.
            assert opened.probe(position.diagram) == outcome


def test_every_opening_of_a_large_board(tables):
    solved = isolde.solve("5x7")
    with isolde.open_tables(tables) as opened:
        for opening in solved.openings:
            outcome = opened.probe(f"5x7: {opening.first} {opening.second}")
            assert outcome.winner == opening.winner
            turned = "".join(chr(ord("a") + int(cell[1]) - 1) + str(ord(cell[0]) - ord("a") + 1) + " "
                             for cell in (opening.first, opening.second))  # fmt: skip
            on_its_side = opened.probe(f"7x5: {turned}")
            assert on_its_side.winner == opening.winner
            if on_its_side.move:
                assert on_its_side.move in isolde.legal_moves(f"7x5: {turned}")


def test_moves_of_an_opening_table_win(tables):
    with isolde.open_tables(tables / "7x7-opening.isolde") as opened:
        for text in ("7x7: d4 b3", "7x7: a1 c3", "7x7: d4 a1"):
            outcome = opened.probe(text)
            after = isolde.Position.parse(text).play(outcome.move)
            assert isolde.analyse(after, winner_only=True).winner == outcome.winner


def test_the_side_to_move_does_not_matter(tables):
    with isolde.open_tables(tables) as opened:
        one, other = opened.probe("5/5/2n2/5/N4 w"), opened.probe("5/5/2N2/5/n4 b")
        assert one.winner == "first" and other.winner == "second" and one.plies == other.plies == 15


def test_what_is_not_in_a_table(tables):
    with isolde.open_tables([tables / "3x4-strong.isolde", tables / "5x5-strong.isolde"]) as opened:
        assert opened.boards == ("3x4", "5x5") and len(opened) == 2
        assert opened.probe("7x7: d4 b3") is None
        assert opened.probe("*4/5/5/1N3/3n1 w") is None, "no game leads to it"
        assert sum(1 for _ in opened[:1]) == 1 and sum(1 for _ in opened[0]) == 993


def test_damage_is_noticed(tables, tmp_path):
    data = (tables / "3x4-strong.isolde").read_bytes()
    file = tmp_path / "damaged.isolde"
    for length in [0, 1, 127, 128, 200, len(data) - 1]:
        file.write_bytes(data[:length])
        with pytest.raises(isolde.DamagedTable):
            isolde.Table(file)
    for place in range(0, len(data) - 16, 7):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        try:
            with isolde.Table(file) as table:
                entries = [(entry.position.diagram, entry.outcome.plies) for entry in table]
        except isolde.DamagedTable:
            continue
        # What is left is the metadata and the bytes between the sections.
        with isolde.Table(tables / "3x4-strong.isolde") as table:
            assert entries == [(entry.position.diagram, entry.outcome.plies) for entry in table]


def test_what_is_no_file_with_a_table(tmp_path):
    for opened in (lambda: isolde.open_tables("/nowhere"), lambda: isolde.Table("/nowhere")):
        with pytest.raises(isolde.MissingTable, match="^there is no file or folder /nowhere: ") as caught:
            opened()
        assert isinstance(caught.value, isolde.IsoldeError) and isinstance(caught.value, FileNotFoundError)
    with pytest.raises(isolde.MissingTable, match="there is no table in the folder"):
        isolde.open_tables(tmp_path)
    with pytest.raises(isolde.IsoldeError, match="cannot read .*: Is a directory"):
        isolde.Table(tmp_path)
