"""Explanations of decisions of Loki and Poki: weight tables and habits of the opponents."""

from __future__ import annotations

import numpy as np

from agents.players.poki.records import MEMORY, N_CONTEXTS, N_MEMORY
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Estimate, Explanation
from agents.policy.policy_query import options_of
from nlhe_env.game.table import ACTIVE, ALL_IN, EMPTY

_FACING = ("no bet", "a bet", "more than a bet")
_ACTION_KINDS = ("folds", "checks or calls", "bets or raises")


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    memory, table = context.memory[:N_MEMORY].view(MEMORY)[0], context.tables[0]
    others = [seat for seat in range(int(table["seats"])) if seat != context.seat]
    options = options_of(player, table, context.work.choices[0])
    return Explanation(
        tuple(option.words for option in options),
        np.array([option.chance for option in options]),
        ranges={
            seat: memory["weights"][seat].copy()
            for seat in others
            if table["status"][seat] in (ACTIVE, ALL_IN)
        },
        learnt={
            seat: _frequencies(memory["counts"][seat])
            for seat in others
            if table["status"][seat] != EMPTY
        },
    )


def _frequencies(counts: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> tuple[Estimate, ...]:
    """Habits of a player facing nothing, a bet and more, over all streets."""
    by_facing = counts.reshape(N_CONTEXTS // len(_FACING), len(_FACING), len(_ACTION_KINDS)).sum(
        axis=0
    )
    found = [Estimate("Decisions that it remembers", round(float(counts.sum())))]
    for facing, action_kinds in zip(_FACING, by_facing, strict=True):
        total = float(action_kinds.sum())
        for action_kind, count in zip(_ACTION_KINDS, action_kinds, strict=True):
            if total > 0.0 and (facing != _FACING[0] or action_kind != _ACTION_KINDS[0]):
                found.append(
                    Estimate(f"Facing {facing}, {action_kind}", float(count) / total, "share")
                )
    return tuple(found)
