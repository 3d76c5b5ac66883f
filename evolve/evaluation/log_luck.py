"""Recorded hands, judged: what everybody won, and what is left of it without luck.

Whatever can be known from the hands is counted, each with the standard deviation of a hand: the
money; with all-in pots at their expectation; where it is asked for, AIVAT; and for heads-up
fixed-limit with all hole cards DIVAT, the luck of the cards (LFAT), the money less that of the
baseline (Dcash), and hindsight (EVAT).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from agents.play.logged import LogJudge
from nlhe_env.assessment.luck.hand_luck import Form
from nlhe_env.hand_history import Hand, HandError
from nlhe_env.hand_history.batches import AT_ONCE
from nlhe_env.hand_history.judged import Judged, judge_batch
from nlhe_env.machine.array_types import F64

MONEY, ALL_IN, AIVAT, DIVAT, LUCK, LESS_BASELINE, HINDSIGHT = MEASURES = (
    "money",
    "all-in equity",
    "AIVAT",
    "DIVAT",
    "luck of the cards",
    "money - baseline",
    "hindsight",
)
"""What is counted of every hand."""


@dataclass
class PlayerLuck:
    """The results of a player's hands in big blinds; nan where not known.

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
        """The hands for which a measure is known."""
        values = np.array(self.values[measure], np.float64)
        return np.asarray(values[~np.isnan(values)])


def judge_hands(
    hands: Iterable[Hand],
    *,
    divat: bool | None = None,
    form: Form = "aie",
    aivat: LogJudge | None = None,
) -> list[PlayerLuck]:
    """Everybody's results, with and without luck.

    Args:
        hands: Complete ones, of any players; a few hundred are held in memory.
        divat: Whether to count what needs heads-up fixed-limit and all hole cards; by default
            where a hand has both.
        form: Of DIVAT: ``"aie"`` by all-in equity, ``"roe"`` by roll-outs, without bias and slower.
        aivat: Counts AIVAT, which needs all hole cards; by default it is not counted.

    Raises:
        ValueError: A hand is not possible, or breaks off, or DIVAT or AIVAT is asked for and cannot
            be.
    """
    players: dict[str, PlayerLuck] = {}
    remaining = iter(hands)
    number = 1
    while some := list(islice(remaining, AT_ONCE)):
        if divat:
            for k, hand in enumerate(some):
                _check_whole(hand, number + k)
        chosen = np.array([divat is not False and _why_no_divat(hand) is None for hand in some])
        try:
            judged = judge_batch(some, chosen, form=form)
            by_aivat = None if aivat is None else aivat.judge(some)
        except HandError as error:
            raise ValueError(f"hand {number + error.hand}: {error}") from error
        _add(players, some, judged, by_aivat)
        number += len(some)
    return list(players.values())


def _add(
    players: dict[str, PlayerLuck], hands: Sequence[Hand], judged: Judged, by_aivat: F64 | None
) -> None:
    """Note what some hands came to."""
    units = np.array([hand.big_blind for hand in hands], np.float64)[:, None]
    money, all_in = (judged.money / units).tolist(), (judged.all_in / units).tolist()
    aivat = np.full(judged.money.shape, math.nan) if by_aivat is None else by_aivat
    without_luck = (aivat / units).tolist()
    streets = judged.streets / units
    # Of the big blind, who is first in the hand; the other one has as much less.
    of_two = np.stack(
        [streets.sum(axis=1), judged.luck, judged.less_baseline, judged.hindsight], axis=1
    )
    of_two[:, 1:] /= units
    signs: list[F64] = [np.asarray(sign * of_two) for sign in (1, -1)]
    by_place = [values.tolist() for values in signs]
    street_rows = [(sign * streets).tolist() for sign in (1, -1)]
    unknown = [math.nan] * len(_OF_TWO)
    for k, hand in enumerate(hands):
        for place in range(len(hand.stacks)):
            name = (hand.players[place : place + 1] or ("",))[0] or f"p{place + 1}"
            player = players.get(name)
            if player is None:
                player = players[name] = PlayerLuck(name)
            values = player.values
            values[MONEY].append(money[k][place])
            values[ALL_IN].append(all_in[k][place])
            values[AIVAT].append(without_luck[k][place])
            known = by_place[place][k] if len(hand.stacks) == 2 else unknown
            for measure, value in zip(_OF_TWO, known, strict=True):
                values[measure].append(value)
            if known[0] == known[0]:  # no nan
                player.streets.append(street_rows[place][k])


_OF_TWO = (DIVAT, LUCK, LESS_BASELINE, HINDSIGHT)


def _why_no_divat(hand: Hand) -> str | None:
    """Why DIVAT cannot be counted, if it cannot."""
    if hand.betting != "fixed-limit" or len(hand.stacks) != 2:
        return (
            f"DIVAT is for heads-up fixed-limit; this is {hand.betting} with "
            f"{len(hand.stacks)} players"
        )
    hidden = [name for name, cards in zip(hand.players, hand.hole_cards, strict=True) if not cards]
    if hidden:
        return (
            "DIVAT needs all hole cards, also those that were folded; not known are those of "
            f"{' and '.join(hidden)}"
        )
    return None


def _check_whole(hand: Hand, number: int) -> None:
    """Whether DIVAT can be counted.

    Raises:
        ValueError: It cannot.
    """
    problem = _why_no_divat(hand)
    if problem is not None:
        raise ValueError(f"hand {number}: {problem}")
