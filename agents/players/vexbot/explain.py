"""Explanations of Vexbot's decisions: the expected value of each action."""

from __future__ import annotations

import numpy as np

from agents.players.vexbot.player import expected_values
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Explanation
from nlhe_env.jit.array_types import F32

_NAMES = ("fold", "check or call", "bet or raise")


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    return tell_search(context, expected_values(context.work.scratch))


def tell_search(context: DecisionContext, values: F32) -> Explanation:
    """Explanation of a decision of a player that searches.

    Args:
        context: The decision.
        values: ``(3,)`` expected values of folding, calling and raising, nan for what was not
            possible.
    """
    choices = context.work.choices[0]
    n = int(choices["n"])
    # -1 to fold, 0 to call, above to raise.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Explanation(_NAMES, chances, ~np.isnan(values), values)
