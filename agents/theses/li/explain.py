"""Explanations of ASHE's decisions, based on its memory of the opponent."""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Estimate, Explanation
from agents.policy.player_batch import Seated
from agents.policy.policy_query import options_of
from agents.policy.view import Parameters, View
from agents.theses.li import tree
from agents.theses.li.ashe1 import AshePlayer, aggression_of, forget_player
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.explain_lookahead import explain_lookahead
from agents.theses.li.one_step import N_OWN, NO_ACTION, fold_chance, own_action, win_chance
from agents.theses.li.shape import RECURSIVE
from nlhe_env.game.table import NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import F32, F64, Int
from nlhe_env.jit.compilation import kernel

_FIRST_RAISE = 2  # among the player's actions in ``one_step``


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    if isinstance(player, ModelPlayer):
        table = context.tables[0]
        opponent = next(
            seat
            for seat in range(int(table["seats"]))
            if seat != context.seat and table["player"][seat] != NO_PLAYER
        )
        if player.shape.level >= RECURSIVE:
            explanation = explain_lookahead(player, context, opponent)
        else:
            explanation = _options(player, context)._replace(estimates=_estimates(context))
        return explanation._replace(learnt={opponent: _is_known_sequence(context.memory)})
    explanation = _options(player, context)
    if isinstance(player, AshePlayer):
        explanation = explanation._replace(estimates=_aggression(player, context.memory.copy()))
    return explanation


def _options(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """Explanation with the action probabilities."""
    options = options_of(player, context.tables[0], context.work.choices[0])
    return Explanation(
        tuple(option.words for option in options), np.array([option.chance for option in options])
    )


def _aggression(player: AshePlayer, memory: F32) -> tuple[Estimate, ...]:
    """Aggression of ASHE 1.0, with and without its memory of the opponent."""
    sizes, weights = player.sizes, player.weights
    hidden = np.zeros(player.shape.hidden, np.float32)
    now = float(aggression_of(sizes, weights, memory, hidden))
    forget_player(sizes, weights, memory)
    stranger = float(aggression_of(sizes, weights, memory, hidden))
    return (
        Estimate("Aggression, -1 to 1", now),
        Estimate("Aggression against an unknown opponent", stranger),
        Estimate("Effect of its memory of the opponent", now - stranger),
    )


def _estimates(context: DecisionContext) -> tuple[Estimate, ...]:
    """Estimates of ASHE 2.0 and 2.1 for the hand."""
    found = np.full((N_OWN, 2), np.nan)
    _write_estimates(context.player, context.tables, context.seated, found)
    raises = [
        Estimate(f"Opponent folds to {int(to)}", float(folds), "share")
        for to, folds in found[1:]
        if not np.isnan(to)
    ]
    return (Estimate("Showdown win probability", float(found[0, 1]), "share"), *raises)


def _is_known_sequence(memory: F32) -> tuple[Estimate, ...]:
    """Tree statistics for the betting sequence so far."""
    node = int(tree.present_node(memory))
    if node == tree.UNKNOWN:
        return (Estimate("Hands with this betting sequence", 0.0),)
    record = memory[tree.HEAD + node * tree.NODE :][: tree.NODE].astype(float)
    count = record[tree.COUNT]
    found = [Estimate("Hands with this betting sequence", count)]
    if count > 0:
        found += [
            Estimate("Opponent folded later", record[tree.FOLDS] / count, "share"),
            Estimate("Showdowns", record[tree.SHOWDOWNS] / count, "share"),
        ]
    if record[tree.SHOWDOWNS] > 0:
        found.append(Estimate("Mean strength at showdown", record[tree.STRENGTH], "share"))
    return tuple(found)


@kernel
def _write_estimates(player: Int, tables: TableRecords, seated: Seated, found: F64) -> None:
    """Write the showdown win probability, and the amount and fold probability of each raise."""
    table, work = tables[0], seated.work
    choices = work.choices[0]
    parameters = Parameters(seated.batch.traits[player], seated.batch.weights[player])
    view = View(table, table.actor, work.inputs, choices, seated.strength_tables, work.scratch)
    memory = work.memory[player]
    found[0, 1] = win_chance(parameters, memory, view)
    own_bet = table.hand_bet[table.actor] - table.street_bet[table.actor]
    for k in range(_FIRST_RAISE, N_OWN):
        amount = own_action(table, choices, k)
        if amount != NO_ACTION:
            found[k, 0] = amount
            found[k, 1] = fold_chance(parameters, memory, view, k, own_bet + amount)
