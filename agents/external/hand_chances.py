"""Python players that report their action probabilities with every hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agents.external.chips import Turn
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, set_of
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.jit.array_types import F64


@runtime_checkable
class HandChances(Protocol):
    """Protocol of players that local best responses and AIVAT can query with every hand."""

    def chances_of_hands(self, turn: Turn) -> Mapping[int, F64]:
        """``(1326,)`` probabilities of every possible action, by id in chips.

        The hand of cards a > b is at C(a, 2) + b; values for hands with board cards are ignored.

        Args:
            turn: A decision of the player, see ``describe_turn``. Its ``hole_cards`` are arbitrary
                and must be ignored.
        """
        ...


class SampledChances:
    """Action probabilities of a player with some of its possible hands, queried one by one.

    Args:
        player: A player with a method ``chances``, such as a chat model that answers with
            distributions.
        hands: Maximum number of queried hands; all probabilities with other hands are 0.
    """

    def __init__(self, player: Any, hands: int) -> None:
        self._player = player
        self._every = -(-N_HOLES // hands)

    def chances_of_hands(self, turn: Turn) -> Mapping[int, F64]:
        """See ``HandChances``."""
        board = set_of(parse_cards(turn["board"]))
        found: dict[int, F64] = {}
        for number in range(0, N_HOLES, self._every):
            if HOLE_SETS[number] & board:
                continue
            asked = {**turn, "hole_cards": format_cards(HOLES[number].tolist())}
            for action, chance in self._player.chances(asked).items():
                found.setdefault(action, np.zeros(N_HOLES))[number] = chance
        return found


def hand_chances(player: Any, hands: int) -> HandChances | None:
    """``HandChances`` of a player with every hand or with some; None if it reports none.

    Args:
        player: The player.
        hands: Maximum number of queried hands, for a player that answers for one hand at a time.
    """
    if callable(getattr(player, "chances_of_hands", None)):
        found: HandChances = player
        return found
    if callable(getattr(player, "chances", None)):
        return SampledChances(player, hands)
    return None
