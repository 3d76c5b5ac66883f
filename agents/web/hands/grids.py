"""Ranges and strategies by the 169 classes of hole cards, as plain values for pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.hand_replay import HandReplay
from agents.policy.policy_query import action_words
from agents.solvers.hand_grids import HandGrid, action_colours
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.hand_history import Hand
from nlhe_env.jit.array_types import F64
from nlhe_env.spaces.actions import SIZED_NAMES

_PAIR, _SUITED, _OFFSUIT = 6, 4, 12  # holdings of a class


def grid_view(grid: HandGrid) -> dict[str, Any]:
    """A grid for a page.

    Returns:
        ``actions`` and their ``colours``; ``weights``, 13 rows of 13 shares of the holdings of
        each class with which the player is here; ``chances``, such rows for each action.
    """
    place = np.arange(len(grid.weights))
    full = np.where(place[:, None] < place, _SUITED, _OFFSUIT)
    np.fill_diagonal(full, _PAIR)
    return {
        "actions": list(grid.actions),
        "colours": action_colours(grid.actions),
        "weights": np.round(grid.weights / full, 3).tolist(),
        "chances": np.round(np.nan_to_num(grid.chances), 3).tolist(),
    }


def player_range(hand: Hand, player: Player, step: int) -> dict[str, Any]:
    """Range and strategy of the player to act, if another player acted in that seat.

    Args:
        hand: A complete or incomplete hand.
        player: The player that is queried, without memory of earlier hands.
        step: Number of actions before the decision.

    Returns:
        See ``grid_view``. The range follows from the actions in this hand alone.

    Raises:
        ValueError: The player is not compiled or does not know the game, or there is no such
            decision.
    """
    if not isinstance(player, CompiledPlayer):
        name = getattr(player, "name", type(player).__name__)
        raise ValueError(f"{name} is not a compiled player: it has no range")
    found: list[HandGrid] = []

    def look(replay: HandReplay) -> None:
        if replay.index == step:
            found.append(_grid_of(replay, player, hand))

    HandReplay(player, hand, before_action=look)
    if not found:
        raise ValueError(f"the hand has no decision after {step} actions")
    return grid_view(found[0])


def _grid_of(replay: HandReplay, player: CompiledPlayer, hand: Hand) -> HandGrid:
    table = replay.table
    place, street = int(table["actor"]), int(table["street"])
    open_cards = table["cards"][2 * len(hand.stacks) :][: int(table["board_cards"])]
    possible = ~np.isin(HOLES, open_cards).any(axis=1)
    reach: F64 = np.where(possible, replay.reach(place, street + 1), 0.0)
    amounts = player.kind.answers == "amounts"
    chances: dict[str, F64] = {}
    for action, chance in replay.choices_of_hands().items():
        words = action_words(table, action) if amounts else SIZED_NAMES[action]
        chances[words] = chances.get(words, np.zeros(len(HOLES))) + chance
    return HandGrid.of_hands(chances, reach)
