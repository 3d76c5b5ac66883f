"""Info dictionaries of the agents: words and numbers, numbers alone, or nothing.

Training libraries make arrays of infos. Text, lists and keys that come and go cannot be stacked, so
that TorchRL 0.14 and Tianshou 2.0 end with an error; ``"flat"`` gives every agent the same keys at
all times, with zeros for those who wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from nlhe_env.cards import CARD_NAMES
from nlhe_env.envs import decision_facts as at
from nlhe_env.game.table import STREET_NAMES

InfoKind = Literal["flat", "full", "none"]
INFO_KINDS: tuple[InfoKind, ...] = get_args(InfoKind)

Info = dict[str, Any]


def numbers_of(facts: Sequence[int]) -> Info:
    """Facts of a decision as numbers by name."""
    return {
        "pot": facts[at.POT],
        "to_call": facts[at.TO_CALL],
        "min_raise_to": facts[at.MIN_RAISE_TO],
        "max_raise_to": facts[at.MAX_RAISE_TO],
        "effective_stack": facts[at.EFFECTIVE_STACK],
        "hand_number": facts[at.HAND],
        "decision": facts[at.DECISION_NUMBER],
        "table": facts[at.TABLE_NUMBER],
        "button": facts[at.BUTTON],
        "big_blind": facts[at.BIG_BLIND],
    }


_NO_NUMBERS = numbers_of([0] * at.N_ALL_FACTS)


def turn_info(kind: InfoKind, facts: Sequence[int], waiting: Info) -> Info:
    """Info of the player to act.

    Args:
        kind: How much it holds.
        facts: Facts of the decision.
        waiting: Info that the player would get if it were not to act.
    """
    if kind == "none":
        return waiting
    if kind == "flat":
        return {**numbers_of(facts), "place": 0.0}
    first = at.FIRST_BOARD_CARD
    board = [CARD_NAMES[card] for card in facts[first : first + facts[at.BOARD_CARDS]]]
    return {
        "street": STREET_NAMES[facts[at.STREET]],
        **numbers_of(facts),
        "board": "".join(board),
        "hole_cards": CARD_NAMES[facts[at.HOLE_CARD_0]] + CARD_NAMES[facts[at.HOLE_CARD_1]],
        **waiting,
    }


def waiting_info(kind: InfoKind, last_hand: Info | None = None, place: float | None = None) -> Info:
    """Info of a player that is not to act.

    Args:
        kind: How much it holds.
        last_hand: Result of the last hand that the player was dealt into, if there was one.
        place: Final place of a player that is out.
    """
    if kind == "none":
        return {}
    if kind == "flat":
        return {**_NO_NUMBERS, "place": place or 0.0}
    info: Info = {}
    if last_hand is not None:
        info["last_hand"] = last_hand
    if place is not None:
        info["place"] = place
    return info
