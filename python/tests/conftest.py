"""What the tests share. They use the package as it is installed, and the repository's tables."""

import os
import pathlib
import time

import pytest

import isolde
from isolde import program

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def tables() -> pathlib.Path:
    """The folder with the project's tables."""
    return PROJECT / "tables"


@pytest.fixture
def engine():
    """A running engine."""
    with isolde.Engine() as running:
        yield running


@pytest.fixture
def binary() -> str:
    """The path of the program."""
    return program.find()


def is_running(pid: int) -> bool:
    """Whether there is a process with this number that has not ended.

    A zombie has ended, where /proc tells it. Elsewhere it counts as running until its parent or the
    system takes notice of it, which both do.
    """
    if not os.path.exists("/proc/self/stat"):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def soon(condition, seconds: float = 5.0) -> bool:
    """Whether a condition comes true within this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return bool(condition())
