"""The adapter against stand-ins of both frameworks' game objects. Run with the path of isolde as the first argument."""

import os
import queue
import random
import sys
import unittest

from isolde_player import DeadEngine, IsoldePlayer, LateAnswer, MissingBinary, _fen_of_game, _fen_of_state, _index, _name, _row_and_column

BINARY = "isolde"
STEPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class Game:
    """What the framework of 7x7 shows of a game."""

    def __init__(self, width, height, unplaced=None):
        self.width, self.height, self.unplaced = width, height, unplaced
        self.blocked, self.locations = set(), {"one": unplaced, "two": unplaced}
        self.active_player, self.inactive_player = "one", "two"

    def get_player_location(self, player):
        return self.locations[player]

    def get_blank_spaces(self):
        cells = [(row, column) for row in range(self.height) for column in range(self.width)]
        return [cell for cell in cells if cell not in self.blocked]

    def get_legal_moves(self, player=None):
        at = self.locations[player or self.active_player]
        if at == self.unplaced:
            return self.get_blank_spaces()
        around = [(at[0] + row, at[1] + column) for row, column in STEPS]
        return [cell for cell in around if cell in self.get_blank_spaces()]

    def apply(self, move):
        assert move in self.get_legal_moves(), move
        self.blocked.add(move)
        self.locations[self.active_player] = move
        self.active_player, self.inactive_player = self.inactive_player, self.active_player


class State:
    """What the framework of 11x9 shows of a state."""

    def __init__(self, width=11, height=9, board=None, locs=(None, None), ply_count=0):
        self.width, self.height, self.locs, self.ply_count = width, height, locs, ply_count
        self.board = board if board is not None else sum(1 << x + y * (width + 2) for x in range(width) for y in range(height))

    def actions(self):
        own = self.locs[self.ply_count % 2]
        if own is None:
            return [index for index in range(self.board.bit_length()) if self.board >> index & 1]
        differences = [x + y * (self.width + 2) for x, y in STEPS]
        return [step for step in differences if own + step >= 0 and self.board >> (own + step) & 1]

    def result(self, action):
        assert action in self.actions(), action
        own = self.locs[self.ply_count % 2]
        to = action if own is None else own + action
        locs = tuple(to if player == self.ply_count % 2 else at for player, at in enumerate(self.locs))
        return State(self.width, self.height, self.board & ~(1 << to), locs, self.ply_count + 1)


class Frameworks(unittest.TestCase):
    def test_every_cell_of_both_frameworks_is_mapped(self):
        for width, height in [(7, 7), (5, 6), (11, 9)]:
            seen = set()
            for file in range(width):
                for rank in range(height):
                    row, column = _row_and_column(_name(file, rank), height)
                    game = Game(width, height)
                    game.apply((row, column))
                    lines = _fen_of_game(game).split(" ")[0].split("/")
                    self.assertEqual([number for number, line in enumerate(lines) if "N" in line], [row])
                    index = _index(_name(file, rank), width)
                    state = State(width, height).result(index)
                    self.assertEqual(_fen_of_state(state, width, height), _fen_of_game(game))
                    seen.add(index)
            self.assertEqual(seen, set(State(width, height).actions()))

    def test_whole_games_of_7x7(self):
        for width, height, unplaced in [(7, 7, None), (5, 6, (-1, -1))]:
            with IsoldePlayer(BINARY, margin=10) as player:
                game, lot = Game(width, height, unplaced), random.Random(3)
                while game.get_legal_moves():
                    mine = game.active_player == "two"
                    game.apply(player.get_move(game, lambda: 60) if mine else lot.choice(game.get_legal_moves()))
                # The second player wins these boards, and does so here.
                self.assertEqual(game.active_player, "one")
                self.assertEqual(player.get_move(game, [], lambda: 60), (-1, -1))

    def test_whole_games_of_11x9(self):
        with IsoldePlayer(BINARY, time_ms=30, margin=10) as player:
            player.queue = queue.Queue()
            state, lot = State(), random.Random(4)
            while state.actions():
                if state.ply_count % 2:
                    action = player.get_action(state)
                    self.assertEqual(player.queue.get_nowait(), action)
                else:
                    action = lot.choice(state.actions())
                state = state.result(action)
            self.assertGreater(state.ply_count, 10)

    def test_values_are_true(self):
        with IsoldePlayer(BINARY) as player:
            game = Game(5, 5)
            game.apply((2, 2))
            game.apply((3, 2))
            self.assertEqual(set(player.values(game)), set(game.get_legal_moves()))
            self.assertEqual(set(player.values(game).values()), {"loss"})
            game.apply(game.get_legal_moves()[0])
            self.assertIn("win", player.values(game).values())


class Faults(unittest.TestCase):
    def test_a_missing_binary(self):
        with self.assertRaisesRegex(MissingBinary, "no-such-program"):
            IsoldePlayer("no-such-program")

    def test_an_engine_that_is_gone(self):
        player = IsoldePlayer(BINARY)
        process = player._process
        process.kill()
        process.wait()
        with self.assertRaises(DeadEngine):
            player.get_move(Game(5, 5), lambda: 50)
        player.close()
        player.close()
        with self.assertRaisesRegex(DeadEngine, "closed"):
            player.get_move(Game(5, 5), lambda: 50)

    def test_a_late_answer(self):
        player = IsoldePlayer(BINARY)
        player.patience = -0.2
        with self.assertRaises(LateAnswer):
            player.get_move(Game(8, 8), lambda: 300)
        player.close()

    def test_no_process_is_left_behind(self):
        player = IsoldePlayer(BINARY)
        process = player._process
        player.close()
        self.assertIsNotNone(process.returncode)
        with self.assertRaises(ProcessLookupError):
            os.kill(process.pid, 0)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1) if len(sys.argv) > 1 else BINARY
    unittest.main()
