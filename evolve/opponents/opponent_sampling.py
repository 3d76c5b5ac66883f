"""Opponents of the candidates of a generation, drawn from several sources.

The sources are a pool of opponents (``evolve.opponents.pool``), the best of the current population,
and named players. All candidates of a generation play the same opponents with the same cards in
every block, so that opponents do not cause differences between candidates.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

import agents
from evolve.genomes.base import Genomes
from evolve.opponents.pool import OpponentPool, Priority, prioritised_chances
from nlhe_env.arguments import array, check_shares
from nlhe_env.jit.array_types import F64, I64, Bool


@dataclass(frozen=True, kw_only=True)
class OpponentMix:
    """Shares of the opponent sources, and the sampling within them.

    Attributes:
        pool: Share of the pool's genomes; the three shares need not sum to 1.
        population: Share of the population.
        named: Share of the named players of the pool.
        priority: Weights within the pool and the named players, see ``prioritised_chances``; the
            population is sampled uniformly.
        power: Power of the hard priority.
        uniform: Share of games without priority.
    """

    pool: float = 0.6
    population: float = 0.2
    named: float = 0.2
    priority: Priority = "hard"
    power: float = 2.0
    uniform: float = 0.1

    def __post_init__(self) -> None:
        shares = (self.pool, self.population, self.named)
        total = self.pool + self.population + self.named
        if min(shares) < 0.0 or not 0.0 < total < float("inf"):
            raise ValueError(f"shares must not be negative, or all 0; got {shares}")
        prioritised_chances(
            np.empty(0), priority=self.priority, power=self.power, uniform=self.uniform
        )


@dataclass(frozen=True, eq=False)
class Opponents:
    """Numbered opponents of one generation: the pool's genomes, the population, named players.

    Attributes:
        batch: All opponents.
        chances: ``(n,)`` shares of the seats, which sum to 1; or ``(k, n)``, with row ``i % k`` for
            candidates of sub-population i.
        members: ``(len(pool),)`` number of every opponent of the pool.

    Raises:
        ValueError: An array has another shape or invalid values.
    """

    batch: agents.PlayerBatch
    chances: F64
    members: I64

    def __post_init__(self) -> None:
        n = len(self.batch)
        shape = (n,) if np.ndim(self.chances) == 1 else (None, n)
        chances = array("chances", self.chances, shape, least=0)
        check_shares("chances", np.atleast_2d(chances).sum(axis=1))
        members = array("members", self.members, (None,), dtype=np.int64, least=0, most=n - 1)
        object.__setattr__(self, "chances", chances)
        object.__setattr__(self, "members", members)

    @classmethod
    def gather(
        cls,
        pool: OpponentPool,
        population: Genomes,
        mix: OpponentMix,
        *,
        candidates: Genomes | None = None,
    ) -> Opponents:
        """The opponents of a generation.

        Games against itself teach a candidate nothing. So the population should be the elites of
        the previous generation, and population or pool members that are candidates again are
        excluded. The share of a source without opponents goes to the others.

        Args:
            pool: Earlier genomes and named players.
            population: Current genomes.
            mix: The shares of the sources.
            candidates: Genomes to evaluate.

        Raises:
            ValueError: There is no opponent.
        """
        n_pool, n_population = len(pool.genomes), len(population)
        evaluated = candidates if candidates is not None else population[:0]
        keys = {evaluated.key(i) for i in range(len(evaluated))}
        pool_free = _none_of(keys, pool.genomes)
        rates = pool.win_rates
        chances = np.zeros(len(pool) + n_population)
        sources = (
            (mix.pool, np.flatnonzero(pool_free), rates[:n_pool][pool_free]),
            (mix.population, n_pool + np.flatnonzero(_none_of(keys, population)), None),
            (mix.named, n_pool + n_population + np.arange(len(pool.named)), rates[n_pool:]),
        )
        for share, numbers, source_rates in sources:
            if source_rates is None:
                chances[numbers] = share / max(1, len(numbers))
            else:
                chances[numbers] = share * prioritised_chances(
                    source_rates, priority=mix.priority, power=mix.power, uniform=mix.uniform
                )
        total = chances.sum()
        if not total > 0.0:
            raise ValueError(
                "there are no opponents: add a player to the pool, name a player, or give a "
                "population, with a share above 0"
            )
        members = np.append(np.arange(n_pool), n_population + np.arange(n_pool, len(pool)))
        return cls(_field(pool, population), chances / total, members)

    @classmethod
    def all_players(cls, batch: agents.PlayerBatch) -> Opponents:
        """All players of a batch, with equal probabilities."""
        n = len(batch)
        return cls(batch, np.full(n, 1.0 / n), np.arange(n))

    @property
    def apart(self) -> tuple[Opponents, ...]:
        """The opponents of each row of ``chances``."""
        return tuple(replace(self, chances=one) for one in np.atleast_2d(self.chances))

    @property
    def together(self) -> Opponents:
        """Common opponents of all candidates, with the mean of ``chances``."""
        return replace(self, chances=np.atleast_2d(self.chances).mean(axis=0))

    def lineups(self, n_blocks: int, n_opponents: int, generator: np.random.Generator) -> I64:
        """Opponents in every block of games; the same for all candidates.

        Drawn by systematic sampling: each opponent gets its expected number of seats, rounded up or
        down, and the mean over all draws is exact. An opponent has two seats in a block only if it
        has more than one expected seat per block.

        Args:
            n_blocks: Blocks of the generation.
            n_opponents: Opponents in each block.
            generator: Random generator.

        Returns:
            ``(n_blocks, n_opponents)`` indices in ``batch``.

        Raises:
            ValueError: There are no blocks or no opponents in them.
        """
        if n_blocks < 1 or n_opponents < 1:
            raise ValueError(
                f"lineups need at least 1 block and 1 opponent; got {n_blocks} and {n_opponents}"
            )
        n_seats = n_blocks * n_opponents
        order = generator.permutation(np.flatnonzero(self.chances > 0.0))
        bounds = np.cumsum(self.chances[order])
        points = (generator.random() + np.arange(n_seats)) / n_seats * bounds[-1]
        seated = order[np.searchsorted(bounds, points, side="right").clip(max=len(order) - 1)]
        # All seats of a player are adjacent, so dealing them block by block separates them.
        return generator.permutation(seated.reshape(n_opponents, n_blocks).T)

    def results(self, lineups: I64, scores: F64) -> tuple[F64, F64]:
        """Results of a generation for ``OpponentPool.after_games``.

        A block counts as one game against each of its opponents for any number of candidates,
        because these share its cards.

        Args:
            lineups: ``(n_blocks, n_opponents)`` opponents of each block.
            scores: ``(n_blocks, n_opponents)`` share of candidates, 0 to 1, that beat the opponent;
                ties count half.

        Returns:
            Wins and games, each ``(len(pool),)``.

        Raises:
            ValueError: The shapes differ.
        """
        if lineups.shape != scores.shape:
            raise ValueError(
                f"scores must have the shape {lineups.shape} of the lineups; got {scores.shape}"
            )
        n = len(self.batch)
        games = np.bincount(lineups.ravel(), minlength=n).astype(np.float64)
        wins = np.bincount(lineups.ravel(), scores.ravel(), minlength=n)
        # Rounding may raise sums of shares above the count.
        return np.minimum(wins, games)[self.members], games[self.members]


def _none_of(keys: set[bytes], genomes: Genomes) -> Bool:
    return np.array([genomes.key(i) not in keys for i in range(len(genomes))], np.bool_)


def _field(pool: OpponentPool, population: Genomes) -> agents.PlayerBatch:
    parts = [part.pack() for part in (pool.genomes, population) if len(part)]
    if pool.named:
        parts.append(_named_field(pool.named))
    return agents.concat(*parts)


@functools.lru_cache(maxsize=8)
def _named_field(names: tuple[str, ...]) -> agents.PlayerBatch:
    """The named players, cached because every generation needs them."""
    return agents.pack_players([agents.make_compiled(name) for name in names])
