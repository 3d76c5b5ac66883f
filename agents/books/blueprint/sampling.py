"""Regret minimisation with sampled cards and opponent actions.

External sampling (M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo Sampling for Regret
Minimization in Extensive Games", NIPS 2009): a walk tries all actions of one player and follows one
sampled action of the other, drawn from its current strategy. Later walks have linearly increasing
weights (N. Brown, T. Sandholm, "Solving Imperfect-Information Games via Discounted Regret
Minimization", AAAI 2019). Actions with very negative regret are tried in only one of twenty
iterations (the same authors, "Superhuman AI for multiplayer poker", Science 2019).

An iteration deals once and walks once for each player. Its random numbers depend only on its
number, so that results do not depend on interruptions.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from agents.books.blueprint.sampled_walk import WalkedTree, learn
from agents.books.blueprint.sampling_arrays import SampledDeals, StrategyLayout, Sums
from agents.players.blueprint.book import BettingTree
from nlhe_env.jit.array_types import F32, F64, Float
from nlhe_env.jit.compilation import kernel

_DEALT_AT_ONCE = 4096
_HOPELESS_AFTER = 100.0
"""Negative regret, in largest stakes, beyond which an action is skipped."""


class DealSampler(Protocol):
    """Source of deals."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets on every street."""

    def deal(self, first: int, deals: SampledDeals) -> None:
        """Fill the deals numbered from ``first`` on; the same number always has the same cards."""


@kernel
def _discount(sums: Sums, factor: Float) -> None:
    for i in range(len(sums.regrets)):
        sums.regrets[i] *= factor
        sums.totals[i] *= factor


class SampledSolver:
    """Learns strategies for both players of a game.

    Args:
        tree: The betting tree.
        dealer: Source of deals.
        seed: Seed of all random numbers.
        period: Number of successive iterations with equal weight.
    """

    def __init__(
        self, tree: BettingTree, dealer: DealSampler, *, seed: int = 0, period: int = 100_000
    ) -> None:
        self.tree = tree
        self.dealer = dealer
        self.seed = seed
        self.period = period
        self.iterations = 0
        self.learners: tuple[int, ...] = (0, 1)
        """Players who learn."""
        self.hopeless = -_HOPELESS_AFTER * float(tree.nodes["stake"].max())
        """Actions with less regret are passed over."""
        rows = np.array(tree.rows, np.int64)
        sizes = rows * np.array(dealer.counts, np.int64)
        self.layout = StrategyLayout(np.cumsum(sizes) - sizes, rows)
        total = int(sizes.sum())
        self.sums = Sums(np.zeros(total, np.float32), np.zeros(total))
        self._walked = WalkedTree.of(tree)
        shape = (_DEALT_AT_ONCE, 2, len(rows))
        self._deals = SampledDeals(np.zeros(shape, np.uint16), np.zeros(_DEALT_AT_ONCE, np.int8))

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        last = self.iterations + iterations
        while self.iterations < last:
            left_of_period = self.period - self.iterations % self.period
            count = min(last - self.iterations, left_of_period, _DEALT_AT_ONCE)
            deals = SampledDeals(self._deals.buckets[:count], self._deals.outcomes[:count])
            self.dealer.deal(self.iterations, deals)
            learn(
                self._walked.places,
                self.layout,
                deals,
                self.iterations,
                np.uint64(self.seed),
                self.hopeless,
                self.learners,
                self.sums.addresses,
            )
            self.iterations += count
            if self.iterations % self.period == 0:
                done = self.iterations // self.period
                _discount(self.sums, np.float32(done / (done + 1)))

    def street(self, street: int) -> tuple[F64, F32]:
        """``(buckets, rows)`` cumulative strategies and regrets of a street, as views."""
        start, rows = int(self.layout.starts[street]), int(self.layout.rows[street])
        count = self.dealer.counts[street]
        part = slice(start, start + count * rows)
        return (
            self.sums.totals[part].reshape(count, rows),
            self.sums.regrets[part].reshape(count, rows),
        )

    def chances(self) -> list[F64]:
        """Average strategies: ``(buckets, rows)`` action probabilities for each street.

        Decisions never reached by a player's own strategies are filled by regret matching.
        """
        found = []
        for street in range(len(self.layout.rows)):
            totals, regrets = self.street(street)
            chances = np.zeros_like(totals)
            for node in self.tree.nodes[self.tree.nodes["street"] == street]:
                count = int(node["count"])
                part = slice(int(node["row"]), int(node["row"]) + count)
                for weights in (totals[:, part], np.maximum(regrets[:, part], 0), 1.0):
                    none = chances[:, part].sum(axis=1) == 0
                    chances[:, part] += none[:, np.newaxis] * weights
                if count > 0:
                    chances[:, part] /= chances[:, part].sum(axis=1, keepdims=True)
            found.append(chances)
        return found
