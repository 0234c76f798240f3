"""A player for the course frameworks of knight's-move Isolation that asks Isolde.

It needs the program `isolde` and nothing but the standard library:

    from isolde_player import IsoldePlayer

    player = IsoldePlayer()                  # finds isolde on the path, or takes IsoldePlayer("/where/isolde")
    player.get_move(game, time_left)         # the framework of 7x7: cells are (row, column), row 0 on top
    player.get_action(state)                 # the framework of 11x9: cells are bit indices, moves are differences
    player.values(game)                      # the true value of every legal move
    player.close()                           # or `with IsoldePlayer() as player:`

The engine is started once and kept from move to move. docs/rules.md tells how cells are mapped.
"""

import atexit
import json
import queue
import shutil
import subprocess
import threading
import time


class IsoldeError(Exception):
    """Something is wrong with the engine."""


class MissingBinary(IsoldeError):
    """There is no program of that name."""


class DeadEngine(IsoldeError):
    """The engine has ended, or was closed."""


class LateAnswer(IsoldeError):
    """The engine has not answered in time."""


class IsoldePlayer:
    """Plays by asking Isolde. `margin` is kept back of every time, in milliseconds."""

    def __init__(self, binary="isolde", time_ms=150, margin=30, tables=None, size=(11, 9), patience=5.0):
        self.binary = shutil.which(binary)
        if self.binary is None:
            raise MissingBinary(f"there is no program {binary!r}: build Isolde, and give its path as IsoldePlayer(binary)")
        self.time_ms, self.margin, self.tables, self.patience = time_ms, margin, tables, patience
        self.width, self.height = size
        self.queue = None  # the 11x9 framework puts its own here
        self._process = subprocess.Popen(
            [self.binary, "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        atexit.register(self.close)
        self._say("uci")
        self._until("uciok", self.patience)
        if tables is not None:
            self._say(f"setoption name Tables value {tables}")
        self._say("setoption name Move Overhead value 0")
        self._say("isready")
        self._until("readyok", self.patience)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the engine. It may be called twice."""
        atexit.unregister(self.close)
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.stdin.close()
            process.wait(timeout=2)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        process.stdout.close()

    # The framework of 7x7.

    def get_move(self, game, *rest):
        """The move in a game: `get_move(game, time_left)`, or `get_move(game, legal_moves, time_left)` as older versions have it."""
        time_left = rest[-1] if rest else None
        if not game.get_legal_moves():
            return (-1, -1)
        cell = self._best(_fen_of_game(game), time_left() if callable(time_left) else self.time_ms)
        return _row_and_column(cell, game.height)

    def values(self, game, seconds=10):
        """Every legal move of a game with its true value: "win" or "loss" for the player to move, None if that is not known in time."""
        command = [self.binary, "query", _fen_of_game(game), "--winner", "--json", "--time", f"{seconds}s"]
        if self.tables is not None:
            command += ["--tables", str(self.tables)]
        asked = subprocess.run(command, capture_output=True, text=True, timeout=seconds + self.patience, check=False)
        try:
            answer = json.loads(asked.stdout)
        except ValueError as fault:
            raise DeadEngine(f"isolde query gave no answer: {asked.stderr.strip()}") from fault
        value = {answer["turn"]: "win", "unknown": None}
        return {_row_and_column(move["move"], game.height): value.get(move["winner"], "loss") for move in answer["moves"]}

    # The framework of 11x9.

    def get_action(self, state):
        """The action in a state; it is also put into the framework's queue, if there is one.

        The framework takes a player whose only liberty is the cell with index 0 for stuck. Its own list of actions is the law here: what it does not list is not played.
        """
        actions = list(state.actions())
        cell = self._best(_fen_of_state(state, self.width, self.height), self.time_ms)
        index = _index(cell, self.width)
        own = state.locs[state.ply_count % 2]
        wanted = index if own is None else index - own
        action = next((action for action in actions if int(action) == wanted), actions[0] if actions else None)
        if self.queue is not None:
            self.queue.put(action)
        return action

    # The engine.

    def _best(self, fen, milliseconds):
        budget = max(1, int(milliseconds) - self.margin)
        self._say(f"position fen {fen}")
        self._say(f"go movetime {budget}")
        move = self._until("bestmove", budget / 1000 + self.patience).split()[1]
        # The move is written with the wall that it leaves: d4e6,e6d4. A placement is the cell alone.
        move = move.split(",")[0]
        letters = [place for place, letter in enumerate(move) if letter.isalpha()]
        return move[letters[-1]:]

    def _say(self, line):
        if self._process is None:
            raise DeadEngine("the engine was closed")
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as fault:
            raise DeadEngine("the engine has ended") from fault

    def _read(self):
        process = self._process
        try:
            for line in process.stdout:
                self._lines.put(line.rstrip("\n"))
        except ValueError:
            pass  # closed meanwhile
        self._lines.put(None)

    def _until(self, start, seconds):
        """The next line that begins so."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise LateAnswer(f"no {start} after {seconds:.1f} s") from None
            if line is None:
                raise DeadEngine("the engine has ended")
            if line.startswith(start):
                return line


def _name(file, rank):
    return f"{chr(ord('a') + file)}{rank + 1}"


def _place(cell):
    return ord(cell[0]) - ord("a"), int(cell[1:]) - 1


def _fen(width, height, is_free, first, second, turn):
    """A position, ranks from the top; cells are (file, rank) from the bottom left."""
    ranks = []
    for rank in reversed(range(height)):
        text, run = "", 0
        for file in range(width):
            cell = (file, rank)
            letter = "N" if cell == first else "n" if cell == second else "" if is_free(cell) else "*"
            if letter == "":
                run += 1
                continue
            text += (str(run) if run else "") + letter
            run = 0
        ranks.append(text + (str(run) if run else ""))
    return "/".join(ranks) + " " + turn


def _seats(own, other):
    """Who is the first player, who the second, and who is to move: the mover is the first, unless it still has to answer a placement."""
    if own is None and other is not None:
        return other, None, "b"
    return own, other, "w"


def _row_and_column(cell, height):
    file, rank = _place(cell)
    return (height - 1 - rank, file)


def _fen_of_game(game):
    def cell(location):
        if location is None or min(location) < 0:
            return None
        row, column = location
        return (column, game.height - 1 - row)

    free = {cell(location) for location in game.get_blank_spaces()}
    own, other = (cell(game.get_player_location(player)) for player in (game.active_player, game.inactive_player))
    return _fen(game.width, game.height, free.__contains__, *_seats(own, other))


def _index(cell, width):
    """The bit of a cell: rows are two wider than the board, and are counted from the right."""
    file, rank = _place(cell)
    return rank * (width + 2) + width - 1 - file


def _fen_of_state(state, width, height):
    def cell(index):
        if index is None:
            return None
        return (width - 1 - index % (width + 2), index // (width + 2))

    mover = state.ply_count % 2
    own, other = cell(state.locs[mover]), cell(state.locs[1 - mover])
    is_free = lambda at: state.board >> _index(_name(*at), width) & 1 == 1  # noqa: E731
    return _fen(width, height, is_free, *_seats(own, other))
