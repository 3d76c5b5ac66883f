"""Explanations of decisions of the no-limit Vexbot: the expected value of each action."""

from __future__ import annotations

from agents.players.vexbot.explain import tell_search
from agents.players.vexbot_nolimit.player import expected_values
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Explanation


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    return tell_search(context, expected_values(context.work.scratch))
