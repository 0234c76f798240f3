"""What the program answers, as types. They are read from its JSON and never computed here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Literal, Mapping, Optional, Tuple, cast

from .position import Player, Position

PliesFrom = Literal["the position", "both placements"]
"""Where plies are counted from: from both placements as long as one is still to be made."""


@dataclass(frozen=True)
class Move:
    """A legal move and what is known about it."""

    move: str
    winner: Optional[Player]
    """Who wins after the move; None if that is not known within the limits."""
    plies: Optional[int]
    origin: Optional[str]
    """Where the value comes from, such as `table 5x5-strong.isolde` or `mirror center`."""


@dataclass(frozen=True)
class Analysis:
    """Who wins a position, every move with its outcome, and the main line. It draws itself in a notebook."""

    position: Position
    winner: Optional[Player]
    """Who wins; None if that is not known within the limits."""
    plies: Optional[int]
    plies_from: PliesFrom
    origin: Optional[str]
    move: Optional[str]
    """A best move; None if the game is over."""
    moves: Tuple[Move, ...]
    """Every legal move, the best first."""
    line: Tuple[str, ...]
    line_complete: bool
    """Whether the line leads to the end of the game."""
    line_optimal: bool
    """Whether every ply of the line is proven to be best: the winner hurries, the loser delays."""
    tables: Tuple[str, ...]
    nodes: int
    seconds: float = field(compare=False)

    @property
    def turn(self) -> Player:
        """Who is to move."""
        return self.position.turn

    @property
    def values(self) -> Dict[str, Optional[Player]]:
        """The winner after each legal move."""
        return {move.move: move.winner for move in self.moves}

    def __str__(self) -> str:
        return f"{self.position}: {_verdict(self.winner, self.plies, self.plies_from)}"

    def _repr_svg_(self) -> str:
        from .drawing import analysis_svg

        return analysis_svg(self)


@dataclass(frozen=True)
class Opening:
    """Both placements, and who wins after them."""

    first: str
    second: str
    winner: Optional[Player]
    plies: Optional[int]


@dataclass(frozen=True)
class Solution:
    """Who wins a board or a position. It draws itself in a notebook.

    A board has `openings`, all those that were asked about; a position has a `move` and a `line`.
    """

    position: Position
    winner: Optional[Player]
    plies: Optional[int]
    mirror: Optional[str]
    """The mirror by which the board is won, if there is one."""
    openings: Tuple[Opening, ...]
    move: Optional[str]
    line: Tuple[str, ...]

    def __str__(self) -> str:
        both = "the position" if self.position.second is not None else "both placements"
        return f"{self.position}: {_verdict(self.winner, self.plies, both)}"

    def _repr_svg_(self) -> str:
        from .drawing import solution_svg

        return solution_svg(self)


@dataclass(frozen=True)
class Choice:
    """The move that an agent chooses within a limit."""

    position: Position
    agent: str
    move: Optional[str]
    proven: bool
    winner: Optional[Player]
    plies: Optional[int]
    by: Optional[str]
    """What proves the move, or what it was found by."""
    score: Optional[float]
    depth: Optional[int]
    line: Tuple[str, ...]
    nodes: int
    seconds: float = field(compare=False)

    def __str__(self) -> str:
        verdict = f", proven that {self.winner} wins" if self.proven else ""
        return f"{self.position}: {self.move}{verdict}"


def player(name: Any) -> Optional[Player]:
    """The player of that name; None for `unknown` and for nothing."""
    return cast(Player, name) if name in ("first", "second") else None


def analysis(position: Position, answer: Mapping[str, Any]) -> Analysis:
    """The answer of `isolde query`."""
    return Analysis(
        position=position,
        winner=player(answer["winner"]),
        plies=answer["plies"],
        plies_from=answer["plies_from"],
        origin=answer["origin"],
        move=answer["move"],
        moves=tuple(
            Move(move["move"], player(move["winner"]), move["plies"], move["origin"]) for move in answer["moves"]
        ),
        line=tuple(answer["line"]),
        line_complete=answer["line_complete"],
        line_optimal=answer["line_optimal"],
        tables=tuple(answer["tables"]),
        nodes=answer["nodes"],
        seconds=answer["seconds"],
    )


def solution(position: Position, answer: Mapping[str, Any]) -> Solution:
    """The answer of `isolde solve`, for a board or for a position."""
    openings = (
        Opening(opening["first"], opening["second"], player(opening["winner"]), opening.get("plies"))
        for opening in answer.get("openings", ())
    )
    return Solution(
        position=position,
        winner=player(answer["winner"]),
        plies=answer.get("plies"),
        mirror=answer.get("mirror"),
        openings=tuple(openings),
        move=answer.get("move"),
        line=tuple(answer.get("line", ())),
    )


def choice(position: Position, answer: Mapping[str, Any]) -> Choice:
    """The answer of `isolde move`."""
    return Choice(
        position=position,
        agent=answer["agent"],
        move=answer["move"],
        proven=answer["proven"],
        winner=player(answer["winner"]),
        plies=answer["plies"],
        by=answer["by"],
        score=answer["score"],
        depth=answer["depth"],
        line=tuple(answer["line"]),
        nodes=answer["nodes"],
        seconds=answer["seconds"],
    )


def _verdict(winner: Optional[Player], plies: Optional[int], plies_from: str) -> str:
    if winner is None:
        return "not known within the limits"
    count = "" if plies is None else f" in {plies} plies"
    after = " after both placements" if plies is not None and plies_from == "both placements" else ""
    return f"the {winner} player wins{count}{after}"
