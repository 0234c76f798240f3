"""Cells, diagrams and lines of play as text. docs/rules.md defines all of them.

A cell is a number here: the one on file x and rank y, both from 0, is `y * files + x`. A set of
cells is an integer in which bit n stands for cell n.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import List, Optional, Tuple

MOST_FILES, MOST_CELLS = 16, 128
Diagram = Tuple[int, int, Optional[int], Optional[int], int, str]
"""Files, ranks, the first and the second player's cell, the free cells, and who is to move."""
_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def cell_name(cell: int, files: int) -> str:
    """The name of a cell.

    >>> cell_name(24, 7)
    'd4'
    """
    return f"{chr(ord('a') + cell % files)}{cell // files + 1}"


def cell_number(name: str, files: int, ranks: int) -> Optional[int]:
    """The number of a cell, or None if the board has no cell of that name.

    >>> cell_number("d4", 7, 7)
    24
    """
    if not re.fullmatch(r"[a-p][1-9][0-9]?", name):
        return None
    x, y = ord(name[0]) - ord("a"), int(name[1:]) - 1
    return y * files + x if x < files and y < ranks else None


def move_target(move: str) -> str:
    """The cell that a move leads to: `d4f5,f5d4`, with the wall that it leaves, leads to `f5`.

    >>> move_target("d4f5,f5d4"), move_target("F5")
    ('f5', 'f5')
    """
    found = re.fullmatch(r"(?:[a-p]\d+)?([a-p]\d+)(?:,.*)?", move.lower())
    return found[1] if found else move


@lru_cache(maxsize=None)
def knight_targets(files: int, ranks: int) -> Tuple[int, ...]:
    """For every cell the set of cells that are a knight's move away."""
    sets = []
    for cell in range(files * ranks):
        x, y = cell % files, cell // files
        around = [(x + dx, y + dy) for dx, dy in _STEPS]
        sets.append(sum(1 << b * files + a for a, b in around if 0 <= a < files and 0 <= b < ranks))
    return tuple(sets)


def cells(of: int) -> List[int]:
    """The cells of a set, in ascending order.

    >>> cells(0b10110)
    [1, 2, 4]
    """
    found = []
    while of:
        lowest = of & -of
        found.append(lowest.bit_length() - 1)
        of ^= lowest
    return found


def write_diagram(files: int, ranks: int, first: Optional[int], second: Optional[int], free: int, turn: str) -> str:
    """A diagram, ranks from the top."""
    lines = []
    for y in reversed(range(ranks)):
        line, run = "", 0
        for cell in range(y * files, (y + 1) * files):
            if free >> cell & 1:
                run += 1
                continue
            line += f"{run or ''}{'N' if cell == first else 'n' if cell == second else '*'}"
            run = 0
        lines.append(f"{line}{run or ''}")
    return "/".join(lines) + (" w" if turn == "first" else " b")


def read_diagram(text: str) -> Optional[Diagram]:
    """Reads what `write_diagram` has written, and nothing else.

    >>> read_diagram("2N/1n1/3 w")
    (3, 3, 8, 4, 239, 'first')
    """
    found = re.fullmatch(r"([0-9Nn*/]+) ([wb])(?: - - 0 1)?", text)
    if found is None:
        return None
    rows = []
    for line in found[1].split("/"):
        words = re.findall(r"[0-9]+|[Nn*]", line)
        if any(word.isdigit() and (len(word) > 2 or int(word) > MOST_FILES) for word in words):
            return None
        rows.append("".join("." * int(word) if word.isdigit() else word for word in words))
    files, ranks = len(rows[0]), len(rows)
    board = "".join(reversed(rows))
    if not size_is_right(files, ranks) or any(len(row) != files for row in rows):
        return None
    if board.count("N") > 1 or board.count("n") > 1:
        return None
    first, second = (board.index(knight) if knight in board else None for knight in "Nn")
    free = sum(1 << cell for cell, sign in enumerate(board) if sign == ".")
    return files, ranks, first, second, free, "first" if found[2] == "w" else "second"


def size_is_right(files: int, ranks: int) -> bool:
    """Whether there is a board of this size."""
    return 1 <= files <= MOST_FILES and 1 <= ranks <= MOST_FILES and files * ranks <= MOST_CELLS


def read_line(text: str) -> Optional[Tuple[int, int, List[str]]]:
    """A board and the moves on it: `7x7: d4 b3`. None if it is neither that nor a board."""
    found = re.fullmatch(r"(\d{1,2})[xX×](\d{1,2})(?::? *|[: ]+([a-pA-P0-9 ,]*))", text.strip())
    if found is None or not size_is_right(int(found[1]), int(found[2])):
        return None
    return int(found[1]), int(found[2]), (found[3] or "").lower().replace(",", " ").split()
