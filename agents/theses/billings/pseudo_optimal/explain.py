"""Explanations of pseudo-optimal players: the bucket of the hand, and its mixture of actions."""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Estimate, Explanation
from agents.policy.player_batch import Seated
from agents.policy.policy_query import options_of
from agents.policy.view import Parameters, View
from agents.theses.billings.pseudo_optimal.player import NO_ENTRY, find_entry, read_chances
from nlhe_env.assessment.income_rates import class_names
from nlhe_env.game.table import PREFLOP, TableRecords
from nlhe_env.jit.array_types import F64, I64, Int
from nlhe_env.jit.compilation import kernel

_ACTION_KINDS = ("fold", "check or call", "bet or raise")


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    options = options_of(player, context.tables[0], context.work.choices[0])
    place, chances = np.zeros(4, np.int64), np.zeros(3)
    _write_entry(context.player, context.tables, context.seated, place, chances)
    return Explanation(
        tuple(option.words for option in options),
        np.array([option.chance for option in options]),
        estimates=_estimates(context, place, chances),
    )


def _estimates(context: DecisionContext, place: I64, chances: F64) -> tuple[Estimate, ...]:
    """The bucket and its mixture as labelled estimates."""
    at, bucket, part, parts = place.tolist()
    if at == NO_ENTRY:
        return (Estimate("More bets than its models cover", float(context.tables[0]["bets"])),)
    if context.tables[0]["street"] == PREFLOP:
        name = f"Hand class {class_names()[bucket]}"
        found = []
    else:
        name = "Bucket strategy"
        found = [Estimate("Hand bucket (1 is the weakest, draws come last)", bucket + 1.0)]
        if parts > 1:
            found.append(Estimate(f"Part of the bucket (of {parts})", part + 1.0))
    found += [
        Estimate(f"{name}: {action_kind}", float(chance), "share")
        for action_kind, chance in zip(_ACTION_KINDS, chances, strict=True)
    ]
    return tuple(found)


@kernel
def _write_entry(
    player: Int, tables: TableRecords, seated: Seated, place: I64, chances: F64
) -> None:
    """Write the result of ``find_entry`` and the probabilities of the whole bucket."""
    table, work = tables[0], seated.work
    parameters = Parameters(seated.batch.traits[player], seated.batch.weights[player])
    view = View(
        table, table.actor, work.inputs, work.choices[0], seated.strength_tables, work.scratch
    )
    at, place[1], place[2], place[3] = find_entry(parameters, view)
    place[0] = at
    if at != NO_ENTRY:
        chances[0], chances[1], chances[2] = read_chances(at, 0, 1)
