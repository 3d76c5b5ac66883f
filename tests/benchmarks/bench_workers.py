"""What handing out the tournaments of a generation costs, with threads, processes and Dask.

    python tests/benchmarks/bench_workers.py [--workers 2] [--generations 5] [--tournaments 500]
    python tests/benchmarks/bench_workers.py --presets self-play-quick [--generations 5]

All players and a hall of fame as large as the population play the tournaments of some generations,
as in the published "LargeHOF", with random networks. Overhead is the CPU time of all processes
(this one, the workers, the scheduler) that is not spent on games, in percent of what is: it does
not depend on what else the machine does. Wall time does; it is printed beside it, with the share of
it that the workers were at a chunk. What Dask's
processes take when there is nothing to do goes with the wall time; it is measured before and left
out of the overhead. The rounds of the engines take turns.

Chunks a second: chunks without any games in them, one by one, that come back with nothing or with
as many bytes as the sums of the largest population; the CPU time of each process for one of them
says how many it can handle.

With ``--presets``, generations of these presets are trained instead, by one thread and by Dask:
CPU and wall time, and the bytes of the tasks, which every worker gets, and of their results. Both
must end with the same state.

Needs psutil, which comes with ``nlhe-env[dask]``.
"""

from __future__ import annotations

import argparse
import pickle
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any

import cloudpickle
import numpy as np
import psutil

import agents
import evolve
import nlhe_env
from agents.match.playing import PlayTask, prepare_game
from agents.match.workers import dask_cluster
from agents.match.workers.base import Timed, Workers, thread_workers
from agents.match.workers.chunks import run_chunks
from agents.match.workers.parsing import parse_workers
from agents.match.workers.processes import process_workers
from agents.players.networks import pack_networks
from agents.players.networks.network import N_WEIGHTS

_IDLE_S = 5.0


@dataclass(frozen=True, eq=False)
class Measured:
    """A task that also reports how long its chunks took."""

    play: PlayTask

    def __call__(self, first: int, count: int) -> tuple[agents.Tally, float, float]:
        wall, cpu = time.perf_counter(), time.thread_time()
        part = self.play.part(first, count)
        return part, time.perf_counter() - wall, time.thread_time() - cpu


@dataclass(frozen=True)
class Nothing:
    """A task without games, and with a result of some bytes."""

    size: int = 0

    def __call__(self, first: int, count: int) -> bytes:
        return bytes(self.size)


@dataclass
class Engine:
    """Workers and the processes that belong to them."""

    name: str
    workers: Workers
    others: list[psutil.Process]
    idle: float = 0.0
    """CPU seconds a second of all these processes while there is nothing to do."""

    def measure_idle(self) -> None:
        """Waits for some seconds."""
        before = self.cpu_s()
        time.sleep(_IDLE_S)
        each = [(late - early) / _IDLE_S for late, early in zip(self.cpu_s(), before, strict=True)]
        self.idle = sum(each)
        print(
            f"{self.name}, nothing to do: {100 * each[2] / self.workers.count:.1f}% of a core for "
            f"each worker, {100 * each[1]:.1f}% for the scheduler"
        )

    def cpu_s(self) -> list[float]:
        """CPU seconds so far: of this process, the scheduler if any, and the workers."""
        own = time.process_time()
        children = self.others
        if self.name == "processes":
            children = [psutil.Process(), *psutil.Process().children()][1:]
            children = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        times = [sum(child.cpu_times()[:2]) for child in children]
        scheduler = times[:1] if self.name == "dask" else [0.0]
        return [own, *scheduler, sum(times[len(self.others) and 1 :])]


