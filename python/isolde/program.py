"""Finds the program `isolde`, runs it, and turns its errors into exceptions."""

from __future__ import annotations

import json
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


def duration(seconds: float) -> str:
    """Seconds as the command line takes them.

    >>> duration(0.15)
    '150000us'
    """
    return f"{max(1, round(seconds * 1e6))}us"


def table_options(tables: Tables) -> List[str]:
    """`--tables` or `--no-tables`, as the question says."""
    if tables is None or tables is True:
        return []
    if tables is False:
        return ["--no-tables"]
    paths = [tables] if isinstance(tables, (str, os.PathLike)) else list(tables)
    return [word for path in paths for word in ("--tables", os.fspath(path))]


def run(arguments: Sequence[str], *, program: Optional[Path] = None, text: str = "") -> str:
    """Runs the program and returns what it prints."""
    command = [find(program), *arguments]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    except OSError as fault:
        raise not_started(command[0], fault) from fault
    if done.returncode in _ANSWERED:
        return done.stdout
    if done.returncode in (130, -2):
        raise KeyboardInterrupt
    raise error(done.returncode, done.stderr)


def ask(arguments: Sequence[str], *, program: Optional[Path] = None) -> Any:
    """Runs the program with `--json` and returns its answer."""
    return json.loads(run([arguments[0], "--json", *arguments[1:]], program=program))


def not_started(path: str, fault: OSError) -> IsoldeError:
    """The exception for a program that the system does not start.

    >>> not_started("/my/isolde", PermissionError(13, "Permission denied"))
    IsoldeError('cannot start /my/isolde: Permission denied')
    """
    return IsoldeError(f"cannot start {path}: {fault.strerror or fault}")


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
