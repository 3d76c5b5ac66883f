"""Players that model one opponent and search the betting tree for the best response."""

from __future__ import annotations

from agents.players.vexbot.player import LIMIT, NOLIMIT, VexbotPlayer

__all__ = ["LIMIT", "NOLIMIT", "VexbotPlayer"]
