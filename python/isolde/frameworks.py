"""The game objects of two course frameworks, and how their cells are written.

`Game` is what the 7x7 framework shows a player, `State` what the 11x9 framework shows. `isolde.arena`
hands them to players that were written for these frameworks. `position_of_game` and
`position_of_state` read the frameworks' own objects as well as these.

| framework | a cell there |
|---|---|
| 7x7 | `(row, column)`, row 0 on top |
| 11x9 | a bit index; rows are two wider than the board and counted from the right |
"""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .errors import BadInput
from .notation import cell_number, cells, knight_targets
from .position import Position

RowColumn = Tuple[int, int]


def row_and_column(cell: int, files: int, ranks: int) -> RowColumn:
    """A cell as the 7x7 framework writes it.

    >>> row_and_column(0, 7, 7)
    (6, 0)
    """
    return ranks - 1 - cell // files, cell % files


def cell_of_row_and_column(place: RowColumn, files: int, ranks: int) -> int:
    """The cell that the 7x7 framework writes so.

    >>> cell_of_row_and_column((0, 0), 7, 7)
    42
    """
    return (ranks - 1 - place[0]) * files + place[1]


def bit_index(cell: int, files: int) -> int:
    """A cell as the 11x9 framework writes it.

    >>> bit_index(0, 11), bit_index(10, 11), bit_index(11, 11)
    (10, 0, 23)
    """
    return cell // files * (files + 2) + files - 1 - cell % files


def cell_of_bit_index(index: int, files: int) -> int:
    """The cell that the 11x9 framework writes so.

    >>> cell_of_bit_index(13, 11)
    21
    """
    return index // (files + 2) * files + files - 1 - index % (files + 2)


class Game:
    """A game as the 7x7 framework shows it. `active` and `inactive` stand for the two players.

    >>> game = Game(Position.parse("7x7: d4 b3"), "me", "you")
    >>> game.get_player_location("me"), len(game.get_legal_moves()), game.move_count
    ((3, 3), 7, 2)
    >>> game.forecast_move((2, 5)).get_player_location("me")
    (2, 5)
    """

    BLANK = 0
    NOT_MOVED = None

    def __init__(self, position: Position, active: Any, inactive: Any) -> None:
        self.position = position
        self.active_player, self.inactive_player = active, inactive

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.position.files

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.position.ranks

    @property
    def move_count(self) -> int:
        """How many placements and moves were made: each has taken a cell."""
        return self.width * self.height - bin(self.position.free).count("1")

    def get_opponent(self, player: Any) -> Any:
        """The other player."""
        return self.inactive_player if self._is_active(player) else self.active_player

    def get_player_location(self, player: Any) -> Optional[RowColumn]:
        """Where a player's knight stands; None before its placement."""
        cell = self.position.mover if self._is_active(player) else self.position.other
        return None if cell is None else self._place(cell)

    def get_blank_spaces(self) -> List[RowColumn]:
        """The free cells."""
        return [self._place(cell) for cell in cells(self.position.free)]

    def get_legal_moves(self, player: Any = None) -> List[RowColumn]:
        """Where a player could go; without a player, the one to move."""
        active = player is None or self._is_active(player)
        cell = self.position.mover if active else self.position.other
        free = self.position.free
        around = free if cell is None else free & knight_targets(self.width, self.height)[cell]
        return [self._place(target) for target in cells(around)]

    def move_is_legal(self, move: RowColumn) -> bool:
        """Whether a cell is on the board and free."""
        row, column = move
        if not (0 <= row < self.height and 0 <= column < self.width):
            return False
        return bool(self.position.free >> cell_of_row_and_column(move, self.width, self.height) & 1)

    def copy(self) -> Game:
        """The same game once more."""
        return Game(self.position, self.active_player, self.inactive_player)

    def apply_move(self, move: RowColumn) -> None:
        """Makes a move in this game."""
        self.position = self.position.play_cell(cell_of_row_and_column(move, self.width, self.height))
        self.active_player, self.inactive_player = self.inactive_player, self.active_player

    def forecast_move(self, move: RowColumn) -> Game:
        """The game after a move; this one stays as it is."""
        after = self.copy()
        after.apply_move(move)
        return after

    def is_winner(self, player: Any) -> bool:
        """Whether this player has won."""
        return self.utility(player) > 0

    def is_loser(self, player: Any) -> bool:
        """Whether this player has lost."""
        return self.utility(player) < 0

    def utility(self, player: Any) -> float:
        """Plus infinity if this player has won, minus infinity if it has lost, 0 otherwise."""
        if self.position.targets:
            return 0.0
        return float("-inf") if self._is_active(player) else float("inf")

    def hash(self) -> int:
        """A number that equal positions share."""
        return hash(self.position)

    def to_string(self) -> str:
        """The position, ranks from the top."""
        return self.position.diagram

    def _is_active(self, player: Any) -> bool:
        if player == self.active_player:
            return True
        if player == self.inactive_player:
            return False
        raise RuntimeError(f"{player!r} does not play this game")

    def _place(self, cell: int) -> RowColumn:
        return row_and_column(cell, self.width, self.height)


