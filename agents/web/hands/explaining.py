"""Explanation of a recorded hand as plain values for a page.

The numbers come from ``nlhe_env.hand_history.review_hand`` and from the players' own policies; all
values are by seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.policy_query import Option, query_policy
from agents.variance_reduction.aivat_logs import AivatEvaluator
from nlhe_env import all_in_ev
from nlhe_env.assessment.estimators.hand_divat import HandDivat
from nlhe_env.hand_history import (
    Hand,
    Review,
    ReviewedDecision,
    StreetReview,
    play_hand,
    review_hand,
)
from nlhe_env.hand_history.replay import HandError


def explain(hand: Hand) -> dict[str, Any]:
    """Explanation of a hand.

    Args:
        hand: A complete or incomplete hand.

    Returns:
        ``steps``, one for each of ``replays.hand_views``, with ``equities``, ``random_equities``
        (against random hands) and ``decision``; ``streets``; ``totals``, winnings of all players by
        several measures; and ``divat``. Lists by seat have None for empty seats.
    """
    review = review_hand(hand)
    return {
        "steps": [
            {
                "equities": _by_seat(hand, step.equities),
                "random_equities": _by_seat(hand, step.random_equities),
                "decision": _decision(hand, step.decision),
            }
            for step in review.steps
        ],
        "streets": [_street(hand, street) for street in review.streets],
        "totals": _totals(hand, review),
        "divat": _divat(hand, review.divat),
    }


def _by_seat(hand: Hand, numbers: Sequence[float | None]) -> list[float | None]:
    found: list[float | None] = [None] * hand.seat_count
    for seat, number in zip(hand.seats, numbers, strict=True):
        found[seat] = number
    return found


def _decision(hand: Hand, decision: ReviewedDecision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    return {
        "seat": hand.seats[decision.place],
        "to_call": decision.to_call,
        "pot": decision.pot,
        "odds": decision.odds,
        "equity": decision.equity,
        "random_equity": decision.random_equity,
        "values": dict(decision.values),
        "raise_to": decision.raise_to,
        "taken": decision.taken,
        "cost": decision.cost if all(hand.hole_cards) else None,
    }


def _street(hand: Hand, street: StreetReview) -> dict[str, Any]:
    board = street.board
    return {
        "name": street.name,
        "board": [board[i : i + 2] for i in range(0, len(board), 2)],
        "equities": _by_seat(hand, street.equities),
        "random_equities": _by_seat(hand, street.random_equities),
        "card_gains": _by_seat(hand, street.card_gains),
    }


def _totals(hand: Hand, review: Review) -> list[dict[str, Any]]:
    """Winnings of all players, raw and variance-reduced; empty for an incomplete hand."""
    table = list(play_hand(hand))[-1].table
    if table["pots"] == 0:
        return []
    totals = [
        ("Won", "actual result", review.net),
        ("Board cards", "effect of flop, turn and river", review.card_gains),
        (
            "All-in EV",
            "pots all-in before the river count at their equities",
            tuple(all_in_ev(table, folded_known=all(hand.hole_cards)).values()),
        ),
    ]
    if all(hand.hole_cards):
        nets = AivatEvaluator().evaluate([hand])[0][: len(hand.stacks)]
        name, meaning = "Variance-reduced", "AIVAT removes the effect of hole cards and board"
        totals.append((name, meaning, tuple(map(float, nets))))
    return [
        {"name": name, "meaning": meaning, "chips": _by_seat(hand, chips)}
        for name, meaning, chips in totals
    ]


def _divat(hand: Hand, divat: HandDivat | None) -> dict[str, Any] | None:
    """DIVAT of heads-up fixed-limit, in chips of the big blind's seat."""
    if divat is None:
        return None
    return {
        "seat": hand.seats[0],
        "streets": [
            {
                "name": street.street,
                "card_gains": street.luck,
                "baseline": street.baseline,
                "divat": street.divat,
            }
            for street in divat.streets
        ],
        "card_gains": divat.luck,
        "divat": divat.divat,
    }


def advise(hand: Hand, player: Player) -> list[list[dict[str, Any]] | None]:
    """Action probabilities of a player at each decision of a hand.

    Args:
        hand: A complete or incomplete hand.
        player: The player that is queried, in every seat and with the cards of that seat.

    Returns:
        For each action of the hand, options with ``action``, ``words`` and ``probability``, most
        probable first; None if the cards are unknown.

    Raises:
        ValueError: The player does not support the game or is not compiled.
    """
    if not isinstance(player, CompiledPlayer):
        name = getattr(player, "name", type(player).__name__)
        raise ValueError(
            f"{name} is not a compiled player: it cannot be queried about recorded hands"
        )
    try:
        found = query_policy(player, hand)
    except HandError as error:  # the hand was read successfully, so this is an internal error
        raise RuntimeError(str(error)) from error
    return [
        [_option(option) for option in options] if hand.hole_cards[action.position] else None
        for action, options in zip(hand.actions, found, strict=True)
    ]


def _option(option: Option) -> dict[str, Any]:
    return {"action": option.action, "words": option.words, "probability": option.chance}
