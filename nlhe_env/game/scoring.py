"""Scores of a game by ``Game.score``: chips, big blinds or places.

Shared by environments, batches and matches.
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
    """Reward of a hand from the chips won; 0 if places count."""
    if score == IN_BIG_BLINDS:
        return net / big_blind
    return net if score == IN_CHIPS else 0


@plain_or_compiled
def place_reward(score: Int, place: float, players: int) -> float:
    """Reward of a final place: 1 for the first, -1 for the last; all rewards sum to 0."""
    if score == BY_PLACE:
        return (players + 1 - 2 * place) / (players - 1)
    return 0


@plain_or_compiled
def game_points(score: Int, chips: int, place: float) -> float:
    """Integer points of a whole game for a tally: chips won, or twice the final place."""
    return 2 * place if score == BY_PLACE else chips


def point_value(score: str, big_blind: int, games: int) -> Fraction:
    """Score of one point of ``game_points``: places are means of games, chips are sums."""
    if score == "place":
        return Fraction(1, 2 * games)
    return Fraction(1, big_blind if score == "big_blinds" else 1)


def illegal_action_reward(score: str, table: np.void, seat: int) -> float:
    """Reward for an illegal action of the player in a seat, which ends the episode.

    It is the loss of the stack at the start of the hand, or the last place.
    """
    if score == "place":
        return -1.0
    stack, big_blind = int(table["starting_stack"][seat]), int(table["big_blind"])
    return hand_reward(SCORES.index(score), -stack, big_blind)
