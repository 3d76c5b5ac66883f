"""Vexbot where bets may have any size: it knows them by classes."""

from __future__ import annotations

from agents.players.vexbot_nolimit.player import VEXBOT_NOLIMIT, NoLimitVexbotPlayer

__all__ = ["VEXBOT_NOLIMIT", "NoLimitVexbotPlayer"]
