"""An opponent pool for training: genomes of earlier generations, and named players.

A learner that plays only recent candidates forgets how to beat earlier ones and may become cyclic.
The pool keeps earlier opponents, and the learner plays mostly against those that it does not beat
yet: prioritised fictitious self-play (O. Vinyals et al., "Grandmaster level in StarCraft II using
multi-agent reinforcement learning", Nature 575, 2019, methods, "Prioritized fictitious self-play").

Three rules limit the pool. Members leave by age; a full pool drops the older of its two most
similar members; and members have distinct genomes. Similarity is the Euclidean distance of
behaviour vectors, which come with the genomes, from ``evolve.opponents.behaviour_probes`` or any
other measures on a common scale. Weights and results are unsuitable: similar players may have very
different weights, and different strategies may be equally strong.

This is not the hall of fame of the published co-evolution, see ``evolve.opponents.hall_of_fame``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from scipy.spatial.distance import cdist

import agents
from evolve.genomes.base import GenomeKind
from nlhe_env.arguments import one_of
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.system.part_names import check_names

Priority = Literal["hard", "even", "uniform"]
"""Most frequent opponents: stronger ones, equally strong ones, or all equally."""

PRIOR_GAMES = 2.0
"""Prior games added to every win rate, half of them won."""


def prioritised_chances(
    win_rates: F64, *, priority: Priority = "hard", power: float = 2.0, uniform: float = 0.1
) -> F64:
    """Sampling probabilities of opponents from the learner's win rates.

    The weights are f(x) of the win rate x, in the notation of the paper: ``"hard"`` is
    (1 - x)^power, ``"even"`` x (1 - x), and ``"uniform"`` 1.

    Args:
        win_rates: ``(n,)`` the learner's win rate against each opponent, 0 to 1.
        priority: Weight function.
        power: Exponent of the hard weights; larger values concentrate on the hardest opponents.
        uniform: Share of games with uniform sampling.

    Returns:
        ``(n,)`` probabilities, which sum to 1 unless ``n`` is 0.

    Raises:
        ValueError: An argument is out of range.

    >>> prioritised_chances(np.array([0.5, 0.0]), power=1, uniform=0.0).round(3)
    array([0.333, 0.667])
    """
    one_of("priority", priority, get_args(Priority))
    if power < 0.0:
        raise ValueError(f"power must not be negative; got {power}")
    if not 0.0 <= uniform <= 1.0:
        raise ValueError(f"uniform must be in 0..1; got {uniform}")
    weights = np.ones(len(win_rates))
    if priority == "hard":
        weights = (1.0 - win_rates) ** power
    elif priority == "even":
        weights = win_rates * (1.0 - win_rates)
    equal = np.full(len(win_rates), 1.0 / max(1, len(win_rates)))
    total = weights.sum()
    # If all weights are 0, for example if every opponent is always beaten, sampling is uniform.
    preferred = weights / total if total > 0.0 else equal
    return (1.0 - uniform) * preferred + uniform * equal


def win_rates(wins: F64, games: F64) -> F64:
    """``(n,)`` win rates with the prior of ``OpponentPool.win_rates``."""
    return np.asarray((wins + 0.5 * PRIOR_GAMES) / (games + PRIOR_GAMES))


@dataclass(frozen=True, kw_only=True)
class PoolConfig:
    """Limits on the genomes of a pool.

    Attributes:
        capacity: Maximum number of genomes.
        max_age: Generations until a genome leaves; None for no limit.
        keep_first: Number of initial genomes that never leave.
    """

    capacity: int = 50
    max_age: int | None = None
    keep_first: int = 0

    def __post_init__(self) -> None:
        if self.capacity < 1:
            raise ValueError(f"capacity must be at least 1; got {self.capacity}")
        if self.max_age is not None and self.max_age < 0:
            raise ValueError(f"max_age must not be negative; got {self.max_age}")
        if not 0 <= self.keep_first < self.capacity:
            raise ValueError(
                f"keep_first must be in 0..{self.capacity - 1}, below the capacity; got "
                f"{self.keep_first}"
            )


@dataclass(frozen=True, eq=False)
class OpponentPool:
    """Immutable pool of opponents with the learner's results against them.

    Opponent numbers are those of the genomes in order of entry, then those of the named players.

    Attributes:
        genomes: The genomes.
        entered: ``(n_genomes,)`` generation in which each genome entered.
        behaviour: ``(n_genomes, n_measures)`` behaviour vectors.
        named: Names of players for ``agents.make``; they never leave.
        wins: ``(n,)`` discounted games that the learner won against each opponent; a tie is half a
            win.
        games: ``(n,)`` discounted games against each opponent.
    """

    genomes: Any
    entered: I64
    behaviour: F64
    named: tuple[str, ...]
    wins: F64
    games: F64

    @classmethod
    def empty(cls, genomes: Any, *, named: Sequence[str] = ()) -> OpponentPool:
        """A pool without genomes, for genomes of the same kind as the given ones.

        Args:
            genomes: Any genomes of that kind.
            named: Players that are opponents from the start.

        Raises:
            ValueError: A named player does not exist, is not compiled, or is named twice.
        """
        if len(set(named)) < len(named):
            raise ValueError(f"no player may be named twice; got {tuple(named)}")
        for name in named:
            agents.make_compiled(name)
        return cls(
            genomes[:0],
            np.empty(0, np.int64),
            np.empty((0, 0)),
            tuple(named),
            np.zeros(len(named)),
            np.zeros(len(named)),
        )

    def __len__(self) -> int:
        return len(self.genomes) + len(self.named)

    @property
    def win_rates(self) -> F64:
        """``(n,)`` the learner's estimated win rate against each opponent, 0 to 1.

        The prior is ``PRIOR_GAMES`` games, half of them won. So an opponent without games counts as
        equally strong, and one without recent games returns to that.
        """
        return win_rates(self.wins, self.games)

    def enter(
        self, generation: int, genomes: Any, behaviour: F64, *, limits: PoolConfig
    ) -> OpponentPool:
        """The pool after adding genomes of a generation and applying the limits.

        A genome that is already in the pool keeps its age.

        Args:
            generation: Number of the generation; must not decrease between calls.
            genomes: Entering genomes, best first.
            behaviour: ``(n, n_measures)`` finite behaviour vectors.
            limits: Limits of the pool.

        Raises:
            ValueError: The kind of genomes or the shape of the behaviour differs from the pool's.
        """
        behaviour = np.asarray(behaviour, np.float64)
        self._check(genomes, behaviour)
        stay = np.ones(len(self.genomes), np.bool_)
        if limits.max_age is not None:
            stay = generation - self.entered <= limits.max_age
            stay[: limits.keep_first] = True
        pool = self._only(np.flatnonzero(stay))
        new = genomes.missing_from(pool.genomes)
        pool = replace(
            pool,
            genomes=type(genomes).join(pool.genomes, genomes[new]),
            entered=np.append(pool.entered, np.full(len(new), generation, np.int64)),
            behaviour=np.concatenate(
                [pool.behaviour.reshape(-1, behaviour.shape[1]), behaviour[new]]
            ),
            wins=np.insert(pool.wins, len(pool.genomes), np.zeros(len(new))),
            games=np.insert(pool.games, len(pool.genomes), np.zeros(len(new))),
        )
        return pool._only(_most_different(pool.behaviour, pool.entered, limits))

    def with_named(self, named: Sequence[str]) -> OpponentPool:
        """The pool with other named players, without results against them."""
        n, no_player = len(self.genomes), np.zeros(len(named))
        return replace(
            self,
            named=tuple(named),
            wins=np.append(self.wins[:n], no_player),
            games=np.append(self.games[:n], no_player),
        )

    def after_games(self, wins: F64, games: F64, *, memory: float = 0.9) -> OpponentPool:
        """The pool after the games of a generation.

        Args:
            wins: ``(n,)`` games that the learner won against each opponent; a tie is half a win.
            games: ``(n,)`` games against each opponent.
            memory: Weight of earlier results, 0 to 1: those of k generations ago count ``memory``
                to the power of k. In total they weigh at most 1 / (1 - memory) generations, so that
                win rates follow a changing learner.

        Raises:
            ValueError: Wins exceed games, shapes differ, or ``memory`` is out of range.
        """
        if not 0.0 <= memory <= 1.0:
            raise ValueError(f"memory must be in 0..1; got {memory}")
        wins, games = np.asarray(wins, np.float64), np.asarray(games, np.float64)
        if wins.shape != (len(self),) or games.shape != (len(self),):
            raise ValueError(
                f"wins and games must have one number for each of {len(self)} opponents; got "
                f"shapes {wins.shape} and {games.shape}"
            )
        if not ((wins >= 0.0) & (wins <= games)).all():
            raise ValueError(f"wins must be in 0..games; got {wins.tolist()} of {games.tolist()}")
        return replace(self, wins=memory * self.wins + wins, games=memory * self.games + games)

    def to_arrays(self) -> dict[str, AnyArray]:
        """The pool as named arrays."""
        return {
            **self.genomes.to_arrays(),
            "entered": self.entered,
            "behaviour": self.behaviour,
            "named": np.array(self.named, np.str_),
            "wins": self.wins,
            "games": self.games,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], kind: GenomeKind) -> OpponentPool:
        """Pool from the arrays of ``to_arrays``.

        Raises:
            KeyError: An array is missing.
            ValueError: They name players that a file may not name.
        """
        named = arrays["named"].tolist()
        check_names(named, "the pool")
        return cls(
            kind.from_arrays(arrays),
            arrays["entered"],
            arrays["behaviour"],
            tuple(named),
            arrays["wins"],
            arrays["games"],
        )

    def _only(self, rows: I64) -> OpponentPool:
        """The pool with only these genomes and all named players."""
        all_players = np.append(rows, np.arange(len(self.genomes), len(self)))
        return replace(
            self,
            genomes=self.genomes[rows],
            entered=self.entered[rows],
            behaviour=self.behaviour[rows],
            wins=self.wins[all_players],
            games=self.games[all_players],
        )

    def _check(self, genomes: Any, behaviour: F64) -> None:
        if behaviour.ndim != 2 or len(behaviour) != len(genomes):
            raise ValueError(
                f"behaviour must have a row for each of {len(genomes)} genomes; got shape "
                f"{behaviour.shape}"
            )
        if not np.isfinite(behaviour).all():
            raise ValueError("behaviour must be finite numbers")
        if len(self.genomes) and behaviour.shape[1] != self.behaviour.shape[1]:
            raise ValueError(
                f"behaviour must have the {self.behaviour.shape[1]} measures of the pool; got "
                f"{behaviour.shape[1]}"
            )


def _most_different(behaviour: F64, entered: I64, limits: PoolConfig) -> I64:
    """Rows to keep within the capacity; rows are in order of entry."""
    stay = np.arange(len(behaviour))
    if len(stay) <= limits.capacity:
        return stay
    distances = cdist(behaviour, behaviour)
    distances[np.tril_indices(len(stay))] = np.inf  # every pair once
    distances[: limits.keep_first, : limits.keep_first] = np.inf
    while len(stay) > limits.capacity:
        among = distances[np.ix_(stay, stay)]
        first, second = np.unravel_index(int(np.argmin(among)), among.shape)
        # The newer one is closer to the current learner; within a generation the better comes
        # first.
        older_goes = first >= limits.keep_first and entered[stay[first]] < entered[stay[second]]
        stay = np.delete(stay, first if older_goes else second)
    return stay
