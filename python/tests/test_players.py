"""The players in stand-ins of both frameworks, with real child processes."""

import copy
import multiprocessing
import multiprocessing.pool
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import eleven_by_nine as eleven
import pytest
from conftest import is_running, soon
from seven_by_seven import Board

import isolde
from isolde.frameworks import position_of_state
from isolde.players import IsoldePlayer, with_options

HASTY = with_options(time_ms=60, margin=20)


class RandomPlayer:
    def __init__(self, player_id=None):
        self.lot, self.context = random.Random(player_id), None

    def get_move(self, game, time_left):
        legal = game.get_legal_moves()
        return self.lot.choice(legal) if legal else (-1, -1)

    def get_action(self, state):
        self.queue.put(self.lot.choice(state.actions()))


class Remembering(IsoldePlayer):
    """Counts its moves in what travels back to the parent."""

    def get_action(self, state):
        self.context = (self.context or 0) + 1
        return super().get_action(state)


class Slow(IsoldePlayer):
    """Does not come back after its action."""

    def get_action(self, state):
        super().get_action(state)
        time.sleep(60)


def test_a_game_of_11x9_in_forked_children():
    made = []

    def agent(player_id):
        made.append(HASTY(player_id=player_id))
        return made[-1]

    state, history = eleven.play([RandomPlayer, agent], time_limit=150)
    assert state.terminal_test() and any(state.liberties(state.locs[1])), "Isolde loses to a player who moves at random"
    assert len(history) > 6
    assert is_running(made[0].engine.pid), "all children have used one engine"
    pid = made[0].engine.pid
    made[0].close()
    assert not is_running(pid)


def test_a_player_id_without_its_name():
    # So the real framework's own tests make a player: `CustomPlayer(state.ply_count % 2)`.
    for make in (IsoldePlayer, HASTY):
        with make(1) as player:
            assert player.player_id == 1
            assert eleven.get_action(eleven.State().result(20), player, 150) in eleven.State().result(20).actions()


@pytest.mark.parametrize("how, plies", [("spawn", 8), ("debug", 8), ("forkserver", 6)])
def test_other_ways_to_ask(how, plies):
    state, history = eleven.play(
        [with_options(time_ms=60, margin=20), RandomPlayer], time_limit=150, how=how, plies=plies
    )
    assert len(history) == plies


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_children_and_copies_ask_the_engine_of_the_parent(how, monkeypatch):
    # If a child had to start an engine, it would find no program.
    with HASTY() as player:
        player.engine._program = "/no/such/program"
        state = eleven.State().result(0).result(57)
        assert eleven.get_action(state, player, 150, how) in state.actions()
        for other in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
            assert other.get_action(state) in state.actions()
            other.close()  # a copy does not own the engine
            assert is_running(player.engine.pid)


def test_context_travels_back():
    with Remembering(time_ms=50) as player:
        state = eleven.State()
        for _ in range(3):
            eleven.get_action(state, player, 150)
        assert player.context == 3


def test_a_child_that_does_not_come_back_is_ended_and_the_next_one_plays_on():
    with Slow(time_ms=50) as player:
        state = eleven.State().result(20).result(57)
        for _ in range(3):
            action = eleven.get_action(state, player, 150, process_timeout=0.1)
            assert action in state.actions()
            state = state.result(action)


OPEN = "11x9: f5 d3"
"""Nothing decides this position at once: there is no mirror, and no table."""


def ask_for_ever(player, asking):
    asking.set()
    player.engine.best_move(OPEN, nodes=10**12)


def test_children_killed_in_the_middle_of_an_answer():
    # In each of these positions just one move wins, so that a stale answer shows.
    questions = {"7x7: d4 b3": "f5", "5x5: a5 c4 b3 e3": "c1", "5x5: d2 c2 e4 d4 c3": "e2"}
    fork, lot = multiprocessing.get_context("fork"), random.Random(5)
    with HASTY() as player:
        pid = player.engine.pid
        assert player.engine.best_move(OPEN, nodes=10_000).nodes >= 10_000, "the engine does not search here"
        for _ in range(8):
            for text, move in questions.items():
                asking = fork.Event()
                child = fork.Process(target=ask_for_ever, args=(player, asking))
                child.start()
                assert asking.wait(10)
                time.sleep(lot.random() * 0.03)
                assert child.is_alive(), "the engine has answered"
                os.kill(child.pid, lot.choice([signal.SIGKILL, signal.SIGTERM]))
                child.join()
                answer = fork.SimpleQueue()
                child = fork.Process(target=lambda: answer.put(player.engine.best_move(text, time=0.05).move))
                child.start()
                child.join()
                assert answer.get() == move, text
        assert player.engine.pid == pid and is_running(pid)


