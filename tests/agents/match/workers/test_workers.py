"""Threads, processes and a Dask cluster: the same results, whatever dies meanwhile."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import psutil
import pytest
from interrupts import interruptible
from worker_tasks import Dying, DyingInAResult, Failing, Numbers, Refusing

import agents
from agents.match.workers import chunks, dask_cluster
from agents.match.workers import processes as process_module
from agents.match.workers.base import ChunkLostError, Job, Workers, WorkersError, thread_workers
from agents.match.workers.chunks import run_chunks
from agents.match.workers.parsing import parse_workers
from agents.match.workers.processes import process_workers
from agents.measure.duplicate import evaluate
from agents.measure.leagues.league import play_league
from agents.measure.leagues.league_matches import LeagueSettings, matches_of
from agents.measure.leagues.league_store import LeagueStore
from evolve import seeds
from evolve.evaluation.evaluation_files import save_evaluation
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback as Quiet
from evolve.training.run import train
from nlhe_env.system.python_files import load_file

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
CONFIG = Config().with_values(
    name="workers",
    generations=3,
    population=24,
    elites=6,
    hall_of_fame=6,
    tournaments=30,
    brood_size=2,
    brood_tournaments=2,
    inputs="features_scaled",
    progress_tournaments=0,
)
BLOCKS = CONFIG.with_values(
    optimizer={"kind": "cma-es", "population": 8},
    schedule={"kind": "blocks", "blocks": 4},
    opponents="pool",
    game={"kind": "cash", "num_hands": 10},
    init="zeros",
    generations=2,
    test_blocks=10,
)
SETTINGS = LeagueSettings(
    mode="cash", format="heads-up", table_size=2, starting_stack=5000, blinds="50/100"
)
START_S = 300  # so long a machine with other work may take to start a program
POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


class EventObserver(Quiet):
    """Does something once, when some tournaments of the second generation are finished."""

    def __init__(self, act=lambda: None) -> None:
        self.act, self.generation, self.acted = act, 1, False

    def on_start(self, config, state):
        self.generation = state.generation + 1

    def on_games(self, count):
        if self.generation == 2 and not self.acted:
            self.acted = True
            self.act()

    def on_generation(self, metrics, timings):
        self.generation = metrics["generation"] + 1


def results(
    folder: Path, workers: Workers, listener: EventObserver | None = None
) -> dict[str, bytes]:
    """What a run, an evaluation, a league and a run of blocks store, as bytes."""
    run = RunFolder.create(folder, CONFIG)
    state = run.restore(CONFIG, say=print)
    train(run, CONFIG, state, workers=workers, listener=listener or EventObserver())
    names = ["network", "caller", "random", "raiser"]
    evaluation = evaluate(
        [run.champion(), *(agents.make(name) for name in names[1:])],
        names,
        game=CONFIG.make_game(),
        blocks=50,
        seed=seeds.stream_seed(1, seeds.EVALUATION),
        workers=workers,
    )
    save_evaluation(evaluation, run.path, about={})
    players = {name: agents.make(name) for name in names[1:]}
    with LeagueStore.open(None, lambda _: SETTINGS) as store:
        play_league(players, store, games=1200, workers=workers)
        matches = matches_of(list(players), SETTINGS)
        league = repr([store.tally(match) for match in matches]).encode()
    stored = ("metrics.jsonl", "champion.npz", "champions.npz", "evaluation.json", "evaluation.csv")
    found = {name: (run.path / name).read_bytes() for name in stored} | {"league": league}
    other = RunFolder.create(folder / "blocks", BLOCKS)
    train(other, BLOCKS, other.restore(BLOCKS, say=print), workers=workers)
    for name in ("metrics.jsonl", "champion.npz"):
        found[f"blocks/{name}"] = (other.path / name).read_bytes()
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[str, bytes]:
    """The results of one thread."""
    with thread_workers(1) as workers:
        return results(tmp_path_factory.mktemp("one"), workers)


@pytest.fixture(scope="module")
def processes():
    with process_workers(2) as workers:
        yield workers


def worker_processes(parent: int) -> list[psutil.Process]:
    """The processes of ``process_workers`` of a process."""
    found = []
    for child in psutil.Process(parent).children():
        with suppress(psutil.NoSuchProcess):  # another child, or one that was killed, has ended
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        self.scheduler = self._run("scheduler", *where)
        self.address = self._found_address()

    @property
    def option(self) -> str:
        return self.address.replace("tcp", "dask")

    def _found_address(self) -> str:
        """Where the scheduler listens: on a port that it has chosen, so that it is free."""
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            assert self.scheduler.poll() is None, "the scheduler does not start"
            with suppress(OSError, ValueError):  # not there yet, or not all of it
                return json.loads(self._file.read_text())["address"]
            time.sleep(0.05)
        raise AssertionError("the scheduler does not start")

    def add_worker(self, threads: int = 1) -> None:
        options = "--no-nanny", "--nthreads", str(threads)
        self.workers.append(self._run("worker", self.address, *options))

    def _run(self, *arguments: str) -> subprocess.Popen[bytes]:
        paths = [str(ROOT), str(ROOT / "tests"), str(HERE)]
        settings = {
            "PYTHONPATH": os.pathsep.join(paths),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "DASK_TEMPORARY_DIRECTORY": str(self.folder),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            env=os.environ | settings,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    cluster.add_worker(threads=2)
    cluster.add_worker()
    yield cluster
    cluster.close()


def connected(cluster: Cluster, count: int) -> dask_cluster.DaskWorkers:
    """The workers of the cluster, once there are so many."""
    workers = dask_cluster.dask_workers(cluster.address)
    assert isinstance(workers, dask_cluster.DaskWorkers)
    workers.client.wait_for_workers(count, timeout=START_S)
    return workers


# --- the same results ---------------------------------------------------------------------------


def test_two_threads_give_the_same_results(expected, tmp_path):
    with thread_workers(2) as workers:
        assert results(tmp_path, workers) == expected


def test_two_processes_give_the_same_results(expected, processes, tmp_path):
    assert results(tmp_path, processes) == expected


@POSIX
def test_a_killed_process_changes_nothing(expected, processes, tmp_path):
    def kill() -> None:
        worker_processes(os.getpid())[0].kill()

    listener = EventObserver(kill)
    assert results(tmp_path, processes, listener) == expected
    assert listener.acted
    assert len(worker_processes(os.getpid())) == 2


def test_a_cluster_gives_the_same_results(expected, cluster, tmp_path):
    with connected(cluster, 2) as workers:
        assert results(tmp_path, workers) == expected
        assert workers.count == 2


def test_a_worker_with_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(dask_cluster, "version", lambda: "0.0.1 (source 12345678)")
    with pytest.raises(WorkersError, match=r"has nlhe-env .*, but this is nlhe-env 0\.0\.1"):
        parse_workers(cluster.option)


def test_a_cluster_names_a_missing_import(cluster):
    module = types.ModuleType("elsewhere")
    task = type("Elsewhere", (Numbers,), {"__module__": "elsewhere"})
    module.__dict__["Elsewhere"] = task
    with pytest.MonkeyPatch.context() as patch, connected(cluster, 2) as workers:
        patch.setitem(sys.modules, "elsewhere", module)
        with pytest.raises(WorkersError, match="cannot take the task: No module named 'elsewhere'"):
            run_chunks(task(), 3, workers=workers)


def test_a_cluster_refuses_tasks_from_files_of_this_machine(cluster, tmp_path):
    (tmp_path / "halves.py").write_text(FILE)
    task = load_file(tmp_path / "halves.py").Halves()
    words = r"cannot import .*halves\.py, which is on this machine"
    with connected(cluster, 2) as workers, pytest.raises(WorkersError, match=words):
        run_chunks(task, 3, workers=workers)


@POSIX
def test_a_killed_cluster_worker_changes_nothing(expected, cluster, tmp_path):
    listener = EventObserver(cluster.workers[0].kill)
    with connected(cluster, 2) as workers:
        assert results(tmp_path, workers, listener) == expected
        assert listener.acted
        assert workers.look() == 1


@POSIX
@pytest.mark.slow
def test_games_that_crash_workers_end_the_job_not_the_cluster(cluster):
    cluster.add_worker()
    with connected(cluster, 2) as workers:
        with pytest.raises(WorkersError, match="several Dask workers died"):
            run_chunks(Dying(), 10, workers=workers)
        cluster.add_worker()
        assert run_chunks(Numbers(), 3, workers=workers) == [[0], [1], [2]]


@POSIX
def test_a_run_continues_after_its_scheduler_is_killed(expected, cluster, tmp_path):
    run = RunFolder.create(tmp_path, CONFIG)
    state, listener = run.restore(CONFIG, say=print), EventObserver(cluster.scheduler.kill)
    workers = connected(cluster, 1)
    workers.client._timeout = 5.0  # so long the client tries to come back
    with pytest.raises(WorkersError, match=r"scheduler at tcp://.* is gone"):
        train(run, CONFIG, state, workers=workers, listener=listener)
    workers.close()
    assert run.metrics_file.read_bytes().count(b"\n") in (1, 2)  # all may have come in before
    with thread_workers(2) as workers:
        train(
            run, CONFIG, run.restore(CONFIG, say=print), workers=workers, listener=EventObserver()
        )
    for name in ("metrics.jsonl", "champion.npz"):
        assert (run.path / name).read_bytes() == expected[name]


# --- chunks that are lost -----------------------------------------------------------------------


class Losing(Workers):
    """Two threads that lose the chunk with game 5 some times."""

    def __init__(self, losses: int) -> None:
        super().__init__(2)
        self.losses, self.inner = losses, thread_workers(2)

    def begin(self, task):
        return LosingJob(self.inner.begin(task), self)

    def close(self):
        self.inner.close()


class LosingJob(Job):
    def __init__(self, job: Job, workers: Losing) -> None:
        self.job, self.workers = job, workers

    def submit(self, first: int, count: int) -> Future:
        return self.job.submit(first, count)

    def collect(self, future: Future):
        if 5 in future.result()[1] and self.workers.losses:
            self.workers.losses -= 1
            raise ChunkLostError("lost")
        return self.job.collect(future)


def test_a_lost_chunk_is_retried():
    progress = []
    with Losing(chunks.MOST_LOSSES - 1) as workers:
        parts = run_chunks(Numbers(), 20, workers=workers, on_progress=progress.append)
    assert [number for part in parts for number in part] == list(range(20))
    assert sum(progress) == 20


def test_a_chunk_that_is_lost_several_times_is_given_up():
    with (
        Losing(chunks.MOST_LOSSES) as workers,
        pytest.raises(WorkersError, match=r"3 workers died one after the other .* game"),
    ):
        run_chunks(Numbers(), 20, workers=workers)


@POSIX
def test_games_of_a_dead_process_are_played_by_another(processes, tmp_path):
    parts = run_chunks(Dying(tmp_path / "noted"), 10, workers=processes)
    assert [number for part in parts for number in part] == list(range(10))


@POSIX
def test_a_process_dying_during_a_result_does_not_block_others(processes, tmp_path):
    parts = run_chunks(DyingInAResult(tmp_path / "noted"), 10, workers=processes)
    assert [number for part in parts for number in part] == list(range(10))


@POSIX
@pytest.mark.slow
def test_games_that_kill_their_process_are_given_up(processes, monkeypatch):
    monkeypatch.setattr(chunks, "MOST_LOSSES", 2)
    with pytest.raises(WorkersError, match=r"2 workers died .* game"):
        run_chunks(Dying(), 10, workers=processes)
    assert run_chunks(Numbers(), 3, workers=processes) == [[0], [1], [2]]


def test_unpicklable_work_is_named(processes):
    with pytest.raises(WorkersError, match="processes cannot be given this task"):
        run_chunks(lambda first, count: first, 3, workers=processes)


@pytest.mark.skipif(not Path("/dev/shm").exists(), reason="shared memory has no disk here")
def test_full_shared_memory_is_reported(processes, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    made = []  # others make shared memory too, meanwhile

    class Noted(SharedMemory):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            made.append(Path("/dev/shm", self.name))

    monkeypatch.setattr(process_module, "SharedMemory", Noted)
    monkeypatch.setattr("os.posix_fallocate", full)
    words = r"no room in shared memory .* \(No space left on device\)"
    with pytest.raises(WorkersError, match=words):
        run_chunks(Numbers(), 3, workers=processes)
    assert made
    assert not any(path.exists() for path in made)
    monkeypatch.undo()
    assert run_chunks(Numbers(), 3, workers=processes) == [[0], [1], [2]]


def test_an_error_in_a_process_is_raised(processes):
    with pytest.raises(ZeroDivisionError):
        run_chunks(Failing(), 3, workers=processes)


def test_an_error_that_cannot_be_unpickled_is_named(processes):
    with pytest.raises(RuntimeError, match="RefusedError: 429: too many requests"):
        run_chunks(Refusing(), 3, workers=processes)


FILE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Halves:
    def __call__(self, first, count):
        return [number / 2 for number in range(first, first + count)]
"""


