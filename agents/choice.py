"""What every compiled player does: one kernel that dispatches on the kind of player.

A compiled player is a kind, a way to scale its inputs and a row of float32 weights. It chooses
among fold, call and three raise sizes; the amount of a raise follows from the published rule. Both
doors call ``choose``: with inputs read off an observation, or written straight from the table.
"""

from __future__ import annotations

import numpy as np

from agents.network import draw_action, forward, forward_any
from agents.topography import look_up
from nlhe_env import actions, kernels, tournament
from nlhe_env._jit import kernel
from nlhe_env.features import write_features
from nlhe_env.rng import decision_units

# Kinds of players. Only those from NETWORK on look at the inputs.
RANDOM, FOLDER, CALLER, RAISER, CALL_OR_RAISE, NETWORK, SHAPED_NETWORK, TOPOGRAPHY = range(8)
FIRST_KIND_WITH_INPUTS = NETWORK
OUTSIDE = -1  # not a kind: decides outside the kernels

_FOLD, _CALL, _SMALL = 0, 1, 2


@kernel
def choose(kind, sizes, weights, inputs, mask, u, work):
    """The id of the action that a player chooses: 0 fold, 1 call, 2..4 raise sizes.

    Static players: Nicolai, MSc thesis (University of Regina, 2008), section 5.1.1. An illegal
    fold becomes a check, an illegal raise a call.

    Args:
        kind: ``RANDOM`` ... ``TOPOGRAPHY``.
        sizes: ``(MAX_LAYERS,)`` units of the layers of a network.
        weights: Row of float32.
        inputs: Float32; not looked at by static players.
        mask: ``(5,)`` int8, 1 where legal.
        u: Uniform in [0, 1), the player's own randomness.
        work: ``WorkArrays``; what a player with inputs gives the five actions is in ``outputs``
            afterwards.
    """
    if kind == NETWORK:
        forward(weights, inputs, work.hidden, work.outputs)
        return draw_action(work.outputs, mask, u)
    if kind == SHAPED_NETWORK:
        forward_any(weights, sizes, inputs, work.units, work.outputs)
        return draw_action(work.outputs, mask, u)
    if kind == TOPOGRAPHY:
        look_up(weights, inputs, work.outputs)
        return draw_action(work.outputs, mask, u)
    wish = _CALL
    if kind == FOLDER:
        wish = _FOLD
    elif kind == RANDOM:
        third = np.int64(u * 3.0)
        wish = third if third < _SMALL else _raise_size(u * 3.0 - 2.0)
    elif kind == RAISER:
        wish = _raise_size(u)
    elif kind == CALL_OR_RAISE and u >= 0.5:
        wish = _raise_size(2.0 * u - 1.0)
    return wish if mask[wish] else _CALL


@kernel
def _raise_size(u):
    """Small, medium or large with equal probability."""
    return _SMALL + min(np.int64(u * 3.0), 2)


@kernel
def choose_alone(kind, sizes, weights, inputs, mask, work, seed, player, episode, hand, decision):
    """``choose`` for a player that sees an observation, with the same randomness as ``decide``."""
    u, _, _ = decision_units(seed, decision, hand, player, episode)
    return choose(kind, sizes, weights, inputs, mask, u, work)


@kernel
def decide(game, tables, players, field, strength_tables, work):
    """What the player to act chooses, looking at the table itself.

    Args:
        game: A game record whose last event was ``DECISION``.
        tables: Its tables.
        players: Its players' records.
        field: ``FieldArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.

    Returns:
        The id of the action in the sized encoding, and the action as ``tournament.take_action``
        takes it.
    """
    table = tables[game.table]
    seat = table.actor
    who = table.player[seat]
    kind = field.kinds[who]
    actions.write_mask(table, actions.SIZED, work.no_fractions, work.mask)
    if kind >= FIRST_KIND_WITH_INPUTS:
        write_features(table, players, seat, field.inputs[who], strength_tables, work.inputs)
    u, part, place = actions.decision_units(game, table)
    action_id = choose(kind, field.layers[who], field.weights[who], work.inputs, work.mask, u, work)
    return action_id, actions.sized_action(table, action_id, part, place)


@kernel
def decide_in(game, tables, players, field, strength_tables, work, encoding, fractions):
    """``decide`` for the Python door: the id in any action encoding.

    In other encodings than the sized one a raise goes to the legal amount nearest to the drawn one.
    """
    action_id, action = decide(game[0], tables, players, field, strength_tables, work)
    if encoding == actions.SIZED:
        return action_id
    return actions.nearest_id(tables[game[0].table], encoding, fractions, action)


@kernel
def play_on(
    game,
    tables,
    players,
    levels,
    field,
    strength_tables,
    work,
    encoding,
    fractions,
    mask,
    facts,
):
    """Many ``decide_in`` and ``kernels.step`` in one call from Python.

    The player to act must be compiled. Goes on until one that is ``OUTSIDE`` is to act or something
    else than a decision comes up; returns that event.
    """
    while True:
        action_id = decide_in(
            game, tables, players, field, strength_tables, work, encoding, fractions
        )
        event = kernels.step(
            game, tables, players, levels, encoding, fractions, action_id, mask, facts
        )
        if event != tournament.DECISION or field.kinds[facts[kernels.PLAYER]] == OUTSIDE:
            return event


@kernel
def play_out(game, tables, players, levels, field, strength_tables, work):
    """Play a game that has been started to its end."""
    while True:
        event = tournament.advance(game, tables, players, levels)
        if event == tournament.DECISION:
            _, action = decide(game, tables, players, field, strength_tables, work)
            tournament.take_action(game, tables, players, action)
        elif event == tournament.GAME_OVER:
            return