class State(NamedTuple):
    """A state as the 11x9 framework shows it, on a board of any size.

    >>> state = State.of(Position.parse("11x9"))
    >>> state.ply_count, len(state.actions()), state.result(0).locs
    (0, 99, (0, None))

    It goes by the rules of the game: a knight that can still reach the cell with index 0 can move.
    """

    board: int
    """The free cells: bit n is set if the cell with index n is free."""
    ply_count: int
    locs: Tuple[Optional[int], Optional[int]]
    width: int
    height: int

    @classmethod
    def of(cls, position: Position) -> State:
        """The state of a position. Every ply takes one cell, so the cells taken tell the plies."""
        files, ranks = position.files, position.ranks
        board = sum(1 << bit_index(cell, files) for cell in cells(position.free))
        plies = files * ranks - bin(position.free).count("1")
        if plies % 2 != (position.turn == "second"):
            plies += 1  # cells that were blocked from the beginning
        first, second = (None if cell is None else bit_index(cell, files) for cell in (position.first, position.second))
        return cls(board, plies, (first, second), files, ranks)

    def player(self) -> int:
        """Who is to move: 0 or 1."""
        return self.ply_count % 2

    def actions(self) -> List[int]:
        """The legal actions: cells before the placement, then differences of indices."""
        own = self.locs[self.player()]
        return [cell if own is None else cell - own for cell in self.liberties(own)]

    def result(self, action: int) -> State:
        """The state after an action."""
        own = self.locs[self.player()]
        cell = int(action) + (own or 0)
        if not (cell >= 0 and self.board >> cell & 1):
            raise RuntimeError(f"the cell with index {cell} is not free")
        locs = (cell, self.locs[1]) if self.player() == 0 else (self.locs[0], cell)
        return self._replace(board=self.board ^ 1 << cell, ply_count=self.ply_count + 1, locs=locs)

    def liberties(self, loc: Optional[int]) -> List[int]:
        """The free cells a knight's move away; all free cells for a knight that is not placed."""
        if loc is None:
            return cells(self.board)
        row = self.width + 2
        # In the order of the framework, by which players break ties.
        steps = (2 * row - 1, row - 2, -row - 2, -2 * row - 1, -2 * row + 1, 2 - row, row + 2, 2 * row + 1)
        return [loc + step for step in steps if loc + step >= 0 and self.board >> loc + step & 1]

    def terminal_test(self) -> bool:
        """Whether one of the players cannot move."""
        return not (self.liberties(self.locs[0]) and self.liberties(self.locs[1]))

    def utility(self, player_id: int) -> float:
        """Plus infinity if this player has won, minus infinity if it has lost, 0 otherwise."""
        if not self.terminal_test():
            return 0.0
        mover_wins = bool(self.liberties(self.locs[self.player()]))
        return float("inf") if mover_wins == (player_id == self.player()) else float("-inf")


def position_of_game(game: Any) -> Position:
    """The position of a game of the 7x7 framework. Placements may be None or lie outside the board."""
    files, ranks = game.width, game.height
    free = sum(1 << cell_of_row_and_column(place, files, ranks) for place in game.get_blank_spaces())
    knights: Dict[str, Optional[int]] = {}
    for name, player in (("mover", game.active_player), ("other", game.inactive_player)):
        place = game.get_player_location(player)
        missing = place is None or min(place) < 0
        knights[name] = None if missing else cell_of_row_and_column(place, files, ranks)
    return _seated(files, ranks, knights["mover"], knights["other"], free)


def position_of_state(state: Any, files: int, ranks: int) -> Position:
    """The position of a state of the 11x9 framework."""
    free = sum(1 << cell for cell in range(files * ranks) if state.board >> bit_index(cell, files) & 1)
    mover = state.ply_count % 2
    own, other = (
        None if at is None else cell_of_bit_index(at, files) for at in (state.locs[mover], state.locs[1 - mover])
    )
    return _seated(files, ranks, own, other, free)


def _seated(files: int, ranks: int, own: Optional[int], other: Optional[int], free: int) -> Position:
    """The mover counts as the first player, unless it still has to answer a placement."""
    if own is None and other is not None:
        return Position(files, ranks, other, None, free, "second")
    return Position(files, ranks, own, other, free, "first")


def cell_of_action(state: State, action: Any) -> int:
    """The cell that an action of the 11x9 framework leads to."""
    own = state.locs[state.player()]
    index = int(action) + (own or 0)
    if index < 0 or not state.board >> index & 1:
        raise BadInput(f"{action} is not a legal action")
    return cell_of_bit_index(index, state.width)


def cell_of_name(name: str, position: Position) -> int:
    """The number of a cell of the board."""
    cell = cell_number(name, position.files, position.ranks)
    if cell is None:
        raise BadInput(f"{name} is not a cell of {position.board}")
    return cell