def test_processes_load_the_files_of_a_task(processes, tmp_path):
    file = tmp_path / "halves.py"
    file.write_text(FILE)
    task = load_file(file).Halves()
    parts = run_chunks(task, 5, workers=processes)
    assert [number for part in parts for number in part] == [0, 0.5, 1, 1.5, 2]
    file.write_text(f"{FILE}\n")
    newer = load_file(file).Halves()
    file.write_text(f"{FILE}\n\n")
    with pytest.raises(ValueError, match=r"halves\.py has changed since it was loaded"):
        run_chunks(newer, 5, workers=processes)


def test_finished_parts_are_returned_after_an_exception():
    given: dict[int, list[int]] = {}

    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with thread_workers(2) as workers, pytest.raises(KeyboardInterrupt):
        run_chunks(Numbers(), 500, workers=workers, on_progress=stop, on_part=given.__setitem__)
    assert given
    assert all(part[0] == first for first, part in given.items())


def test_chunks_have_a_minimum_size():
    with thread_workers(4) as workers:
        workers.least_s, workers.target_s = 0.1, 1.0
        assert chunks._next_size(1, 1000, workers) == 1
        assert chunks._next_size(100, 10_000, workers) == 100
        assert chunks._next_size(100, 400, workers) == 50
        assert chunks._next_size(100, 16, workers) == 10
        assert chunks._next_size(100, 3, workers) == 3


