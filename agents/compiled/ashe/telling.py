"""What ASHE tells of a decision: what its memory of the opponent makes of the hand."""

from __future__ import annotations

import numpy as np

from agents.compiled.ashe import tree
from agents.compiled.ashe.first import AshePlayer, aggression_of, forget_who_plays
from agents.compiled.ashe.one_step import (
    N_OWN,
    NO_ACTION,
    fold_chance,
    own_action,
    win_chance,
)
from agents.compiled.ashe.second import ModelPlayer
from agents.compiled.ashe.shape import RECURSIVE
from agents.compiled.ashe.telling_ahead import tell_ahead
from agents.compiled.consulting import options_of
from agents.compiled.minds import Asked, Estimate, Mind
from agents.compiled.players import CompiledPlayer
from agents.compiled.view import Parameters, View
from nlhe_env.game.table import NOBODY
from nlhe_env.machine.array_types import F32
from nlhe_env.machine.compilation import kernel

_FIRST_RAISE = 2  # of the own actions of ``one_step``


def tell(player: CompiledPlayer, asked: Asked) -> Mind:
    """See ``agents.compiled.minds``."""
    if isinstance(player, ModelPlayer):
        table = asked.tables[0]
        opponent = next(
            seat
            for seat in range(int(table["seats"]))
            if seat != asked.seat and table["player"][seat] != NOBODY
        )
        if player.shape.level >= RECURSIVE:
            mind = tell_ahead(player, asked, opponent)
        else:
            mind = _options(player, asked)._replace(estimates=_estimates(asked))
        return mind._replace(learnt={opponent: _known_line(asked.memory)})
    mind = _options(player, asked)
    if isinstance(player, AshePlayer):
        mind = mind._replace(estimates=_aggression(player, asked.memory.copy()))
    return mind


def _options(player: CompiledPlayer, asked: Asked) -> Mind:
    """What it did, or might have done."""
    options = options_of(player, asked.tables[0], asked.work.choices[0])
    return Mind(
        tuple(option.words for option in options), np.array([option.chance for option in options])
    )


def _aggression(player: AshePlayer, memory: F32) -> tuple[Estimate, ...]:
    """What ASHE 1.0 decides by, with its memory of the opponent and without."""
    sizes, weights = player.sizes, player.weights
    hidden = np.zeros(player.shape.hidden, np.float32)
    now = float(aggression_of(sizes, weights, memory, hidden))
    forget_who_plays(sizes, weights, memory)
    stranger = float(aggression_of(sizes, weights, memory, hidden))
    return (
        Estimate("Willing to put in, -1 to 1", now),
        Estimate("Against a stranger", stranger),
        Estimate("What its memory of the opponent changes", now - stranger),
    )


def _estimates(asked: Asked) -> tuple[Estimate, ...]:
    """What the estimators of ASHE 2.0 and 2.1 say of the hand."""
    found = np.full((N_OWN, 2), np.nan)
    _write_estimates(asked.field, asked.who, asked.tables, asked.strength_tables, asked.work, found)
    raises = [
        Estimate(f"The opponent folds to {int(to)}", float(folds), "share")
        for to, folds in found[1:]
        if not np.isnan(to)
    ]
    return (Estimate("Wins a showdown", float(found[0, 1]), "share"), *raises)


def _known_line(memory: F32) -> tuple[Estimate, ...]:
    """What the tree says of the line of betting up to here."""
    node = int(tree.present_node(memory))
    if node == tree.UNKNOWN:
        return (Estimate("Hands with this betting", 0.0),)
    record = memory[tree.HEAD + node * tree.NODE :][: tree.NODE].astype(float)
    count = record[tree.COUNT]
    found = [Estimate("Hands with this betting", count)]
    if count > 0:
        found += [
            Estimate("The opponent folded later", record[tree.FOLDS] / count, "share"),
            Estimate("Showdowns", record[tree.SHOWDOWNS] / count, "share"),
        ]
    if record[tree.SHOWDOWNS] > 0:
        found.append(Estimate("Strength shown there", record[tree.STRENGTH], "share"))
    return tuple(found)


@kernel
def _write_estimates(field, who, tables, strength_tables, work, found):
    """The chance to win a showdown; then of each raise to how much, and whether they fold."""
    table, choices = tables[0], work.choices[0]
    parameters = Parameters(field.traits[who], field.weights[who])
    view = View(table, table.actor, work.inputs, choices, strength_tables, work.scratch)
    memory = work.memory[who]
    found[0, 1] = win_chance(parameters, memory, view)
    own_bet = table.hand_bet[table.actor] - table.street_bet[table.actor]
    for k in range(_FIRST_RAISE, N_OWN):
        amount = own_action(table, choices, k)
        if amount != NO_ACTION:
            found[k, 0] = amount
            found[k, 1] = fold_chance(parameters, memory, view, k, own_bet + amount)
