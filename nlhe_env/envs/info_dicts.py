"""Info dictionaries of the agents: text and numbers, numbers only, or empty.

Training libraries convert infos to arrays. Text, lists and varying keys cannot be stacked and cause
errors in TorchRL 0.14 and Tianshou 2.0. ``"flat"`` gives every agent the same keys at all times,
with zeros for waiting agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from nlhe_env.cards import CARD_NAMES
from nlhe_env.envs.decision_facts import (
    BIG_BLIND,
    BOARD_CARDS,
    BUTTON,
    DECISION_NUMBER,
    EFFECTIVE_STACK,
    FIRST_BOARD_CARD,
    HAND,
    HOLE_CARD_0,
    HOLE_CARD_1,
    MAX_RAISE_TO,
    MIN_RAISE_TO,
    POT,
    STREET,
    TABLE_NUMBER,
    TO_CALL,
)
from nlhe_env.game.table import STREET_NAMES

InfoKind = Literal["flat", "full", "none"]
INFO_KINDS: tuple[InfoKind, ...] = get_args(InfoKind)

Info = dict[str, Any]


_NO_NUMBERS: Info = {
    "pot": 0,
    "to_call": 0,
    "min_raise_to": 0,
    "max_raise_to": 0,
    "effective_stack": 0,
    "hand_number": 0,
    "decision": 0,
    "table": 0,
    "button": 0,
    "big_blind": 0,
}
_FLAT: Info = {**_NO_NUMBERS, "place": 0.0}


def turn_info(kind: InfoKind, facts: Sequence[int], waiting: Info) -> Info:
    """Info of the player to act.

    Args:
        kind: Kind of info.
        facts: Facts of the decision.
        waiting: Info of the same player while waiting.
    """
    if kind == "none":
        return waiting
    # Every step does this: copying and changing a dictionary is twice as fast as creating one.
    info = (_FLAT if kind == "flat" else _NO_NUMBERS).copy()
    info["pot"] = facts[POT]
    info["to_call"] = facts[TO_CALL]
    info["min_raise_to"] = facts[MIN_RAISE_TO]
    info["max_raise_to"] = facts[MAX_RAISE_TO]
    info["effective_stack"] = facts[EFFECTIVE_STACK]
    info["hand_number"] = facts[HAND]
    info["decision"] = facts[DECISION_NUMBER]
    info["table"] = facts[TABLE_NUMBER]
    info["button"] = facts[BUTTON]
    info["big_blind"] = facts[BIG_BLIND]
    if kind == "flat":
        return info
    board_cards = facts[FIRST_BOARD_CARD : FIRST_BOARD_CARD + facts[BOARD_CARDS]]
    board = [CARD_NAMES[card] for card in board_cards]
    return {
        "street": STREET_NAMES[facts[STREET]],
        **info,
        "board": "".join(board),
        "hole_cards": CARD_NAMES[facts[HOLE_CARD_0]] + CARD_NAMES[facts[HOLE_CARD_1]],
        **waiting,
    }


def waiting_info(kind: InfoKind, last_hand: Info | None = None, place: float | None = None) -> Info:
    """Info of a waiting player.

    Args:
        kind: Kind of info.
        last_hand: Result of the player's last hand, if any.
        place: Final place of an eliminated player.
    """
    if kind == "none":
        return {}
    if kind == "flat":
        return {**_FLAT, "place": place or 0.0}
    info: Info = {}
    if last_hand is not None:
        info["last_hand"] = last_hand
    if place is not None:
        info["place"] = place
    return info
