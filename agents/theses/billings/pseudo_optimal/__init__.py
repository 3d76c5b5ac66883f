"""Players that look up their actions in equilibria of abstracted hold'em."""

from __future__ import annotations

from agents.theses.billings.pseudo_optimal.player import PSEUDO_OPTIMAL
from agents.theses.billings.pseudo_optimal.sizes import Sizes

__all__ = ["PSEUDO_OPTIMAL", "Sizes"]
