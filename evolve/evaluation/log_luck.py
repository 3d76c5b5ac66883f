"""Hands on paper, judged: what everybody won, and what is left of it without luck.

Whatever can be known from the hands is counted, each with the standard deviation of a hand: the
money; with all-in pots at their expectation; and for heads-up fixed-limit with all hole cards
DIVAT, the luck of the cards (LFAT), the money less that of the baseline (Dcash), and hindsight
(EVAT).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

import nlhe_env
from nlhe_env.hand_history import Hand, HandError, Step, play_hand
from nlhe_env.machine.array_types import F64

MONEY, ALL_IN, DIVAT, LUCK, LESS_BASELINE, HINDSIGHT = MEASURES = (
    "money",
    "all-in equity",
    "DIVAT",
    "luck of the cards",
    "money - baseline",
    "hindsight",
)
"""What is counted of every hand."""


@dataclass
class PlayerLuck:
    """What the hands of a player came to, in big blinds a hand; nan where it is not known.

    Attributes:
        name: Of the player.
        values: By measure, a number for every hand in order.
        streets: ``(n, 4)`` DIVAT by street, 0 where a street was not played.
    """

    name: str
    values: dict[str, list[float]] = field(
        default_factory=lambda: {measure: [] for measure in MEASURES}
    )
    streets: list[list[float]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """For every measure that is known: mean, standard error, deviation, share of hands.

        The last is what remains of the hands needed for the same standard error.
        """
        plain = np.array(self.values[MONEY])
        found = []
        for measure in MEASURES:
            values = self.array(measure)
            if len(values) < 2:
                continue
            deviation = float(values.std(ddof=1))
            spread = float(plain.std(ddof=1))
            found.append(
                {
                    "player": self.name,
                    "measure": measure,
                    "hands": len(values),
                    "mean": float(values.mean()),
                    "standard_error": deviation / math.sqrt(len(values)),
                    "deviation": deviation,
                    "hands_needed": (deviation / spread) ** 2 if spread > 0.0 else math.nan,
                }
            )
        return found

    def array(self, measure: str) -> F64:
        """The hands of which a measure is known."""
        values = np.array(self.values[measure], np.float64)
        return np.asarray(values[~np.isnan(values)])


def judge_hands(hands: Sequence[Hand], *, divat: bool | None = None) -> list[PlayerLuck]:
    """What the hands of everybody came to, with and without luck.

    Args:
        hands: Complete ones, of any players.
        divat: Whether to count what needs heads-up fixed-limit and all hole cards; by default
            where a hand has both.

    Raises:
        ValueError: A hand is not possible, or breaks off, or DIVAT is asked for and cannot be.
    """
    players: dict[str, PlayerLuck] = {}
    for number, hand in enumerate(hands, 1):
        names = [name or f"p{i + 1}" for i, name in enumerate(hand.players)]
        try:
            steps = list(play_hand(hand))
            nets = nlhe_env.all_in_nets(steps[-1].table, folded_known=all(hand.hole_cards))
            whole = _whole(hand) if divat is None else divat and _check_whole(hand, names)
            values = _divat_values(steps) if whole else {}
        except (HandError, ValueError) as error:
            raise ValueError(f"hand {number}: {error}") from error
        table = steps[-1].table
        for i, name in enumerate(names):
            player = players.setdefault(name, PlayerLuck(name))
            money = int(table["won"][i] - table["hand_bet"][i])
            counted = {MONEY: money, ALL_IN: nets[i], **values.get(i, {})}
            streets = counted.pop("streets", None)
            for measure in MEASURES:
                player.values[measure].append(counted.get(measure, math.nan) / hand.big_blind)
            if streets is not None:
                player.streets.append([value / hand.big_blind for value in streets])
    return list(players.values())


def _whole(hand: Hand) -> bool:
    return hand.betting == "fixed-limit" and len(hand.stacks) == 2 and all(hand.hole_cards)


def _check_whole(hand: Hand, names: Sequence[str]) -> bool:
    """Whether DIVAT can be counted.

    Raises:
        ValueError: It cannot.
    """
    if hand.betting != "fixed-limit" or len(hand.stacks) != 2:
        raise ValueError(
            f"DIVAT is for heads-up fixed-limit; this is {hand.betting} with "
            f"{len(hand.stacks)} players"
        )
    hidden = [name for name, cards in zip(names, hand.hole_cards, strict=True) if not cards]
    if hidden:
        raise ValueError(
            "DIVAT needs all hole cards, also those that were folded; not known are those of "
            f"{' and '.join(hidden)}"
        )
    return True


def _divat_values(steps: Sequence[Step]) -> dict[int, dict[str, Any]]:
    """Measures of both players by place; the first is the big blind."""
    table = steps[-1].table
    hand = nlhe_env.hand_luck(table)
    streets = [street.divat for street in hand.streets]
    streets += [0.0] * (4 - len(streets))
    # The whole board is needed for the baseline's result: where it never came, it is not known.
    whole_board = table["board_cards"] == 5
    found = {}
    for place, sign in ((0, 1), (1, -1)):
        found[place] = {
            DIVAT: sign * hand.divat,
            LUCK: sign * hand.luck,
            LESS_BASELINE: sign * (hand.net - hand.baseline_net) if whole_board else math.nan,
            HINDSIGHT: sign * _hindsight(steps, [street.share for street in hand.streets]),
            "streets": [sign * value for value in streets],
        }
    return found


def _hindsight(steps: Sequence[Step], shares: Sequence[float]) -> float:
    """Chips that the big blind gave away less than the button, both hands known (EVAT).

    An action is worth the player's share of the pot as if nobody bet after it, a raise being
    called. What the best action was worth more is given away.
    """
    given_away = [0.0, 0.0]
    for before, after in pairwise(steps):
        table, event = before.table, after.event
        if event is None:
            continue
        seat = int(table["actor"])
        share = shares[int(table["street"])]
        edge = 2 * (share if seat == 0 else 1 - share) - 1
        put_in = table["hand_bet"][:2].tolist()
        call = max(put_in)
        least, most = nlhe_env.what_if.raise_range(table)
        worth = {"call": edge * call}
        if put_in[seat] < call:
            worth["fold"] = -float(put_in[seat])
        if most:
            raised = put_in[seat] - int(table["street_bet"][seat]) + least
            worth["raise"] = edge * raised
        done = {"fold": "fold", "check": "call", "call": "call"}.get(event["action"], "raise")
        given_away[seat] += max(worth.values()) - worth[done]
    return given_away[1] - given_away[0]