@contextmanager
def cluster(count: int, threads: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A scheduler and workers on this machine: its address, and their processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "dask"]
    host, port = address.split(":")
    own = ["--nthreads", str(threads), "--no-nanny", "--local-directory", tempfile.mkdtemp()]
    commands = [[*dask, "scheduler", "--host", host, "--port", port]]
    commands += [[*dask, "worker", f"tcp://{address}", *own] for _ in range(count)]
    processes = [
        subprocess.Popen([*command, "--no-dashboard"], stderr=subprocess.DEVNULL)
        for command in commands
    ]
    try:
        yield address, [psutil.Process(process.pid) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def field_of(players: int) -> agents.PlayerBatch:
    """Random networks."""
    weights = np.random.default_rng(0).normal(0, 0.5, (players, N_WEIGHTS))
    return pack_networks(weights.astype(np.float32))


def bench_generations(engines: list[Engine], population: int, options: argparse.Namespace) -> int:
    """Returns the bytes that a chunk brings back."""
    batch = field_of(2 * population)
    rows: dict[str, list[tuple[float, ...]]] = {engine.name: [] for engine in engines}
    seen: set[bytes] = set()
    for generation in range(options.generations + 1):
        for engine in engines:
            before, start = engine.cpu_s(), time.perf_counter()
            schedule = agents.Tournaments(options.tournaments)
            task = Measured(PlayTask(batch, schedule, nlhe_env.Game.tournament(), seed=1))
            parts = run_chunks(task, options.tournaments, workers=engine.workers)
            tally = reduce(agents.Tally.__add__, (part for part, _, _ in parts))
            wall = time.perf_counter() - start
            spent = sum(engine.cpu_s()) - sum(before) - engine.idle * wall
            if generation:  # the first warms up
                games_cpu, games_wall = (sum(part[i] for part in parts) for i in (2, 1))
                rows[engine.name].append((spent, games_cpu, wall, games_wall, len(parts)))
            seen.add(tally.scores.tobytes() + tally.errors.tobytes())
    if len(seen) != 1:
        raise RuntimeError("the engines do not agree")
    sent, back = (len(pickle.dumps(what, pickle.HIGHEST_PROTOCOL)) for what in (task, parts[0]))
    print(f"\npopulation {population:,} and as many in the hall, {options.tournaments} tournaments")
    print(f"{sent:,} bytes of task, {back:,} bytes back for each chunk")
    print(f"{'':<12}{'games CPU s':>13}{'overhead':>10}{'wall s':>9}{'at work':>9}{'chunks':>8}")
    for engine in engines:
        spent, games_cpu, wall, games_wall, n_chunks = np.array(rows[engine.name]).T
        overhead = 100 * (spent.sum() - games_cpu.sum()) / games_cpu.sum()
        busy = 100 * games_wall.sum() / (wall.sum() * engine.workers.count)
        print(
            f"{engine.name:<12}{games_cpu.mean():>13.3f}{overhead:>9.1f}%"
            f"{statistics.median(wall):>9.3f}{busy:>8.0f}%{n_chunks.mean():>8.1f}"
        )
    return back


def bench_preset(name: str, count: int, options: argparse.Namespace) -> None:
    """Trains generations of a preset with one thread, and with a cluster of this machine."""
    config = evolve.load_preset(name)
    sent: list[int] = []
    back: list[int] = []

    class Counted(dask_cluster.DaskWorkers):
        def share(self, task: Any) -> Any:
            sent.append(len(cloudpickle.dumps(task)))
            return super().share(task)

    collect = dask_cluster._DaskJob.collect

    def counted(job: Any, future: Any) -> Any:
        found = collect(job, future)
        back.append(len(pickle.dumps(found, pickle.HIGHEST_PROTOCOL)))
        return found

    ends, walls, cpus = [], [], []
    with ExitStack() as stack:
        address, others = stack.enter_context(cluster(count, threads=1))
        dask = stack.enter_context(Counted(f"tcp://{address}"))
        dask_cluster._DaskJob.collect = counted  # type: ignore[method-assign]
        stack.callback(setattr, dask_cluster._DaskJob, "collect", collect)
        dask.client.wait_for_workers(count)
        one = stack.enter_context(thread_workers(1))
        for engine in Engine("one thread", one, []), Engine("dask", dask, others):
            state = evolve.State.initial_state(config)
            state, _ = evolve.step_generation(state, config, workers=engine.workers)  # warms up
            sent.clear()
            back.clear()
            before, start = engine.cpu_s(), time.perf_counter()
            for _ in range(options.generations):
                state, _ = evolve.step_generation(state, config, workers=engine.workers)
            walls.append((time.perf_counter() - start) / options.generations)
            cpus.append((np.array(engine.cpu_s()) - before) / options.generations)
            ends.append({key: each.tobytes() for key, each in state.to_arrays().items()})
    if ends[0] != ends[1]:
        raise RuntimeError("the cluster has trained something else")
    n, share = options.generations, walls[0] / walls[1] / count
    here, scheduler, workers = cpus[1]
    print(
        f"\n{name}, a generation: one thread {walls[0]:.2f} s wall, {cpus[0].sum():.2f} s CPU\n"
        f"{count} workers {walls[1]:.2f} s wall ({share:.0%} of {count} times as fast), CPU s here "
        f"{here:.2f}, scheduler {scheduler:.2f}, workers {workers:.2f}\n"
        f"{len(sent) / n:.0f} tasks of {sum(sent) / n:,.0f} bytes together to every worker, "
        f"{len(back) / n:.0f} chunks with {sum(back) / n:,.0f} bytes back; the same state",
        flush=True,
    )


def hand_out(workers: Workers, task: Nothing, count: int) -> None:
    """Has so many chunks of one game played, as many on the way as in ``run_chunks``."""
    with workers.begin(task) as job:
        pending: set[Future[Timed[bytes]]] = set()
        for i in range(count):
            pending.add(job.submit(i, 1))
            if len(pending) == 2 * workers.count or i == count - 1:
                all_or_first = ALL_COMPLETED if i == count - 1 else FIRST_COMPLETED
                done, pending = wait(pending, return_when=all_or_first)
                for future in done:
                    job.collect(future)


def bench_chunks(engines: list[Engine], count: int, size: int) -> None:
    print(
        f"\nchunks without games, {size:,} bytes come back: a second of wall time; CPU ms for each"
    )
    print(f"{'':<12}{'chunks/s':>10}{'client':>9}{'scheduler':>11}{'workers':>9}")
    for engine in engines:
        hand_out(engine.workers, Nothing(size), count // 4)
        before, start = engine.cpu_s(), time.perf_counter()
        hand_out(engine.workers, Nothing(size), count)
        wall = time.perf_counter() - start
        each = [
            1000 * (late - early) / count
            for late, early in zip(engine.cpu_s(), before, strict=True)
        ]
        cpu = "".join(f"{ms:>{width}.3f}" for ms, width in zip(each, (9, 11, 9), strict=True))
        print(f"{engine.name:<12}{count / wall:>10,.0f}{cpu}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--tournaments", type=int, default=500)
    parser.add_argument("--populations", type=int, nargs="+", default=[64, 1000])
    parser.add_argument("--chunks", type=int, default=4000)
    parser.add_argument("--presets", nargs="+", metavar="NAME", default=[])
    options = parser.parse_args()
    prepare_game()
    n = options.workers
    for name in options.presets:
        bench_preset(name, n, options)
    if options.presets:
        return
    with ExitStack() as stack:
        address, others = stack.enter_context(cluster(n, threads=1))
        engines = [
            Engine("one thread", stack.enter_context(thread_workers(1)), []),
            Engine("threads", stack.enter_context(thread_workers(n)), []),
            Engine("processes", stack.enter_context(process_workers(n)), []),
            Engine("dask", stack.enter_context(parse_workers(f"dask://{address}")), others),
        ]
        workers = engines[-1].workers
        if isinstance(workers, dask_cluster.DaskWorkers):
            workers.client.wait_for_workers(n)
            workers.look()
            engines[-1].measure_idle()
        size = max(bench_generations(engines, each, options) for each in options.populations)
    with ExitStack() as stack:
        # Many threads keep many chunks on the way, as a large cluster would.
        address, others = stack.enter_context(cluster(n, threads=64))
        engines = [
            Engine("threads", stack.enter_context(thread_workers(n)), []),
            Engine("processes", stack.enter_context(process_workers(n)), []),
            Engine("dask", stack.enter_context(parse_workers(f"dask://{address}")), others),
        ]
        bench_chunks(engines, options.chunks, 0)
        bench_chunks(engines, options.chunks // 4, size)


if __name__ == "__main__":
    main()
