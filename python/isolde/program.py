"""Finds the program `isolde`, runs it, and turns its errors into exceptions."""

from __future__ import annotations

import json
import operator
import os
import shutil
import subprocess
import sysconfig
from typing import Any, List, Optional, Sequence, Union

from .errors import BadInput, IsoldeError, MissingBinary

Path = Union[str, "os.PathLike[str]"]
Tables = Union[None, bool, Path, Sequence[Path]]
"""Which tables a question uses: None for the usual ones, False for none, or files and folders."""

# Exit codes that come with an answer: 0 if all is answered, 3 if a limit left something open.
_ANSWERED = (0, 3)


def find(program: Optional[Path] = None) -> str:
    """The path of the program.

    It is looked for where the variable `ISOLDE` says, then beside this interpreter's scripts, where
    `pip install` puts it, then on the path. The variable comes first, so that one can try another
    build without touching an installation.
    """
    wanted = program if program is not None else os.environ.get("ISOLDE")
    if wanted:
        found = shutil.which(os.fspath(wanted))
        if found is None:
            raise MissingBinary(f"there is no program {os.fspath(wanted)!r}: give the path of isolde")
        return found
    folders = [sysconfig.get_path("scripts"), os.path.expanduser("~/.local/bin")]
    for place in (os.pathsep.join(folders[:1]), None, os.pathsep.join(folders[1:])):
        found = shutil.which("isolde", path=place)
        if found is not None:
            return found
    raise MissingBinary("the program isolde was not found: put it on the path, or name it in the variable ISOLDE")


def checked_seconds(seconds: float) -> float:
    """A time that a limit may have: neither negative nor infinite.

    >>> checked_seconds(-1)
    Traceback (most recent call last):
    isolde.errors.BadInput: a time of -1 seconds: write a number such as 0.15
    """
    if not 0 <= seconds < 1e9:
        raise BadInput(f"a time of {seconds} seconds: write a number such as 0.15")
    return float(seconds)


def whole(name: str, number: int) -> int:
    """A number of nodes or plies.

    >>> whole("nodes", 1e4)
    Traceback (most recent call last):
    isolde.errors.BadInput: nodes=10000.0: write a whole number from 1
    """
    try:
        count = operator.index(number)
    except TypeError:
        count = 0
    if count < 1:
        raise BadInput(f"{name}={number!r}: write a whole number from 1")
    return count


def duration(seconds: float) -> str:
    """Seconds as the command line takes them.

    >>> duration(0.15)
    '150000us'
    """
    return f"{max(1, round(checked_seconds(seconds) * 1e6))}us"


def table_options(tables: Tables) -> List[str]:
    """`--tables` or `--no-tables`, as the question says."""
    if tables is None or tables is True:
        return []
    if tables is False:
        return ["--no-tables"]
    paths = [tables] if isinstance(tables, (str, os.PathLike)) else list(tables)
    if not paths:
        return ["--no-tables"]
    return [word for path in paths for word in ("--tables", os.fspath(path))]


def run(arguments: Sequence[str], *, program: Optional[Path] = None) -> str:
    """Runs the program and returns what it prints.

    It ends with this process, even if that is killed: then its standard input ends.
    """
    command = [find(program), "--stop-on-eof", *arguments]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise not_started(command[0], fault) from fault
    with process:
        try:
            assert process.stdout and process.stderr
            # Not `communicate`, which would close the input at once. What the program says on standard
            # error fits into the pipe.
            said, complained = process.stdout.read(), process.stderr.read()
            process.wait()
        except BaseException:
            process.kill()
            raise
    if process.returncode in _ANSWERED:
        return said
    if process.returncode in (130, -2):
        raise KeyboardInterrupt
    raise error(process.returncode, complained)


def ask(arguments: Sequence[str], *, program: Optional[Path] = None) -> Any:
    """Runs the program with `--json` and returns its answer."""
    said = run([arguments[0], "--json", *arguments[1:]], program=program)
    try:
        return json.loads(said)
    except ValueError as fault:
        raise IsoldeError(f"{find(program)} does not answer as isolde does: {said[:60]!r}") from fault


def not_started(path: str, fault: Exception) -> IsoldeError:
    """The exception for a program that the system does not start.

    >>> not_started("/my/isolde", PermissionError(13, "Permission denied"))
    IsoldeError('cannot start /my/isolde: Permission denied')
    """
    return IsoldeError(f"cannot start {path}: {getattr(fault, 'strerror', None) or fault}")


def error(code: int, said: str) -> IsoldeError:
    """The exception for what the program wrote to standard error.

    >>> error(2, "error: `zz` is not a cell")
    BadInput('`zz` is not a cell')
    """
    # The command line's parser adds a paragraph about --help, which means nothing to a caller here.
    sentence = said.strip().split("\n\n")[0]
    for prefix in ("isolde: ", "error: "):
        if sentence.startswith(prefix):
            sentence = sentence[len(prefix) :]
    kind = BadInput if code == 2 else IsoldeError
    return kind(sentence or f"isolde ended with exit code {code}")
