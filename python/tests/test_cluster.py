"""Campaigns on Dask, with a real scheduler, real workers and real kills. They need `distributed`."""

import contextlib
import importlib.util
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import zlib

import pytest
from conftest import is_running, soon

import isolde
from isolde import cluster, program

pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")

# Enough for a busy machine; nothing waits that long if all is well.
PATIENCE = 120.0


def campaign(*arguments: str) -> str:
    """What a command of `isolde campaign` prints."""
    return program.run(["campaign", *arguments])


def plan(folder: pathlib.Path, board: str, nodes: str, *options: str) -> pathlib.Path:
    """A new campaign."""
    campaign("plan", board, "--nodes", nodes, "--memory", "16MiB", *options, "--output", str(folder))
    return folder


def results(folder: pathlib.Path) -> "dict[str, pathlib.Path]":
    """The results of a campaign, by the names of their jobs."""
    return {path.stem: path for path in sorted(folder.glob("results/*/*.json"))}


def versions(folder: pathlib.Path) -> "dict[str, int]":
    """What tells whether a result was written again: it would be another file."""
    return {name: path.stat().st_mtime_ns for name, path in results(folder).items()}


def table_of_one_machine(folder: pathlib.Path, board: str) -> bytes:
    """What `isolde table build` writes."""
    program.run(["table", "build", board, "--output", str(folder / "built.isolde")])
    return (folder / "built.isolde").read_bytes()


def forge(folder: pathlib.Path) -> str:
    """Makes a win a loss, and seals the result again. Returns the name of the job."""
    found, path = next(
        (found, path)
        for path in results(folder).values()
        for found in [json.loads(path.read_text().splitlines()[0])]
        if found.get("mover_wins")
    )
    found["mover_wins"] = False
    for choice in found.get("choices", []):
        choice[1] = "-" if choice[0] == found["position"] else choice[1]
    line = (json.dumps(found, separators=(",", ":")) + "\n").encode()
    path.write_bytes(line + b"crc32 %08x\n" % zlib.crc32(line))
    return path.stem


