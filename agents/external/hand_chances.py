"""Players in Python that give their action probabilities with every hand."""

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
    """A player that local best responses and AIVAT can ask about all hands that it could hold."""

    def chances_of_hands(self, turn: Turn) -> Mapping[int, F64]:
        """``(1326,)`` probabilities of every action that it may take, by its id in chips.

        The hand of cards a > b is at C(a, 2) + b; with cards of the board they mean nothing.

        Args:
            turn: A decision of the player, as ``describe_turn`` says. Its ``hole_cards`` are any
                two, and must not count.
        """
        ...


class SampledChances:
    """The chances of a player with some of the hands that it could hold, asked one by one.

    Args:
        player: A player with a method ``chances``, such as a chat model that answers distributions.
        hands: At most how many hands it is asked about; of the others all chances are 0.
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
    """What gives a player's chances with every hand, or with some; None where nothing does.

    Args:
        player: The player.
        hands: Most hands to ask about, for a player that answers for one hand at a time.
    """
    if callable(getattr(player, "chances_of_hands", None)):
        found: HandChances = player
        return found
    if callable(getattr(player, "chances", None)):
        return SampledChances(player, hands)
    return None
