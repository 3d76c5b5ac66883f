"""Explanations of Vexbot's decisions: the expected value of each action."""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Explanation
from agents.theses.billings.vexbot.player import VexbotPlayer

_NAMES = ("fold", "check or call", "bet or raise")


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    assert isinstance(player, VexbotPlayer)
    values = player.expected_values(context.work.scratch)
    choices = context.work.choices[0]
    n = int(choices["n"])
    # -1 for fold, 0 for call, positive for raises.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Explanation(_NAMES, chances, ~np.isnan(values), values)