class Dask:
    """A scheduler and its workers, as processes of their own."""

    def __init__(self, workers: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.wanted = workers
        self.start()

    def start(self) -> None:
        port = self.address.rsplit(":", 1)[1]
        self.scheduler = self.run("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        self.workers = [self.start_worker() for _ in range(self.wanted)]

    def start_worker(self) -> "subprocess.Popen[bytes]":
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        return self.run("distributed.cli.dask_worker", self.address, *options)

    def run(self, module: str, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """As the system does it when memory runs out: without a warning."""
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()


@contextlib.contextmanager
def dask(workers: int):
    """A cluster on this machine."""
    running = Dask(workers)
    try:
        yield running
    finally:
        running.kill()


@contextlib.contextmanager
def run_on(running: Dask, folder: pathlib.Path):
    """`python -m isolde.cluster` as a process."""
    command = [sys.executable, "-m", "isolde.cluster", str(folder), "--scheduler", running.address]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_results(folder: pathlib.Path, count: int, process: "subprocess.Popen[str]") -> None:
    """Waits until there are this many more results."""
    wanted = len(results(folder)) + count
    soon(lambda: len(results(folder)) >= wanted or process.poll() is not None, PATIENCE)
    assert process.poll() is None, print(*process.communicate())


@pytest.mark.parametrize("board, nodes", [("6x6", "20k"), ("5x7", "15k")])
def test_whatever_dies_the_table_is_that_of_one_machine(tmp_path, board, nodes):
    folder = plan(tmp_path / "c", board, nodes)
    with dask(3) as running:
        with run_on(running, folder) as process:
            wait_for_results(folder, 10, process)
            running.workers[0].kill()
            wait_for_results(folder, 10, process)
            # The scheduler comes back, and its workers: this process has waited for it.
            before = versions(folder)
            running.kill()
            running.start()
            wait_for_results(folder, 10, process)
            # Now everything goes at once, this process included.
            running.kill()
        cut = list(results(folder))[3]
        results(folder)[cut].write_bytes(results(folder)[cut].read_bytes()[:60])
        seen = versions(folder)
        running.start()
        with run_on(running, folder) as process:
            said, faults = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0 and said.endswith("the campaign is complete\n"), faults
        assert f"{cut}.json" in faults, "the damaged file is named"
        after = versions(folder)
        # Of what was done, nothing was done again but the damaged one.
        assert all(after[name] == version for name, version in before.items() if name != cut)
        assert [name for name, version in seen.items() if after[name] != version] == [cut]
        assert json.loads(campaign("status", str(folder), "--json"))["jobs"]["damaged"] == 1

        # A worker lies. It is found out, and named; done again, the table is the true one.
        forged = forge(folder)
        with run_on(running, folder) as process:
            assert process.wait(PATIENCE) == 0
        merge = ("merge", str(folder), "--recheck", "all", "--output", str(tmp_path / "merged.isolde"))
        with pytest.raises(isolde.IsoldeError, match=f"the result of job {forged} is false"):
            campaign(*merge)
        campaign("work", str(folder), forged, "--again")
        with run_on(running, folder) as process:
            assert process.wait(PATIENCE) == 0
        campaign(*merge)
        assert (tmp_path / "merged.isolde").read_bytes() == table_of_one_machine(tmp_path, board)


def test_a_job_ends_with_its_worker(tmp_path):
    folder = plan(tmp_path / "c", "9x9", "1T", "--weak")
    with dask(1) as running, run_on(running, folder):
        claims = folder / "running"
        assert soon(lambda: claims.is_dir() and any(claims.iterdir()), PATIENCE)
        worker = running.workers[0].pid
        children = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(int(pid)) == worker]
        assert children
        os.kill(worker, signal.SIGKILL)
        assert soon(lambda: not any(is_running(child) for child in children), PATIENCE)
    assert not results(folder)


def parent(pid: int) -> int:
    """The parent of a process; -1 if it has ended."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return -1
    return int(stat.rsplit(")", 1)[1].split()[1])


def test_a_cluster_on_this_machine(tmp_path):
    folder = plan(tmp_path / "c", "5x5", "1k")
    command = [sys.executable, "-m", "isolde.cluster", str(folder), "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout.endswith("the campaign is complete\n")) == (0, True), done.stderr
    # Again, there is nothing to do.
    again = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (again.returncode, again.stdout) == (0, "0 jobs done, 0 nodes; the campaign is complete\n"), again.stderr
    campaign("merge", str(folder), "--output", str(tmp_path / "merged.isolde"))
    assert (tmp_path / "merged.isolde").read_bytes() == table_of_one_machine(tmp_path, "5x5")


def test_a_campaign_from_python(tmp_path):
    from distributed import Client

    folder = plan(tmp_path / "c", "7x7", "50k", "--weak")
    seen = []
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        done = cluster.run(folder, client, progress=seen.append)
        status = json.loads(campaign("status", str(folder), "--json"))
        jobs = status["jobs"]
        assert (done.done, done.split, done.nodes) == (jobs["done"] + jobs["split"], jobs["split"], status["nodes"])
        assert (done.open, done.workers, seen[-1], status["winner"]) == (0, 2, done, "second")
        # A job that takes too long is split.
        assert cluster.run(plan(tmp_path / "d", "7x7", "100G", "--weak"), client, job_time=0.02).split > 0


def test_what_goes_wrong_is_said_in_a_sentence(tmp_path):
    def said(*arguments: str) -> "tuple[int, str]":
        command = [sys.executable, "-m", "isolde.cluster", *arguments]
        environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)
        assert done.stdout == "" and "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stderr.splitlines()[-1]

    code, sentence = said(str(tmp_path))
    assert code == 2 and sentence.startswith("isolde: there is no campaign in "), sentence
    folder = str(plan(tmp_path / "c", "5x5", "1k"))
    assert said(folder, "--workers", "0")[0] == 2
    code, sentence = said(folder, "--scheduler", "tcp://127.0.0.1:1")
    assert code == 1 and sentence.startswith("isolde: there is no scheduler at tcp://127.0.0.1:1"), sentence


def test_a_scheduler_that_stays_away_ends_the_run(tmp_path):
    from distributed import Client

    folder = plan(tmp_path / "c", "9x9", "1T", "--weak")
    with dask(1) as running:
        with Client(running.address, timeout=5) as client:
            begin = time.monotonic()

            def kill(progress: cluster.Progress) -> None:
                running.scheduler.kill()

            with pytest.raises(isolde.IsoldeError, match="the scheduler does not answer any more"):
                cluster.run(folder, client, progress=kill)
            assert time.monotonic() - begin < PATIENCE
