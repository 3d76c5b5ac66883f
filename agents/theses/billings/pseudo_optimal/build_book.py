"""Pseudo-optimal players of solved models: shipped, cached on disk, or solved on first use.

``python -m agents.theses.billings.pseudo_optimal.build_book FOLDER`` rebuilds the package's files
in some minutes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_io import load_player, save_player
from agents.solvers.public_tree import CHANCE, PublicTree
from agents.solvers.regret_minimisation import Solver
from agents.solvers.sequence_form import best_plans
from agents.theses.billings.pseudo_optimal import hands, models
from agents.theses.billings.pseudo_optimal.book import MOST_BETS, Buckets, write_book
from agents.theses.billings.pseudo_optimal.bucket_game import (
    BucketGame,
    BucketSolver,
    BucketWalks,
    Strategies,
)
from agents.theses.billings.pseudo_optimal.hands import Deals
from agents.theses.billings.pseudo_optimal.models import Lines
from agents.theses.billings.pseudo_optimal.player import PSEUDO_OPTIMAL
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.system.files import cache_folder

NUMBERS = (0, 1, 2)
_PREFLOP_ITERATIONS = 120
"""Iterations for pre-flop hold'em, to an exploitability below a thousandth of a small bet."""
Progress = Callable[[str], None]
_SHIPPED = Path(__file__).parents[1] / "data"
_VERSION = 1
"""Version of the cache, raised when the same sizes yield another player."""


class Solved(NamedTuple):
    """A model and its solution."""

    game: BucketGame
    strategies: Strategies
    value: float
    """Value for player 0, out of position, in chips per hand."""
    exploitability: float
    """Exploitability in chips per hand; a small bet is ``models.SMALL_BET``."""


def solve_model(game: BucketGame, sizes: Sizes) -> Solved:
    """Exact or approximate equilibrium of a model."""
    if sizes.solver == "program":
        _, plans = best_plans(game)
        walks = BucketWalks(game)
        strategies = walks.normalised(game.by_street(plans))
    else:
        solver = BucketSolver(game, dtype=np.float32)
        solver.run(sizes.iterations)
        walks, strategies = solver.walks, solver.strategies
    return Solved(game, strategies, walks.value(strategies), walks.exploitability(strategies))


def make_player(
    number: int, sizes: Sizes, progress: Progress = lambda text: None
) -> CompiledPlayer:
    """Build PsOpti0, PsOpti1 or PsOpti2 from scratch.

    Args:
        number: 0, 1 or 2.
        sizes: Sizes of its models.
        progress: Callback with a line about every solved model.
    """
    maker = _Maker(sizes, progress)
    makers = (maker.call_before_flop, maker.attach_by_pot, maker.follow_from_before_flop)
    preflop, solved, model_after = makers[number]()
    book = write_book(
        maker.buckets,
        sizes.max_bets,
        preflop,
        [models.lay_out(each.game, each.strategies, sizes.max_bets) for each in solved],
        model_after,
    )
    worst = max(each.exploitability for each in solved) / models.SMALL_BET
    origin = {
        "made by": "agents.theses.billings.pseudo_optimal.build_book",
        **asdict(sizes),
        "most exploitability of a model, small bets": float(f"{worst:.3g}"),
    }
    return CompiledPlayer(f"psopti-{number}", PSEUDO_OPTIMAL, book=book, origin=origin)


_Parts = tuple[F64, list[Solved], dict[int, int]]
"""Pre-flop probabilities, models, and the model number for each pre-flop code."""


