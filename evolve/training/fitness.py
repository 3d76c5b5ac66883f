"""Fitness functions, which rank the candidates of a generation from its tally.

Source: G. Nicolai, MSc thesis (University of Regina, 2008), section 4.2.1. The mean place is the
published default: over many tournaments a lucky result has little effect, and steady good places
count more than an occasional win. The other functions performed worse there.

Fitness sharing and the phantom parasite need to know which player beats which. All players play in
all tournaments. If "beats" meant the better mean place, the relation would be a total order: none
could beat the best, and every fitness from the relation would rank like the mean place. So here one
player beats another if it finished ahead in more of their tournaments than behind. This majority
relation can be cyclic: A beats B, B beats C and C beats A.

Source: G. Nicolai, MSc thesis (University of Regina, 2008), sections 4.2.1 (fitness sharing) and
4.2.3 (phantom parasite); the relation is our reading.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from scipy import stats

from agents.match.tally import Tally
from evolve.parts import Part, Register
from nlhe_env.arguments import one_of, share
from nlhe_env.jit.array_types import F64, I32, I64, Bool
from nlhe_env.jit.compilation import kernel

ControlPick = Literal["fitness", "hands"]


@kernel
def _count_leads(places: I32, leads: I32) -> None:
    """``(n, n)`` tournaments with i ahead of j, minus those with i behind j."""
    n, n_tournaments = places.shape
    for i in range(n):
        for j in range(i):
            lead = np.int32(0)
            for t in range(n_tournaments):
                mine, other = places[i, t], places[j, t]
                lead += np.int32(mine < other) - np.int32(mine > other)
            leads[i, j] = lead
            leads[j, i] = -lead


def majority(places: F64) -> Bool:
    """Majority relation: who finished ahead of whom more often than behind.

    Args:
        places: ``(n_tournaments, n_players)`` places; 1 is best, halves for ties.

    Returns:
        ``(n_players, n_players)``: whether the player of the row beats that of the column.

    >>> majority(np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]])).astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [1, 0, 0]])
    """
    # Twice the place is an integer; the places of one player are contiguous.
    doubled = np.ascontiguousarray((2 * places).T.astype(np.int32))
    leads = np.zeros((len(doubled), len(doubled)), np.int32)
    _count_leads(doubled, leads)
    ahead: Bool = leads > 0
    return ahead


def shared_fitness(beats: Bool) -> F64:
    """Fitness sharing: for each opponent beaten, 1 over the number of players that beat it.

    Args:
        beats: ``(n, n)`` whether the player of the row beats that of the column.

    Returns:
        ``(n,)`` fitness, larger is better; the sum is the number of beaten players.
    """
    rewards = 1.0 / np.maximum(beats.sum(axis=0), 1)
    # No matrix product: its order of additions would depend on the linear-algebra library.
    fitness: F64 = np.where(beats, rewards, 0.0).sum(axis=1)
    return fitness


def win_percentages(beats: Bool) -> F64:
    """Percentage of decided comparisons that each player wins, the phantom parasite's included.

    The phantom beats a player that beats all others, and loses to one that loses to all, so no
    percentage is 0 or 100.

    Args:
        beats: ``(n, n)`` whether the player of the row beats that of the column; n at least 2.

    Returns:
        ``(n,)`` percentages; 50 for a player that neither beats any other nor is beaten.

    The published example (table 4.15), in which every agent beats those after it:

    >>> win_percentages(np.triu(np.ones((4, 4), bool), 1)).round()
    array([75., 67., 33., 25.])
    """
    n_others = len(beats) - 1
    wins, losses = beats.sum(axis=1), beats.sum(axis=0)
    phantom_wins, phantom_losses = wins == n_others, losses == n_others
    wins, losses = wins + phantom_losses, losses + phantom_wins
    decided = wins + losses
    percentages: F64 = np.where(decided > 0, 100.0 * wins / np.maximum(decided, 1), 50.0)
    return percentages


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
class FitnessSettings(Part):
    """A fitness function and how its results are used.

    Attributes:
        needs_tournaments: Whether it compares many players of the same tournaments.
        reads_rows: Whether it reads the result of every tournament, not the sums alone.
        by_opponent: Whether it weights winnings by opponent.
    """

    section = "fitness"
    needs_tournaments: ClassVar[bool] = True
    reads_rows: ClassVar[bool] = True
    by_opponent: ClassVar[bool] = False

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

    def check_partners(self, config: Any) -> None:
        """Check that schedule and optimizer give what the fitness and its values need."""
        super().check_partners(config)
        schedule, optimizer = config.schedule, config.optimizer
        if not schedule.whole_field and (self.needs_tournaments or self.phantom):
            raise ValueError(
                f'schedule "{config.kind("schedule")}" needs fitness "score" without phantom'
            )
        if not schedule.whole_field and self.champion_criterion != "fitness":
            raise ValueError('champion_criterion "hands" needs schedule "tournaments"')
        if self.phantom and not optimizer.breeds:
            raise ValueError(
                f'phantom must be false with optimizer "{config.kind("optimizer")}", which has no '
                "parents to choose"
            )
        if self.phantom and getattr(optimizer, "parents_by", "elites") != "elites":
            raise ValueError(
                f'parents_by "{optimizer.parents_by}" and phantom both select parents; use one of '
                "them"
            )
        if self.champion_criterion != "fitness" and not optimizer.breeds:
            raise ValueError(
                f'champion_criterion must be "fitness" with optimizer "{config.kind("optimizer")}"'
                ", whose player is not a candidate of the last generation; got "
                f"{self.champion_criterion!r}"
            )

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

    by_opponent = True

    def check_partners(self, config: Any) -> None:
        """Check that every block is against one opponent, and its result is kept."""
        super().check_partners(config)
        game = config.game
        if not (config.schedule.by_opponent and game.table_size == 2 and game.make().is_cash):
            raise ValueError(
                f'fitness "{config.kind("fitness")}" needs schedule "blocks" without races or '
                'standardised_after, game "cash" and a table_size of 2'
            )

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

    "Beats" is the majority of shared tournaments; see ``evolve.training.fitness``.
    """

    def measure(self, tally: Tally) -> Fitness:
        """The rewards shared among those who beat the same opponents."""
        values = shared_fitness(majority(tally.row_scores))
        return Fitness(values, np.full(len(values), np.nan), larger_is_better=True)


FITNESS: Register[FitnessSettings] = Register(
    "fitness",
    "a fitness function",
    {
        "score": ScoreFitness,
        "normalised": NormalisedFitness,
        "square_root": SquareRootFitness,
        "hands_won": HandsWonFitness,
        "mean_money": MeanMoneyFitness,
        "sharing": SharingFitness,
    },
    FitnessSettings,
)
"""The values of every fitness function by its name."""


def register_fitness(name: str, fitness: type[FitnessSettings]) -> None:
    """Makes a fitness function known to configurations.

    Raises:
        ValueError: There is another fitness function of this name.
    """
    FITNESS.register(name, fitness)


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
