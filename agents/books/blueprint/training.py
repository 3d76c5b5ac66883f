"""Resumable training of blueprints: regret minimisation with sampled cards and opponent actions.

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

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np

from agents.books.blueprint.abstraction import Abstraction
from agents.books.blueprint.sampled_walk import (
    CARDS,
    SampledDeals,
    StrategyLayout,
    Sums,
    WalkedTree,
    learn,
    next_unit,
    start_stream,
)
from agents.players.blueprint.book import BettingTree, BookSection, write_book
from agents.players.blueprint.card_buckets import N_STREETS, CardBuckets, card_bucket
from agents.players.blueprint.player import BlueprintPlayer
from nlhe_env.cards import N_CARDS
from nlhe_env.equity import StrengthTables, load_tables
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.evaluator.ranks import rank_set
from nlhe_env.jit.array_types import F32, F64, I64, U8, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.system.command_interrupts import interrupts_wait
from nlhe_env.system.files import load_npz, replacing

Progress = Callable[["Training"], None]

AT_ONCE = 50_000
"""Iterations between checks of the clock: about half a second."""
_WEIGHTS = 32
"""Resolution of stored probabilities."""
_RARE = 0.03
"""Actions with lower probability are sampling noise and are removed (S. Ganzfried, T. Sandholm, K.
Waugh, "Strategy Purification and Thresholding", AAMAS 2012)."""


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


class HoldemCards:
    """Source of hold'em deals.

    Args:
        buckets: Number of buckets on every street.
        tables: The exact strength tables.
        seed: Seed of the cards.
    """

    def __init__(self, buckets: CardBuckets, tables: StrengthTables, *, seed: int = 0) -> None:
        self.buckets = buckets
        self.counts = buckets.counts
        self._tables = tables
        self._seed = seed
        self._steps = np.array(buckets.steps, np.int64)
        most = max(len(edges) for edges in buckets.edges)
        self._edges = np.zeros((len(buckets.edges), most), np.float32)
        for row, edges in zip(self._edges, buckets.edges, strict=True):
            row[: len(edges)] = edges
        self._cards = np.zeros(9, np.int64)

    def deal(self, first: int, deals: SampledDeals) -> None:
        """Fill the deals numbered from ``first`` on."""
        seed = np.uint64(self._seed)
        _deal(first, seed, self._steps, self._edges, self._tables, self._cards, deals)


@kernel
def _deal(
    first: Int,
    seed: Int,
    steps: I64,
    edges: F32,
    tables: StrengthTablesRecord,
    cards: I64,
    deals: SampledDeals,
) -> None:
    for i in range(len(deals.outcomes)):
        state = start_stream(seed, CARDS, first + i)
        dealt = np.int64(0)
        n = 0
        while n < 9:
            state, u = next_unit(state)
            card = np.int64(N_CARDS * u)
            bit = np.int64(card_bit(card))
            if dealt & bit == 0:
                dealt |= bit
                cards[n] = card
                n += 1
        board = cards[4:]
        on_board = np.int64(0)
        for k in range(5):
            on_board |= np.int64(card_bit(board[k]))
        ranks = (np.int64(0), np.int64(0))
        for player in range(2):
            high, low = cards[2 * player], cards[2 * player + 1]
            for street in range(N_STREETS):
                j = max(street - 1, 0)
                deals.buckets[i, player, street] = card_bucket(
                    high, low, board, street, steps[j, 0], steps[j, 1], edges[j], tables
                )
            hole = np.int64(card_bit(high)) | np.int64(card_bit(low))
            ranks = (ranks[1], np.int64(rank_set(on_board | hole)))
        deals.outcomes[i] = np.sign(ranks[0] - ranks[1])


class Training:
    """Training of one blueprint for one stack depth.

    Args:
        abstraction: Abstraction of the game.
        seed: Seed of the cards and walks.
        checkpoint: File for ``save``; training resumes from its contents, if any.

    Raises:
        ValueError: The checkpoint is damaged or belongs to another training.
    """

    def __init__(
        self, abstraction: Abstraction, *, seed: int = 0, checkpoint: Path | None = None
    ) -> None:
        self.abstraction = abstraction
        self._checkpoint = checkpoint
        self._about = json.dumps({"seed": seed, **abstraction.as_dict()}, sort_keys=True)
        self.cards = HoldemCards(abstraction.buckets(), load_tables(), seed=seed)
        self.solver = SampledSolver(abstraction.tree(), self.cards, seed=seed)
        if checkpoint is not None and checkpoint.exists():
            self._load(checkpoint)

    @property
    def iterations(self) -> int:
        """Number of iterations so far."""
        return self.solver.iterations

    def run(self, iterations: int, progress: Progress = lambda training: None) -> None:
        """Train until the total number of iterations is reached.

        An interrupt ends training cleanly and saves the state.
        """
        with self._saving():
            while self.iterations < iterations:
                with interrupts_wait():
                    self.solver.run(min(AT_ONCE, iterations - self.iterations))
                progress(self)

    def section(self) -> BookSection:
        """Section of a book with the learned strategy."""
        return BookSection(
            self.abstraction.code,
            0.0 if self.abstraction.is_limit else float(self.abstraction.stack),
            self.solver.tree,
            self.cards.buckets,
            tuple(as_weights(chances) for chances in self.solver.chances()),
        )

    def save(self) -> None:
        """Write the checkpoint, if one was named."""
        if self._checkpoint is None:
            return
        self._checkpoint.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._checkpoint) as file:
            np.savez(
                file,
                allow_pickle=False,
                about=np.array(self._about),
                iterations=np.array(self.iterations),
                **self.solver.sums._asdict(),
            )

    @contextmanager
    def _saving(self) -> Iterator[None]:
        try:
            yield
        finally:
            self.save()

    def _load(self, checkpoint: Path) -> None:
        found, all_sums = load_npz(checkpoint), self.solver.sums._asdict()
        if missing := {"about", "iterations", *all_sums} - found.keys():
            raise ValueError(f"{checkpoint} is no checkpoint: it has no {min(missing)}")
        if str(found["about"]) != self._about:
            raise ValueError(
                f"{checkpoint} is the checkpoint of a different training run ({found['about']}); "
                "remove it or choose another file"
            )
        self.solver.iterations = int(found["iterations"])
        for name, sums in all_sums.items():
            if found[name].shape != sums.shape:
                raise ValueError(
                    f"{checkpoint} is damaged: {name} must have shape {sums.shape}; got "
                    f"{found[name].shape}"
                )
            sums[:] = found[name]


def as_weights(chances: F64) -> U8:
    """Probabilities as the weights of a book."""
    kept = np.where(chances < _RARE, 0, chances)
    weights: U8 = np.rint(kept * _WEIGHTS).astype(np.uint8)
    return weights


def make_player(trainings: Sequence[Training], name: str) -> BlueprintPlayer:
    """Player with the strategies of several trainings."""
    origin = {
        "made by": "nlhe solve blueprint",
        "trainings": [
            {**training.abstraction.as_dict(), "iterations": training.iterations}
            for training in trainings
        ],
    }
    book = write_book([training.section() for training in trainings])
    return BlueprintPlayer(book, name, origin)
