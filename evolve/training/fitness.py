"""Fitness functions, which rank the candidates of a generation from its tally.

Source: G. Nicolai, MSc thesis (University of Regina, 2008), section 4.2.1. The mean place is the
published default: over many tournaments a lucky result has little effect, and steady good places
count more than an occasional win. The other functions performed worse there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from scipy import stats

from agents.match.tally import Tally
from evolve.training.dominance import majority, shared_fitness, win_percentages
from nlhe_env.arguments import one_of, share
from nlhe_env.jit.array_types import F64, I64
from nlhe_env.system.python_files import register_from_file

ControlPick = Literal["fitness", "hands"]


@dataclass(frozen=True, eq=False)
class Fitness:
    """Fitness values of all players.

    Attributes:
        values: ``(n,)`` fitness, in its published form.
        errors: ``(n,)`` standard errors, nan where there is none.
        larger_is_better: Whether larger values are better.
    """

    values: F64
    errors: F64
    larger_is_better: bool = False

    @property
    def costs(self) -> F64:
        """``(n,)`` the values, with the sign that makes the smallest the best."""
        return -self.values if self.larger_is_better else self.values

    def __getitem__(self, chosen: slice | I64) -> Fitness:
        return Fitness(self.values[chosen], self.errors[chosen], self.larger_is_better)

    def ranking(self) -> I64:
        """``(n,)`` players, best first; equals keep their order."""
        return np.argsort(self.costs, kind="stable")


@dataclass(frozen=True, kw_only=True)
class FitnessSettings(ABC):
    """A fitness function and how its results are used.

    Attributes:
        needs_tournaments: Whether it compares many players of the same tournaments.
        reads_rows: Whether it reads the result of every tournament, not the sums alone.
    """

    needs_tournaments: ClassVar[bool] = True
    reads_rows: ClassVar[bool] = True

    champion_criterion: ControlPick = "fitness"
    """Champion of a generation: the candidate with the best fitness, or the one that won the most
    hands."""

    phantom: bool = False
    """Choose parents among all candidates by the share of opponents they beat, with a phantom
    parasite that beats each candidate that beats all others."""

    def __post_init__(self) -> None:
        one_of("champion_criterion", self.champion_criterion, get_args(ControlPick))
        if not isinstance(self.phantom, bool):
            raise ValueError(f"phantom must be true or false; got {self.phantom!r}")

    @property
    def needs_rows(self) -> bool:
        """Whether tallies must have rows to be read."""
        return self.reads_rows or self.champion_criterion == "hands" or self.phantom

    @abstractmethod
    def measure(self, tally: Tally) -> Fitness:
        """The fitness of every player."""

    def picks(self, tally: Tally) -> F64 | None:
        """``(n,)`` by what champions are chosen; None for the fitness."""
        if self.champion_criterion == "fitness":
            return None
        return np.asarray(_gain(tally, "hands_won").sum(axis=0), np.float64)

    def chances(self, tally: Tally) -> F64 | None:
        """``(n,)`` chances to be parents; None where only elites are."""
        return win_percentages(majority(tally.row_scores)) if self.phantom else None


@dataclass(frozen=True, kw_only=True)
class ScoreFitness(FitnessSettings):
    """The game's own score: the mean place in tournaments, chips won in cash games."""

    needs_tournaments = False
    reads_rows = False

    def measure(self, tally: Tally) -> Fitness:
        """The mean score."""
        return Fitness(tally.scores, tally.errors, larger_is_better=not tally.lower_is_better)


@dataclass(frozen=True, kw_only=True)
class OpponentsFitness(ScoreFitness):
    """Base class of fitness functions that weight winnings by opponent.

    For duplicate blocks against one opponent each.
    """

    @abstractmethod
    def of_earnings(self, earnings: F64, hands: I64, big_blind: float) -> F64:
        """``(n,)`` fitness of candidates; larger is better.

        Args:
            earnings: ``(n, n_opponents)`` sums of what each won from each opponent.
            hands: ``(n_opponents,)`` in how many hands.
            big_blind: Earnings of a big blind.
        """


@dataclass(frozen=True, kw_only=True)
class NormalisedFitness(OpponentsFitness):
    """Average normalised earnings, with equal weight for all opponents.

    Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 4.3.1. Winnings from an
    opponent are divided by the largest winnings of any candidate of the generation from it, but at
    least by one big blind.
    """

    def of_earnings(self, earnings: F64, hands: I64, big_blind: float) -> F64:
        """The mean over opponents of what was won from each, by the most that any candidate won."""
        return normalised_earnings(earnings, big_blind)


@dataclass(frozen=True, kw_only=True)
class SquareRootFitness(OpponentsFitness):
    """Mean signed square root of the winnings from each opponent.

    It is a compromise between the plain score, which the weakest opponents dominate, and normalised
    earnings, in which small winnings from one opponent can offset large losses to another.
    """

    def of_earnings(self, earnings: F64, hands: I64, big_blind: float) -> F64:
        """The mean over opponents of the roots of big blinds a hand."""
        return square_root_earnings(earnings / (hands * big_blind))


