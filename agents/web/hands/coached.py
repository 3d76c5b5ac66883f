"""The coach for a page, some hands at a time so that the page can show its progress."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from agents.coach import CoachedDecision, coach, estimate_rake, known_players
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env.hand_history import Hand

_SECONDS = 1.5
"""Seconds after which an answer begins no further hand."""

_DEALS = 200


def coach_some(hands: Sequence[Hand], player: str, model: Player, first: int) -> dict[str, Any]:
    """Decisions of a player in the next hands, as plain values.

    Args:
        hands: All hands.
        player: Name of the player.
        model: Compiled player that models all players.
        first: Index of the first hand.

    Returns:
        ``decisions``, and ``next``, the index of the next hand, None after the last. Each decision
        has ``hand``, its index; ``step``, that of ``hand_views`` before it; ``street``, ``taken``,
        ``best``, ``cost`` and ``error`` in big blinds, and ``values``.

    Raises:
        ValueError: The model is not compiled or does not support the game, or the player is
            unknown.
    """
    if not isinstance(model, CompiledPlayer):
        name = getattr(model, "name", type(model).__name__)
        raise ValueError(f"{name} is not a compiled player: the coach cannot use it as a model")
    if player not in known_players(hands):
        raise ValueError(f"no hand shows the cards of player {player[:40]!r}")
    rake = estimate_rake(hands)
    end = time.monotonic() + _SECONDS
    found: list[dict[str, Any]] = []
    for index in range(first, len(hands)):
        hand = hands[index]
        if player in hand.players:
            decisions = coach([hand], player, model, deals=_DEALS, seed=1 + index, rake=rake)
            found += [_plain(index, decision) for decision in decisions]
        if time.monotonic() > end and index + 1 < len(hands):
            return {"decisions": found, "next": index + 1}
    return {"decisions": found, "next": None}


def _plain(index: int, decision: CoachedDecision) -> dict[str, Any]:
    return {
        "hand": index,
        "step": decision.decision,
        "street": decision.street,
        "taken": decision.taken,
        "best": decision.best,
        "cost": decision.cost,
        "error": decision.error,
        "values": [value._asdict() for value in decision.values],
    }
