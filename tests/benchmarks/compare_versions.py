"""The main figures of two versions, taken in turn, with medians and ratios.

    python tests/benchmarks/compare_versions.py OTHER [--python PATH] [--rounds 5] [--cold]
        [--only aec batches tournaments lookups solver]

``OTHER`` is a commit, or the folder of another checkout. Each round starts a process for either
version, so that what the machine does in between strikes both. Rates are per CPU second of the
thread; higher is better, but for the times, which are marked. What a version does not know is
left out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from harness import rate, seconds

from agents.players.networks import pack_networks

HERE = Path(__file__).parents[2]
SECONDS = 1.0
N_HANDS = 100_000
N_PUBLISHED_WEIGHTS = 825  # of a 35-20-5 network


def per_second(work: Callable[[], int]) -> float:
    """Units of work a CPU second; the first call, which may compile, is not counted."""
    work()
    return rate(work, SECONDS, time.thread_time)


def start_up(figures: dict[str, float]) -> None:
    started = time.perf_counter()
    import nlhe_env

    figures["import nlhe_env (s, lower is better)"] = time.perf_counter() - started
    started = time.perf_counter()
    env = nlhe_env.env(num_players=6)
    env.reset(seed=1)
    env.step(1)
    figures["first reset and step (s, lower is better)"] = time.perf_counter() - started


def first_tournament(figures: dict[str, float]) -> None:
    took = seconds(lambda: play_tournaments(20, 1), time.perf_counter)
    figures["import agents, first tournament (s, lower is better)"] = took


def aec(figures: dict[str, float]) -> None:
    import numpy as np

    import nlhe_env

    for players in (2, 6):
        hands: dict[str, Any] = {"mode": "cash", "starting_stack": 1000, "blinds": (10, 20)}
        env = nlhe_env.env(players, num_hands=1000, **hands)
        env.reset(seed=1)
        pick = random.Random(1).random

        def steps(env: Any = env, pick: Callable[[], float] = pick) -> int:
            for _ in range(1000):
                if not env.agents or env.terminations[env.agent_selection]:
                    env.reset()
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.reset()
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[int(pick() * len(legal))]))
            return 1000

        figures[f"environment, {players} players (steps)"] = per_second(steps)


def batches(figures: dict[str, float]) -> None:
    import numpy as np

    import nlhe_env

    for observation in (None, "cards"):
        hands: dict[str, Any] = {"mode": "cash", "starting_stack": 200, "blinds": (1, 2)}
        batch = nlhe_env.BatchEnv(1024, 6, observation=observation, **hands)
        batch.reset(seed=1)
        rng = np.random.default_rng(1)

        def steps(batch: Any = batch, rng: Any = rng) -> int:
            for _ in range(10):
                batch.step(batch.sample_actions(rng))
            return 10 * 1024

        what = "with" if observation else "without"
        figures[f"batch, {what} observations (steps)"] = per_second(steps)


def play_tournaments(n_players: int, count: int) -> int:
    """Tournaments of networks as this checkout plays them; returns the number of decisions."""
    import numpy as np

    import agents
    import nlhe_env
    from nlhe_env.equity import load_tables

    weights = np.random.default_rng(0).normal(0, 0.5, (n_players, N_PUBLISHED_WEIGHTS))
    field = pack_networks(weights.astype(np.float32))
    options: dict[str, Any] = {"seed": 1, "tables": load_tables()}
    if hasattr(agents, "Tournaments"):
        game = nlhe_env.Game.tournament()
        return int(agents.play(field, agents.Tournaments(count), game, **options).decisions)
    options["structure"] = agents.Structure()  # 0.1.0
    return int(agents.play_tournaments(field, count=count, **options).decisions)


def tournaments(figures: dict[str, float]) -> None:
    for n_players in (100, 1000):
        rate = per_second(lambda: play_tournaments(n_players, 4000 // n_players))  # noqa: B023
        figures[f"tournaments of {n_players} networks (decisions)"] = rate


def lookups(figures: dict[str, float]) -> None:
    import numpy as np

    from nlhe_env.equity import win_or_tie_probabilities

    cards = np.argsort(np.random.default_rng(0).random((N_HANDS, 52)), axis=1)[:, :7].astype(
        np.int8
    )
    for street, n_board in (("flop", 3), ("turn", 4), ("river", 5)):

        def look_up(n_board: int = n_board) -> int:
            win_or_tie_probabilities(cards[:, :2], cards[:, 2 : 2 + n_board], n_threads=1)
            return N_HANDS

        figures[f"win chances, {street} (hands)"] = per_second(look_up)


def solver(figures: dict[str, float]) -> None:
    from agents.solvers import Solver, Subgame

    spot = Subgame("KsTh7s4d2s", ("*", "*"), 1000, 9500, "pot, all-in")
    run = Solver(spot.game()).run

    def iterations() -> int:
        run(100)
        return 100

    figures["river, all hands, 12 decisions (iterations)"] = per_second(iterations)


STARTS = (start_up, first_tournament)
PARTS = {part.__name__: part for part in (aec, batches, tournaments, lookups, solver)}


def measure(only: list[str]) -> dict[str, float]:
    """The figures of the version that this process imports: starting, and some parts."""
    figures: dict[str, float] = {}
    for part in (*STARTS, *(PARTS[name] for name in only)):
        with contextlib.suppress(ImportError, AttributeError):
            part(figures)
    return figures


@contextmanager
def checkout_of(version: str) -> Iterator[Path]:
    """The folder of a version: that folder, or the files of a commit in one that is left again."""
    if Path(version).is_dir():
        yield Path(version).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "files.tar"
        command = ["git", "-C", str(HERE), "archive", "-o", str(archive), version]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"{version} is neither a folder nor a commit")
        with tarfile.open(archive) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def run(checkout: Path, python: str, only: list[str], *, cold: bool) -> dict[str, float]:
    """The figures of a checkout, from a process of its own; cold: without compiled kernels."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if cold:
            environment["NLHE_ENV_CACHE"] = empty
        command = [python, str(Path(__file__).resolve()), "--measure", "--only", *only]
        ended = subprocess.run(
            command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
    figures: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?", help="a commit, or the folder of another checkout")
    parser.add_argument("--python", default=sys.executable, help="the other version's")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cold", action="store_true", help="starting without compiled kernels")
    parser.add_argument("--measure", action="store_true", help="print the figures as JSON")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), help="of these")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.only)))
        return
    if options.other is None:
        parser.error("name another version")
    here: list[dict[str, float]] = []
    there: list[dict[str, float]] = []
    only = [] if options.cold else options.only
    with checkout_of(options.other) as checkout:
        ours_of = partial(run, HERE, sys.executable, only, cold=options.cold)
        theirs_of = partial(run, checkout, options.python, only, cold=options.cold)
        if not options.cold:  # compile
            ours_of(), theirs_of()
        for _ in range(options.rounds):
            here.append(ours_of())
            there.append(theirs_of())
    print(f"{'medians of ' + str(options.rounds):<56}{'here':>14}{'other':>14}{'ratio':>8}")
    for figure in here[0]:
        if figure not in there[0]:
            continue
        ours, theirs = (statistics.median(r[figure] for r in runs) for runs in (here, there))
        shown = ".3f" if "lower" in figure else ",.0f"
        print(f"{figure:<56}{ours:>14{shown}}{theirs:>14{shown}}{ours / theirs:>8.2f}")


if __name__ == "__main__":
    main()
