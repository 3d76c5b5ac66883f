"""Best responses to a blueprint, by the blueprint's own learning algorithm.

Sampled regret minimisation with one player fixed converges to the other's best response in its own
buckets (compare F. Timbers et al., "Approximate Exploitability: Learning a Best Response", IJCAI
2022). Its win rate in actual matches is a lower bound on the blueprint's exploitability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.books.blueprint.abstraction import Abstraction
from agents.books.blueprint.holdem_cards import HoldemCards
from agents.books.blueprint.sampling import DealSampler, SampledSolver
from agents.books.blueprint.sampling_arrays import SampledDeals
from agents.books.blueprint.training import as_weights
from agents.players.blueprint.book import BettingTree, BookSection
from nlhe_env.equity import load_tables
from nlhe_env.jit.array_types import F32, U8


class AnswerSolver(SampledSolver):
    """Learns a best response to a fixed strategy.

    Args:
        tree: The betting tree.
        dealer: Source of cards, with separate buckets for each player.
        strategy: Fixed strategy of the other player: ``(buckets, rows)`` action weights for each
            street; the learner's rows are ignored.
        player: The learning player, 0 or 1.
        seed: Seed of all random numbers.
        period: See ``SampledSolver``.
    """

    def __init__(
        self,
        tree: BettingTree,
        dealer: DealSampler,
        strategy: Sequence[F32 | U8],
        player: int,
        *,
        seed: int = 0,
        period: int = 100_000,
    ) -> None:
        super().__init__(tree, dealer, seed=seed, period=period)
        self.learners = (player,)
        # A player whose regrets never change plays the strategy that they encode.
        for street, weights in enumerate(strategy):
            _, regrets = self.street(street)
            stays = _rows_of(tree, street, 1 - player)
            regrets[: len(weights), stays] = weights[:, stays]


class _CardsOfBoth:
    """Assigns the same cards to separate buckets of each player."""

    def __init__(self, theirs: DealSampler, own: DealSampler, player: int) -> None:
        self._theirs, self._own, self._player = theirs, own, player
        self.counts = tuple(map(max, theirs.counts, own.counts))

    def deal(self, first: int, deals: SampledDeals) -> None:
        """Fill deals of these numbers."""
        self._own.deal(first, deals)
        mine = deals.buckets[:, self._player].copy()
        self._theirs.deal(first, deals)
        deals.buckets[:, self._player] = mine


def learn_answer(
    section: BookSection, abstraction: Abstraction, iterations: int, *, seed: int = 0
) -> BookSection:
    """Best response to a section of a book, as a section for another book.

    Args:
        section: The section to respond to.
        abstraction: Abstraction of the response, with the section's betting.
        iterations: Iterations per seat, each with one deal and one walk.
        seed: Seed of the cards and walks.
    """
    cards, tables = abstraction.buckets(), load_tables()
    shapes = zip(cards.counts, section.tree.rows, strict=True)
    answer = [np.zeros(shape, np.uint8) for shape in shapes]
    for player in range(2):
        theirs, own = (
            HoldemCards(buckets, tables, seed=seed) for buckets in (section.buckets, cards)
        )
        dealer = _CardsOfBoth(theirs, own, player)
        solver = AnswerSolver(section.tree, dealer, section.chances, player, seed=seed)
        solver.run(iterations)
        for street, (weights, chances) in enumerate(zip(answer, solver.chances(), strict=True)):
            mine = _rows_of(section.tree, street, player)
            weights[:, mine] = as_weights(chances[: len(weights), mine])
    return section._replace(buckets=cards, chances=tuple(answer))


def _rows_of(tree: BettingTree, street: int, player: int) -> slice:
    """Rows of a player's actions, which are contiguous."""
    nodes = tree.nodes[(tree.nodes["street"] == street) & (tree.nodes["count"] > 0)]
    nodes = nodes[nodes["actor"] == player]
    if len(nodes) == 0:
        return slice(0)
    return slice(int(nodes["row"].min()), int((nodes["row"] + nodes["count"]).max()))
