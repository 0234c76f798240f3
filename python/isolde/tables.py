"""Reads tables of proven results, in pure Python. docs/table-format.md describes the bytes.

A table is mapped into memory. A lookup reads a few keys of its directory and one block of 32 bytes,
so that opening a table costs nothing and a lookup well under a millisecond.
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import zlib
from dataclasses import dataclass
from types import TracebackType
from typing import Dict, Iterator, List, Literal, Optional, Sequence, Tuple, Type, Union, overload

from .errors import DamagedTable, IsoldeError, MissingTable
from .notation import cell_name, cells, knight_targets
from .position import Player, Position, PositionLike, opponent
from .program import Path

Kind = Literal["strong", "opening"]
Numbers = Tuple[int, int, int]
"""A position as the format has it: the mover's cell, the other's cell, and the free cells."""

_LOW = (1 << 128) - 1


@dataclass(frozen=True)
class Outcome:
    """What a table knows of a position."""

    winner: Player
    plies: Optional[int]
    """Plies to the end, both placements not counted. Opening tables do not count them."""
    move: Optional[str]
    """A move that wins. Strong tables do not name one, except while a placement is still to be made."""
    table: str
    """The name of the file."""


@dataclass(frozen=True)
class Entry:
    """An entry of a table. The position is canonical, with the first player to move."""

    position: Position
    outcome: Outcome


class Table:
    """One table. Use it in a `with` block, or call `close`.

    >>> with Table("tables/3x4-strong.isolde") as table:
    ...     print(table.board, table.kind, len(table))
    3x4 strong 993
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self.name = os.path.basename(self.path)
        try:
            with open(self.path, "rb") as file:
                length = os.fstat(file.fileno()).st_size
                if length < 144:
                    raise DamagedTable(f"{self.path} is not a table: it has {length} bytes")
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as fault:
            raise _not_read(self.path, fault) from fault
        try:
            self._read_header()
        except BaseException:
            self.close()
            raise

    def _read_header(self) -> None:
        data = self._data
        # The fields of the header that a lookup needs, in the order of the file.
        (start, kind, files, ranks, self.depth, values, gaps, block, self._entries, self._blocks, codes_at,
         codes_length, self._blocks_at, self._keys_at, keys_length, codes_crc, crc) = struct.unpack(
            "<10s4BHHHxxxxQQ16xQQQ8xQQ4xI12xI", data[:128]
        )  # fmt: skip
        if start[:8] != b"isolde\x1a\n":
            raise DamagedTable(f"{self.path} is not a table")
        if crc != zlib.crc32(data[:124]):
            raise DamagedTable(f"{self.path} is damaged: its header has changed")
        if start[8:] != b"\1\0" or kind not in (1, 2) or block != 32:
            raise DamagedTable(f"{self.path} is a table of another version")
        if len(data) != self._keys_at + keys_length + 16:
            raise DamagedTable(
                f"{self.path} is damaged: it has {len(data)} bytes, not {self._keys_at + keys_length + 16}"
            )
        codes = data[codes_at : codes_at + codes_length]
        if codes_crc != zlib.crc32(codes):
            raise DamagedTable(f"{self.path} is damaged: its codes have changed")
        self.kind: Kind = "strong" if kind == 1 else "opening"
        self.files, self.ranks = files, ranks
        self._free_bytes = (files * ranks - 2 + 7) // 8
        self._gap_code = _code(codes[:gaps])
        self._value_codes = [_code(codes[at : at + values]) for at in range(gaps, len(codes), values)]
        self._targets = knight_targets(files, ranks)
        self._symmetries = _symmetries(files, ranks)

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self.kind} table {self.path!r} of {self.board}, {len(self):,} positions>"

    def close(self) -> None:
        """Gives the file back."""
        self._data.close()

    @property
    def board(self) -> str:
        """The board, such as `5x5`."""
        return f"{self.files}x{self.ranks}"

    def __len__(self) -> int:
        return int(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        for mover, other, free, value in self.numbers():
            position = Position(self.files, self.ranks, mover, other, free, "first")
            yield Entry(position, self._outcome("first", value, self._winning_cell(mover, value)))

    def probe(self, position: PositionLike) -> Optional[Outcome]:
        """What the table knows of a position; None if it does not have it.

        >>> with Table("tables/5x5-strong.isolde") as table:
        ...     table.probe("5x5: a1 c3")
        Outcome(winner='first', plies=15, move=None, table='5x5-strong.isolde')
        """
        asked = Position.parse(position)
        if (asked.files, asked.ranks) == (self.ranks, self.files) and self.files != self.ranks:
            found = self.probe(_transposed(asked))
            if found is None or found.move is None:
                return found
            x, y = ord(found.move[0]) - ord("a"), int(found.move[1:]) - 1
            return Outcome(found.winner, found.plies, cell_name(x * asked.files + y, asked.files), found.table)
        if (asked.files, asked.ranks) != (self.files, self.ranks):
            return None
        if asked.first is None or asked.second is None:
            return self._probe_placements(asked)
        mover, other = (asked.first, asked.second) if asked.turn == "first" else (asked.second, asked.first)
        found_value = self.look_up(mover, other, asked.free)
        return None if found_value is None else self._outcome(asked.turn, *found_value)

    def _probe_placements(self, position: Position) -> Optional[Outcome]:
        """A placement is still to be made: the mover wins if one of them does, as with moves."""
        after = {cell: self.probe(position.play_cell(cell)) for cell in cells(position.targets)}
        known = {cell: outcome for cell, outcome in after.items() if outcome is not None}
        wins = {cell: outcome.plies for cell, outcome in known.items() if outcome.winner == position.turn}
        if wins:
            best = min(wins, key=lambda cell: wins[cell] or 0)
            return Outcome(position.turn, wins[best], cell_name(best, self.files), self.name)
        if len(known) < len(after) or not known:
            return None
        counts = [outcome.plies for outcome in known.values() if outcome.plies is not None]
        return Outcome(opponent(position.turn), max(counts) if counts else None, None, self.name)

    def _outcome(self, mover: Player, value: int, wins_by: Optional[int]) -> Outcome:
        won = value % 2 == 1 if self.kind == "strong" else value > 0
        winner = mover if won else opponent(mover)
        plies = value if self.kind == "strong" else None
        return Outcome(winner, plies, None if wins_by is None else cell_name(wins_by, self.files), self.name)

    def _winning_cell(self, mover: int, value: int) -> Optional[int]:
        return cells(self._targets[mover])[value - 1] if self.kind == "opening" and value else None

    # The file, in the numbers of its format.

    def numbers(self) -> Iterator[Tuple[int, int, int, int]]:
        """Every entry in the order of the file: mover, other, free cells, value."""
        for number in range(self._blocks):
            yield from self._block(number)

    def look_up(self, mover: int, other: int, free: int) -> Optional[Tuple[int, Optional[int]]]:
        """The value of a position, and in an opening table the cell that wins. None if it is absent."""
        live = self._live(mover, other, free)
        wanted, symmetry = min(
            ((symmetry[mover], symmetry[other], sum(1 << symmetry[cell] for cell in live)), symmetry)
            for symmetry in self._symmetries
        )
        # The last block whose key is not above the wanted one, or the first block.
        low, high = 0, self._blocks
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _position(self._key(middle)) <= wanted else (low, middle)
        for *found, value in self._block(low) if self._blocks else ():
            if tuple(found) == wanted:
                wins_by = self._winning_cell(wanted[0], value)
                return value, None if wins_by is None else symmetry.index(wins_by)
        return None

    def _live(self, mover: int, other: int, free: int) -> List[int]:
        """The free cells that one of the knights could reach: all others are dead."""
        live, new = 0, 1 << mover | 1 << other
        while new:
            around = 0
            for cell in cells(new):
                around |= self._targets[cell]
            new = around & free & ~live
            live |= new
        return cells(live)

    def _number(self, at: int, length: int) -> int:
        return int.from_bytes(self._data[at : at + length], "little")

    def _key(self, number: int) -> int:
        """The key of a block, with 128 bits for the free cells."""
        at = self._keys_at + number * (self._free_bytes + 2)
        return self._number(at, self._free_bytes) | self._number(at + self._free_bytes, 2) << 128

    def _block(self, number: int) -> Iterator[Tuple[int, int, int, int]]:
        key, block = self._key(number), self._number(self._blocks_at + 32 * number, 32)
        following = self._key(number + 1) if number + 1 < self._blocks else 0
        words = block >> 16 << 16 | key << 256 | following << 416
        if sum(place * (words >> 32 * (place - 1) & 0xFFFFFFFF) for place in range(1, 19)) % 65521 != block & 0xFFFF:
            raise DamagedTable(f"{self.path} is damaged: block {number} has changed")
        bits, value = f"{block:0256b}", -1  # bit 255 first; the first value has the last code
        gaps, values = iter(bits[255 - 24 :: -1]), iter(bits)
        for place in range(block >> 16 & 255):
            if place:
                bits_of_gap = _decode(self._gap_code, gaps)
                key += (1 << bits_of_gap) + sum(int(next(gaps)) << bit for bit in range(bits_of_gap))
            value = _decode(self._value_codes[value], values)
            yield (*_position(key), value)


class Tables(Sequence[Table]):
    """Several tables. A position is looked up in the strong ones first."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = sorted(tables, key=lambda table: table.kind != "strong")

    def __enter__(self) -> Tables:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives all files back."""
        for table in self._tables:
            table.close()

    def __len__(self) -> int:
        return len(self._tables)

    @overload
    def __getitem__(self, number: int) -> Table: ...

    @overload
    def __getitem__(self, number: slice) -> List[Table]: ...

    def __getitem__(self, number: Union[int, slice]) -> Union[Table, List[Table]]:
        return self._tables[number]

    @property
    def boards(self) -> Tuple[str, ...]:
        """The boards that there are tables of."""
        return tuple(dict.fromkeys(table.board for table in self._tables))

    def probe(self, position: PositionLike) -> Optional[Outcome]:
        """What the tables know of a position; None if none of them has it."""
        asked = Position.parse(position)
        found = (table.probe(asked) for table in self._tables)
        return next((outcome for outcome in found if outcome is not None), None)

    def entries(self) -> Iterator[Entry]:
        """Every entry of every table."""
        return itertools.chain.from_iterable(self._tables)


def open_tables(paths: Union[Path, Sequence[Path]]) -> Tables:
    """Opens tables: a folder, a file, or several of them.

    >>> with open_tables("tables") as tables:
    ...     tables.probe("4x4: a1 b2").winner
    ...     tables.probe("7x7: d4 b3").move
    'first'
    'f5'
    """
    wanted = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    files: List[str] = []
    for path in [os.fspath(path) for path in wanted]:
        if os.path.isdir(path):
            files += _tables_in(path)
        else:
            files.append(path)
    tables: List[Table] = []
    try:
        for file in files:
            tables.append(Table(file))
    except BaseException:
        Tables(tables).close()
        raise
    return Tables(tables)


def _tables_in(folder: str) -> List[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".isolde"))
    except OSError as fault:
        raise _not_read(folder, fault) from fault
    if not names:
        raise MissingTable(f"there is no table in the folder {folder}: the names of tables end in .isolde")
    return [os.path.join(folder, name) for name in names]


