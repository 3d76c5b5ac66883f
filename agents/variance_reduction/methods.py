"""Registry of variance-reduction methods: none, all-in equity, DIVAT, AIVAT.

``METHODS`` has all methods. Functions with an argument ``variance_reduction`` call
``check_variance_reduction`` and ``estimator_of``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.divat import Divat
from nlhe_env.arguments import one_of
from nlhe_env.assessment.estimators.all_in import all_in_estimator
from nlhe_env.assessment.estimators.divat import divat_estimator
from nlhe_env.assessment.estimators.divat_roe import divat_roe_estimator
from nlhe_env.assessment.estimators.estimator import MOST_CHIPS, Estimator, no_estimator
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.description import Game

VarianceReduction = Literal["none", "all-in", "divat", "divat-roe", "aivat"]
"""Names of the methods. They remove nothing; the effect of the board after all betting; in heads-up
fixed-limit, the result of a simple betting baseline (DIVAT), by all-in equity or, unbiased and
slower, by roll-outs; or the effect of cards and of the players' random choices, with pots valued by
equity (AIVAT)."""

_DIVAT_STACK = 24
"""Cost in big blinds of four bets on every street; with deeper stacks no player is ever all-in."""


@dataclass(frozen=True)
class Method:
    """A method of variance reduction.

    Attributes:
        estimator: Factory of the estimator for a number of players.
        why_not: Function that returns the reason why a game is unsuitable, or None.
        players: Required number of players; None for any number.
    """

    estimator: Callable[[int], Estimator]
    why_not: Callable[[Game], str | None]
    players: int | None = None


def _not_in_chips(game: Game) -> str | None:
    if game.score != "place":
        return None
    return (
        "needs a game scored in chips or big blinds; this one is scored by places, which depend on "
        "the cards actually dealt"
    )


def _not_where_calls_end(game: Game) -> str | None:
    return "needs a game without two_calls" if game.two_calls else None


def _not_for_divat(game: Game) -> str | None:
    stack, blinds = game.starting_stack, game.blinds
    least = min(stack) if isinstance(stack, tuple) else stack
    if (
        game.is_cash
        and game.betting == "fixed-limit"
        and game.max_bets == USUAL_MAX_BETS
        and least >= _DIVAT_STACK * game.big_blind
        and not blinds.levels[0][2]
        and game.rake is None
        and not game.two_calls
    ):
        return None
    return (
        f'is for heads-up cash games with betting="fixed-limit", {USUAL_MAX_BETS} bets a street '
        f"and at least {_DIVAT_STACK} big blinds, without ante, rake or two_calls; got {game}"
    )


METHODS: dict[VarianceReduction, Method] = {
    "none": Method(no_estimator, lambda game: None),
    "all-in": Method(all_in_estimator, _not_in_chips),
    "divat": Method(divat_estimator, _not_for_divat, players=2),
    "divat-roe": Method(divat_roe_estimator, _not_for_divat, players=2),
    "aivat": Method(lambda n_players: Aivat().estimator(n_players), _not_where_calls_end),
}
"""Methods by name."""


def check_variance_reduction(
    variance_reduction: VarianceReduction | Aivat | Divat, game: Game, n_players: int | None = None
) -> None:
    """Check that a method of variance reduction fits a game.

    Args:
        variance_reduction: Name of the method.
        game: The game.
        n_players: Number of players at a table, if known.

    Raises:
        ValueError: The method is unknown; or the game is scored by places, where an expected all-in
            result does not determine who is out; or DIVAT is not defined for the game.
    """
    if isinstance(variance_reduction, Aivat):
        variance_reduction = "aivat"
    elif isinstance(variance_reduction, Divat):
        variance_reduction = "divat"
    method = METHODS[one_of("variance_reduction", variance_reduction, get_args(VarianceReduction))]
    problem = _not_in_chips(game) if variance_reduction != "none" else None
    problem = problem or method.why_not(game)
    if problem is None and method.players is not None and n_players not in (None, method.players):
        problem = f"is for {method.players} players; got {n_players}"
    if problem is not None:
        raise ValueError(f"variance_reduction={variance_reduction!r} {problem}")


def estimator_of(
    variance_reduction: VarianceReduction | Aivat | Divat, game: Game, n_players: int
) -> Estimator:
    """Create the estimator of a method with its state for one thread.

    Raises:
        ValueError: The method does not fit the game, see ``check_variance_reduction``, or there are
            too many players or chips.
    """
    check_variance_reduction(variance_reduction, game, n_players)
    if variance_reduction == "none":
        return no_estimator(n_players)
    chips = sum(game.stacks(n_players))
    if chips > MOST_CHIPS:
        raise ValueError(
            f"variance_reduction={variance_reduction!r} needs at most {MOST_CHIPS} chips in play, "
            f"so that sums of their parts stay exact; got {chips}"
        )
    if isinstance(variance_reduction, Aivat | Divat):
        return variance_reduction.estimator(n_players)
    return METHODS[variance_reduction].estimator(n_players)
