"""What handing out the tournaments of a generation costs, with threads, processes and Dask.

    python tests/benchmarks/bench_workers.py [--workers 2] [--generations 5] [--tournaments 500]

All players and a hall of fame as large as the population play the tournaments of some generations,
as in the published "LargeHOF", with random networks. Overhead is the CPU time of all processes
(this one, the workers, the scheduler) that is not spent on games, in percent of what is: it does
not depend on what else the machine does. Wall time does; it is printed beside it, with the share of
it that the workers were at a chunk. What Dask's
processes take when there is nothing to do goes with the wall time; it is measured before and left
out of the overhead. The rounds of the engines take turns.

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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import reduce

import numpy as np
import psutil

import agents
import nlhe_env
from agents.match.playing import PlayTask, prepare_game
from agents.match.workers import dask_cluster
from agents.match.workers.base import Workers, thread_workers
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
def cluster(count: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A scheduler and workers on this machine: its address, and their processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "dask"]
    host, port = address.split(":")
    own = ["--nthreads", "1", "--no-nanny", "--local-directory", tempfile.mkdtemp()]
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


def bench_generations(engines: list[Engine], population: int, options: argparse.Namespace) -> None:
    """Print the overhead of each engine."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--tournaments", type=int, default=500)
    parser.add_argument("--populations", type=int, nargs="+", default=[64, 1000])
    options = parser.parse_args()
    prepare_game()
    n = options.workers
    with ExitStack() as stack:
        address, others = stack.enter_context(cluster(n))
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
        for population in options.populations:
            bench_generations(engines, population, options)


if __name__ == "__main__":
    main()
