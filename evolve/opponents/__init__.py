"""Opponent policies: halls of fame, pools, fixed players.

A new policy is an ``OpponentPolicy`` with its ``OpponentSettings``; ``register_opponents``
registers it, or it is named as ``FILE.py:NAME``.
"""

from __future__ import annotations

from evolve.opponents.hall_of_fame import HallSettings
from evolve.opponents.policies import OpponentSettings
from evolve.opponents.pooled import PoolSettings
from evolve.opponents.self_play import SelfPlaySettings
from evolve.parts import Register

__all__ = ["OPPONENTS", "OpponentSettings", "register_opponents"]

OPPONENTS: Register[OpponentSettings] = Register(
    "opponents",
    "an opponent policy",
    {
        "hall": HallSettings,
        "pool": PoolSettings,
        "self-play": SelfPlaySettings,
    },
    OpponentSettings,
)
"""Settings class of every policy by its name in configurations."""


def register_opponents(name: str, opponents: type[OpponentSettings]) -> None:
    """Register an opponent policy for configurations.

    Raises:
        ValueError: Another policy has this name.
    """
    OPPONENTS.register(name, opponents)
