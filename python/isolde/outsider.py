"""A player written in Python, asked as its framework would ask it, and spoken to by UCI.

A player has one of three shapes: an object or a class with `get_move` (the 7x7 framework), an
object or a class with `get_action` (the 11x9 framework), or a function from a position to a move.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import threading
import time
import traceback
import warnings
from typing import Any, Callable, List, Optional, Tuple

from .errors import BadInput, IsoldeError
from .frameworks import Game, State, cell_of_action, cell_of_name, cell_of_row_and_column
from .notation import cell_name, move_target
from .position import Position

Cell = int
Ask = Callable[[Any, Position, float, float, List[str]], Cell]
"""Asks a player for its move in a position: the player, the position, its seconds, its seconds of grace.

What went wrong without costing the game is added to the list.
"""

OVERHEAD = 0.01
"""Seconds kept back of every move: for the way to the tournament and back, and to start a child."""

LONGEST_MOVE = 60.0
"""Seconds for a move where `go` sets no time, and to make a player of a class.

The program gives other engines as much for a move.
"""

LATEST_RETURN = 2.0
"""How many seconds after its time and its grace a player is interrupted. By then it has lost the game."""


class IllegalMove(IsoldeError):
    """A player has answered with something that is not a legal move."""


class NoMove(IsoldeError):
    """A player has not answered, or has failed."""


class LateMove(IsoldeError):
    """A player was interrupted long after its time."""


class _Interrupt(BaseException):
    """Interrupts a player. No `Exception`, because players catch those to end their own searches."""


class StopSearch(Exception):
    """Ends a search whose time is over, as it does in the 11x9 framework."""


def shape(player: Any) -> Tuple[str, bool]:
    """What a player is asked by, and whether it is a class, one object of which plays one game.

    >>> shape(lambda position: "d4")
    ('function', False)
    """
    made_by = player.func if isinstance(player, functools.partial) else player
    is_class = isinstance(made_by, type)
    for method in ("get_move", "get_action"):
        if hasattr(made_by, method):
            return method, is_class
    if callable(player) and not is_class:
        return "function", False
    raise BadInput(f"{player!r} is no player: expected an object or a class with get_move or get_action, or a function")


def name_of(player: Any) -> str:
    """A name for reports."""
    made_by = player.func if isinstance(player, functools.partial) else player
    return str(getattr(made_by, "__name__", type(made_by).__name__))


class UciPlayer:
    """Answers the lines of the UCI protocol with a player's moves.

    What is wrong with a move is added to `errors`. `grace` is by how many seconds a move may exceed its
    time.
    """

    def __init__(self, player: Any, board: str, name: str, errors: List[str], grace: float = 0.0) -> None:
        self._player, self._board, self._name, self._errors = player, board, name, errors
        self._grace = grace
        self._shape, self._is_class = shape(player)
        self._of_this_game: Any = None
        self._position = Position.parse(board)
        self._side = self._position.turn

    def answer(self, line: str) -> Optional[List[str]]:
        """The lines that answer one line; None at the end."""
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            variants = f"var joust var joust{self._board}"
            return [
                f"id name {self._name}", "id author the user",
                f"option name UCI_Variant type combo default joust{self._board} {variants}", "uciok",
            ]  # fmt: skip
        if word == "isready":
            return ["readyok"]
        if word == "ucinewgame":
            self.close()
        elif word == "position":
            self._position = _position(rest, self._board)
            self._make_the_player()  # before its clock runs
        elif word == "go":
            return [f"bestmove {self._best(_seconds(rest.split()))}"]
        elif word == "quit":
            self.close()
            return None
        return []

    def close(self) -> None:
        """Lets go of the object that has played the last game."""
        playing, self._of_this_game = self._of_this_game, None
        if playing is not None and callable(getattr(playing, "close", None)):
            try:
                playing.close()
            except Exception as fault:
                self._errors.append(told(fault))

    def _best(self, seconds: float) -> str:
        try:
            move = self._move(seconds)
        except (IllegalMove, LateMove) as fault:
            self._errors.append(str(fault))
            return "0000"  # no move of the game, so the tournament sees that it is illegal, or late
        if self._position.mover is None:
            return move
        own = cell_name(self._position.mover, self._position.files)
        return f"{own}{move},{move}{own}"

    def _make_the_player(self) -> None:
        """A class plays each game with an object of its own, which keeps its side."""
        if self._of_this_game is not None and self._side != self._position.turn:
            self.close()
        if self._is_class and self._of_this_game is None:
            self._side = self._position.turn
            seat = 0 if self._side == "first" else 1
            make = functools.partial(self._player, **({"player_id": seat} if self._shape == "get_action" else {}))
            self._of_this_game = _within(LONGEST_MOVE, self._position, make)

    def _move(self, seconds: float) -> str:
        player = self._of_this_game if self._is_class else self._player
        cell = _ASK[self._shape](player, self._position, seconds, self._grace, self._errors)
        return cell_name(cell, self._position.files)


def _within(seconds: float, position: Position, choose: Callable[[], Any]) -> Any:
    """What `choose` returns. It is interrupted `LATEST_RETURN` seconds after these seconds.

    Only the main thread can be interrupted, and only while it runs Python. Elsewhere this waits for as
    long as it takes.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return choose()
    usual = signal.getsignal(signal.SIGALRM)
    if usual is None:
        return choose()  # a handler that is not Python's own could not be put back
    end = time.monotonic() + seconds + LATEST_RETURN

    def interrupt(number: int, frame: Any) -> None:
        if time.monotonic() >= end:
            raise _Interrupt
        if callable(usual):
            usual(number, frame)  # the player has set an alarm of its own

    signal.signal(signal.SIGALRM, interrupt)
    # Once a second from then on, because the player may catch whatever is raised.
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds + LATEST_RETURN, 1)
    begin = time.monotonic()
    try:
        try:
            return choose()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Interrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)  # it may have come just before the line above
        raise LateMove(
            f"the player was interrupted in {position}: no answer {LATEST_RETURN:g} s after its time and grace"
        ) from None
    finally:
        if signal.getsignal(signal.SIGALRM) is interrupt:
            signal.signal(signal.SIGALRM, usual)
        if left:
            # Somebody waits for an alarm, which may be overdue by now.
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - begin)), interval)


