"""Kinds of actions: a check is a call, a bet a raise."""

from __future__ import annotations

from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.jit.array_types import Int
from nlhe_env.jit.compilation import kernel

FOLDS, CALLS, RAISES = range(3)


@kernel
def action_kind_of(action: Int) -> Int:
    """Kind of an action of the game: ``FOLDS``, ``CALLS`` or ``RAISES``."""
    return FOLDS if action == FOLD else CALLS if action == CHECK_OR_CALL else RAISES
