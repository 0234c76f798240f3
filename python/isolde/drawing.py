"""Pictures for notebooks: the board by the program, with values and lines beside it."""

from __future__ import annotations

import re
from html import escape
from typing import Dict, List, Optional, Tuple

from .answers import Analysis, Move, Solution
from .notation import cell_name, cell_number
from .position import Player, Position
from .program import run

# The measures of the program's pictures: a cell's side, and the margins left of and above the board.
_CELL, _LEFT, _TOP = 48, 22, 12
_COLOURS: Dict[Optional[Player], str] = {"first": "#e69f00", "second": "#0072b2", None: "#999999"}
_LINE_HEIGHT = 20


def board_svg(position: Position) -> str:
    """The position as `isolde show --svg -` draws it."""
    return run(["show", "--svg", "-", "--", str(position)])


def analysis_svg(analysis: Analysis) -> str:
    """The board with the value of every move on its cell, the verdict and the main line below it."""
    position = analysis.position
    values = "".join(_value(move, position) for move in analysis.moves)
    return _with_text(
        board_svg(position), values, [str(analysis).split(": ")[-1], *_line(analysis.line, position)], position
    )


def solution_svg(solution: Solution) -> str:
    """A position with the line that wins it, or all openings of a board."""
    verdict = str(solution).split(": ")[-1]
    position = solution.position
    if not solution.openings:
        return _with_text(board_svg(position), "", [verdict, *_line(solution.line, position)], position)
    return _openings(solution, verdict)


def _value(move: Move, position: Position) -> str:
    """A move's value on its cell: the winner by colour, and the plies if they are known."""
    cell = cell_number(move.move, position.files, position.ranks)
    assert cell is not None, move.move
    x = _LEFT + cell % position.files * _CELL + _CELL // 2
    y = _TOP + (position.ranks - 1 - cell // position.files) * _CELL + _CELL // 2
    who = "not known who wins" if move.winner is None else f"{move.winner} wins"
    text = "?" if move.winner is None else "" if move.plies is None else str(move.plies)
    return (
        f'<g><title>{move.move}: {who}</title><circle cx="{x}" cy="{y}" r="14" fill="{_COLOURS[move.winner]}"/>'
        f'<text x="{x}" y="{y + 5}" font-size="14" text-anchor="middle" fill="#ffffff">{text}</text></g>\n'
    )


def _line(line: Tuple[str, ...], position: Position) -> List[str]:
    """A line of play, in lines that fit below the board."""
    most = max(4, position.files * _CELL // 24)
    return [" ".join(line[at : at + most]) for at in range(0, len(line), most)]


def _with_text(svg: str, values: str, texts: List[str], position: Position) -> str:
    """A picture of the program with values on the board and lines of text below it."""
    found = re.search(r'viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"', svg)
    assert found is not None, svg[:200]
    longest = max(map(len, texts))
    width, height = max(int(found[1]), _LEFT + 8 * longest), int(found[2])
    higher = height + _LINE_HEIGHT * len(texts) + 8
    svg = svg.replace(found[0], f'viewBox="0 0 {width} {higher}" width="{width}" height="{higher}"', 1)
    svg = svg.replace(f'<rect width="{found[1]}" height="{height}"', f'<rect width="{width}" height="{higher}"', 1)
    words = "".join(
        f'<text x="{_LEFT}" y="{height + _LINE_HEIGHT * (number + 1) - 6}" font-size="14">{escape(text)}</text>\n'
        for number, text in enumerate(texts)
    )
    return svg.replace("</svg>", f"{values}{words}</svg>")


def _openings(solution: Solution, verdict: str) -> str:
    """Every opening of a board: a small board for each first placement, a cell for each reply."""
    position = solution.position
    files, ranks, side, gap = position.files, position.ranks, 6, 6
    width, height = files * (files * side + gap) + gap, ranks * (ranks * side + gap) + gap
    winner = {(opening.first, opening.second): opening.winner for opening in solution.openings}
    shapes = []
    for first in range(files * ranks):
        left, top = (
            gap + first % files * (files * side + gap),
            gap + (ranks - 1 - first // files) * (ranks * side + gap),
        )
        name = cell_name(first, files)
        shapes.append(f"<g><title>{name}</title>")
        for second in range(files * ranks):
            x, y = left + second % files * side, top + (ranks - 1 - second // files) * side
            pair = (name, cell_name(second, files))
            colour = "#222222" if first == second else _COLOURS[winner[pair]] if pair in winner else "#eeeeee"
            shapes.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>')
        shapes.append("</g>\n")
    legend = f"{verdict}; orange: the first player wins, blue: the second"
    width, bottom = max(width, 2 * gap + 7 * len(legend)), height + _LINE_HEIGHT + gap
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" width="{width}" height="{bottom}" '
        f'font-family="Helvetica, Arial, sans-serif"><title>{escape(str(solution))}</title>\n'
        f'<rect width="{width}" height="{bottom}" fill="#ffffff"/>\n{"".join(shapes)}'
        f'<text x="{gap}" y="{height + _LINE_HEIGHT - gap}" font-size="13">{escape(legend)}</text>\n</svg>\n'
    )
