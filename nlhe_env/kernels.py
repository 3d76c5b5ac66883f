"""Kernels for custom compiled functions.

They do not check arguments: wrong arguments read or write foreign memory. Kernels that rank hands
are in ``nlhe_env.evaluator``.
"""

from __future__ import annotations

from nlhe_env.assessment.potential_kernels import (
    SCRATCH,
    board_set,
    hand_strength,
    potential,
    remove_card,
    rescale,
    reweight,
    transitions,
)
from nlhe_env.assessment.texture import texture_tables
from nlhe_env.assessment.texture_kernels import nearest_cluster, write_features
from nlhe_env.equity.tables.cells import hole_number
from nlhe_env.equity.tables.lookup import hand_equity, win_or_tie_probability
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.holdem import act, settle, start_hand
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.compilation import allocating_kernel, kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION, Signature

__all__ = [
    "NO_FUNCTION",
    "NO_PLAYER",
    "SCRATCH",
    "Signature",
    "act",
    "allocating_kernel",
    "amount_to_call",
    "board_set",
    "hand_equity",
    "hand_strength",
    "hole_number",
    "kernel",
    "legal_raise",
    "nearest_cluster",
    "potential",
    "remove_card",
    "rescale",
    "reweight",
    "settle",
    "start_hand",
    "texture_tables",
    "transitions",
    "win_or_tie_probability",
    "write_features",
]
