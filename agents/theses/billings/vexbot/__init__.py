"""A player that models one opponent and searches the betting tree for the best response."""

from __future__ import annotations

from agents.theses.billings.vexbot.player import VexbotPlayer

__all__ = ["VexbotPlayer"]
