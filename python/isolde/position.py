"""A position of the game, its legal moves, and what follows from a move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, Optional, Tuple, Union

from . import notation
from .errors import BadInput

Player = Literal["first", "second"]
"""Who wins, or who is to move."""


def opponent(player: Player) -> Player:
    """The other player.

    >>> opponent("first")
    'second'
    """
    return "second" if player == "first" else "first"


@dataclass(frozen=True)
class Position:
    """A position. Two positions are equal if the boards are, however they came about.

    >>> position = Position.parse("7x7: d4 b3")
    >>> position.turn, position.legal_moves
    ('first', ('c2', 'e2', 'f3', 'b5', 'f5', 'c6', 'e6'))
    >>> str(position.play("f5"))
    '7x7: d4 b3 f5'
    >>> position.play("f5").diagram
    '7/7/5N1/3*3/1n5/7/7 b'
    >>> Position.parse("7/7/5N1/3*3/1n5/7/7 b") == position.play("f5")
    True
    """

    files: int
    ranks: int
    first: Optional[int]
    """The number of the first player's cell, or None before the placement."""
    second: Optional[int]
    free: int
    """The free cells as a number: bit n stands for cell n."""
    turn: Player
    moves: Optional[Tuple[str, ...]] = field(default=None, compare=False)
    """The moves from the empty board, if they are known."""

    def __post_init__(self) -> None:
        if not notation.size_is_right(self.files, self.ranks):
            raise BadInput(f"there is no board of {self.files} files and {self.ranks} ranks")
        board = (1 << self.files * self.ranks) - 1
        knights = [cell for cell in (self.first, self.second) if cell is not None]
        if self.free & ~board or any(not 0 <= cell < self.files * self.ranks for cell in knights):
            raise BadInput(f"a cell of the position is not on a board of {self.board}")
        if len(set(knights)) < len(knights) or any(self.free >> cell & 1 for cell in knights):
            raise BadInput("the knights stand on different cells, and a cell with a knight is not free")
        if not _turn_fits(self.first, self.second, self.turn):
            raise BadInput(f"it cannot be the turn of the {self.turn} player: the first player places first, then the second")

    @classmethod
    def parse(cls, text: Union[str, Position]) -> Position:
        """Reads a board (`7x7`), a line of play (`7x7: d4 b3`) or a diagram (`8/8/2N5/4n3/3*4/8/8/8 b`).

        What is not written in one of these ways, or is not legal, is left to the program: it reads
        more, and its errors say what is wrong.

        >>> Position.parse("7x7: d4 zz")
        Traceback (most recent call last):
        isolde.errors.BadInput: move 2 of the line: `zz` is not a cell: write a file from a to p and a rank, such as d4
        """
        if isinstance(text, Position):
            return text
        diagram = notation.read_diagram(text)
        if diagram is not None and _turn_fits(*diagram[2:4], diagram[5]):
            return cls._of(diagram)
        line = notation.read_line(text)
        if line is not None:
            try:
                position = cls.empty(line[0], line[1])
                for move in line[2]:
                    position = position.play(move)
                return position
            except BadInput:
                pass
        return cls._parsed_by_the_program(text)

    @classmethod
    def empty(cls, files: int, ranks: int) -> Position:
        """The empty board.

        >>> str(Position.empty(7, 7))
        '7x7'
        """
        return cls(files, ranks, None, None, (1 << max(0, files * ranks)) - 1, "first", ())

    @classmethod
    def _parsed_by_the_program(cls, text: str) -> Position:
        from .program import ask

        answer = ask(["show", "--", text])
        diagram = notation.read_diagram(answer["position"])
        assert diagram is not None, answer["position"]
        from_empty = answer["start"] == answer["board"]
        return replace(cls._of(diagram), moves=tuple(answer["moves"]) if from_empty else None)

    @classmethod
    def _of(cls, diagram: notation.Diagram) -> Position:
        files, ranks, first, second, free, turn = diagram
        return cls(files, ranks, first, second, free, "first" if turn == "first" else "second")

    def __str__(self) -> str:
        """The line of play if it is known, otherwise the diagram."""
        if self.moves is None:
            return self.diagram
        return f"{self.board}: {' '.join(self.moves)}" if self.moves else self.board

    @property
    def board(self) -> str:
        """The board, such as `7x7`."""
        return f"{self.files}x{self.ranks}"

    @property
    def diagram(self) -> str:
        """The position as a diagram, ranks from the top."""
        return notation.write_diagram(self.files, self.ranks, self.first, self.second, self.free, self.turn)

    @property
    def mover(self) -> Optional[int]:
        """The cell of the player to move."""
        return self.first if self.turn == "first" else self.second

    @property
    def other(self) -> Optional[int]:
        """The cell of the player who is not to move."""
        return self.second if self.turn == "first" else self.first

    @property
    def targets(self) -> int:
        """The cells that the player to move may go to, as a set."""
        mover = self.mover
        return self.free if mover is None else self.free & notation.knight_targets(self.files, self.ranks)[mover]

    @property
    def legal_moves(self) -> Tuple[str, ...]:
        """The legal moves: the cells that the player to move may go to, in ascending order."""
        return tuple(notation.cell_name(cell, self.files) for cell in notation.cells(self.targets))

    @property
    def winner(self) -> Optional[Player]:
        """Who has won, or None while the game goes on.

        >>> Position.parse("3x3: b2 a1").winner
        'second'
        """
        return None if self.targets else opponent(self.turn)

    def play(self, move: str) -> Position:
        """The position after a move: the cell moved to, with or without what the UCI protocol adds.

        >>> Position.parse("7x7: d4 b3").play("d4f5,f5d4").moves
        ('d4', 'b3', 'f5')
        """
        name = notation.move_target(move)
        cell = notation.cell_number(name, self.files, self.ranks)
        own = "" if self.mover is None else notation.cell_name(self.mover, self.files)
        is_written_well = move.lower() in (name, f"{own}{name}", f"{own}{name},{name}{own}")
        if cell is None or not is_written_well or not self.targets >> cell & 1:
            raise BadInput(f"{move} is not a legal move in {self}")
        return self.play_cell(cell)

    def play_cell(self, cell: int) -> Position:
        """The position after a move to a cell, which must be legal."""
        moves = None if self.moves is None else (*self.moves, notation.cell_name(cell, self.files))
        free, turn = self.free & ~(1 << cell), opponent(self.turn)
        if self.turn == "first":
            return replace(self, first=cell, free=free, turn=turn, moves=moves)
        return replace(self, second=cell, free=free, turn=turn, moves=moves)

    def _repr_svg_(self) -> str:
        from .drawing import board_svg

        return board_svg(self)


def _turn_fits(first: Optional[int], second: Optional[int], turn: str) -> bool:
    """The first player places first, then the second; nobody moves before both are placed."""
    if first is None:
        return second is None and turn == "first"
    return turn == "second" or (second is not None and turn == "first")


PositionLike = Union[str, Position]
"""Wherever a position is wanted: one, or a text that `Position.parse` reads."""
