"""What can go wrong. All of it is an `IsoldeError`."""

from __future__ import annotations


class IsoldeError(Exception):
    """Something that Isolde could not do; the text is the program's own sentence where it said one."""


class BadInput(IsoldeError, ValueError):
    """A question that the program refuses: a position that does not exist, an option that is wrong."""


class MissingBinary(IsoldeError):
    """The program `isolde` was not found."""


class DeadEngine(IsoldeError):
    """The engine has ended, or was closed."""


class LateAnswer(IsoldeError):
    """The engine has not answered in time."""


class MissingTable(IsoldeError, FileNotFoundError):
    """A file or a folder that does not exist, or a folder without tables."""


class DamagedTable(IsoldeError):
    """A file that is not a table, or a table in which bytes have changed."""
