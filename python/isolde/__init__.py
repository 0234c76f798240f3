"""Isolde proves who wins knight's-move Isolation.

>>> import isolde
>>> isolde.analyse("5x5: a1 c3").winner
'first'
>>> isolde.best_move("7x7: d4 b3", time=0.15).move
'f5'
>>> with isolde.open_tables("tables") as tables:
...     tables.probe("5x5: a1 c3").plies
15

`isolde.players` has players for two course frameworks, and `isolde.arena` plays an agent of yours
against Isolde's agents. Positions are texts or `isolde.Position`; everything that goes wrong is an
`isolde.IsoldeError`.
"""

import importlib
from typing import Any

from .answers import Analysis, Choice, Move, Opening, Solution
from .engine import Engine, EngineMove, Score
from .errors import BadInput, DamagedTable, DeadEngine, IsoldeError, LateAnswer, MissingBinary, MissingTable
from .position import Player, Position
from .questions import analyse, best_move, legal_moves, solve
from .tables import Entry, Outcome, Table, Tables, open_tables
from .tournament import Figures, Game, Mistake, Rate, Report, arena

__all__ = [
    "Analysis", "BadInput", "Choice", "DamagedTable", "DeadEngine", "Engine", "EngineMove", "Entry",
    "Figures", "Game", "IsoldeError", "LateAnswer", "Mistake", "MissingBinary", "MissingTable", "Move", "Opening",
    "Outcome", "Player", "Position", "Rate", "Report", "Score", "Solution", "Table", "Tables", "analyse", "arena",
    "best_move", "legal_moves", "open_tables", "solve",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """`isolde.players` and `isolde.cluster` are imported when they are first used."""
    if name in ("players", "cluster"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
