"""Players of all shapes in tournaments: with a stand-in for the program's side, and with the program."""

import shlex
import sys
import time
from pathlib import Path

import pytest
from test_documentation import arena_is_there

import isolde
from isolde.outsider import UciPlayer
from isolde.players import IsoldePlayer, with_options


@pytest.fixture(params=["stand-in", "program"])
def tournament(request, monkeypatch, tmp_path, binary):
    """Runs a test with the stand-in, and with the program if that plays outside agents."""
    if request.param == "program":
        if not arena_is_there():
            pytest.skip("this build of isolde plays no outside agents")
        return request.param
    folder = tmp_path / "with a blank"
    folder.mkdir()
    script = folder / "isolde"
    command = [sys.executable, str(Path(__file__).with_name("tournament_stand_in.py")), binary]
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setenv("ISOLDE", str(script))
    return request.param


def first_move(position):
    return position.legal_moves[0]


class SevenBySeven:
    """As in the 7x7 framework: looks one move ahead, with all that the framework offers."""

    made = 0

    def __init__(self):
        SevenBySeven.made += 1

    def get_move(self, game, time_left):
        assert game.active_player is self and game.inactive_player is not self
        assert 0 < time_left() < 1000
        if game.get_player_location(self) is None:
            return game.get_blank_spaces()[0]
        return max(game.get_legal_moves(), key=lambda move: self.score(game.forecast_move(move)))

    def score(self, game):
        if game.is_winner(self):
            return float("inf")
        return len(game.get_legal_moves(self)) - len(game.get_legal_moves(game.get_opponent(self)))


class ElevenByNine:
    """As in the 11x9 framework: deepens until the queue refuses."""

    def __init__(self, player_id):
        self.player_id, self.queue, self.context = player_id, None, None

    def get_action(self, state):
        assert state.player() == self.player_id
        self.context = (self.context or 0) + 1
        while True:
            self.queue.put(max(state.actions(), key=lambda action: self.score(state.result(action))))

    def score(self, state):
        own, other = state.locs[self.player_id], state.locs[1 - self.player_id]
        return len(state.liberties(own)) - len(state.liberties(other))


class Careless:
    """Fails on every way to fail."""

    def __init__(self, how):
        self.how = how

    def get_move(self, game, time_left):
        if self.how == "crashed":
            raise ZeroDivisionError("as it were")
        if self.how == "late":
            time.sleep(0.4)
        return (99, 99) if self.how == "illegal" else game.get_legal_moves()[0]


@pytest.mark.parametrize(
    "player, board",
    [(first_move, "5x5"), (SevenBySeven, "6x5"), (SevenBySeven(), "7x7"), (ElevenByNine, "5x6"),
     (IsoldePlayer, "7x7"), (with_options(margin=20), "5x5")],
)  # fmt: skip
def test_every_shape_of_player(tournament, player, board):
    report = isolde.arena(player, games=2, against=["Random"], board=board, time=0.1, grace=2, seed=4)
    assert report.total.won + report.total.lost == len(report.games) == 2
    assert report.total.forfeits == 0 and not report.errors, report
    assert {game.side for game in report.games} == {"first", "second"}
    assert all(game.end == "stuck" and game.opponent == "Random" for game in report.games)
    assert report.board == board and report.against["Random"].won == report.total.won
    for mistake in report.mistakes:
        assert mistake.move in mistake.position.legal_moves
        assert mistake.position.turn == report.games[mistake.game - 1].side
    assert report.agent in str(report)


def test_free_openings_and_other_limits(tournament):
    report = isolde.arena(first_move, games=2, against="Random", board="5x5", nodes=100, openings="free", judge=False)
    assert all(game.given == 0 for game in report.games) and not report.errors


@pytest.mark.parametrize("how", ["crashed", "late", "illegal"])
def test_players_that_fail(tournament, how):
    report = isolde.arena(Careless(how), games=2, against="Random", board="5x5", time=0.1)
    assert report.total.forfeits == report.total.lost == 2
    assert [game.end for game in report.games] == [how] * 2
    assert len(report.errors) == (0 if how == "late" else 2)
    if how == "crashed":
        assert "as it were" in str(report)


def test_a_player_without_an_action_in_time(tournament):
    class Thinker:
        def __init__(self, player_id):
            self.queue = None

        def get_action(self, state):
            time.sleep(60)

    report = isolde.arena(Thinker, games=2, against="Random", board="5x5", time=0.05)
    assert report.total.forfeits == 2 and "has put no action" in report.errors[0]


def test_a_class_of_a_notebook_and_its_context(tournament):
    seen = []

    class Local(ElevenByNine):
        def close(self):
            seen.append(self.context)

    isolde.arena(Local, games=2, against="Random", board="5x5", time=0.05, grace=2)
    assert len(seen) == 2 and all(count > 1 for count in seen)


def test_what_is_wrong_with_the_question(tournament):
    with pytest.raises(isolde.BadInput, match="even number"):
        isolde.arena(first_move, games=3)
    with pytest.raises(TypeError, match="get_move"):
        isolde.arena(object(), games=2)
    with pytest.raises(isolde.BadInput, match="Nobody"):
        isolde.arena(first_move, games=2, against="Nobody", board="5x5")


def test_an_interrupt_ends_the_tournament(tournament):
    def interrupted(position):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        isolde.arena(interrupted, games=2, against="Random", board="5x5")


def test_the_protocol():
    player = UciPlayer(first_move, "7x7", "me", [])
    assert player.answer("uci")[0] == "id name me" and player.answer("uci")[-1] == "uciok"
    assert player.answer("setoption name UCI_Variant value joust7x7") == [] and player.answer("isready") == ["readyok"]
    assert player.answer("position fen 7/7/7/7/7/7/7 w - - 0 1") == []
    assert player.answer("go movetime 100") == ["bestmove a1"]
    player.answer("position fen 7/7/7/7/7/7/7 w - - 0 1 moves d4 b3")
    assert player.answer("go nodes 5") == ["bestmove d4c2,c2d4"]
    player.answer("position fen 7/7/7/3N3/1n5/7/7 w - - 0 1 moves d4f5,f5d4")
    assert player.answer("go depth 5") == ["bestmove b3a1,a1b3"]
    player.answer("position startpos moves a1")
    assert player.answer("go movetime 1") == ["bestmove b1"]
    assert player.answer("quit") is None


def test_a_game_against_the_engine(engine):
    player, position = (
        UciPlayer(with_options(time_ms=30, margin=5), "5x5", "me", []),
        isolde.Position.parse("5x5: a1 c3"),
    )
    while position.winner is None:
        if position.turn == "first":
            player.answer(f"position fen {position.diagram} - - 0 1")
            [said] = player.answer("go movetime 60")
            position = position.play(said.split()[1])
        else:
            position = position.play(engine.best_move(position, nodes=100).move)
    assert position.winner == "first", "it is a won opening"
    player.close()
