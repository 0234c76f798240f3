"""Campaigns on a cluster, by Dask: `python -m isolde.cluster DIR`.

The folder of a [campaign](../docs/campaigns.md) is seen by all workers. Here the jobs that can be
done are listed again and again and handed to Dask, which sends each to a free worker; there the
program does it and writes its result into the folder. Dask's tasks hold nothing that matters. If a
worker, the scheduler or this process dies, starting again goes on from the results.

With a cluster of your own:

    from dask.distributed import Client
    from isolde import cluster

    with Client("tcp://scheduler:8786") as client:
        cluster.run("9x9", client)
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import socket
import sys
import time
import zlib
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple

from .errors import BadInput, IsoldeError
from .program import Path, duration
from .program import run as run_program

__all__ = ["Progress", "main", "run"]

# This many jobs are in Dask's hands at once, or two for each thread of the cluster if that is more: enough
# for a cluster to see that it could grow. The others wait here, where they can still become needless.
_AT_ONCE = 16

# Listing the open jobs reads all results. It may take a tenth of the time.
_BETWEEN_LISTINGS = 10

# Failures of the connection in a row.
_MOST_FAILURES = 10

# How often a job that fails on a worker is tried again, perhaps on another one.
_RETRIES = 2

# How often the connection to the scheduler and the clock are looked at, in seconds.
_PAUSE = 1.0


@dataclass(frozen=True)
class Progress:
    """How far `run` is."""

    done: int
    """Jobs that this run has done, those that were split included."""
    split: int
    """How many of them were split."""
    nodes: int
    """The nodes that they searched."""
    open: int
    """Jobs that could be done when they were last listed, and are not done yet."""
    workers: int
    """Workers of the cluster."""
    set_aside: Tuple[str, ...] = ()
    """Files that were no results and were set aside; the jobs of these results are open again."""

    def __str__(self) -> str:
        workers = f"{self.workers} worker" + "s" * (self.workers != 1)
        return f"{self.done:,} jobs done, {self.split:,} split, {self.open:,} open; {self.nodes:,} nodes; {workers}"


def run(
    folder: Path,
    client: Any,
    *,
    job_time: Optional[float] = None,
    program: Optional[Path] = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Does all jobs of a campaign on the cluster of a `dask.distributed.Client`.

    Every thread of a worker does one job at a time, with the memory of the plan. A job that takes
    longer than `job_time` seconds is split. `program` is the path of the program here and on the
    workers, if it is not the usual one. `progress` is called whenever something has changed.

    If the scheduler disappears, its return is waited for as long as the client waits for a connection.
    """
    return _Run(os.path.abspath(folder), client, job_time, program, progress).all_jobs()


def work(folder: str, job: str, job_time: Optional[float] = None, program: Optional[Path] = None) -> Dict[str, Any]:
    """Does one job, on a worker."""
    options = [] if job_time is None else ["--time", duration(job_time)]
    try:
        said = run_program(["campaign", "work", "--json", *options, folder, job], program=program)
    except KeyboardInterrupt:
        # Batch systems stop what they preempt. The job stays open.
        return {"outcome": "stopped"}
    except IsoldeError as fault:
        raise IsoldeError(f"on the worker {socket.gethostname()}: {fault}") from fault
    done: Dict[str, Any] = json.loads(said)
    return done


