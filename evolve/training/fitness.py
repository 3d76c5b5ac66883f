"""What ranks the networks of a generation.

Source: G. Nicolai, MSc thesis (University of Regina, 2008), section 4.2.1. The mean place is the
published default: over many tournaments one lucky result matters little, and steady good places
count for more than an occasional win. The other functions were tried there and did worse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

import agents
from evolve.training.config import RunConfig
from evolve.training.relations import majority, shared_fitness
from nlhe_env.machine.array_types import F64, I64


@dataclass(frozen=True, eq=False)
class Fitness:
    """A fitness of every player.

    Attributes:
        values: ``(n,)`` fitness, in its published form.
        errors: ``(n,)`` standard errors, nan where there is none.
        larger_is_better: Whether the largest value is the best.
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


def measure_fitness(results: agents.TournamentResults, config: RunConfig) -> Fitness:
    """The fitness that a configuration names, of every player in some tournaments."""
    return _FUNCTIONS[config.fitness](results, config)


def by_place(results: agents.TournamentResults) -> Fitness:
    """The mean place."""
    return Fitness(results.places.mean(axis=0), _standard_errors(results.places))


def by_hands_won(results: agents.TournamentResults, *, weight: float) -> Fitness:
    """The mean over the tournaments of the place mixed with the place by hands won (eq. 4.13)."""
    scores = mix_places(results.places, places_by_hands_won(results.hands_won), weight=weight)
    return Fitness(scores.mean(axis=0), _standard_errors(scores))


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


def by_mean_money(results: agents.TournamentResults) -> Fitness:
    """Chips won a hand won, minus chips lost a showdown lost, over all tournaments (eq. 4.14)."""
    won, won_errors = ratios(results.chips_won, results.hands_won)
    lost, lost_errors = ratios(results.chips_lost, results.showdowns_lost)
    return Fitness(won - lost, np.hypot(won_errors, lost_errors), larger_is_better=True)


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


def by_sharing(results: agents.TournamentResults) -> Fitness:
    """Fitness sharing: beating an opponent that few others beat is worth more.

    "Beats" is the majority of shared tournaments; see ``evolve.training.relations``.
    """
    values = shared_fitness(majority(results.places))
    return Fitness(values, np.full(len(values), np.nan), larger_is_better=True)


def _standard_errors(values: F64) -> F64:
    """``(n_players,)`` standard error of the mean of each column; nan for a single row."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(len(values)))


_FUNCTIONS: dict[str, Callable[[agents.TournamentResults, RunConfig], Fitness]] = {
    "place": lambda results, _: by_place(results),
    "hands_won": lambda results, config: by_hands_won(results, weight=config.hands_won_weight),
    "mean_money": lambda results, _: by_mean_money(results),
    "sharing": lambda results, _: by_sharing(results),
}