def test_chunks_start_at_half_the_previous_size():
    with thread_workers(1) as workers:
        workers.target_s = 1e9  # as large as the end of the work lets them be
        first = run_chunks(Numbers(), 1000, workers=workers)
        assert [len(part) for part in first[:2]] == [1, 1]
        assert len(first[2]) in (4, 16)  # after one finished chunk, or after both
        workers.sizes[Numbers, 1000] = 100
        assert len(run_chunks(Numbers(), 1000, workers=workers)[0]) == 100
        assert len(run_chunks(Numbers(), 999, workers=workers)[0]) == 1


# --- nothing stays behind -----------------------------------------------------------------------


@pytest.mark.slow
def test_no_thread_remains_after_processes_are_closed():
    # One that is left closes its pipe while the interpreter, at its end, writes to it.
    before = set(threading.enumerate())
    with process_workers(2) as workers:
        run_chunks(Numbers(), 10, workers=workers)
    assert set(threading.enumerate()) <= before


def at_work(parent: int, count: int) -> list[psutil.Process]:
    """The processes of a run, once there are so many and each has worked for a while."""
    end = time.monotonic() + START_S
    children: list[psutil.Process] = []
    while len(children) < count or min(child.cpu_times().user for child in children) < 1.0:
        assert time.monotonic() < end, "the processes do not start"
        time.sleep(0.05)
        children = worker_processes(parent)
    return children


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(("number", "count"), [(signal.SIGINT, 1), (signal.SIGKILL, 2)])
@interruptible()
def test_no_process_remains_after_a_run_is_stopped(tmp_path, number, count):
    command = [sys.executable, "-m", "evolve", "train", "--workers", f"processes://{count}"]
    with subprocess.Popen(
        [*command, "--preset", "baseline", "--population", "500", "--runs", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            children = at_work(process.pid, count)
            if number == signal.SIGINT:
                os.killpg(process.pid, number)  # as the terminal does
            else:
                process.kill()
            # By itself the run would go on for much longer.
            said, errors = process.communicate(timeout=START_S)
        finally:
            process.kill()
    _, left = psutil.wait_procs(children, timeout=START_S)
    assert not left
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert "--resume" in said
        assert "Traceback" not in errors


@pytest.mark.parametrize(("compiled", "speakers"), [(0, 1), (5, 0)])
def test_one_process_of_a_program_says_that_it_compiles(monkeypatch, compiled, speakers):
    monkeypatch.setattr(process_module, "prepare_game", lambda: None)
    monkeypatch.setattr(process_module, "kernels_compiled", lambda: compiled)
    quiet = []
    with process_workers(3) as workers:
        executor = workers._executor
        monkeypatch.setattr(
            workers, "_executor", lambda **options: [quiet.append(options["quiet"]), executor()][1]
        )
        workers._start()
    assert quiet.count(False) == speakers
    assert len(quiet) == 3
