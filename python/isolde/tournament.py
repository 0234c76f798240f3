"""Your agent against Isolde's agents, in a tournament with Isolde's statistics.

The program plays the tournament. It starts a small engine for your agent, which passes every
question on to this process, so that the agent may be a class or a function of a notebook.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import IO, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import program
from .answers import player as player_named
from .errors import BadInput, IsoldeError
from .outsider import UciPlayer, name_of, shape, told
from .position import Player, Position


_PATIENCE = 3600.0
"""How many seconds the program waits for a late answer, or for the beginning of the next game.

This process may be busy with a late move all that time. The program would start a new engine for the
next game, which nobody could answer. A player is interrupted long before, wherever that is possible.
"""


@dataclass(frozen=True)
class Rate:
    """How many of how many, in percent, with the 95 % interval."""

    count: int
    of: int
    percent: Optional[float]
    low: Optional[float]
    high: Optional[float]

    def __str__(self) -> str:
        if self.percent is None or not self.of:
            return "none"
        return f"{self.percent:.1f} % ({self.low:.1f} to {self.high:.1f}; {self.count} of {self.of})"


@dataclass(frozen=True)
class Figures:
    """What came of your agent's games."""

    won: int
    lost: int
    rate: Rate
    elo: Optional[float]
    elo_low: Optional[float]
    elo_high: Optional[float]
    from_won: Rate
    """Games won from openings that are proven to be won for your agent."""
    from_lost: Rate
    """Games won from openings that are proven to be lost."""
    blunders: int
    """Moves that gave away a proven win."""
    judged_moves: int
    """Moves for which it is known whether they are blunders."""
    forfeits: int
    """Games lost by a crash, an illegal move or a late one."""


@dataclass(frozen=True)
class Mistake:
    """A move of your agent that gave a proven win away. It draws the position before the move."""

    game: int
    ply: int
    position: Position
    move: str

    def __str__(self) -> str:
        return f"game {self.game}, ply {self.ply}: {self.move} in {self.position}"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()


@dataclass(frozen=True)
class Game:
    """The record of a game."""

    number: int
    side: Player
    """Your agent's side."""
    opponent: str
    moves: Tuple[str, ...]
    given: int
    """The plies that were set before the agents began to choose."""
    winner: Optional[Player]
    end: str
    """`stuck`, `illegal`, `late`, `crashed`, `resigned` or `unfinished`."""
    opening_winner: Optional[Player]
    """Who is proven to win the opening, if that is known."""
    known_from: Optional[int]
    """The true value of every position is known from this ply on."""
    mistakes: Tuple[Mistake, ...]
    """Your agent's moves that gave the win away."""

    @property
    def won(self) -> bool:
        """Whether your agent has won."""
        return self.winner == self.side


@dataclass(frozen=True)
class Report:
    """The tournament, from your agent's side."""

    agent: str
    board: str
    limit: str
    total: Figures
    against: Dict[str, Figures]
    """The same for each opponent."""
    games: Tuple[Game, ...]
    errors: Tuple[str, ...]
    """What your agent did wrong: its exceptions, then why the program took games from it."""

    @property
    def mistakes(self) -> Tuple[Mistake, ...]:
        """Your agent's moves that gave a proven win away, in all games."""
        return tuple(mistake for game in self.games for mistake in game.mistakes)

    def __str__(self) -> str:
        lines = [f"{self.agent} on {self.board}, {self.limit} a move: {self.total.won} won, {self.total.lost} lost"]
        for name, figures in self.against.items():
            lines.append(
                f"against {name}: {figures.rate}; {figures.blunders} of {figures.judged_moves} moves are blunders"
            )
        lines += [f"gave the win away: {mistake}" for mistake in self.mistakes]
        lines += [f"error: {error.strip().splitlines()[-1]}" for error in self.errors]
        return "\n".join(lines)


