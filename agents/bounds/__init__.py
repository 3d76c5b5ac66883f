"""What a player can lose at most: best responses, exact and local."""

from __future__ import annotations

from agents.bounds.blind_response import N_FLOPS, BlindResponse, best_response_to_blind
from agents.bounds.in_trees import local_best_response
from agents.bounds.menus import MENUS, Menu
from agents.bounds.playing import LocalBestResponse
from agents.bounds.strength_response import StrengthResponse, best_response_to_strength

__all__ = [
    "MENUS",
    "N_FLOPS",
    "BlindResponse",
    "LocalBestResponse",
    "Menu",
    "StrengthResponse",
    "best_response_to_blind",
    "best_response_to_strength",
    "local_best_response",
]
