"""Explanations of decisions of Loki and Poki: opponents' weight tables and frequencies.

Players that simulate also give the expected value of every action.
"""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Estimate, Explanation
from agents.policy.policy_query import action_words, options_of
from agents.theses.billings.poki.records import MEMORY, N_CONTEXTS, N_MEMORY, N_SCRATCH, WORK
from agents.theses.billings.poki.simulation import LOKI_2
from nlhe_env.game.table import ACTIVE, ALL_IN, EMPTY, FOLD

_FACING = ("no bet", "a bet", "two bets or more")
_ACTION_KINDS = ("folds", "checks or calls", "bets or raises")


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    memory, table = context.memory[:N_MEMORY].view(MEMORY)[0], context.tables[0]
    opponents = [seat for seat in range(int(table["seats"])) if seat != context.seat]
    simulated = _simulated(context) if player.kind.name == LOKI_2.name else None
    return (simulated or _offered(player, context))._replace(
        ranges={
            seat: memory["weights"][seat].copy()
            for seat in opponents
            if table["status"][seat] in (ACTIVE, ALL_IN)
        },
        learnt={
            seat: _frequencies(memory["counts"][seat])
            for seat in opponents
            if table["status"][seat] != EMPTY
        },
    )


def _offered(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """Explanation of a decision by the formula or before the flop."""
    options = options_of(player, context.tables[0], context.work.choices[0])
    return Explanation(
        tuple(option.words for option in options), np.array([option.chance for option in options])
    )


def _simulated(context: DecisionContext) -> Explanation | None:
    """Expected values of the simulated actions; None without a simulation."""
    work, table = context.work.scratch[:N_SCRATCH].view(WORK)[0], context.tables[0]
    n = int(work["n_options"])
    if n == 0:
        return None
    actions = work["options"][:n].tolist()
    can_fold = table["current_bet"] > table["street_bet"][context.seat]
    shown = [k for k in range(n) if can_fold or actions[k] != FOLD]
    # Simulated values count from the decision on; chips already in the pot are sunk.
    spent = float(table["hand_bet"][context.seat])
    values = (work["values"][shown] / work["n_deals"] - spent) / float(table["big_blind"])
    chosen = int(context.work.choices[0]["action"][0])
    return Explanation(
        tuple(action_words(table, actions[k]) for k in shown),
        np.array([float(actions[k] == chosen) for k in shown]),
        values=values.astype(np.float32),
        estimates=(Estimate("Simulated deals", float(work["n_deals"])),),
    )


def _frequencies(counts: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> tuple[Estimate, ...]:
    """Action frequencies of a player facing no bet, one bet and more, over all streets."""
    by_facing = counts.reshape(N_CONTEXTS // len(_FACING), len(_FACING), len(_ACTION_KINDS)).sum(
        axis=0
    )
    found = [Estimate("Remembered decisions", round(float(counts.sum())))]
    for facing, action_kinds in zip(_FACING, by_facing, strict=True):
        total = float(action_kinds.sum())
        for action_kind, count in zip(_ACTION_KINDS, action_kinds, strict=True):
            if total > 0.0 and (facing != _FACING[0] or action_kind != _ACTION_KINDS[0]):
                found.append(
                    Estimate(f"Facing {facing}: {action_kind}", float(count) / total, "share")
                )
    return tuple(found)
