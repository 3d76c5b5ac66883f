"""Two betting abstractions that Billings rejected, compared with three bets per street.

Billings (PhD thesis, University of Alberta, 2006): at most two bets per street (3.4.1), and turn
and river merged into one street with bets of some size (3.4.2). They are compared by the distance
of their flop strategies from the usual model's.

``python -m agents.theses.billings.pseudo_optimal.abstractions`` prints a row for each in some
minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from agents.solvers.public_tree import DECISION, PublicTree
from agents.theses.billings.pseudo_optimal import hands, models
from agents.theses.billings.pseudo_optimal.book import N_MODEL_STREETS
from agents.theses.billings.pseudo_optimal.bucket_game import BucketGame
from agents.theses.billings.pseudo_optimal.build_book import Solved, solve_model
from agents.theses.billings.pseudo_optimal.hands import Deals
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env.equity import load_tables
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.array_types import F64

POT = 2
"""Pot in small bets, as for PsOpti0."""
MERGED_BETS = (1, 2, 3, 4, 6, 8)
"""Bet sizes of the merged street in small bets; on turn and river they are 2 each."""


class Differences(NamedTuple):
    """Share of hands, 0 to 1, that two solutions play differently on the flop."""

    first_to_act: float
    after_check: float
    facing_bet: float


@dataclass(frozen=True)
class AfterFlop:
    """Post-flop models from the same deals."""

    deals: Deals
    sizes: Sizes

    def usual(self, max_bets: int = 3) -> Solved:
        """Flop, turn and river with this many bets per street."""
        return self._solve(models.after_flop(POT, max_bets), range(N_MODEL_STREETS))

    def merged(self, bet: int) -> Solved:
        """Flop, then turn and river as one street with bets of this many small bets."""
        tree = models.merged_turn_and_river(POT, bet, self.sizes.max_bets)
        return self._solve(tree, (0, N_MODEL_STREETS - 1))

    def _solve(self, tree: PublicTree, streets: Sequence[int]) -> Solved:
        """Solve a tree whose streets use the cards of some of flop, turn and river."""
        buckets = hands.find_buckets(self.deals, self.sizes.buckets, self.sizes.splits)
        numbers = hands.numbers_of(self.deals, buckets)[:, :, list(streets)]
        counts = [buckets.counts[street] for street in streets]
        network = hands.network(numbers, self.deals.outcomes, counts)
        return solve_model(BucketGame(tree, network), self.sizes)


def flop_differences(one: Solved, other: Solved) -> Differences:
    """Differences in flop play between two solutions, where both have the same actions.

    The difference in a bucket is the total variation distance; the mean weights buckets by their
    frequency.

    Args:
        one: A solution with at least two bets on the flop.
        other: Another solution, of a game with the same flop buckets.
    """
    weights = one.game.network.start.sum(axis=1)
    bet = models.SMALL_BET
    found = []
    for line in ((), (CHECK_OR_CALL,), (bet,)):
        first, second = (_chances(each, line) for each in (one, other))
        found.append(float(weights @ (np.abs(first - second).sum(axis=0) / 2)))
    return Differences(*found)


def _chances(solved: Solved, line: tuple[int, ...]) -> F64:
    """``(actions, hands)`` probabilities of a flop decision after a betting line."""
    tree = solved.game.tree
    node = tree.after(line)
    if node is None or tree.kind[node] != DECISION:
        raise ValueError(f"the flop must have a decision after {line}")
    row = int(tree.row[node])
    decisions = tree.kind == DECISION
    # Row numbers are relative to the street.
    before = decisions & (tree.street > 0) & (tree.row < row)
    row -= int(tree.branches[before].sum())
    chances: F64 = solved.strategies[0][row : row + int(tree.branches[node])].astype(np.float64)
    return chances


def compare_forms(deals: Deals, sizes: Sizes) -> Iterator[tuple[str, float, Differences]]:
    """Solve all forms, and compare each with three bets a street.

    Args:
        deals: Number of deals for buckets and transition networks.
        sizes: Sizes of the models.

    Yields:
        Name of a form, its value for the first player to act in small bets per hand, and its
        differences.
    """
    usual = AfterFlop(deals, sizes).usual()
    longer = AfterFlop(deals, replace(sizes, iterations=4 * sizes.iterations)).usual()
    form = AfterFlop(deals, sizes)
    named = [
        ("three bets", usual),
        ("three bets, four times the iterations", longer),
        ("four bets", form.usual(4)),
        ("two bets", form.usual(2)),
        *((f"turn and river merged, bets of {bet}", form.merged(bet)) for bet in MERGED_BETS),
    ]
    for name, solved in named:
        yield name, solved.value / models.SMALL_BET, flop_differences(usual, solved)


def main() -> None:
    """Print the rows."""
    sizes = Sizes.usual(0)
    deals = Deals.at_random(sizes.deals // 2, load_tables())
    for name, value, differences in compare_forms(deals, sizes):
        shares = " | ".join(f"{share:.1%}" for share in differences)
        print(f"| {name} | {value:+z.3f} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
