"""What more cores make of training, batches and environments, beside another version.

    python tests/benchmarks/bench_cores.py [--before COMMIT] [--threads 1 2 8 16] [--generations 12]
    python tests/benchmarks/bench_cores.py --presets [NAME ...] [--generations 6]

The first command prints one table: a generation of the preset "self-play-quick" with its files for
each number of threads, the time around the kernel of a small match, steps of many tables with more
threads, ``env()`` beside an empty environment, and a learner on the GPU, if there is one. What
more cores would give is simulated from the measured time of every table and of the serial part;
free cores take the next table, as threads do. With ``--before``, which is a commit or the folder
of another checkout, the versions take turns. On 16 cores it takes less than five minutes; with two
busy cores only the CPU times say something.

The second command prints for these presets, or all shipped ones, the serial part of a generation,
in which no other thread works, and what more cores would leave of the whole. All of it is CPU time,
so other work on the machine hardly changes it; time in which the disk is waited for is in none.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from bench_interface_limit import pairs
from compare_versions import checkout_of
from harness import in_turn, medians, rate

import agents
import evolve
import nlhe_env
from evolve.training.config_files import all_presets

PRESET = "self-play-quick"
SIMULATED = (2, 4, 8, 16, 64, 256)
HERE = Path(__file__).parents[2]

Figures = dict[str, float]


class Generation(NamedTuple):
    """Mean seconds of some generations of a preset, with files."""

    wall: float
    serial: float
    """CPU time of the main thread."""
    parallel: float
    """CPU time of all other threads."""

    @property
    def cpu(self) -> float:
        """CPU time of all threads."""
        return self.serial + self.parallel


def clocks() -> Generation:
    """The clocks of this process."""
    serial = time.thread_time()
    return Generation(time.perf_counter(), serial, time.process_time() - serial)


def since(begun: Generation, count: int = 1) -> Generation:
    """Means of what ``count`` repetitions took."""
    now = clocks()
    return Generation(*((b - a) / count for a, b in zip(begun, now, strict=True)))


def train(preset: str, threads: int, count: int, *, first: int = 2) -> Generation:
    """Play some generations after the first ones, in which kernels are compiled."""
    from evolve.training.folder import RunFolder
    from evolve.training.run import RunCallback, _train_generation

    config = evolve.load_preset(preset)
    with tempfile.TemporaryDirectory() as runs, evolve.thread_workers(threads) as workers:
        folder = RunFolder.at(Path(runs) / "run", config)
        state = folder.restore(config, say=print)
        begun = clocks()
        for generation in range(first + count):
            if generation == first:
                calls.clear()
                begun = clocks()
            _train_generation(folder, config, state, workers, RunCallback(), agents.play)
        return since(begun, count)


class Call(NamedTuple):
    """A call in which threads play."""

    took: Generation
    units: int
    arguments: tuple[Any, ...]


calls: list[Call] = []
"""Calls in which threads play since the list was cleared."""


@contextmanager
def recorded(places: Sequence[tuple[Any, str, Callable[..., int]]]) -> Iterator[None]:
    """Record the calls of functions, given by their modules, names, and numbers of units."""
    before = [(place, name, getattr(place, name)) for place, name, _ in places]

    def record(call: Any, units: Callable[..., int], *arguments: Any, **options: Any) -> Any:
        begun = clocks()
        found = call(*arguments, **options)
        calls.append(Call(since(begun), units(*arguments), arguments))
        return found

    for (place, name, call), (_, _, units) in zip(before, places, strict=True):
        setattr(place, name, partial(record, call, units))
    try:
        yield
    finally:
        for place, name, call in before:
            setattr(place, name, call)


def training(threads: Sequence[int], count: int) -> Figures:
    """Generations with each number of threads, and a simulation of more."""
    from evolve.training import table_schedule

    found, generations, walls = Figures(), {}, {}
    with recorded([(table_schedule, "play_all", lambda _, plays: sum(map(len, plays)))]):
        for n in threads:
            generations[n] = train(PRESET, n, count)
            walls[n] = sum(call.took.wall for call in calls) / count
    plays = [play for call in calls[-1:] for play in call.arguments[1]]
    one, least = generations[threads[0]], threads[0]
    for n in threads:
        found[f"generation, {n} threads: CPU ms"] = 1000 * generations[n].cpu
    for n in threads[1:]:
        found[f"generation, {n} threads: CPU over {least}"] = generations[n].cpu / one.cpu
    for n in threads:
        found[f"200 generations, {n} threads: wall s"] = 200 * generations[n].wall
    for n in threads[1:]:
        found[f"play, {n} threads: times as fast as {least}"] = walls[least] / walls[n]
        if 2 in threads[:-1] and n > 2:
            found[f"play, {n} threads: wall over 2"] = walls[n] / walls[2]
    around = around_the_kernel(plays[0])
    found["around the kernel, one table of ten: CPU ms"] = 1000 * around
    slowest = max(seconds_to_stop(plays) for _ in range(5))
    found["from Ctrl-C to the end of play: ms"] = 1000 * slowest
    found["serial part: CPU ms"] = 1000 * one.serial
    units = []
    for play in plays:
        for i in range(len(play)):
            begun = clocks()
            play.part(i, 1)
            units.append(since(begun).cpu - around)
    found["longest table: CPU ms"] = 1000 * max(units)
    for n in SIMULATED:
        wall = one.serial + simulated(units, n)
        found[f"{n} cores, simulated: times one core"] = (one.serial + sum(units)) / wall
    return found


def simulated(units: Sequence[float], cores: int) -> float:
    """Wall seconds of the units on so many cores."""
    free = [0.0] * cores
    for unit in units:
        heapq.heappush(free, heapq.heappop(free) + unit)
    return max(free)


def around_the_kernel(play: Any) -> float:
    """CPU seconds outside the game of a match of one table, whose hands are few."""
    lineup, block = play.schedule.lineups[:1], play.schedule.blocks[:1]
    game = nlhe_env.Game.cash(num_hands=1)

    def seconds(tables: int) -> float:
        schedule = agents.LineupBlocks(lineup.repeat(tables, 0), block.repeat(tables))
        least = math.inf
        for _ in range(400 // tables):
            begun = clocks()
            agents.play(play.players, schedule, game, seed=1)
            least = min(least, since(begun).cpu)
        return least

    one, many = seconds(1), seconds(41)
    return one - (many - one) / 40


def seconds_to_stop(plays: Sequence[Any]) -> float:
    """Seconds from Ctrl-C until the games are left."""
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    with evolve.thread_workers() as workers:
        threading.Timer(0.1, press).start()
        try:
            while True:
                evolve.play_all(workers, plays, rows=True)
        except KeyboardInterrupt:
            return time.perf_counter() - pressed


def many_tables(threads: Sequence[int]) -> Figures:
    """Steps of many tables with each number of threads beside the first."""
    found = Figures()
    for n_tables, steps in ((1024, 8), (16_384, 2)):
        for name, make in (("BatchEnv", batch_steps), ("vector environment", vector_steps)):
            measures = {}
            try:
                for n in threads:
                    measures[str(n)] = make(n_tables, n, steps)
            except TypeError:  # a version without threads=
                continue
            took = {n: np.array(each) for n, each in in_turn(measures, 5).items()}
            least = str(threads[0])
            for n in list(took)[1:]:
                what = f"{name}, {n_tables:,} tables, {n} threads"
                fastest = took[least][:, 0].min() / took[n][:, 0].min()
                found[f"{what}: times as fast as {least}"] = fastest
                cpu = np.median(took[n][:, 1:].sum(axis=1) / took[least][:, 1:].sum(axis=1))
                found[f"{what}: CPU over {least}"] = float(cpu)
    return found


def batch_steps(n_tables: int, threads: int, steps: int) -> Callable[[], Generation]:
    """Play some steps of a batch."""
    batch = nlhe_env.BatchEnv(n_tables, 6, threads=threads, mode="cash", blinds=(10, 20))
    batch.reset(seed=1)
    rng = np.random.default_rng(1)

    def play() -> Generation:
        total = np.zeros(3)
        for _ in range(steps):
            ids = batch.sample_actions(rng)
            begun = clocks()
            batch.step(ids)
            total += since(begun)
        return Generation(*total)

    return play


def vector_steps(n_tables: int, threads: int, steps: int) -> Callable[[], Generation]:
    """Play some steps of the vector environment with two rule players."""
    envs = gymnasium.make_vec(
        "nlhe/NoLimitHoldem-v0",
        n_tables,
        "vector_entry_point",
        opponents=["tight-aggressive", "loose-passive"],
        threads=threads,
        blinds=(10, 20),
    )
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=1)[1]["action_mask"]

    def play() -> Generation:
        nonlocal masks
        total = np.zeros(3)
        for _ in range(steps):
            ids = (masks * (1 + rng.random(masks.shape, np.float32))).argmax(axis=1)
            begun = clocks()
            masks = envs.step(ids)[4]["action_mask"]
            total += since(begun)
        return Generation(*total)

    return play


def environments() -> Figures:
    """Speed of ``env()`` over that of an empty environment."""
    import random

    found = Figures()
    for players in (2, 6):
        for name, (play, ours, empty) in pairs(players).items():
            if name.startswith("env()"):
                ours.reset(seed=1)
                measures = {
                    what: partial(rate, partial(play, env, random.Random(0)), 0.3)
                    for what, env in (("ours", ours), ("empty", empty))
                }
                rates = medians(measures, 5)
                found[f"{name}, {players} players, over empty"] = rates["ours"] / rates["empty"]
    return found


def learner() -> Figures:
    """Share of its time in which ``examples/ppo.py`` waits for the game, on a GPU."""
    try:
        import torch
    except ModuleNotFoundError:
        return {}
    if not torch.cuda.is_available():
        return {}
    example = Path(nlhe_env.__file__).parents[1] / "examples" / "ppo.py"
    arguments = ["--device", "cuda", "--num-envs", "65536", "--steps", "8388608", "--rollout", "16"]
    arguments += ["--test-hands", "1", "--threads", str(os.cpu_count())]
    command = [sys.executable, str(example), *arguments]
    output = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    shares = re.findall(r"waited for (\d+)%", output)
    return {"ppo on the GPU, 65,536 tables: % of time waiting": float(shares[-1])} if shares else {}


def report_presets(names: Sequence[str], count: int) -> None:
    """Print what more cores would leave of a generation of each preset."""
    from agents.match import playing
    from agents.theses.bonson.dealt import sessions
    from evolve.theses.li import ashe_models

    places: list[tuple[Any, str, Callable[..., int]]] = [
        (playing, "_watch", lambda units, *_: units.total),
        (sessions, "run_chunks", lambda _, total: total),
        (ashe_models, "run_chunks", lambda _, total: total),
    ]
    cores = "".join(f"{n:>8} cores" for n in (16, 64, 256, "all"))
    print(f"{'CPU ms of a generation':<36}{'serial':>9}{'parallel':>10}{cores}")
    with recorded(places):
        for name in names:
            took = train(name, 2, count, first=1)
            left = [
                took.serial
                + sum(math.ceil(c.units / n) * c.took.parallel / c.units for c in calls) / count
                for n in (16, 64, 256, sys.maxsize)
            ]
            shown = "".join(f"{1000 * seconds:>14.1f}" for seconds in left)
            print(
                f"{name:<36}{1000 * took.serial:>9.1f}{1000 * took.parallel:>10.1f}{shown}"
                f"   x{took.cpu / left[0]:.1f} x{took.cpu / left[1]:.1f} x{took.cpu / left[2]:.1f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 8, 16])
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--before", help="a commit, or the folder of another checkout")
    parser.add_argument("--presets", nargs="*", metavar="NAME", help="default: all shipped ones")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        found = training(options.threads, options.generations)
        found |= many_tables(options.threads) | environments() | learner()
        print(json.dumps(found))
        return
    if options.presets is not None:
        report_presets(options.presets or all_presets(), options.generations)
        return
    with checkout_of(options.before or str(HERE)) as before:
        versions = {"before": before, "now": HERE} if options.before else {"now": HERE}
        rounds: dict[str, list[Figures]] = {name: [] for name in versions}
        for _ in range(options.rounds):
            for name, folder in versions.items():
                command = [sys.executable, __file__, *sys.argv[1:], "--child"]
                path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
                environment = os.environ | {"PYTHONPATH": path}
                output = subprocess.check_output(command, env=environment, cwd=folder)
                rounds[name].append(json.loads(output.splitlines()[-1]))
    print(f"{'':<64}" + "".join(f"{name:>10}" for name in versions))
    for figure in dict.fromkeys(each for found in rounds.values() for each in found[0]):
        values = [
            statistics.median(f[figure] for f in found) if figure in found[0] else math.nan
            for found in rounds.values()
        ]
        print(f"{figure:<64}" + "".join(f"{value:>10.3f}" for value in values))


if __name__ == "__main__":
    main()
