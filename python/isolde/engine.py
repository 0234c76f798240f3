"""The UCI engine `isolde engine` as an object."""

from __future__ import annotations

import os
import time as clock
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Type

from .channel import Busy, Channel, Conversation, Server
from .errors import BadInput, DeadEngine
from .notation import move_target
from .position import Position, PositionLike
from .program import Path, checked_seconds, find, whole


@dataclass(frozen=True)
class Score:
    """What the engine says of a position, from the side of the player to move.

    `mate` is the number of moves to the end, negative if the player to move loses; it is proven.
    `cp` is a guess in centipawns, or proven if it is 20000 or -20000.
    """

    cp: Optional[int] = None
    mate: Optional[int] = None

    @property
    def is_proven(self) -> bool:
        """Whether the winner is proven.

        >>> Score(mate=8).is_proven, Score(cp=20000).is_proven, Score(cp=150).is_proven
        (True, True, False)
        """
        return self.mate is not None or abs(self.cp or 0) >= 20000


@dataclass(frozen=True)
class EngineMove:
    """The engine's answer to `go`."""

    move: Optional[str]
    """The cell to move to; None if there is no legal move."""
    score: Optional[Score]
    depth: Optional[int]
    nodes: Optional[int]
    line: Tuple[str, ...]
    """The expected line of play."""


class Engine:
    """A running engine. Use it in a `with` block, or call `close`.

    >>> with Engine() as engine:
    ...     answer = engine.best_move("5x5: a1 c3", time=0.1)
    >>> answer.move, answer.score
    ('c2', Score(cp=None, mate=8))

    It may be used from forked children, and its copies (by `copy`, `deepcopy` or `pickle`) from other
    processes of the same machine. They all talk to the same engine, one at a time. If it is in use,
    or gone with its owner, a child or a copy starts an engine for that one question. The owner's own
    threads start none: they wait for each other for `patience` seconds, then raise `LateAnswer`.
    """

    def __init__(
        self,
        program: Optional[Path] = None,
        *,
        options: Optional[Mapping[str, object]] = None,
        patience: float = 5.0,
    ) -> None:
        self.patience = patience
        """How many seconds an answer may be late before it counts as missing.

        The owner's threads wait as long for each other.
        """
        self._program = find(program)
        self._settings: Dict[str, str] = {}
        self._server: Optional[Server] = Server(self._program)
        self._channel: Channel = self._server.channel
        try:
            with self._conversation() as talk:
                talk.say("uci", deadline=self._deadline())
                said = talk.lines_until("uciok", self._deadline())
            self.name: str = next((line[len("id name ") :] for line in said if line.startswith("id name ")), "")
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __getstate__(self) -> Dict[str, Any]:
        # A copy does not own the engine.
        return {**self.__dict__, "_server": None}

    @property
    def pid(self) -> Optional[int]:
        """The process that runs the engine, if this object has started it."""
        return self._server.process.pid if self._server else None

    def __repr__(self) -> str:
        return f"<Engine {self.name!r}, process {self.pid}>"

    def close(self) -> None:
        """Ends the engine. It may be called twice. On a copy it does nothing."""
        if self._server is not None:
            self._server.close()

    def set_option(self, name: str, value: object) -> None:
        """Sets an option, such as `Hash` or `Tables`."""
        with self._conversation() as talk:
            self._set(talk, name, str(value))
        self._settings[name] = str(value)

    def new_game(self) -> None:
        """Tells the engine that what comes next is another game."""
        with self._conversation() as talk:
            talk.say("ucinewgame", deadline=self._deadline())

    def best_move(
        self,
        position: PositionLike,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
    ) -> EngineMove:
        """The engine's move within a limit. The time, in seconds, counts from this call."""
        begin = clock.monotonic()
        asked = Position.parse(position)
        seconds = None if time is None else checked_seconds(time)
        counts = [(name, whole(name, number)) for name, number in (("nodes", nodes), ("depth", depth)) if number is not None]
        with self._conversation() as talk:
            words = ["go"]
            if seconds is not None:
                left = seconds - (clock.monotonic() - begin)
                words += ["movetime", str(max(1, int(left * 1000)))]
            for name, number in counts:
                words += [name, str(number)]
            if len(words) == 1:
                raise BadInput("best_move needs a limit: time, nodes or depth")
            talk.say(f"position fen {asked.diagram} - - 0 1", " ".join(words), deadline=self._deadline())
            # Nodes and depth may take any time.
            said = talk.lines_until("bestmove", self._deadline(seconds) if seconds is not None else float("inf"))
        for line in said:
            if line.startswith(("info string position", "info string go")):
                raise BadInput(line[len("info string ") :])
        return _engine_move(said)

    def _deadline(self, time: float = 0.0) -> float:
        return clock.monotonic() + time + self.patience

    def _set(self, talk: Conversation, name: str, value: str) -> None:
        talk.say(f"setoption name {name} value {value}", "isready", deadline=self._deadline())
        for line in talk.lines_until("readyok", self._deadline()):
            if line.startswith("info string "):
                raise BadInput(line[len("info string ") :])

    @contextmanager
    def _conversation(self) -> Iterator[Conversation]:
        if self._server is not None and self._server.owner == os.getpid():
            if self._server.is_closed:
                raise DeadEngine("the engine was closed")
            with self._channel.converse(self.patience) as talk:
                talk.synchronise(self._deadline())
                yield talk
            return
        # A child or a copy. Matches may run in parallel, forked from one process: two of them must
        # not wait for each other, because their clocks run. 20 ms is enough for a child that was
        # killed to let go of the lock.
        asked = False
        try:
            with self._channel.converse(0.02) as talk:
                talk.synchronise(self._deadline())
                asked = True
                yield talk
                return
        except (Busy, DeadEngine):
            if asked:
                raise
        server = Server(self._program)
        try:
            with server.channel.converse(self.patience) as talk:
                for name, value in self._settings.items():
                    self._set(talk, name, value)
                yield talk
        finally:
            server.close()


def _engine_move(said: List[str]) -> EngineMove:
    """Reads `bestmove`, and the last `info` that has a score.

    >>> _engine_move(["info depth 3 score cp 5 nodes 70 pv a1c2,c2a1 c3a4,a4c3", "bestmove a1c2,c2a1"])
    EngineMove(move='c2', score=Score(cp=5, mate=None), depth=3, nodes=70, line=('c2', 'a4'))
    """
    move = move_target(said[-1].split()[1])
    infos = [line.split() for line in said if line.startswith("info ") and " score " in line]
    words = infos[-1] if infos else []
    numbers = {word: int(number) for word, number in zip(words, words[1:]) if number.lstrip("-").isdigit()}
    line = tuple(map(move_target, words[words.index("pv") + 1 :])) if "pv" in words else ()
    score = Score(numbers.get("cp"), numbers.get("mate")) if infos else None
    return EngineMove(
        None if move in ("(none)", "0000") else move, score, numbers.get("depth"), numbers.get("nodes"), line
    )
