"""Questions about positions, each answered by one run of the program."""

from __future__ import annotations

from typing import List, Optional, Tuple, Union

from . import answers
from .answers import Analysis, Choice, Solution
from .position import Position, PositionLike
from .program import Path, Tables, ask, duration, table_options


def analyse(
    position: PositionLike,
    *,
    time: Optional[float] = None,
    winner_only: bool = False,
    distance: bool = False,
    tables: Tables = None,
    threads: Optional[int] = None,
    memory: Union[None, int, str] = None,
    program: Optional[Path] = None,
) -> Analysis:
    """Who wins a position, every move with its outcome, and the main line: `isolde query`.

    `time` is in seconds. With `winner_only` no plies are counted; with `distance` they are counted
    however long that takes, unless `time` sets a limit. `program` is the path of the program, if it
    is not the usual one; so it is for the other questions.

    >>> analysis = analyse("5x5: a1 c3")
    >>> analysis.winner, analysis.plies, analysis.move
    ('first', 15, 'c2')
    >>> analysis.values
    {'c2': 'first', 'b3': 'first'}
    >>> print(analysis)
    5x5: a1 c3: the first player wins in 15 plies
    """
    asked = Position.parse(position)
    options = ["--winner"] * winner_only + ["--distance"] * distance
    limits = _limits(time, tables, threads, memory)
    return answers.analysis(asked, ask(["query", *options, *limits, "--", str(asked)], program=program))


def solve(
    position: PositionLike,
    *,
    time: Optional[float] = None,
    distance: bool = False,
    weak: bool = False,
    tables: Tables = None,
    threads: Optional[int] = None,
    memory: Union[None, int, str] = None,
    program: Optional[Path] = None,
) -> Solution:
    """Who wins every opening of a board, or one position and how: `isolde solve`.

    With `weak`, only who wins the board; with `distance`, also in how many plies.

    >>> board = solve("3x4")
    >>> board.winner, len(board.openings), board.openings[0].winner
    ('second', 132, 'second')
    >>> solve("5x5: c3 c2").winner
    'second'
    """
    asked = Position.parse(position)
    options = ["--weak"] * weak + ["--distance"] * distance
    limits = _limits(time, tables, threads, memory)
    return answers.solution(asked, ask(["solve", *options, *limits, "--", str(asked)], program=program))


def best_move(
    position: PositionLike,
    *,
    time: Optional[float] = None,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    agent: str = "best",
    seed: Optional[int] = None,
    tables: Tables = None,
    memory: Union[None, int, str] = None,
    program: Optional[Path] = None,
) -> Choice:
    """A move within a limit, and whether it is proven: `isolde move`.

    `time` is in seconds. `agent` is any that `isolde agents` lists.

    >>> choice = best_move("7x7: d4 b3", time=0.15)
    >>> choice.move, choice.proven, choice.winner
    ('f5', True, 'first')
    """
    asked = Position.parse(position)
    options = ["--agent", agent]
    for name, number in (("--nodes", nodes), ("--depth", depth), ("--seed", seed)):
        options += [] if number is None else [name, str(number)]
    limits = _limits(time, tables, None, memory)
    return answers.choice(asked, ask(["move", *options, *limits, "--", str(asked)], program=program))


def legal_moves(position: PositionLike) -> Tuple[str, ...]:
    """The legal moves of a position. They are computed here, without the program.

    >>> legal_moves("5x5: a1 c3")
    ('c2', 'b3')
    """
    return Position.parse(position).legal_moves


def _limits(time: Optional[float], tables: Tables, threads: Optional[int], memory: Union[None, int, str]) -> List[str]:
    options = [] if time is None else ["--time", duration(time)]
    options += [] if threads is None else ["--threads", str(threads)]
    options += [] if memory is None else ["--memory", str(memory)]
    return options + table_options(tables)
