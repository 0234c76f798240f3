"""A stand-in for the 11x9 framework, which behaves as the real one does.

- Players are made by `agent_class(player_id=i)`.
- Each move is asked for in a child process, forked or spawned, with `player.queue` set.
- The queue refuses what comes after the time limit; the last action that is put in time counts.
- The child is ended `process_timeout` seconds after the time limit (5 in the real framework).
- The child's state is lost, except `player.context`, which travels through the queue.
- In debug mode the player is deep-copied and asked in this process.
- A knight whose only liberty is the cell with index 0 counts as stuck.
"""

import copy
import enum
import multiprocessing
import time
from typing import NamedTuple, Optional, Tuple

WIDTH, HEIGHT = 11, 9
ROW = WIDTH + 2
BLANK = sum(1 << x + y * ROW for x in range(WIDTH) for y in range(HEIGHT))


class Action(enum.IntEnum):
    """The knight's moves, as differences of bit indices; the values are made from rows and columns."""

    UP_RIGHT = 2 * ROW - 1
    RIGHT_UP = ROW - 2
    RIGHT_DOWN = -ROW - 2
    DOWN_RIGHT = -2 * ROW - 1
    DOWN_LEFT = -2 * ROW + 1
    LEFT_DOWN = -ROW + 2
    LEFT_UP = ROW + 2
    UP_LEFT = 2 * ROW + 1


class State(NamedTuple):
    board: int = BLANK
    ply_count: int = 0
    locs: Tuple[Optional[int], Optional[int]] = (None, None)

    def player(self):
        return self.ply_count % 2

    def actions(self):
        own = self.locs[self.player()]
        if own is None:
            return self.liberties(None)
        return [step for step in Action if own + step >= 0 and self.board >> own + step & 1]

    def liberties(self, loc):
        cells = range(ROW * HEIGHT) if loc is None else (loc + step for step in Action)
        return [cell for cell in cells if cell >= 0 and self.board >> cell & 1]

    def result(self, action):
        to = int(action) + (self.locs[self.player()] or 0)
        assert self.board >> to & 1, action
        locs = (to, self.locs[1]) if self.player() == 0 else (self.locs[0], to)
        return State(self.board ^ 1 << to, self.ply_count + 1, locs)

    def terminal_test(self):
        # The real framework asks whether any liberty is true, and the cell with index 0 is not.
        return not all(any(self.liberties(loc)) for loc in self.locs)


class StopSearch(Exception):
    pass


class TimedQueue:
    def __init__(self, receiver, sender, time_limit):
        self.receiver, self.sender, self.time_limit = receiver, sender, time_limit / 1000
        self.stop_time, self.agent = None, None

    def start_timer(self):
        self.stop_time = time.perf_counter() + self.time_limit

    def put(self, item, block=True, timeout=None):
        if self.stop_time and time.perf_counter() > self.stop_time:
            raise StopSearch
        if self.receiver.poll():
            self.receiver.recv()
        self.sender.send((getattr(self.agent, "context", None), item))


def request(player, queue, state):
    """What runs in the child."""
    player.queue, queue.agent = queue, player
    try:
        queue.start_timer()
        player.get_action(state)
    except StopSearch:
        pass


def get_action(state, player, time_limit, how="fork", process_timeout=5.0):
    """One move, asked for as the framework does: `how` is fork, spawn or debug."""
    context = multiprocessing.get_context("fork" if how == "debug" else how)
    receiver, sender = context.Pipe()
    queue = TimedQueue(receiver, sender, time_limit)
    if how == "debug":
        player.queue = None
        player = copy.deepcopy(player)
        request(player, queue, state)
        time.sleep(time_limit / 1000)
    else:
        child = context.Process(target=request, args=(player, queue, state))
        child.start()
        child.join(timeout=process_timeout + time_limit / 1000)
        if child.is_alive():
            child.terminate()
    assert receiver.poll(), "the real framework would now wait for ever"
    player.context, action = receiver.recv()
    return action


def play(agent_classes, state=None, time_limit=150, how="fork", plies=99):
    """A game, or the beginning of one. Returns the last state and the actions."""
    state, history = State() if state is None else state, []
    players = [agent(player_id=number) for number, agent in enumerate(agent_classes)]
    while not state.terminal_test() and len(history) < plies:
        action = get_action(state, players[state.player()], time_limit, how)
        assert action in state.actions(), action
        state = state.result(action)
        history.append(action)
    return state, history