@dataclass(frozen=True, kw_only=True)
class HandsWonFitness(FitnessSettings):
    """The mean over the tournaments of the place mixed with the place by hands won (eq. 4.13)."""

    hands_won_weight: float = 0.5
    """Weight of the place by hands won, 0 to 1."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share("hands_won_weight", self.hands_won_weight)

    def measure(self, tally: Tally) -> Fitness:
        """The mean of the mixed places."""
        by_hands = places_by_hands_won(_gain(tally, "hands_won"))
        mixed = mix_places(tally.row_scores, by_hands, weight=self.hands_won_weight)
        return Fitness(mixed.mean(axis=0), _standard_errors(mixed))


@dataclass(frozen=True, kw_only=True)
class MeanMoneyFitness(FitnessSettings):
    """Chips won a hand won, minus chips lost a showdown lost, over all tournaments (eq. 4.14)."""

    def measure(self, tally: Tally) -> Fitness:
        """The difference of both ratios."""
        names = ("chips_won", "hands_won", "chips_lost", "showdowns_lost")
        chips_won, hands_won, chips_lost, lost = (_gain(tally, name) for name in names)
        won, won_errors = ratios(chips_won, hands_won)
        paid, paid_errors = ratios(chips_lost, lost)
        return Fitness(won - paid, np.hypot(won_errors, paid_errors), larger_is_better=True)


@dataclass(frozen=True, kw_only=True)
class SharingFitness(FitnessSettings):
    """Fitness sharing: wins over rarely beaten opponents have more weight.

    "Beats" is the majority of shared tournaments; see ``evolve.training.dominance``.
    """

    def measure(self, tally: Tally) -> Fitness:
        """The rewards shared among those who beat the same opponents."""
        values = shared_fitness(majority(tally.row_scores))
        return Fitness(values, np.full(len(values), np.nan), larger_is_better=True)


FITNESS: dict[str, type[FitnessSettings]] = {
    "score": ScoreFitness,
    "normalised": NormalisedFitness,
    "square_root": SquareRootFitness,
    "hands_won": HandsWonFitness,
    "mean_money": MeanMoneyFitness,
    "sharing": SharingFitness,
}
"""The values of every fitness function by its name."""


def register_fitness(name: str, fitness: type[FitnessSettings]) -> None:
    """Makes a fitness function known to configurations.

    Raises:
        ValueError: There is another fitness function of this name.
    """
    if FITNESS.setdefault(name, fitness) is not fitness:
        raise ValueError(f"a fitness function named {name!r} already exists")


def load_fitness(name: str) -> None:
    """Makes the fitness of a ``FILE.py:NAME`` known under that name; other names are left alone.

    Raises:
        ValueError: There is no such file, or no such fitness function in it.
        RuntimeError: The file fails.
    """
    register_from_file(FITNESS, name, "a fitness function", FitnessSettings)


def earnings_by_opponent(scores: F64, met: I64) -> F64:
    """``(n, n_opponents)`` sums of the scores of candidates against each opponent that was met.

    Args:
        scores: ``(n, n_blocks)``.
        met: ``(n_blocks,)`` number of the opponent of each block; columns are in this order.
    """
    sums = [scores[:, met == opponent].sum(axis=1) for opponent in np.unique(met)]
    return np.stack(sums, axis=1)


def normalised_earnings(earnings: F64, least: float) -> F64:
    """``(n,)`` average normalised earnings, at most 1.

    Args:
        earnings: ``(n, n_opponents)`` what each candidate won from each opponent.
        least: Least amount that the winnings from an opponent are divided by.

    >>> normalised_earnings(np.array([[400.0, 10.0], [100.0, 20.0], [-40.0, -30.0]]), 50.0)
    array([ 0.6  ,  0.325, -0.35 ])
    """
    merits: F64 = (earnings / np.maximum(least, earnings.max(axis=0))).mean(axis=1)
    return merits


def square_root_earnings(earnings: F64) -> F64:
    """``(n,)`` means of signed roots of ``1 + |earnings|``, less 1: about 0 a root is too steep.

    Args:
        earnings: ``(n, n_opponents)`` big blinds a hand that each candidate won from each opponent.

    >>> square_root_earnings(np.array([[24.0, 3.0], [35.0, -3.0]]))
    array([2.5, 2. ])
    """
    merits: F64 = (np.sign(earnings) * (np.sqrt(1.0 + np.abs(earnings)) - 1.0)).mean(axis=1)
    return merits


def places_by_hands_won(hands_won: I64) -> F64:
    """Places by the number of hands won in each tournament: most is 1, equals share the mean.

    Args:
        hands_won: ``(n_tournaments, n_players)`` hands in which a player got a share of a pot.

    >>> places_by_hands_won(np.array([[3, 9, 3]]))
    array([[2.5, 1. , 2.5]])
    """
    places: F64 = stats.rankdata(-hands_won, method="average", axis=1)
    return places


def mix_places(places: F64, hands_places: F64, *, weight: float) -> F64:
    """Eq. 4.13: ``(1 - weight) * place + weight * place by hands won``.

    The published example, in which the second player is the better one:

    >>> mix_places(np.array([1.0, 2.0]), np.array([5.0, 2.0]), weight=0.5)
    array([3., 2.])
    """
    return (1.0 - weight) * places + weight * hands_places


def ratios(amounts: I64, counts: I64) -> tuple[F64, F64]:
    """Amount a count of each player over all tournaments, 0 where nothing was counted.

    Args:
        amounts: ``(n_tournaments, n_players)``.
        counts: ``(n_tournaments, n_players)``.

    Returns:
        The ``(n_players,)`` ratios and their standard errors by linearisation, tournaments being
        independent; nan for a single tournament.
    """
    n, totals = len(counts), counts.sum(axis=0)
    ratio = amounts.sum(axis=0) / np.maximum(totals, 1)
    if n < 2:
        return ratio, np.full(len(ratio), np.nan)
    squares = np.square(amounts - ratio * counts).sum(axis=0)
    return ratio, np.sqrt(squares * n / (n - 1)) / np.maximum(totals, 1)


def _gain(tally: Tally, name: str) -> I64:
    if tally.rows is None:
        raise ValueError("this tally was made without rows: play with rows=True")
    return np.asarray(getattr(tally.rows, name))


def _standard_errors(values: F64) -> F64:
    """``(n_players,)`` standard error of the mean of each column; nan for a single row."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(len(values)))
