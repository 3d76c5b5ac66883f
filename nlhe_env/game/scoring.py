"""What a game counts for its players: chips, big blinds or places, as ``Game.score`` says.

Environments, batches and matches all call these functions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from nlhe_env.jit.array_types import Int
from nlhe_env.jit.compilation import plain_or_compiled

Score = Literal["chips", "big_blinds", "place"]
SCORES: tuple[Score, ...] = get_args(Score)

IN_CHIPS, IN_BIG_BLINDS, BY_PLACE = range(3)
"""Numbers of the scores, in the order of ``SCORES``."""


@plain_or_compiled
def hand_reward(score: Int, net: int, big_blind: int) -> float:
    """The reward of a hand in which so many chips were won; nothing where places count."""
    if score == IN_BIG_BLINDS:
        return net / big_blind
    return net if score == IN_CHIPS else 0


@plain_or_compiled
def place_reward(score: Int, place: float, players: int) -> float:
    """The reward of a final place: 1 for the first, -1 for the last; all together make 0."""
    if score == BY_PLACE:
        return (players + 1 - 2 * place) / (players - 1)
    return 0


@plain_or_compiled
def game_points(score: Int, chips: int, place: float) -> float:
    """What a whole game adds to a tally, a whole number: chips won, or twice the final place."""
    return 2 * place if score == BY_PLACE else chips


def point_value(score: str, big_blind: int, games: int) -> Fraction:
    """The score of one point of ``game_points``: places are means of games, chips are sums."""
    if score == "place":
        return Fraction(1, 2 * games)
    return Fraction(1, big_blind if score == "big_blinds" else 1)


def illegal_action_reward(score: str, table: np.void, seat: int) -> float:
    """The reward of an illegal action of the player in a seat, which ends the episode.

    It is the loss of all chips that the player began the hand with, or the last place.
    """
    if score == "place":
        return -1.0
    stack, big_blind = int(table["starting_stack"][seat]), int(table["big_blind"])
    return hand_reward(SCORES.index(score), -stack, big_blind)