def told(fault: BaseException) -> str:
    """The traceback of an exception, from the player's own code on."""
    here, trace = os.path.dirname(__file__), fault.__traceback__
    while trace is not None and os.path.dirname(trace.tb_frame.f_code.co_filename) == here:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(fault), fault, trace))


def _ask_function(player: Any, position: Position, seconds: float, grace: float, errors: List[str]) -> Cell:
    move = _within(seconds + grace, position, lambda: player(position))
    if not isinstance(move, str) or move_target(move) not in position.legal_moves:
        raise IllegalMove(
            f"the player answers {move!r} in {position}: write a legal move such as {position.legal_moves[0]}"
        )
    return cell_of_name(move_target(move), position)


def _ask_get_move(player: Any, position: Position, seconds: float, grace: float, errors: List[str]) -> Cell:
    end = time.perf_counter() + seconds
    game = Game(position, player, "the opponent")

    def time_left() -> float:
        return 1000 * (end - time.perf_counter())

    move = _within(seconds + grace, position, lambda: player.get_move(game, time_left))
    if not isinstance(move, (tuple, list)) or tuple(move) not in game.get_legal_moves():
        raise IllegalMove(f"get_move returns {move!r} in {position}, which is not a legal move")
    return cell_of_row_and_column((move[0], move[1]), position.files, position.ranks)


def _ask_get_action(player: Any, position: Position, seconds: float, grace: float, errors: List[str]) -> Cell:
    """Asks in a forked child, and ends it when the time is over: the last action that it has put counts.

    As in the framework, that is so even if the child fails afterwards.
    """
    state = State.of(position)
    end = time.monotonic() + seconds
    # Forked, because a class that was defined in a notebook cannot be imported by another process.
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_child, args=(player, state, sender, seconds))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a notebook has threads; this child needs none of them
        child.start()
    sender.close()
    action, fault = None, None
    try:
        while receiver.poll(max(0.0, end - time.monotonic())):
            context, put, fault = receiver.recv()
            if fault is not None:
                break
            player.context, action = context, put
    except EOFError:
        pass
    finally:
        child.kill()
        child.join()
        receiver.close()
    if fault is not None and action is None:
        raise NoMove(f"get_action fails in {position}:\n{fault}")
    if fault is not None:
        errors.append(f"get_action fails in {position}, after it has put an action:\n{fault}")
    if action is None:
        raise NoMove(f"get_action has put no action into the queue in {position}")
    if action not in state.actions():
        raise IllegalMove(f"get_action puts {action!r} into the queue in {position}, which is not a legal action")
    return cell_of_action(state, action)


class _Queue:
    """The queue of the 11x9 framework: the last action that is put in time counts."""

    def __init__(self, player: Any, sender: Any, seconds: float) -> None:
        self._player, self._sender, self._end = player, sender, time.monotonic() + seconds

    def put(self, action: Any, block: bool = True, timeout: Optional[float] = None) -> None:
        if time.monotonic() > self._end:
            raise StopSearch
        self._sender.send((getattr(self._player, "context", None), action, None))

    def put_nowait(self, action: Any) -> None:
        self.put(action)


def _child(player: Any, state: State, sender: Any, seconds: float) -> None:
    player.queue = _Queue(player, sender, seconds)
    try:
        player.get_action(state)
    except StopSearch:
        pass
    except BaseException as fault:
        # Without the context, which may be what cannot be sent.
        sender.send((None, None, told(fault)))


_ASK = {"function": _ask_function, "get_move": _ask_get_move, "get_action": _ask_get_action}


def _position(words: str, board: str) -> Position:
    """What follows `position`: `startpos` or `fen FEN`, then `moves MOVES` if there are any."""
    start, _, moves = words.partition(" moves ")
    if start.strip() == "startpos":
        position = Position.parse(board)
    else:
        diagram = " ".join(start.split()[1:3])
        position = Position.parse(diagram)
    for move in moves.split():
        position = position.play(move)
    return position


def _seconds(words: List[str]) -> float:
    """The time of `go`. If it counts nodes or plies, which a player in Python does not, there is a usual one."""
    if "movetime" not in words:
        return LONGEST_MOVE
    return max(0.001, int(words[words.index("movetime") + 1]) / 1000 - OVERHEAD)