def test_what_earlier_conversations_may_leave_behind():
    with HASTY() as player:
        folder = player.engine._channel.folder
        # The best move of another position: if it is taken for the answer, that shows.
        other = isolde.Position.parse("5x5: a5 c4 b3 e3")
        assert player.engine.best_move(other, time=0.05).move == "c1"
        for left in (
            "go infi",
            "position fen 5/",
            "isready\nisready\nuci",
            "go depth 9\nis",
            "go movetime 100000",
            "go depth 1\n",
            "isready\nisready\ngo depth 1\n",  # an unread `readyok` before an unread move
            "\n\n",
        ):
            with open(os.path.join(folder, "questions"), "wb", buffering=0) as questions:
                questions.write(f"position fen {other.diagram} - - 0 1\n{left}".encode())
            time.sleep(0.02)
            answers = os.open(os.path.join(folder, "answers"), os.O_RDONLY | os.O_NONBLOCK)
            try:
                os.read(answers, 5)  # somebody has read the beginning of a line
            except BlockingIOError:
                pass
            os.close(answers)
            assert player.engine.best_move("7x7: d4 b3", time=0.05).move == "f5", left


def test_an_engine_that_hangs_costs_no_game():
    with HASTY() as player:
        player.engine.patience = 0.2
        state = eleven.State().result(20).result(57)
        os.kill(player.engine.pid, signal.SIGSTOP)
        try:
            # The framework would wait for ever for a child that puts nothing.
            assert eleven.get_action(state, player, 150) in state.actions()
            with pytest.raises(isolde.LateAnswer):
                player.engine.best_move("7x7: d4 b3", time=0.05)
        finally:
            os.kill(player.engine.pid, signal.SIGCONT)
        player.engine.patience = 5.0
        assert player.engine.best_move("7x7: d4 b3", time=0.05).move == "f5"


def beginning_of_a_match(seed):
    state = eleven.State().result(seed).result(57 + seed)
    state, history = eleven.play([HASTY, HASTY], state=state, time_limit=250, plies=4)
    return len(history)


def test_matches_in_parallel():
    with multiprocessing.pool.ThreadPool(2) as pool:
        assert pool.map(beginning_of_a_match, range(3)) == [4, 4, 4]


def test_workers_of_a_pool_share_a_player():
    # Each worker gets a copy. While one talks to the engine, the other starts an engine of its own.
    states = [eleven.State().result(cell).result(57) for cell in range(6)]
    with HASTY() as player, multiprocessing.get_context("fork").Pool(2) as pool:
        for state, action in zip(states, pool.map(player.get_action, states)):
            assert action in state.actions()


