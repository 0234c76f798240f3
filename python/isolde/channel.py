"""A running engine that several processes can talk to, one after the other.

A course framework asks its player in a new child process for every move. The child may be forked or
spawned, and it may be killed at any moment. All children talk to one engine, so that it keeps what
it has found out. Therefore:

- **The engine reads and writes two named pipes in a folder.** A process that knows the folder opens
  them for one conversation and closes them again. A name survives pickling, a descriptor does not.
- **Only the process that has started the engine keeps the pipes open.** A forked child closes the
  copies that it inherits. So the engine's input ends when its owner ends, by whatever signal, even
  if the owner has other children that live on; and with its input the engine ends.
- **A lock file admits one conversation at a time.** Every conversation opens the file anew, so the
  lock keeps out other threads as well as other processes, and the system takes it from a process
  that is killed.
- **There is no thread.** Threads do not exist in a forked child. Reads wait with `poll`, up to a
  deadline.

A conversation begins in the middle of whatever the last one has left behind: half a command that a
killed child was writing, a search that is still running, lines that were not read, the rest of a
line whose beginning was read. `Conversation.synchronise` gets past all of it.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time
import uuid
import weakref
from contextlib import contextmanager
from typing import Iterator, List, Set

from .errors import DeadEngine, IsoldeError, LateAnswer
from .program import not_started

try:
    import fcntl
except ImportError:  # Windows, where the rest of the package works
    pass


_PREFIX = "isolde-engine-"


class Busy(LateAnswer):
    """Another thread or process is talking to the engine."""


# The descriptors of pipes and locks that this process has open. A child must not keep them: it would
# keep an engine alive, or locked, that it knows nothing of. The mutex is held from the opening of a
# descriptor to its entry here, and while a child is forked, so that none slips through. It can be
# taken twice by one thread, because the garbage collector may close an engine at any moment.
_descriptors: Set[int] = set()
_mutex = threading.RLock()


def _close_inherited() -> None:
    global _mutex
    for descriptor in _descriptors:
        with contextlib.suppress(OSError):  # a daemon closes whatever is open
            os.close(descriptor)
    _descriptors.clear()
    _mutex = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _mutex.acquire(), after_in_parent=lambda: _mutex.release(), after_in_child=_close_inherited
    )


def _open(path: str, flags: int) -> int:
    with _mutex:
        descriptor = os.open(path, flags)  # not inherited by programs that are started: PEP 446
        _descriptors.add(descriptor)
    return descriptor


def _close(*descriptors: int) -> None:
    with _mutex:
        for descriptor in descriptors:
            # A forked child has closed it already, and may have given the number to something else.
            if descriptor in _descriptors:
                _descriptors.discard(descriptor)
                os.close(descriptor)


class Channel:
    """The folder through which an engine is reached. It can be pickled."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @contextmanager
    def converse(self, patience: float) -> Iterator[Conversation]:
        """A conversation that nobody else can disturb. `patience`, in seconds, is how long to wait for others."""
        opened: List[int] = []
        try:
            opened.append(_open(os.path.join(self.folder, "lock"), os.O_RDWR))
            self._wait_for(opened[0], patience)
            opened.append(_open(os.path.join(self.folder, "answers"), os.O_RDONLY | os.O_NONBLOCK))
            opened.append(_open(os.path.join(self.folder, "questions"), os.O_WRONLY | os.O_NONBLOCK))
            talk = Conversation(opened[1], opened[2])
            try:
                yield talk
            except BaseException:
                talk.stop_at_once()  # nobody waits for the answer any more
                raise
        except FileNotFoundError:
            raise DeadEngine("the engine was closed") from None
        except OSError as fault:
            if fault.errno in (errno.ENXIO, errno.EPIPE):  # nobody reads the questions any more
                raise DeadEngine("the engine has ended") from None
            raise
        finally:
            _close(*reversed(opened))  # the lock last

    @staticmethod
    def _wait_for(lock: int, patience: float) -> None:
        deadline = time.monotonic() + patience
        while True:
            try:
                return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Busy(
                        "the engine is busy with another question (of another thread or process); "
                        f"waited {patience:g} s for it"
                    ) from None
                time.sleep(0.001)


