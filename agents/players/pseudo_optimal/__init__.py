"""Players that look up what to do in equilibria of hold'em made small."""

from __future__ import annotations

from agents.players.pseudo_optimal.player import PSEUDO_OPTIMAL
from agents.players.pseudo_optimal.sizes import Sizes

__all__ = ["PSEUDO_OPTIMAL", "Sizes"]
