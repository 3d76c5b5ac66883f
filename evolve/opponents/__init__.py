"""Opponent policies: halls of fame, pools, fixed players.

A new policy is an ``OpponentPolicy`` with its ``OpponentSettings``, registered in ``OPPONENTS``.
"""

from __future__ import annotations

from evolve.opponents.hall_opponents import HallSettings
from evolve.opponents.point_opponents import PointSettings
from evolve.opponents.policies import OpponentSettings
from evolve.opponents.pooled import PoolSettings
from evolve.opponents.self_play import SelfPlaySettings

__all__ = ["OPPONENTS", "OpponentSettings"]

OPPONENTS: dict[str, type[OpponentSettings]] = {
    "hall": HallSettings,
    "pool": PoolSettings,
    "self-play": SelfPlaySettings,
    "points": PointSettings,
}
"""Settings class of every policy by its name in configurations."""
