"""Questions to the program, and how it is found."""

import pathlib
import subprocess
import sys

import pytest
from conftest import is_running, soon

import isolde
from isolde import program


def test_an_analysis_says_what_the_program_says():
    answer = program.ask(["query", "--", "5x5: a1 b3 c2"])
    analysis = isolde.analyse("5x5: a1 b3 c2")
    assert (analysis.winner, analysis.plies, analysis.move) == (answer["winner"], answer["plies"], answer["move"])
    assert [move.move for move in analysis.moves] == [move["move"] for move in answer["moves"]]
    assert analysis.line == tuple(answer["line"]) and analysis.line_complete and analysis.turn == "second"
    assert analysis.position == isolde.Position.parse("5x5: a1 b3 c2")


def test_what_the_limits_leave_open_is_none():
    analysis = isolde.analyse("8x8: d4 f6", time=0.01, tables=False)
    assert analysis.winner is None and None in analysis.values.values()
    assert str(analysis).endswith("not known within the limits")


def test_a_game_that_is_over():
    analysis = isolde.analyse("3x3: b2 a1")
    assert (analysis.winner, analysis.plies, analysis.move, analysis.moves) == ("second", 0, None, ())
    with pytest.raises(isolde.BadInput, match="the second player has won"):
        isolde.best_move("3x3: b2 a1", time=0.1)


ASKER = """
import subprocess
import isolde

class Shown(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        print(self.pid, flush=True)

subprocess.Popen = Shown
isolde.solve("11x9: f5 d3", threads=1, tables=False)
"""


def test_a_question_ends_with_the_process_that_has_asked_it():
    owner = subprocess.Popen([sys.executable, "-c", ASKER], stdout=subprocess.PIPE, text=True)
    solver = int(owner.stdout.readline())
    assert is_running(solver)
    owner.kill()
    owner.communicate()
    assert soon(lambda: not is_running(solver)), "the solver lives on"


def test_a_program_that_is_not_isolde(tmp_path):
    other = tmp_path / "isolde"
    other.write_text("#!/bin/sh\necho hello\n")
    other.chmod(0o755)
    with pytest.raises(isolde.IsoldeError, match="does not answer as isolde does: 'hello"):
        isolde.analyse("5x5: a1 c3", program=other)


@pytest.mark.parametrize("time", [-1, float("inf"), float("nan")])
def test_times_that_are_none(time):
    with pytest.raises(isolde.BadInput, match="seconds"):
        isolde.best_move("5x5: a1 c3", time=time)
    with isolde.Engine() as engine, pytest.raises(isolde.BadInput, match="seconds"):
        engine.best_move("5x5: a1 c3", time=time)


def test_parts_of_the_package_need_no_import_of_their_own():
    script = "import isolde; print(isolde.players.IsoldePlayer.__name__, isolde.cluster.run.__name__)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "IsoldePlayer run\n"
    with pytest.raises(AttributeError):
        isolde.nothing


def test_solutions():
    board = isolde.solve("3x5", distance=True)
    assert board.winner == "second" and len(board.openings) == 15 * 14
    assert all(opening.winner and opening.plies is not None for opening in board.openings)
    assert len(isolde.solve("5x5: c3").openings) == 24
    assert isolde.solve("6x6", weak=True).mirror == "center"
    position = isolde.solve("7x7: d4 b3 f5")
    assert position.winner == "first" and position.move and position.line and not position.openings


def test_tables_of_ones_own(tables):
    one = isolde.analyse("5x5: a1 c3", tables=tables / "5x5-strong.isolde")
    assert one.origin == "table 5x5-strong.isolde" and one.nodes == 0
    assert isolde.analyse("5x5: a1 c3", tables=[tables]).plies == isolde.analyse("5x5: a1 c3", tables=False).plies == 15


def test_limits_of_a_move():
    one, other = (isolde.best_move("8x8: d4 e5", nodes=2000, agent="AB_Improved") for _ in range(2))
    assert (one.move, one.nodes, one.line) == (other.move, other.nodes, other.line)
    assert one.move in one.position.legal_moves and one.nodes > 0
    assert isolde.best_move("8x8: d4 e5", depth=2, agent="AB_Improved").agent == "AB_Improved"
    with pytest.raises(isolde.BadInput, match="unknown agent `Nobody`"):
        isolde.best_move("8x8: d4 e5", agent="Nobody")


@pytest.mark.parametrize("position", ["7x7: d4 b3 f5", "8/8/2N5/4n3/3*4/8/8/8 b", "5x5"])
def test_pictures(position):
    import xml.dom.minidom

    shown = isolde.Position.parse(position)
    drawn = isolde.analyse(position, time=0.5)
    for picture in (shown, drawn, isolde.solve(position, time=0.5)):
        xml.dom.minidom.parseString(picture._repr_svg_())
    picture = drawn._repr_svg_()
    assert all(f"<title>{move}: " in picture for move in shown.legal_moves)
    assert " ".join(drawn.line[:3]) in picture and "wins" in picture


def test_values_are_drawn_where_the_program_draws_the_cells():
    from isolde import drawing

    picture = isolde.Position.parse("5x6")._repr_svg_()
    corner = f'<rect x="{drawing._LEFT}" y="{drawing._TOP + 5 * drawing._CELL}" width="{drawing._CELL}"'
    assert corner in picture, "a1 is drawn elsewhere"
    assert picture.count(f'width="{drawing._CELL}" height="{drawing._CELL}"') == 30


def test_the_program_is_found(monkeypatch, binary, tmp_path):
    other = tmp_path / "isolde"
    other.symlink_to(binary)
    monkeypatch.setenv("ISOLDE", str(other))
    assert program.find() == str(other)
    monkeypatch.setenv("ISOLDE", "/no/such/program")
    with pytest.raises(isolde.MissingBinary, match="/no/such/program"):
        program.find()
    monkeypatch.delenv("ISOLDE")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "none"))
    assert program.find() == str(other)
    other.unlink()
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(isolde.MissingBinary, match="ISOLDE"):
        isolde.analyse("5x5: a1 c3")


def test_a_program_of_ones_own(monkeypatch, binary):
    monkeypatch.setenv("ISOLDE", "/no/such/program")
    assert isolde.analyse("5x5: a1 c3", program=binary).winner == "first"
    assert isolde.solve("3x4", program=binary).winner == "second"
    assert isolde.best_move("5x5: a1 c3", nodes=10, program=binary).move in ("c2", "b3")


def test_a_program_that_the_system_does_not_start(monkeypatch, tmp_path):
    script = tmp_path / "isolde"
    script.write_text("#!/etc/passwd\n")
    script.chmod(0o700)
    monkeypatch.setenv("ISOLDE", str(script))
    for ask in (lambda: isolde.analyse("5x5"), lambda: isolde.arena(lambda position: "", games=2)):
        with pytest.raises(isolde.IsoldeError, match=f"^cannot start {script}: Permission denied$"):
            ask()


def test_python_m_isolde_is_the_program():
    ran = subprocess.run([sys.executable, "-m", "isolde", "query", "zz"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and ran.stderr.startswith("error: ")
    assert pathlib.Path(isolde.__file__).with_name("py.typed").exists()


def test_an_interrupt_is_an_interrupt(monkeypatch, tmp_path):
    script = tmp_path / "isolde"
    script.write_text("#!/bin/sh\nexit 130\n")
    script.chmod(0o700)
    monkeypatch.setenv("ISOLDE", str(script))
    with pytest.raises(KeyboardInterrupt):
        isolde.analyse("5x5: a1 c3")
