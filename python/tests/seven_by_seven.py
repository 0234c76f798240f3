"""A stand-in for the 7x7 framework, which behaves as the real one does: `get_move(game, time_left)`."""

import time

STEPS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]


class Board:
    def __init__(self, first, second, width=7, height=7, unplaced=None):
        self.width, self.height, self.unplaced = width, height, unplaced
        self.blocked, self.locations = set(), [unplaced, unplaced]
        self.players, self.turn = [first, second], 0

    @property
    def active_player(self):
        return self.players[self.turn]

    @property
    def inactive_player(self):
        return self.players[1 - self.turn]

    def get_player_location(self, player):
        return self.locations[self.players.index(player)]

    def get_blank_spaces(self):
        cells = [(row, column) for column in range(self.width) for row in range(self.height)]
        return [cell for cell in cells if cell not in self.blocked]

    def get_legal_moves(self, player=None):
        at = self.get_player_location(player or self.active_player)
        blank = self.get_blank_spaces()
        return (
            blank
            if at == self.unplaced
            else [(at[0] + r, at[1] + c) for r, c in STEPS if (at[0] + r, at[1] + c) in blank]
        )

    def apply_move(self, move):
        assert move in self.get_legal_moves(), move
        self.blocked.add(move)
        self.locations[self.turn] = move
        self.turn = 1 - self.turn

    def play(self, time_limit=150):
        """The winner, the moves, and why the game ended."""
        history = []
        while True:
            legal, begin = self.get_legal_moves(), time.perf_counter()

            def time_left():
                return time_limit - 1000 * (time.perf_counter() - begin)

            move = self.active_player.get_move(self, time_left)
            if time_left() < 0:
                return self.inactive_player, history, "timeout"
            if move not in legal:
                return self.inactive_player, history, "forfeit" if legal else "illegal move"
            history.append(move)
            self.apply_move(move)
