"""A stand-in for `isolde tournament` with an agent that is another program.

It starts the agent as the program does, without a shell, and plays games against itself at random
on openings with the sides exchanged. The report and the records have the program's form. All other
commands go to the real program, which the first argument names.
"""

import json
import os
import random
import subprocess
import sys
import time

from isolde import Position


class Agent:
    """A UCI engine."""

    def __init__(self, command, board):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        said = self.ask("uci", "uciok")
        assert any(line.startswith("id name ") for line in said), said
        assert any(f"var joust{board}" in line for line in said if line.startswith("option name UCI_Variant")), said
        self.say(f"setoption name UCI_Variant value joust{board}")
        self.ask("isready", "readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, end):
        self.say(line)
        said = []
        while not said or not said[-1].startswith(end):
            said.append(self.process.stdout.readline())
            if not said[-1]:
                raise EOFError
        return said

    def move(self, start, moves, limit):
        self.say(f"position fen {start.diagram} - - 0 1" + (f" moves {' '.join(moves)}" if moves else ""))
        return self.ask(f"go {limit}", "bestmove")[-1].split()[1]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=5)


def game(command, board, opening, outsider_is_first, limit, seconds, lot):
    """One game; a new engine for each, as if the last one had crashed."""
    agent = Agent(command, board)
    agent.say("ucinewgame")
    start = position = opening
    played, end, winner = [], "stuck", None
    while position.winner is None and winner is None:
        if (position.turn == "first") == outsider_is_first:
            begin = time.monotonic()
            try:
                move = agent.move(start, played, limit)
                if seconds and time.monotonic() - begin > seconds:
                    end = "late"
                own = "" if position.mover is None else opening_name(position)
                after = position.play(move)
                target = after.moves[-1]
                assert move == (f"{own}{target},{target}{own}" if own else target), move
            except EOFError:
                end = "crashed"
            except ValueError:
                end = "illegal"
            if end != "stuck":
                winner = "second" if position.turn == "first" else "first"
                break
            played.append(move)
        else:
            after = position.play(lot.choice(position.legal_moves))
            played.append(after.moves[-1])
        position = after
    if end != "crashed":
        agent.close()
    return position, position.winner or winner, end


def opening_name(position):
    cell = position.mover
    return f"{chr(97 + cell % position.files)}{cell // position.files + 1}"


def option(name, default=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def rate(count, of):
    return {"of": of, "count": count, "percent": 100 * count / of if of else None, "low": 0.0, "high": 100.0}


def main(program):
    if sys.argv[1] != "tournament":
        os.execv(program, [program, *sys.argv[1:]])
    agent, opponents, board = option("--agents"), option("--against").split(","), option("--board")
    assert agent.startswith("uci:") and option("--threads") == "1" and "--json" in sys.argv
    if "Nobody" in opponents:
        print("error: unknown agent `Nobody`", file=sys.stderr)
        sys.exit(2)
    seconds, grace = (float(option(name, "0us")[:-2]) / 1e6 for name in ("--time", "--grace"))
    limit = f"movetime {int(seconds * 1000)}" if seconds else "nodes 100"
    lot, number = random.Random(int(option("--seed"))), 0
    against, records = [], open(option("--games"), "w")
    records.write('{"tournament":"%s"}\n' % board)
    for opponent in opponents:
        won = lost = forfeits = 0
        for _ in range(int(option("--matches"))):
            opening = Position.parse(board)
            while option("--openings") != "free" and len(opening.moves) < 2:
                opening = opening.play(lot.choice(opening.legal_moves))
            for first in (True, False):
                number += 1
                position, winner, end = game(agent[4:], board, opening, first, limit, seconds and seconds + grace, lot)
                names = [agent, opponent] if first else [opponent, agent]
                won += (winner == "first") == first
                lost += (winner == "first") != first
                forfeits += end != "stuck"
                record = {
                    "board": board, "first": names[0], "second": names[1], "limit": limit, "given": len(opening.moves),
                    "moves": " ".join(position.moves), "winner": winner, "end": end, "known_from": 2,
                    "opening_winner": "first", "blunders": [ply for ply in (3, 4) if ply <= len(position.moves)],
                }  # fmt: skip
                records.write(json.dumps({"game": number, "record": record}) + "\n")
        figures = {
            "won": won, "lost": lost, "rate": rate(won, won + lost), "elo": 0.0, "elo_low": 0.0, "elo_high": 0.0,
            "from_won": rate(0, 0), "from_lost": rate(0, 0), "blunders": 1, "judged_moves": 9, "forfeits": forfeits,
        }  # fmt: skip
        against.append({"opponent": opponent, "figures": figures})
    records.close()
    agents = [{"agent": agent, "against": against, "total": against[0]["figures"]}]
    print(json.dumps({"board": board, "limit": limit, "agents": agents}))


if __name__ == "__main__":
    main(sys.argv.pop(1))