class Conversation:
    """Lines to the engine and lines from it, up to a deadline: a time of `time.monotonic()`."""

    def __init__(self, answers: int, questions: int) -> None:
        self._answers, self._questions = answers, questions
        self._unread = b""

    def synchronise(self, deadline: float) -> None:
        """Drops what earlier conversations have left behind.

        The usual `stop` and `isready` do not suffice: a child that was killed may have left an unread
        `readyok` in the pipe, and the next one would take it for the answer to its own. So the engine
        is sent a word that occurs only once, and names it in an `info string` that says it is not a
        command. The engine takes one line after the other and finishes what a line asks for before it
        reads the next. Whatever comes before this answer is therefore stale, and whatever comes after
        it answers what is said after it.

        The empty line ends a command that was half written. The engine may take that half for a
        command; the `stop` ends even a search that begins so.
        """
        word = f"sync-{uuid.uuid4().hex}"
        self.say("", "stop", word, deadline=deadline)
        while not self.line(deadline).endswith(f"`{word}`"):
            pass

    def stop_at_once(self) -> None:
        """Ends a search if the engine can be told without waiting.

        The next conversation would end it, too. Until then it would keep a processor busy.
        """
        try:
            os.write(self._questions, b"\nstop\n")
        except OSError:
            pass  # the pipe is full, or the engine has ended

    def say(self, *lines: str, deadline: float) -> None:
        """Sends lines."""
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            self._wait_for(self._questions, select.POLLOUT, deadline)
            try:
                data = data[os.write(self._questions, data) :]
            except BlockingIOError:
                pass

    def line(self, deadline: float) -> str:
        """The next line."""
        while b"\n" not in self._unread:
            self._wait_for(self._answers, select.POLLIN, deadline)
            try:
                data = os.read(self._answers, 65536)
            except BlockingIOError:
                continue
            if not data:
                raise DeadEngine("the engine has ended")
            self._unread += data
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r")

    def lines_until(self, start: str, deadline: float) -> List[str]:
        """The lines up to the first that begins with this word, which is the last of them."""
        lines: List[str] = []
        while not lines or lines[-1].split(" ", 1)[0] != start:
            lines.append(self.line(deadline))
        return lines

    @staticmethod
    def _wait_for(descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        patience = None if deadline == float("inf") else max(0.0, deadline - time.monotonic()) * 1000
        if not poll.poll(patience):
            raise LateAnswer("the engine has not answered in time")


class Server:
    """An engine that this process has started. It ends with `close`, or when its owner ends."""

    def __init__(self, program: str) -> None:
        if os.name != "posix":
            raise IsoldeError("the engine is reached through named pipes, which only Linux and macOS have")
        its: List[int] = []
        ours: List[int] = []
        folder = None
        try:
            _remove_what_killed_owners_left()
            folder = tempfile.mkdtemp(prefix=_PREFIX)
            questions, answers = (os.path.join(folder, name) for name in ("questions", "answers"))
            os.mkfifo(questions, 0o600)
            os.mkfifo(answers, 0o600)
            with open(os.path.join(folder, "lock"), "wb"):
                pass
            # To open one end of a pipe waits for the other end, unless the reader opens first and
            # says that it will not wait.
            its.append(_open(questions, os.O_RDONLY | os.O_NONBLOCK))
            ours.append(_open(questions, os.O_WRONLY))
            ours.append(_open(answers, os.O_RDONLY | os.O_NONBLOCK))
            its.append(_open(answers, os.O_WRONLY))
            os.set_blocking(its[0], True)
            # A session of its own, so that Ctrl-C in a terminal does not end the engine as well.
            self.process = subprocess.Popen(
                [program, "engine"], stdin=its[0], stdout=its[1], stderr=subprocess.DEVNULL, start_new_session=True
            )
        except BaseException as fault:
            _close(*ours)
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
            if isinstance(fault, OSError):
                raise not_started(f"the engine {program}", fault) from fault
            raise
        finally:
            _close(*its)
        self.channel = Channel(folder)
        self.owner = os.getpid()
        # Runs when this object is no longer needed, and at the latest when Python ends.
        self._end = weakref.finalize(self, _end, self.process, ours, folder, self.owner)

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return not self._end.alive

    def close(self) -> None:
        """Ends the engine. It may be called twice."""
        self._end()


def _remove_what_killed_owners_left() -> None:
    """Removes the folders of engines that have ended without their owners' help."""
    for folder in glob.glob(os.path.join(glob.escape(tempfile.gettempdir()), f"{_PREFIX}*")):
        try:
            if time.time() - os.stat(folder).st_mtime < 60:
                continue  # it may just be in the making
            _close(_open(os.path.join(folder, "questions"), os.O_WRONLY | os.O_NONBLOCK))
        except OSError as fault:
            if fault.errno == errno.ENXIO:  # nobody reads the questions
                shutil.rmtree(folder, ignore_errors=True)


def _end(process: subprocess.Popen[bytes], descriptors: List[int], folder: str, owner: int) -> None:
    if os.getpid() != owner:
        return  # a forked child: the engine is not its own
    shutil.rmtree(folder, ignore_errors=True)
    _close(*descriptors)
    process.terminate()
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
