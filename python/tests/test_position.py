"""Positions: the rules computed here are the program's."""

import random

import eleven_by_nine
import pytest

import isolde
from isolde import Position, program
from isolde.frameworks import Game, State, position_of_game, position_of_state


def some_positions(boards, number, seed=1):
    """Positions of random games, with lines of play."""
    lot = random.Random(seed)
    for _ in range(number):
        position = Position.parse(lot.choice(boards))
        for _ in range(lot.randrange(20)):
            if position.winner is None:
                position = position.play(lot.choice(position.legal_moves))
        yield position


def test_the_program_sees_the_same():
    for position in some_positions(["7x7", "5x6", "11x9", "16x8", "1x1", "3x4"], 40):
        for text in (str(position), position.diagram):
            seen = program.ask(["show", "--", text])
            assert seen["position"] == position.diagram
            assert seen["legal_moves"] == list(position.legal_moves)
            assert (seen["turn"], seen["winner"]) == (position.turn, position.winner)
        assert Position.parse(position.diagram) == position == Position.parse(str(position))
        assert str(Position.parse(str(position))) == str(position)


@pytest.mark.parametrize(
    "text",
    [
        "7X7 D4,b3",
        "7x7:d4 b3",
        "7x7 d4b3",
        "7/7/7/3N3/1n5/7/7 w moves f5 c5",
        "position startpos moves e6",
        "7×7: d4 b3 d4f5,f5d4",
    ],
)
def test_whatever_the_program_reads(text):
    try:
        expected = program.ask(["show", "--", text])["position"]
    except isolde.BadInput:
        with pytest.raises(isolde.BadInput):
            Position.parse(text)
    else:
        assert Position.parse(text).diagram == expected


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("7x7: d4 zz", "`zz` is not a cell"),
        ("7x7: d4 d4", "d4"),
        ("7/7/8 w", "8 cells"),
        ("7/7/7/3n3/7/7/7 w", "the first player places first"),
        ("7/7/7/3N3/7/7/7 w", "the second player is the next to place"),
        ("99x99", "99"),
        ("", ""),
        ("--help", ""),
    ],
)
def test_an_error_is_the_program_s_sentence(text, sentence):
    with pytest.raises(isolde.BadInput) as caught:
        Position.parse(text)
    assert sentence in str(caught.value) and not str(caught.value).startswith("error")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, isolde.IsoldeError)


def test_illegal_moves():
    with pytest.raises(isolde.BadInput, match="d5 is not a legal move in 7x7: d4 b3"):
        Position.parse("7x7: d4 b3").play("d5")


def test_the_frameworks_objects_follow_the_rules():
    for position in some_positions(["7x7", "5x6", "11x9"], 40, seed=2):
        state, game = State.of(position), Game(position, "me", "you")
        assert position_of_state(state, position.files, position.ranks).legal_moves == position.legal_moves
        assert position_of_game(game).legal_moves == position.legal_moves
        assert len(state.actions()) == len(game.get_legal_moves()) == len(position.legal_moves)
        assert state.ply_count == game.move_count == len(position.moves)
        assert state.player() == (position.turn == "second")
        if position.winner:
            assert state.terminal_test() and state.utility(state.player()) < 0 < state.utility(1 - state.player())
            assert game.is_loser("me") and game.is_winner("you") and game.utility("you") == float("inf")
            continue
        assert not game.is_loser("me") and game.utility("me") == 0
        after = {position.play(move).diagram for move in position.legal_moves}
        assert {game.forecast_move(move).position.diagram for move in game.get_legal_moves()} == after
        states = [state.result(action) for action in state.actions()]
        assert set(states) == {State.of(position.play(move)) for move in position.legal_moves}
        assert game.get_opponent("me") == "you" and game.move_is_legal(game.get_blank_spaces()[0])
        assert not game.move_is_legal((-1, 0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"files": 20, "ranks": 20},
        {"first": 49},
        {"second": 24},
        {"free": (1 << 49) - 1},
        {"free": 1 << 49},
        {"free": -1},
        {"turn": "third"},
        {"first": None},
        {"second": None},
    ],
)
def test_what_is_no_position_cannot_be_made(wrong):
    right = {"files": 7, "ranks": 7, "first": 24, "second": 8, "free": (1 << 49) - 1 & ~(1 << 24 | 1 << 8), "turn": "first"}
    assert isolde.Position(**right) == isolde.Position.parse("7x7: d4 b2")
    with pytest.raises(isolde.BadInput):
        isolde.Position(**{**right, **wrong})


def test_texts_that_would_be_huge_boards_are_refused():
    for text in ("999999999/1 w", "9" * 5000 + " w", "17/1 w"):
        with pytest.raises(isolde.BadInput):
            isolde.legal_moves(text)


def test_capitals_are_read_in_moves_too():
    assert isolde.Position.parse("7x7").play("D4").play("B3").moves == ("d4", "b3")


def test_states_are_those_of_the_framework_in_its_order():
    ours, theirs = State.of(isolde.Position.parse("11x9")), eleven_by_nine.State()
    lot = random.Random(1)
    while not theirs.terminal_test():
        assert ours.actions() == [int(action) for action in theirs.actions()]
        action = lot.choice(theirs.actions())
        ours, theirs = ours.result(action), theirs.result(action)