def test_two_threads_take_turns():
    moves = []
    with HASTY() as player:
        threads = [
            threading.Thread(target=lambda: moves.append(player.engine.best_move("7x7: d4 b3", time=0.05).move))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert moves == ["f5"] * 4


def test_an_engine_that_is_gone_with_its_owner_is_replaced():
    player = HASTY()
    left = pickle.dumps(player)
    player.close()
    with pytest.raises(isolde.DeadEngine, match="closed"):
        player.get_move(Board("a", "b"), lambda: 50)
    state = eleven.State().result(20).result(57)
    assert pickle.loads(left).get_action(state) in state.actions()


OWNER = """
import os, sys, time
from isolde.players import IsoldePlayer
player = IsoldePlayer()
if os.fork() == 0:
    sys.stdout.close()
    time.sleep(20)  # a child that lives on and has nothing to do with the engine
    os._exit(0)
print(player.engine.pid, player.engine._channel.folder, flush=True)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, None])
def test_no_engine_is_left_behind(end):
    script = OWNER + ("time.sleep(20)" if end else "")
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        pid, folder = owner.stdout.readline().split()
        if end:
            assert is_running(int(pid))
            owner.send_signal(end)
        owner.wait(timeout=10)
        assert soon(lambda: not is_running(int(pid))), "the engine lives on"
        assert end or not os.path.exists(folder)
    finally:
        owner.stdout.close()
        os.killpg(owner.pid, signal.SIGKILL)  # the child that lives on


def test_folders_that_are_left_behind_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    living = isolde.Engine()
    for name, age in (("old", 100), ("new", 0)):
        folder = tmp_path / f"isolde-engine-{name}"
        folder.mkdir()
        os.mkfifo(folder / "questions")
        os.utime(folder, (time.time() - age,) * 2)
    os.utime(living._channel.folder, (0, 0))
    isolde.Engine().close()
    assert {path.name for path in tmp_path.iterdir()} == {"isolde-engine-new", os.path.basename(living._channel.folder)}
    assert living.best_move("7x7: d4 b3", time=0.05).move == "f5"
    living.close()


def test_a_player_that_is_forgotten_ends_its_engine():
    player = HASTY()
    pid = player.engine.pid
    del player
    assert soon(lambda: not is_running(pid))
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)  # it is no zombie


def test_the_cell_with_index_0():
    # All that the mover could reach is taken, except the cell with index 0.
    own = 0 + eleven.Action.UP_LEFT
    board = eleven.BLANK & ~(1 << own) & ~(1 << 60)
    for step in eleven.Action:
        if own + step > 0:
            board &= ~(1 << own + step)
    state = eleven.State(board, 10, (own, 60))
    assert state.actions() == [-own] and state.terminal_test(), "the real framework ends the game here"
    with HASTY() as player:
        assert player.get_action(state) == -own
    assert position_of_state(state, 11, 9).legal_moves == ("k1",)


def test_every_cell_is_mapped():
    from isolde.frameworks import bit_index, cell_of_bit_index, cell_of_row_and_column, row_and_column

    for width, height in [(7, 7), (5, 6), (11, 9)]:
        cells = range(width * height)
        places = [row_and_column(cell, width, height) for cell in cells]
        assert sorted(places) == [(row, column) for row in range(height) for column in range(width)]
        assert [cell_of_row_and_column(place, width, height) for place in places] == list(cells)
        assert [cell_of_bit_index(bit_index(cell, width), width) for cell in cells] == list(cells)
    assert {bit_index(cell, 11) for cell in range(99)} == set(eleven.State().actions())


@pytest.mark.parametrize("width, height, unplaced", [(7, 7, None), (5, 6, (-1, -1))])
def test_games_of_7x7(width, height, unplaced):
    # The second player wins these boards.
    with IsoldePlayer(margin=10) as player:
        other = RandomPlayer(3)
        winner, history, why = Board(other, player, width, height, unplaced).play(time_limit=100)
        assert winner is player and why == "illegal move" and len(history) > 4
        game = Board(other, player, 1, 1)
        game.apply_move((0, 0))
        assert player.get_move(game, [], lambda: 60) == (-1, -1)


def test_values_are_true():
    with IsoldePlayer() as player:
        game = Board("a", "b", 5, 5)
        game.apply_move((2, 2))
        game.apply_move((3, 2))
        assert set(player.values(game)) == set(game.get_legal_moves())
        assert set(player.values(game).values()) == {"loss"}
        game.apply_move(game.get_legal_moves()[0])
        assert "win" in player.values(game).values()


def test_values_ask_the_player_s_own_program(monkeypatch, binary):
    monkeypatch.setenv("ISOLDE", "/no/such/program")
    with IsoldePlayer(program=binary) as player:
        game = Board("a", "b", 4, 4)
        game.apply_move((1, 1))
        game.apply_move((2, 2))
        assert set(player.values(game)) == set(game.get_legal_moves())


def test_errors():
    with pytest.raises(isolde.MissingBinary, match="no-such-program"):
        IsoldePlayer(program="no-such-program")
    player = IsoldePlayer()
    os.kill(player.engine.pid, signal.SIGKILL)
    with pytest.raises(isolde.DeadEngine):
        for _ in range(100):  # the pipe closes a moment after the signal
            player.get_move(Board("a", "b"), lambda: 50)
    player.close()
    player.close()
    player = IsoldePlayer(patience=5)
    player.engine.patience = -0.2
    with pytest.raises(isolde.LateAnswer):
        player.get_move(Board("a", "b", 8, 8), lambda: 300)
    player.close()


def test_tables_are_an_option(tables):
    with IsoldePlayer(tables=tables) as player:
        assert player.engine.best_move("5x5: a1 c3", depth=1).score == isolde.Score(mate=8)