def arena(
    player: Any,
    games: int = 100,
    *,
    against: Union[str, Sequence[str]] = ("AB_Improved",),
    board: str = "7x7",
    time: Optional[float] = None,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    openings: str = "random",
    seed: int = 0,
    judge: bool = True,
    grace: float = 0.05,
    tables: program.Tables = None,
    total_time: Optional[float] = None,
    name: Optional[str] = None,
) -> Report:
    """Plays this many games between your agent and each of Isolde's agents in `against`.

    `player` is a class or an object with `get_move(game, time_left)` or `get_action(state)`, as in
    the course frameworks, or a function from a `Position` to a move. A class is instantiated for
    every game, with `player_id` if it has `get_action`. That method is called in a forked child, as
    the framework does; of the child's state only `context` survives.

    `time` is in seconds for each move, 0.15 unless something else is given; `nodes` and `depth` limit
    Isolde's agents only, and your agent has a minute for each move. Every opening is played twice with
    the sides exchanged, so `games` is even. With `judge`, the games are solved afterwards, so that the
    report can name the moves that gave a proven win away.

    A late move loses the game. A player that does not return is interrupted two seconds after its time
    and its grace, by the alarm signal; a class has a minute to make an object. Only Python's main thread
    can be interrupted: in any other thread, or in a call of a library that never returns to Python,
    `arena` waits for the player, however long that takes.
    """
    if os.name != "posix" or not hasattr(socket, "AF_UNIX"):
        raise IsoldeError("the arena reaches players through Unix sockets, which only Linux and macOS have")
    asked_by, _ = shape(player)  # what is not a player is an error before anything is started
    if asked_by == "get_action" and multiprocessing.current_process().daemon:
        raise IsoldeError(
            "a player with get_action is asked in a child process, and a worker of a Pool or of Dask may not have any: "
            "call arena in another process"
        )
    if games < 2 or games % 2:
        raise BadInput(f"{games} games: write an even number, because every opening is played twice")
    opponents = [against] if isinstance(against, str) else list(against)
    if time is None and nodes is None and depth is None:
        time = 0.15
    with tempfile.TemporaryDirectory(prefix="isolde-") as folder:
        engine, address, records = (os.path.join(folder, part) for part in ("player", "socket", "games.jsonl"))
        own = f"uci:{engine}"  # the program's name for the player
        _write_launcher(engine, address)
        arguments = ["tournament", "--json", "--board", str(board), "--agents", own]
        arguments += ["--against", ",".join(opponents), "--matches", str(games // 2)]
        arguments += ["--openings", openings, "--seed", str(seed), "--grace", program.duration(grace)]
        arguments += ["--patience", program.duration(_PATIENCE)]
        # One game at a time: this process answers one question after the other.
        arguments += ["--threads", "1", "--games", records]
        arguments += [] if time is None else ["--time", program.duration(time)]
        arguments += [] if nodes is None else ["--nodes", str(nodes)]
        arguments += [] if depth is None else ["--depth", str(depth)]
        arguments += [] if total_time is None else ["--total-time", program.duration(total_time)]
        arguments += [] if judge else ["--no-judge"]
        arguments += program.table_options(tables)
        title = name or name_of(player)
        with _Bridge(address, player, board, title, grace) as bridge:
            answer = bridge.run([program.find(), "--stop-on-eof", *arguments])
        with open(records, encoding="utf-8") as lines:
            played = [json.loads(line) for line in lines]
        return _report(title, own, answer, played, bridge.errors)


def _write_launcher(path: str, address: str) -> None:
    """A tournament splits the command of an engine at blanks, and Python's path may have some."""
    bridge = os.path.join(os.path.dirname(__file__), "_bridge.py")
    with open(path, "w", encoding="utf-8") as script:
        script.write(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-I', '-S', bridge, address])}\n")
    os.chmod(path, 0o700)


class _Bridge:
    """Answers the engines that the tournament starts, in the thread that calls `run`."""

    def __init__(self, address: str, player: Any, board: str, name: str, grace: float) -> None:
        self.errors: List[str] = []
        self._player, self._board, self._name, self._grace = player, board, name, grace
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._listener.bind(address)
        except OSError as fault:
            self._listener.close()
            raise IsoldeError(f"cannot make a socket {address}: {fault}; set TMPDIR to another folder") from fault
        self._listener.listen()
        self._selector.register(self._listener, selectors.EVENT_READ)

    def __enter__(self) -> _Bridge:
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                self._end(key.fileobj, key.data)
        self._selector.close()
        self._listener.close()

    def run(self, command: Sequence[str]) -> Any:
        """Runs the tournament and returns its report."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err)
            except OSError as fault:
                raise program.not_started(command[0], fault) from fault
            try:
                while process.poll() is None:
                    for key, _ in self._selector.select(timeout=0.05):
                        self._serve(key.fileobj, key.data)
            except BaseException:
                process.send_signal(signal.SIGTERM)
                raise
            finally:
                process.wait()
            said, complained = _content(out), _content(err)
        if process.returncode not in (0, 3):
            raise program.error(process.returncode, complained)
        return json.loads(said)

    def _serve(self, connection: Any, talk: Optional[_Talk]) -> None:
        if talk is None:
            accepted, _ = self._listener.accept()
            talk = _Talk(UciPlayer(self._player, self._board, self._name, self.errors, self._grace))
            self._selector.register(accepted, selectors.EVENT_READ, talk)
            return
        data = connection.recv(65536)
        *lines, talk.unread = (talk.unread + data).split(b"\n")
        is_over = not data
        try:
            for line in lines:
                answer = talk.player.answer(line.decode())
                if answer is None:
                    return self._end(connection, talk)
                _send(connection, answer)
        except KeyboardInterrupt:
            raise
        except BaseException as fault:
            # The engine ends, so the game is lost by a crash. The report says why.
            self.errors.append(told(fault))
            is_over = True
        if is_over:
            self._end(connection, talk)

    def _end(self, connection: Any, talk: _Talk) -> None:
        self._selector.unregister(connection)
        with contextlib.suppress(OSError):
            # A process that the player has forked may hold a copy, and keep it open.
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        talk.player.close()


@dataclass
class _Talk:
    player: UciPlayer
    unread: bytes = b""


def _send(connection: socket.socket, lines: Sequence[str]) -> None:
    try:
        connection.sendall("".join(f"{line}\n" for line in lines).encode())
    except OSError:
        pass  # the tournament has ended this engine, because a move was late


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _report(title: str, own: str, answer: Mapping[str, Any], played: Sequence[Any], errors: Sequence[str]) -> Report:
    agent = next(agent for agent in answer["agents"] if agent["agent"] == own)
    forfeits = [
        f"game {one['game']}: it {one['why']} in {one['position']}" for one in answer["forfeits"] if one["loser"] == own
    ]
    return Report(
        agent=title,
        board=answer["board"],
        limit=answer["limit"],
        total=_figures(agent["total"]),
        against={one["opponent"]: _figures(one["figures"]) for one in agent["against"] if one["figures"] is not None},
        games=tuple(_game(line["game"], line["record"], own) for line in played if "record" in line),
        errors=(*errors, *forfeits),
    )


def _figures(figures: Mapping[str, Any]) -> Figures:
    return Figures(
        won=figures["won"],
        lost=figures["lost"],
        rate=_rate(figures["rate"]),
        elo=figures["elo"],
        elo_low=figures["elo_low"],
        elo_high=figures["elo_high"],
        from_won=_rate(figures["from_won"]),
        from_lost=_rate(figures["from_lost"]),
        blunders=figures["blunders"],
        judged_moves=figures["judged_moves"],
        forfeits=figures["forfeits"],
    )


def _rate(rate: Mapping[str, Any]) -> Rate:
    return Rate(rate["count"], rate["of"], rate["percent"], rate["low"], rate["high"])


def _game(number: int, record: Mapping[str, Any], own: str) -> Game:
    side: Player = "first" if record["first"] == own else "second"
    moves = tuple(record["moves"].split())
    start = Position.parse(record["board"])
    mistakes = []
    position = start
    for ply, move in enumerate(moves, start=1):
        if ply in (record.get("blunders") or ()) and position.turn == side:
            mistakes.append(Mistake(number, ply, position, move))
        position = position.play(move)
    return Game(
        number=number,
        side=side,
        opponent=record["second" if side == "first" else "first"],
        moves=moves,
        given=record["given"],
        winner=player_named(record["winner"]),
        end=record["end"],
        opening_winner=player_named(record.get("opening_winner")),
        known_from=record.get("known_from"),
        mistakes=tuple(mistakes),
    )
