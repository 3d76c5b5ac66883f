"""Ways to take luck out of results while they are counted, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from nlhe_env.arguments import one_of
from nlhe_env.assessment.luck.all_in import all_in_judging
from nlhe_env.assessment.luck.judge import MOST_CHIPS, Judging, nobody_judges
from nlhe_env.game.description import Game

Luck = Literal["none", "all-in"]
"""What is taken out of results: nothing, or what the board brings once all betting is over."""

_JUDGINGS: dict[Luck, Callable[[int], Judging]] = {"none": nobody_judges, "all-in": all_in_judging}


def check_luck(luck: Luck, game: Game) -> None:
    """Whether a way to take luck out fits a game.

    Raises:
        ValueError: There is no such way, or the game is scored by places: the expectation of an
            all-in cannot say who is out of a tournament.
    """
    one_of("luck", luck, get_args(Luck))
    if luck != "none" and game.score == "place":
        raise ValueError(
            f"luck={luck!r} needs a game that is scored in chips or big blinds; this one is scored "
            "by places, and who is out of a tournament only the cards can say"
        )


def judging_of(luck: Luck, game: Game, n_players: int) -> Judging:
    """The judge at work for one thread.

    Raises:
        ValueError: It does not fit the game, see ``check_luck``, or there are too many chips.
    """
    check_luck(luck, game)
    chips = sum(game.stacks(n_players))
    if luck != "none" and chips > MOST_CHIPS:
        raise ValueError(
            f"luck={luck!r} needs at most {MOST_CHIPS} chips in play, so that sums of their parts "
            f"stay exact; got {chips}"
        )
    return _JUDGINGS[luck](n_players)
