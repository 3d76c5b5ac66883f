"""What Vexbot tells of a decision: what it expects to win by each action."""

from __future__ import annotations

import numpy as np

from agents.compiled.minds import Asked, Mind
from agents.compiled.players import CompiledPlayer
from agents.compiled.vexbot.player import expected_values
from nlhe_env.machine.array_types import F32

_NAMES = ("fold", "check or call", "bet or raise")


def tell(player: CompiledPlayer, asked: Asked) -> Mind:
    """See ``agents.compiled.minds``."""
    return tell_search(asked, expected_values(asked.work.scratch))


def tell_search(asked: Asked, values: F32) -> Mind:
    """The mind of a player that searches.

    Args:
        asked: What was decided.
        values: ``(3,)`` expected of folding, calling and raising, nan for what was not possible.
    """
    choices = asked.work.choices[0]
    n = int(choices["n"])
    # -1 to fold, 0 to call, above to raise.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Mind(_NAMES, chances, ~np.isnan(values), values)