def _not_read(path: str, fault: OSError) -> IsoldeError:
    if isinstance(fault, FileNotFoundError):
        return MissingTable(f"there is no file or folder {path}: give the path of a table, or of a folder with tables")
    return IsoldeError(f"cannot read {path}: {fault.strerror or fault}")


def _code(lengths: bytes) -> Dict[str, int]:
    """The codewords of a canonical Huffman code, as text. Filled up to 8 bits, they follow each other.

    >>> _code(bytes([2, 0, 1, 2]))
    {'0': 2, '10': 0, '11': 3}
    """
    order = sorted((length, symbol) for symbol, length in enumerate(lengths) if length)
    starts = itertools.accumulate((256 >> length for length, _ in order), initial=0)
    return {f"{start:08b}"[:length]: symbol for (length, symbol), start in zip(order, starts)}


def _decode(code: Dict[str, int], bits: Iterator[str]) -> int:
    """Takes one codeword from the bits."""
    word = ""
    for bit in bits:
        word += bit
        if word in code:
            return code[word]
    raise DamagedTable("a table is damaged: a codeword has no end")


def _position(key: int) -> Numbers:
    """Mover, other, free cells: room is made for the lower knight, then for the higher one."""
    mover, other, free = key >> 136, key >> 128 & 255, key & _LOW
    for cell in sorted((mover, other)):
        free += free >> cell << cell
    return mover, other, free


def _symmetries(files: int, ranks: int) -> List[List[int]]:
    """For each symmetry of the board the image of every cell."""
    order = [(x, y) for y in range(ranks) for x in range(files)]
    orders = [order, [(y, x) for x, y in order]] if files == ranks else [order]
    return [
        [abs(b - y) * files + abs(a - x) for x, y in cells_in_order]
        for cells_in_order in orders
        for a in (0, files - 1)
        for b in (0, ranks - 1)
    ]


def _transposed(position: Position) -> Position:
    """Files and ranks change places: a table of 4x6 also serves 6x4."""

    def image(cell: int) -> int:
        return cell % position.files * position.ranks + cell // position.files

    first, second = (None if cell is None else image(cell) for cell in (position.first, position.second))
    free = sum(1 << image(cell) for cell in cells(position.free))
    return Position(position.ranks, position.files, first, second, free, position.turn)
