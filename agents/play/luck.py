"""Ways to take luck out of results while they are counted, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from nlhe_env.arguments import one_of
from nlhe_env.assessment.luck.all_in import all_in_judging
from nlhe_env.assessment.luck.divat import divat_judging
from nlhe_env.assessment.luck.judge import MOST_CHIPS, Judging, nobody_judges
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.description import Game

Luck = Literal["none", "all-in", "divat"]
"""What is taken out of results: nothing; what the board brings once all betting is over; or, in
heads-up fixed-limit, what players who bet their cards by simple rules would have won as well."""

_JUDGINGS: dict[Luck, Callable[[int], Judging]] = {
    "none": nobody_judges,
    "all-in": all_in_judging,
    "divat": divat_judging,
}

_DIVAT_STACK = 24
"""Big blinds that four bets on every street take: nobody is ever all-in."""


def check_luck(luck: Luck, game: Game) -> None:
    """Whether a way to take luck out fits a game.

    Raises:
        ValueError: There is no such way; or the game is scored by places: the expectation of an
            all-in cannot say who is out of a tournament; or it is not what DIVAT is defined for.
    """
    one_of("luck", luck, get_args(Luck))
    if luck != "none" and game.score == "place":
        raise ValueError(
            f"luck={luck!r} needs a game that is scored in chips or big blinds; this one is scored "
            "by places, and who is out of a tournament only the cards can say"
        )
    if luck == "divat":
        _check_divat(game)


def _check_divat(game: Game) -> None:
    stack, blinds = game.starting_stack, game.blinds
    least = min(stack) if isinstance(stack, tuple) else stack
    if (
        not game.is_cash
        or game.betting != "fixed-limit"
        or game.max_bets != USUAL_MAX_BETS
        or least < _DIVAT_STACK * game.big_blind
        or blinds.levels[0][2]
        or game.rake is not None
    ):
        raise ValueError(
            'luck="divat" is for heads-up cash games with betting="fixed-limit", '
            f"{USUAL_MAX_BETS} bets a street and at least {_DIVAT_STACK} big blinds, without ante "
            f"and rake; got {game}"
        )


def judging_of(luck: Luck, game: Game, n_players: int) -> Judging:
    """The judge at work for one thread.

    Raises:
        ValueError: It does not fit the game, see ``check_luck``, or there are too many players or
            chips.
    """
    check_luck(luck, game)
    if luck == "divat" and n_players != 2:
        raise ValueError(f'luck="divat" is for two players; got {n_players}')
    chips = sum(game.stacks(n_players))
    if luck != "none" and chips > MOST_CHIPS:
        raise ValueError(
            f"luck={luck!r} needs at most {MOST_CHIPS} chips in play, so that sums of their parts "
            f"stay exact; got {chips}"
        )
    return _JUDGINGS[luck](n_players)
