"""Players of all shapes in tournaments."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest
from conftest import is_running, soon

import isolde
from isolde import outsider
from isolde.outsider import UciPlayer
from isolde.players import IsoldePlayer, with_options


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
def test_every_shape_of_player(player, board):
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


def test_free_openings_and_other_limits():
    report = isolde.arena(first_move, games=2, against="Random", board="5x5", nodes=100, openings="free", judge=False)
    assert all(game.given == 0 for game in report.games) and not report.errors


@pytest.mark.parametrize("how", ["crashed", "late", "illegal"])
def test_players_that_fail(how):
    report = isolde.arena(Careless(how), games=2, against="Random", board="5x5", time=0.1)
    assert report.total.forfeits == report.total.lost == 2
    assert [game.end for game in report.games] == [how] * 2
    # The program's word on both games, and ours on what was returned or raised.
    word = {"crashed": "crashed", "late": "was late (4", "illegal": "illegal move"}[how]
    for number, error in enumerate(report.errors[-2:], start=1):
        assert error.startswith(f"game {number}: it ") and word in error
    assert len(report.errors) == (2 if how == "late" else 4)
    if how == "crashed":
        assert "as it were" in str(report)


@pytest.mark.parametrize("against", ["random", ["RANDOM"], "random,ab_improved", ["Random", "aB_improved"]])
def test_opponents_as_the_program_reads_their_names(against):
    report = isolde.arena(first_move, games=2, against=against, board="5x5", nodes=100, judge=True, seed=6)
    names = ["Random", "AB_Improved"] if "improved" in str(against) else ["Random"]
    assert list(report.against) == names
    assert [game.opponent for game in report.games] == [name for name in names for _ in range(2)]
    assert [game.side for game in report.games] == ["first", "second"] * len(names)
    for game in report.games:
        # What the player has played shows that it sat on this side.
        position = isolde.Position.parse("5x5")
        for ply, move in enumerate(game.moves):
            assert ply < game.given or position.turn != game.side or move == first_move(position)
            position = position.play(move)
        assert position.winner == game.winner
    assert report.total.won == sum(game.won for game in report.games)
    assert not report.total.forfeits and not report.errors


class Endless:
    """Does not return from its second move of the first game."""

    def __init__(self, how):
        self.how, self.moves = how, 0

    def get_move(self, game, time_left):
        self.moves += 1
        while self.moves == 2:
            try:
                time.sleep(0.01)
            except Exception:
                pass
            except BaseException:
                if self.how == "polite":
                    raise
                self.how = "polite"  # interrupted once and not yet ended
        return game.get_legal_moves()[0]


@pytest.mark.parametrize("how", ["polite", "stubborn"])
def test_a_player_that_never_returns_is_interrupted(monkeypatch, how):
    monkeypatch.setattr(outsider, "LATEST_RETURN", 0.3)
    rung = []
    usual = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 30)
    try:
        handler = signal.getsignal(signal.SIGALRM)
        report = isolde.arena(Endless(how), games=4, against="Random", board="5x5", time=0.2, grace=2, judge=False)
        assert signal.getsignal(signal.SIGALRM) is handler and not rung
        assert 0 < signal.setitimer(signal.ITIMER_REAL, 0)[0] < 30
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    assert [game.end for game in report.games] == ["late", "stuck", "stuck", "stuck"]
    interrupted, late = report.errors
    assert interrupted.startswith("the player was interrupted in ") and late.startswith("game 1: it was late (")


def test_a_class_that_never_makes_a_player_is_interrupted(monkeypatch):
    monkeypatch.setattr(outsider, "LONGEST_MOVE", 0.1)
    monkeypatch.setattr(outsider, "LATEST_RETURN", 0.1)

    class Loading(SevenBySeven):
        def __init__(self):
            time.sleep(60)

    report = isolde.arena(Loading, games=2, against="Random", board="4x4", time=0.1, judge=False)
    assert report.total.forfeits == 2 and "the player was interrupted" in report.errors[0]


def test_an_alarm_of_the_player_s_own():
    class Alarmed:
        """Ends its search by a signal, and sets the handler only once."""

        def __init__(self):
            signal.signal(signal.SIGALRM, self.stop)

        def stop(self, *_):
            raise TimeoutError

        def get_move(self, game, time_left):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            try:
                time.sleep(5)
            except TimeoutError:
                return game.get_legal_moves()[0]

    usual = signal.getsignal(signal.SIGALRM)
    try:
        report = isolde.arena(Alarmed, games=2, against="Random", board="4x4", time=0.2, grace=2, judge=False)
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert not report.errors and report.total.forfeits == 0


def test_where_a_player_cannot_be_interrupted_a_late_move_spoils_no_other_game(monkeypatch):
    # In this thread nothing interrupts it, and the time is over long before it returns.
    monkeypatch.setattr(outsider, "LATEST_RETURN", 0.1)
    moves, reports = [], []

    def slow_once(position):
        moves.append(position)
        if len(moves) == 1:
            time.sleep(11)  # the program alone would wait for 10 s
        return position.legal_moves[0]

    def play():
        reports.append(
            isolde.arena(slow_once, games=2, against="Random", board="4x4", time=0.1, grace=0.5, judge=False)
        )

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    [report] = reports
    assert [game.end for game in report.games] == ["late", "stuck"]
    assert len(report.errors) == 1 and "it was late (11" in report.errors[0]


def test_without_a_time_a_player_has_its_own(monkeypatch):
    monkeypatch.setattr(outsider, "LONGEST_MOVE", 0.1)
    monkeypatch.setattr(outsider, "LATEST_RETURN", 0.1)
    left = []

    class Asking:
        def get_move(self, game, time_left):
            left.append(time_left())
            if len(left) == 1:
                time.sleep(60)
            return game.get_legal_moves()[0]

    report = isolde.arena(Asking(), games=2, against="Random", board="4x4", nodes=10, judge=False)
    assert all(milliseconds < 100 for milliseconds in left)
    assert report.total.forfeits == 1 and report.errors[0].startswith("the player was interrupted")


def test_a_player_without_an_action_in_time():
    class Thinker:
        def __init__(self, player_id):
            self.queue = None

        def get_action(self, state):
            time.sleep(60)

    report = isolde.arena(Thinker, games=2, against="Random", board="5x5", time=0.05)
    assert report.total.forfeits == 2 and "has put no action" in report.errors[0]


def test_an_action_counts_even_if_the_child_fails_afterwards():
    class Hasty(ElevenByNine):
        def get_action(self, state):
            self.queue.put(state.actions()[0])
            raise ZeroDivisionError("as it were")

    report = isolde.arena(Hasty, games=2, against="Random", board="5x5", time=0.1, grace=2, judge=False)
    assert report.total.forfeits == 0
    assert report.errors and all("after it has put an action" in error and "as it were" in error for error in report.errors)


def test_a_context_that_cannot_be_sent_is_named():
    class Secretive(ElevenByNine):
        def get_action(self, state):
            self.context = lambda: 0
            self.queue.put(state.actions()[0])

    report = isolde.arena(Secretive, games=2, against="Random", board="5x5", time=0.1, judge=False)
    assert report.total.forfeits == 2 and "pickle" in report.errors[0], report.errors


class Leaving:
    """Fails, and fails again when it is let go."""

    def get_move(self, game, time_left):
        raise SystemExit("as it were")

    def close(self):
        raise RuntimeError("not closed")


def test_whatever_a_player_raises_is_its_loss():
    report = isolde.arena(Leaving, games=2, against="Random", board="5x5", time=0.1, judge=False)
    assert report.total.forfeits == 2
    faults = [error for error in report.errors if not error.startswith("game")]
    # The traceback begins in the player's own code.
    assert sum("as it were" in fault for fault in faults) == sum("not closed" in fault for fault in faults) == 2
    assert not any("tournament.py" in fault or "outsider.py" in fault for fault in faults), faults


def test_a_player_may_have_children_of_its_own():
    class Helped:
        pool, asked = None, 0

        def get_move(self, game, time_left):
            self.pool = self.pool or multiprocessing.get_context("fork").Pool(1)
            self.asked += 1
            if self.asked == 2:
                raise ZeroDivisionError
            return game.get_legal_moves()[0]

    player = Helped()
    begin = time.monotonic()
    report = isolde.arena(player, games=2, against="Random", board="5x5", time=0.1, grace=2, judge=False)
    player.pool.terminate()
    assert report.total.forfeits == 1 and time.monotonic() - begin < 20


def in_a_pool(_):
    with pytest.raises(isolde.IsoldeError, match="call arena in another process"):
        isolde.arena(ElevenByNine, games=2, against="Random", board="5x5")
    return True


def test_a_worker_of_a_pool_is_told_that_it_may_have_no_children():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(in_a_pool, [0]) == [True]


def test_a_folder_whose_path_is_too_long_for_a_socket(monkeypatch, tmp_path):
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with pytest.raises(isolde.IsoldeError, match="TMPDIR"):
        isolde.arena(first_move, games=2, against="Random", board="5x5")


def test_a_class_of_a_notebook_and_its_context():
    seen = []

    class Local(ElevenByNine):
        def close(self):
            seen.append(self.context)

    isolde.arena(Local, games=2, against="Random", board="5x5", time=0.05, grace=2)
    assert len(seen) == 2 and all(count > 1 for count in seen)


def test_what_is_wrong_with_the_question():
    with pytest.raises(isolde.BadInput, match="even number"):
        isolde.arena(first_move, games=3)
    with pytest.raises(isolde.BadInput, match="get_move"):
        isolde.arena(object(), games=2)
    with pytest.raises(isolde.BadInput, match="Nobody"):
        isolde.arena(first_move, games=2, against="Nobody", board="5x5")


def test_an_interrupt_ends_the_tournament():
    def interrupted(position):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        isolde.arena(interrupted, games=2, against="Random", board="5x5")


OWNER = """
import subprocess
import isolde

def said(text):
    print(text, flush=True)
    return text

class Shown(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        said(self.pid)

subprocess.Popen = Shown
isolde.arena(lambda position: said(position.legal_moves[0]), games=4000, against="Random", time=0.1)
"""


def test_a_tournament_ends_with_its_owner():
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TMPDIR": folder}
        owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True, env=environment)
        tournament, _ = int(owner.stdout.readline()), owner.stdout.readline()
        assert is_running(tournament)
        owner.kill()
        owner.wait()
        owner.stdout.close()
        assert soon(lambda: not is_running(tournament)), "the tournament lives on"


def test_systems_without_unix_sockets():
    script = """
import os, socket, sys
import isolde
del socket.AF_UNIX
if len(sys.argv) > 1:
    os.name = sys.argv[1]
try:
    isolde.arena(lambda position: position.legal_moves[0], games=2)
except isolde.IsoldeError as fault:
    print(fault)
"""
    for system in ([], ["nt"]):
        said = subprocess.run(
            [sys.executable, "-c", script, *system], capture_output=True, text=True, check=True
        ).stdout
        assert "only Linux and macOS" in said


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
