"""Iterations of regret minimisation a second, beside OpenSpiel and donksolver if installed.

Usage: python tests/benchmarks/bench_solvers.py [ROUNDS]

CPU seconds on one thread; programs take turns; medians of the rounds. The subgames are
those with which b-inary's postflop-solver (not on a package index) was measured on the machine of
the figures in docs/solving.md: pot 1,000, stacks 9,500, all hands on both sides.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import medians, seconds

from agents.books.blueprint.abstraction import betting_tree
from agents.books.blueprint.sampled_walk import SampledDeals
from agents.books.blueprint.training import SampledSolver
from agents.solvers import PublicGame, Solver, Subgame, kuhn, leduc
from agents.solvers.public_tree import Betting
from nlhe_env.game.table import FIXED_LIMIT

RIVER = "KsTh7s4d2s"
SUBGAMES = [
    # name, board, bets, iterations a round, postflop-solver's iterations a second
    ("river, 12 decisions", RIVER, "pot, all-in", 200, 5900),
    ("river, 60 decisions", RIVER, "50%, pot, all-in", 40, 1000),
    ("turn, pot and all-in", RIVER[:8], "pot, all-in", 2, 31),
]
SMALL = [("Kuhn", kuhn, "kuhn_poker", 20_000), ("Leduc", leduc, "leduc_poker", 2000)]
ITERATIONS = (10, 30, 100, 300, 1000)
SAMPLED, DEALS = 50_000, 1 << 17
SLOWER = 50
"""OpenSpiel samples one in so many of these iterations."""


def ours(game: PublicGame, method: str) -> Callable[[int], None]:
    """What plays so many iterations."""
    return Solver(game, method).run


def repeat(work: Callable[[], None], times: int) -> None:
    """Do something again and again."""
    for _ in range(times):
        work()


def openspiel(name: str) -> Callable[[int], None] | None:
    """The same by OpenSpiel's C++, if it is there."""
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))
    return lambda iterations: repeat(solver.evaluate_and_update_policy, iterations)


def speeds(rounds: int, *jobs: tuple[Callable[[int], None], int]) -> list[float]:
    """Iterations a CPU second of each job, the jobs taking turns."""
    measures = {
        str(i): lambda run=run, n=n: n / seconds(lambda: run(n)) for i, (run, n) in enumerate(jobs)
    }
    return list(medians(measures, rounds).values())


def small_games(rounds: int) -> None:
    """CFR+ on Kuhn's poker and Leduc hold'em."""
    for name, make, its_name, iterations in SMALL:
        jobs = [(ours(make(), "cfr+"), iterations)]
        theirs = openspiel(its_name)
        if theirs is not None:
            jobs.append((theirs, max(5, iterations // 100)))
        found = speeds(rounds, *jobs)
        beside = f"; OpenSpiel {found[1]:,.0f}, ratio {found[0] / found[1]:.1f}" if theirs else ""
        print(f"{name}, CFR+: {found[0]:,.0f} iterations/s{beside}", flush=True)


class LeducDeals:
    """Cards dealt beforehand: one for each player and one for both, of three ranks, two suits."""

    counts = (3, 9)

    def __init__(self) -> None:
        deck = np.tile(np.arange(6), (DEALS, 1))
        cards = np.random.default_rng(1).permuted(deck, axis=1)[:, :3] // 2
        own, board = cards[:, :2], cards[:, 2:]
        self.buckets = np.stack([own, 3 * own + board], axis=2).astype(np.uint16)
        strength = own + 3 * (own == board)
        self.outcomes = np.sign(strength[:, 0] - strength[:, 1]).astype(np.int8)

    def deal(self, first: int, deals: SampledDeals) -> None:
        """Fill deals of these numbers."""
        these = np.arange(first, first + len(deals.outcomes)) % DEALS
        deals.buckets[:], deals.outcomes[:] = self.buckets[these], self.outcomes[these]


def sampled_by_others() -> dict[str, Callable[[int], None]]:
    """External sampling of Leduc hold'em by every installed library."""
    found: dict[str, Callable[[int], None]] = {}
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
        solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"))
    except ImportError:
        pass
    else:
        found["OpenSpiel"] = lambda n: repeat(solver.run_iteration, n // SLOWER)
    try:
        donksolver: Any = importlib.import_module("donksolver")
    except ImportError:
        pass
    else:
        found["donksolver"] = donksolver.Solver(donksolver.toy("leduc", 2)).run
    return found


def sampling(rounds: int) -> None:
    """The kernel of the blueprints in Leduc hold'em, where nothing is merged."""
    rules = Betting(stacks=(13, 13), full_bets=(2, 4), ante=1, structure=FIXED_LIMIT, max_bets=2)
    jobs = {"here": SampledSolver(betting_tree(rules), LeducDeals()).run} | sampled_by_others()
    speed = speeds(rounds, *((run, SAMPLED) for run in jobs.values()))
    result_texts = (
        f"{name} {found / (SLOWER if name == 'OpenSpiel' else 1):,.0f}"
        for name, found in zip(jobs, speed, strict=True)
    )
    print(f"Leduc, external sampling: {', '.join(result_texts)} iterations/s", flush=True)


def subgames(rounds: int) -> None:
    """Discounted regret minimisation over all hands."""
    for name, board, bets, iterations, bar in SUBGAMES:
        spot = Subgame(board, ("*", "*"), 1000, 9500, bets)
        game = spot.game()
        solver = Solver(game)
        (speed,) = speeds(rounds, (solver.run, iterations))
        print(
            f"{name}: {speed:,.1f} iterations/s, {speed / bar:.2f} of postflop-solver", flush=True
        )
        fresh = Solver(game)
        result_texts = []
        for n in ITERATIONS if len(board) == len(RIVER) else ITERATIONS[:3]:
            fresh.run(n - fresh.iterations)
            result_texts.append(f"{n}: {game.exploitability(fresh.strategy) / spot.pot:.4%}")
        print("  exploitability of the pot after iterations " + ", ".join(result_texts), flush=True)


def main() -> None:
    """Print all figures."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    small_games(rounds)
    sampling(rounds)
    subgames(rounds)


if __name__ == "__main__":
    main()
