"""Best answers to a blueprint, learned as the blueprint was.

Sampling regret minimisation in which one player stays as it is and only the other learns ends with
a best response in the buckets of the learner (compare F. Timbers et al., "Approximate
Exploitability: Learning a Best Response", IJCAI 2022). Played for real, it says how much of the
blueprint can be won at least.
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
    """Learns how one player best answers a strategy of the other.

    Args:
        tree: The betting.
        dealer: The cards, with the buckets of each player for itself.
        strategy: Fixed strategy of the other player: for each street ``(buckets, rows)`` weights of
            actions; the rows of the learner do not matter.
        player: The player who learns, 0 or 1.
        seed: Seed of all random numbers.
        period: As of ``SampledSolver``.
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
        # Whose regrets never change plays by them, as the strategy says.
        for street, weights in enumerate(strategy):
            _, regrets = self.street(street)
            stays = _rows_of(tree, street, 1 - player)
            regrets[: len(weights), stays] = weights[:, stays]


class _CardsOfBoth:
    """Deals the same cards into buckets of each player's own."""

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
    """The best answer to a section of a book, for a book of its own.

    Args:
        section: Section of a book that is responded to.
        abstraction: Its betting must be that of the section; its buckets are those of the answer.
        iterations: For each seat; each deals once and walks once.
        seed: Seed of cards and walks.
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
    """The rows of a player's actions, which lie side by side."""
    nodes = tree.nodes[(tree.nodes["street"] == street) & (tree.nodes["count"] > 0)]
    nodes = nodes[nodes["actor"] == player]
    if len(nodes) == 0:
        return slice(0)
    return slice(int(nodes["row"].min()), int((nodes["row"] + nodes["count"]).max()))
