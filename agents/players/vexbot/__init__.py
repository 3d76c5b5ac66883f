"""Players that learn how one opponent plays and search the betting tree for what pays most."""

from __future__ import annotations

from agents.players.vexbot.player import LIMIT, NOLIMIT, VexbotPlayer

__all__ = ["LIMIT", "NOLIMIT", "VexbotPlayer"]
