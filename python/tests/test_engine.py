"""The UCI engine as an object."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import soon

import isolde
from isolde import channel

OPEN = "11x9: f5 d3"
"""A position in which the engine searches for as long as it may."""


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


def test_an_interrupt_ends_the_search(engine):
    assert engine.best_move(OPEN, nodes=10_000).nodes >= 10_000, "the engine does not search here"

    def interrupt(*_):
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.4)
            with pytest.raises(KeyboardInterrupt):
                engine.best_move(OPEN, nodes=10**12)
            # What the engine writes shows that it has stopped, without any further question.
            answers = os.open(os.path.join(engine._channel.folder, "answers"), os.O_RDONLY | os.O_NONBLOCK)
            said = []
            try:
                assert soon(lambda: said.append(something(answers)) or b"bestmove" in b"".join(said))
            finally:
                os.close(answers)
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert engine.best_move("7x7: d4 b3", time=0.05).move == "f5"


def something(descriptor):
    """What there is to read."""
    try:
        return os.read(descriptor, 65536)
    except BlockingIOError:
        return b""


def test_threads_of_the_owner_wait_for_each_other(engine):
    asking = threading.Thread(target=engine.best_move, args=(OPEN,), kwargs={"time": 1.5})
    asking.start()
    time.sleep(0.3)
    engine.patience = 0.2
    with pytest.raises(isolde.LateAnswer, match="busy with another question .*; waited 0.2 s for it"):
        engine.best_move("7x7: d4 b3", time=0.05)
    engine.patience = 5.0
    asking.join()
    assert engine.best_move("7x7: d4 b3", time=0.05).move == "f5"


def test_what_the_system_refuses_is_an_error_and_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    script = tmp_path / "engine"
    script.write_text("#!/etc/passwd\n")
    script.chmod(0o700)
    opened = set(channel._descriptors)

    def nothing_is_left():
        return channel._descriptors == opened and list(tmp_path.iterdir()) == [script]

    with pytest.raises(isolde.IsoldeError, match=f"^cannot start the engine {script}: Permission denied$"):
        isolde.Engine(script)
    assert nothing_is_left()

    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("os.mkfifo", "os.set_blocking", "tempfile.mkdtemp"):
        with monkeypatch.context() as patch:
            patch.setattr(name, refuse)
            with pytest.raises(isolde.IsoldeError, match="cannot start the engine .*: No space left on device"):
                isolde.Engine()
        assert nothing_is_left(), name


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


@pytest.mark.parametrize("limit", [{"nodes": 1e4}, {"depth": "two"}, {"depth": -1}, {"nodes": 0}])
def test_limits_that_are_none(engine, limit):
    with pytest.raises(isolde.BadInput, match="whole number"):
        engine.best_move("5x5: a1 c3", **limit)