@cache
def _deals(count: int) -> Deals:
    return Deals.at_random(count // 2, load_tables())


class _Maker:
    def __init__(self, sizes: Sizes, progress: Progress) -> None:
        self.sizes = sizes
        self.progress = progress
        self.deals = _deals(sizes.deals)
        self.buckets: Buckets = hands.find_buckets(self.deals, sizes.buckets, sizes.splits)
        self.numbers = hands.numbers_of(self.deals, self.buckets)
        self.closed = _codes_before_flop(models.before_turn_ends())

    def call_before_flop(self) -> _Parts:
        """PsOpti0: always call pre-flop, then one model for a pot of 2 small bets and any hands."""
        model = self.solve_after_flop(2)
        return models.always_calling(N_PREFLOP), [model], dict.fromkeys(self.closed, 0)

    def attach_by_pot(self) -> _Parts:
        """PsOpti1: pre-flop equilibrium, then a model for each pot and any hands."""
        game = models.preflop_holdem()
        solver = Solver(game, "cfr+")
        solver.run(_PREFLOP_ITERATIONS)
        strategy = solver.strategy
        small_bets = game.exploitability(strategy) / models.SMALL_BET
        self.progress(f"pre-flop hold'em: exploitability {small_bets:.2g} small bets")
        pots = sorted(set(self.closed.values()))
        solved = [self.solve_after_flop(pot) for pot in pots]
        after = {code: pots.index(pot) for code, pot in self.closed.items()}
        return models.lay_out_preflop(game.tree, strategy), solved, after

    def follow_from_before_flop(self) -> _Parts:
        """PsOpti2: a model of the first three streets, then one for each pre-flop line."""
        classes, places = hands.preflop_buckets(self.sizes.buckets)
        before = classes[self.deals.classes][:, :, np.newaxis]
        numbers = np.concatenate([before, self.numbers[:, :, :2]], axis=2)
        counts = (self.sizes.buckets, *self.buckets.counts[:2])
        network = hands.network(numbers, self.deals.outcomes, counts)
        game = BucketGame(models.before_turn_ends(), network)
        solved = solve_model(game, self.sizes)
        self.report("before the flop", solved)
        walks = BucketWalks(game)
        reach = [walks.reach(player, solved.strategies, 0) for player in range(2)]
        found, after = [], {}
        for i, (code, pot) in enumerate(self.closed.items()):
            chances = [reach[player][i][before[:, player, 0]] for player in range(2)]
            found.append(self.solve_after_flop(pot, chances[0] * chances[1]))
            after[code] = i
        rows = models.lay_out_preflop(game.tree, solved.strategies[0])
        return _of_classes(rows, classes, places), found, after

    def solve_after_flop(self, pot: int, weights: F64 | None = None) -> Solved:
        """Solve a post-flop model.

        Args:
            pot: Pot in small bets.
            weights: ``(n,)`` probability that the players reach the flop with the hands of each
                deal.
        """
        counts = self.buckets.counts
        network = hands.network(self.numbers, self.deals.outcomes, counts, weights)
        tree = models.after_flop(pot, self.sizes.max_bets)
        solved = solve_model(BucketGame(tree, network), self.sizes)
        self.report(f"pot of {pot} small bets", solved)
        return solved

    def report(self, what: str, solved: Solved) -> None:
        """Report a line about a model."""
        value, gap = (x / models.SMALL_BET for x in (solved.value, solved.exploitability))
        self.progress(f"{what}: value {value:.4f}, exploitability {gap:.4f} small bets")


def _codes_before_flop(tree: PublicTree) -> dict[int, int]:
    """Codes of the pre-flop lines, in tree order, with their pots in small bets."""
    lines = Lines.of(tree, MOST_BETS)
    closed = np.flatnonzero((tree.kind == CHANCE) & (tree.street == 0))
    return {int(lines.code[node]): int(tree.pot[node]) // models.SMALL_BET for node in closed}


def _of_classes(rows: F64, classes: I64, places: F64) -> F64:
    """``(codes, 169, 3)`` probabilities from those of buckets; weaker classes are more passive."""
    found: AnyArray = np.zeros((len(rows), len(classes), rows.shape[2]))
    for code, of_buckets in enumerate(rows):
        for hole_class, (bucket, (low, high)) in enumerate(zip(classes, places, strict=True)):
            chances = of_buckets[bucket]
            total = chances.sum()
            if total > 0:
                ends = np.cumsum(chances) / total
                starts = ends - chances / total
                inside = np.minimum(ends, high) - np.maximum(starts, low)
                found[code, hole_class] = np.maximum(inside, 0) / (high - low)
    return found


def pseudo_optimal_player(number: int, **options: Any) -> CompiledPlayer:
    """PsOpti0, PsOpti1 or PsOpti2.

    Players with the usual sizes are shipped with the package. Others are solved on first use and
    stored in the user's cache folder, with a message on standard error.

    Args:
        number: 0, 1 or 2.
        **options: Fields of ``Sizes``.

    Raises:
        ValueError: An option is invalid.
    """
    usual = Sizes.usual(number)
    sizes = replace(usual, **options)
    if sizes == usual:
        return load_player(_SHIPPED / f"psopti-{number}.npz")
    path = _file(number, sizes)
    if not path.exists():
        _say(f"solving psopti-{number} with these sizes (once, seconds to some minutes)")
        player = make_player(number, sizes, _say)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_player(path, player)
    return load_player(path)


def _file(number: int, sizes: Sizes) -> Path:
    about = json.dumps([_VERSION, number, asdict(sizes)])
    name = hashlib.sha256(about.encode()).hexdigest()[:16]
    return cache_folder() / "players" / f"psopti-{number}-{name}.npz"


def _say(line: str) -> None:
    print(f"nlhe-env: {line}", file=sys.stderr)


def main(folder: Path) -> None:
    """Write the files of the package."""
    for number in NUMBERS:
        player = make_player(number, Sizes.usual(number), print)
        save_player(folder / f"psopti-{number}.npz", player)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