class _Run:
    """What `run` knows while it runs."""

    def __init__(
        self,
        folder: str,
        client: Any,
        job_time: Optional[float],
        program: Optional[Path],
        progress: Callable[[Progress], None],
    ) -> None:
        self.folder, self.client, self.job_time, self.program = folder, client, job_time, program
        self.progress = progress
        # Jobs in Dask's hands, and those that wait, both by name.
        self.begun: Dict[str, Any] = {}
        self.waiting: List[str] = []
        self.done = self.split = self.nodes = 0
        self.workers = self.threads = 0
        self.set_aside: List[str] = []
        # Whether anything was finished since the last listing. If not, the list would be the same.
        self.news = True
        self.next_listing = 0.0

    def all_jobs(self) -> Progress:
        complete, failed = False, 0
        while not complete:
            try:
                complete, failed = self.step(), 0
            except (OSError, CancelledError) as fault:
                # The connection is lost, which the client itself may notice later. The program's own
                # errors are among these types, too.
                failed += 1
                if isinstance(fault, IsoldeError) or failed > _MOST_FAILURES:
                    raise
                time.sleep(_PAUSE)
                self.reconnect()
        return self.report()

    def step(self) -> bool:
        """Does what can be done now, and waits a moment. Says whether the campaign is complete."""
        if self.news and time.monotonic() >= self.next_listing:
            self.list_jobs()
            if not self.begun and not self.waiting:
                return True
        self.hand_over()
        self.wait_for_one()
        self.collect()
        return False

    def list_jobs(self) -> None:
        """Finds out which jobs can be done now, and puts together what is known for them."""
        self.news, begin = False, time.monotonic()
        listed = json.loads(run_program(["campaign", "jobs", "--wave", "--json", "--", self.folder], program=self.program))
        names = [job["name"] for job in listed["jobs"]]
        self.set_aside += listed["set_aside"]
        self.waiting = [name for name in names if name not in self.begun]
        now = time.monotonic()
        self.next_listing = now + _BETWEEN_LISTINGS * (now - begin)
        threads = self.client.nthreads().values()
        self.workers, self.threads = len(threads), sum(threads)
        self.report()

    def hand_over(self) -> None:
        """Gives Dask the most promising jobs."""
        room = max(_AT_ONCE, 2 * self.threads) - len(self.begun)
        now, self.waiting = self.waiting[: max(room, 0)], self.waiting[max(room, 0) :]
        for name in now:
            arguments = (self.folder, name, self.job_time, self.program)
            # Other campaigns on this cluster may have jobs of the same name.
            key = f"isolde-{zlib.crc32(self.folder.encode()):08x}-{name}"
            self.begun[name] = self.client.submit(work, *arguments, key=key, retries=_RETRIES)

    def wait_for_one(self) -> None:
        # Before Python 3.11 this is not the built-in one.
        from distributed import TimeoutError as TookTooLong
        from distributed import wait

        listing_in = max(0.0, self.next_listing - time.monotonic())
        if not self.begun:
            time.sleep(min(_PAUSE, listing_in))
            return
        try:
            timeout = min(_PAUSE, listing_in or _PAUSE) if self.news else _PAUSE
            wait(list(self.begun.values()), timeout=timeout, return_when="FIRST_COMPLETED")
        except TookTooLong:
            pass

    def collect(self) -> None:
        """Takes note of what was done, and raises what went wrong."""
        from distributed.scheduler import KilledWorker

        finished = [(name, future) for name, future in self.begun.items() if future.done()]
        for name, future in finished:
            del self.begun[name]
            self.news = True
            try:
                # A cancelled one raises, because the connection was lost.
                done = future.result()
            except KilledWorker as fault:
                raise IsoldeError(f"job {name} was running on each of the last workers that died: {fault}") from fault
            except ModuleNotFoundError as fault:
                raise IsoldeError(f"a worker lacks the package isolde or a part of it: {fault}") from fault
            self.done += done["outcome"] in ("answered", "split")
            self.split += done["outcome"] == "split"
            self.nodes += done.get("nodes", 0)
            self.set_aside += done.get("set_aside", [])
        if finished:
            self.report()

    def reconnect(self) -> None:
        """Waits until the client has found the scheduler again, or has given up."""
        self.begun.clear()
        self.news = True
        while self.client.status == "connecting":
            time.sleep(_PAUSE / 10)
        if self.client.status != "running":
            raise IsoldeError("the scheduler does not answer any more; the same command goes on from the results")

    def report(self) -> Progress:
        open_jobs = len(self.begun) + len(self.waiting)
        progress = Progress(self.done, self.split, self.nodes, open_jobs, self.workers, tuple(self.set_aside))
        self.progress(progress)
        return progress


class _Line:
    """A line on standard error that says how far the work is: redrawn on a terminal, elsewhere once a minute."""

    def __init__(self) -> None:
        self.on_terminal = sys.stderr.isatty()
        self.next = 0.0
        self.named = 0

    def show(self, progress: Progress) -> None:
        for path in progress.set_aside[self.named :]:
            self.clear()
            print(f"warning: set aside as {path}; if it was a result, its job is open again", file=sys.stderr)
        self.named = len(progress.set_aside)
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (0.1 if self.on_terminal else 60.0)
        begin, end = ("\r\x1b[K", "") if self.on_terminal else ("", "\n")
        print(f"{begin}{progress}", end=end, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.on_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m isolde.cluster",
        description="Do all jobs of a campaign with Dask. Stopped in any way, the same command goes on.",
        epilog="Exit codes: 0 the campaign is complete, 1 failed, 2 bad input, 130 interrupted.",
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of the campaign, which all workers must see")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=int, help="workers on this machine (default: one for each processor)"
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="an existing scheduler, such as tcp://host:8786")
    parser.add_argument("--job-time", metavar="SECONDS", type=float, help="split a job that takes longer than this")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """The command line. Returns the exit code."""
    asked = _arguments().parse_args(arguments)
    if asked.workers is not None and asked.workers < 1:
        _arguments().error("--workers must be at least 1")
    try:
        # A folder that holds no campaign is noticed before a cluster is started.
        run_program(["campaign", "status", "--json", "--", asked.folder])
        return _with_dask(asked)
    except IsoldeError as fault:
        print(f"isolde: {fault}", file=sys.stderr)
        return 2 if isinstance(fault, BadInput) else 1
    except KeyboardInterrupt:
        print("isolde: interrupted; the same command goes on", file=sys.stderr)
        return 130


def _with_dask(asked: argparse.Namespace) -> int:
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as fault:
        raise IsoldeError(f"Dask is missing ({fault}): pip install 'dask[distributed]'") from fault
    with contextlib.ExitStack() as ended_together:
        begin = ended_together.enter_context
        if asked.scheduler is None:
            # One job at a time for each worker.
            client = begin(Client(begin(LocalCluster(n_workers=asked.workers, threads_per_worker=1))))
        else:
            try:
                client = begin(Client(asked.scheduler))
            except (OSError, ValueError) as fault:
                raise IsoldeError(f"there is no scheduler at {asked.scheduler}: {fault}") from fault
        if importlib.util.find_spec("bokeh") is not None:
            print(f"dashboard  {client.dashboard_link}", file=sys.stderr)
        line = _Line()
        try:
            done = run(asked.folder, client, job_time=asked.job_time, progress=line.show)
        finally:
            line.clear()
    print(f"{done.done:,} jobs done, {done.nodes:,} nodes; the campaign is complete")
    return 0


if __name__ == "__main__":
    # The workers import `work` from the package, and not from a script.
    from isolde import cluster

    sys.exit(cluster.main())
