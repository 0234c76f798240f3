"""The UCI engine as an object."""

import subprocess
import sys

import pytest

import isolde


def test_it_plays(engine):
    assert engine.name.startswith("Isolde ")
    answer = engine.best_move("7x7: d4 b3", time=0.05)
    assert answer.move == "f5" and answer.score.is_proven and answer.line[0] == "f5"
    assert engine.best_move("7x7", nodes=100).move in isolde.legal_moves("7x7")
    assert engine.best_move("8x8: d4 e5", depth=2).depth is not None
    assert engine.best_move("3x3: b2 a1", depth=1).move is None
    engine.new_game()


def test_a_whole_game_is_won(engine):
    position = isolde.Position.parse("5x5: a1 c3")
    while position.winner is None:
        position = position.play(engine.best_move(position, time=0.05).move)
    assert position.winner == "first" and len(position.moves) == 2 + 15


def test_options(engine):
    engine.set_option("Hash", 32)
    with pytest.raises(isolde.BadInput, match="there is no option `Nonsense`"):
        engine.set_option("Nonsense", 1)
    with pytest.raises(isolde.BadInput, match="Hash"):
        engine.set_option("Hash", "much")
    with pytest.raises(isolde.BadInput, match="no option"):
        isolde.Engine(options={"Nonsense": 1})


def test_mistakes(engine):
    with pytest.raises(isolde.BadInput, match="limit"):
        engine.best_move("7x7")
    with pytest.raises(isolde.BadInput, match="zz"):
        engine.best_move("7x7: zz", time=0.1)
    with pytest.raises(isolde.MissingBinary):
        isolde.Engine("/no/such/program")
    engine.close()
    engine.close()
    with pytest.raises(isolde.DeadEngine, match="closed"):
        engine.best_move("7x7", time=0.1)


def test_a_program_that_is_no_engine(tmp_path):
    script = tmp_path / "engine"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o700)
    with pytest.raises(isolde.DeadEngine):
        isolde.Engine(script)


def test_the_rest_of_the_package_works_on_windows():
    script = """
import os, sys
sys.modules["fcntl"] = None
import isolde
os.name = "nt"
print(isolde.legal_moves("5x5: a1 c3"))
try:
    isolde.Engine(sys.executable)
except isolde.IsoldeError as fault:
    print(fault)
"""
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.startswith("('c2', 'b3')") and "named pipes" in said
