"""Players for two course frameworks of knight's-move Isolation that ask Isolde.

In the 7x7 framework a player is an object with `get_move`:

    from isolde.players import IsoldePlayer

    with IsoldePlayer() as player:
        Board(player, RandomPlayer()).play()

In the 11x9 framework it is a class, and all of `my_custom_player.py` can be:

    from isolde.players import IsoldePlayer as CustomPlayer
"""

from __future__ import annotations

import functools
import time
from types import TracebackType
from typing import Any, Dict, Optional, Tuple, Type

from .engine import Engine
from .frameworks import RowColumn, bit_index, cell_of_name, position_of_game, position_of_state, row_and_column
from .position import Position
from .program import Path, Tables
from .questions import analyse

__all__ = ["IsoldePlayer", "with_options"]

_LONGEST = 3_600_000.0
"""Milliseconds for a move if a framework offers more."""


class IsoldePlayer:
    """Plays by asking Isolde, in both frameworks.

    `time_ms` is the time for a move where the framework does not say how much is left, and `margin`
    is kept back of every time; both are in milliseconds. `tables` are files or folders with tables.
    `size` is the board of the framework that calls `get_action`. `patience` is how many seconds the
    engine may be late. `player_id`, `queue`, `context`, `timer` and `data` belong to that framework.

    The engine is started once and ends with the player. Children that a framework forks or spawns,
    and copies, talk to the same engine; see `isolde.Engine`.
    """

    def __init__(
        self,
        player_id: Optional[int] = None,
        *,
        program: Optional[Path] = None,
        time_ms: float = 150,
        margin: float = 30,
        tables: Optional[Path] = None,
        size: Tuple[int, int] = (11, 9),
        patience: float = 5.0,
    ) -> None:
        self.program, self.tables = program, tables
        self.time_ms, self.margin, self.size = time_ms, margin, size
        self.player_id = player_id
        self.queue: Any = None
        self.context: Any = None
        self.timer: Any = None
        self.data: Any = None
        options: Dict[str, object] = {"Move Overhead": 0}
        if tables is not None:
            options["Tables"] = tables
        self.engine = Engine(program, options=options, patience=patience)

    def __enter__(self) -> IsoldePlayer:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine. It may be called twice."""
        self.engine.close()

    # The framework of 7x7.

    def get_move(self, game: Any, *rest: Any) -> RowColumn:
        """The move in a game: `get_move(game, time_left)`, or `get_move(game, legal_moves, time_left)`."""
        begin = time.monotonic()
        if not game.get_legal_moves():
            return (-1, -1)
        time_left = rest[-1] if rest else None
        cell = self._best(position_of_game(game), begin, time_left() if callable(time_left) else self.time_ms)
        return row_and_column(cell, game.width, game.height)

    def values(self, game: Any, seconds: float = 10) -> Dict[RowColumn, Optional[str]]:
        """Every legal move of a game: "win" or "loss" for the player to move, None if not known in time."""
        position = position_of_game(game)
        tables: Tables = self.tables
        known = analyse(position, time=seconds, winner_only=True, tables=tables, program=self.program).values
        return {
            row_and_column(cell_of_name(move, position), game.width, game.height):
                None if winner is None else "win" if winner == position.turn else "loss"
            for move, winner in known.items()
        }  # fmt: skip

    # The framework of 11x9.

    def get_action(self, state: Any) -> Any:
        """The action in a state; it is also put into the framework's queue, if there is one.

        The framework waits for ever for a child that ends without an action. So any legal one is put
        first, and the engine's takes its place.

        What the framework lists as actions is the law here. It takes a player whose only liberty is
        the cell with index 0 for stuck, and then does not ask.
        """
        begin = time.monotonic()
        actions = list(state.actions())
        self._put(actions[0] if actions else None)
        if not actions:
            return None
        cell = self._best(position_of_state(state, *self.size), begin, self.time_ms)
        own = state.locs[state.ply_count % 2]
        wanted = bit_index(cell, self.size[0]) - (own or 0)
        action = next((action for action in actions if int(action) == wanted), actions[0])
        self._put(action)
        return action

    def _put(self, action: Any) -> None:
        if self.queue is not None:
            self.queue.put(action)

    def _best(self, position: Position, begin: float, milliseconds: float) -> int:
        spent = time.monotonic() - begin
        budget = max(1.0, min(milliseconds, _LONGEST) - self.margin) / 1000 - spent
        move = self.engine.best_move(position, time=max(0.001, budget)).move
        assert move is not None, f"the engine finds no move in {position}"
        return cell_of_name(move, position)


def with_options(**options: Any) -> Any:
    """`IsoldePlayer` with other options, as a class for the 11x9 framework: `with_options(time_ms=80)`."""
    return functools.partial(IsoldePlayer, **options)
