"""What every compiled player does: one kernel that dispatches on the kind of player.

A compiled player is a kind, a way to scale its inputs and a row of float32 weights. Most choose
among fold, call and three raise sizes; the amount of a raise follows from the published rule. Both
doors call ``choose``: with inputs read off an observation, or written straight from the table.

Rules that name their amounts call ``play_rule`` instead. They look at the table, or at what the
``"cards"`` observation tells about it.
"""

from __future__ import annotations

import numpy as np

from agents.compiled.network import draw_action, forward, forward_any
from agents.compiled.rules.ashe_opponents import play_profile, play_scared_limper
from agents.compiled.rules.formula import play_formula
from agents.compiled.rules.pot_odds import play_pot_odds
from agents.compiled.rules.push_or_fold import play_push_or_fold
from agents.compiled.rules.seen_table import read_table
from agents.compiled.rules.styles import play_style
from agents.compiled.topography import look_up
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.game import betting, tournament
from nlhe_env.game.random_stream import decision_units
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD
from nlhe_env.machine.compilation import kernel
from nlhe_env.spaces import actions
from nlhe_env.spaces.features import write_features

# Kinds of players. Those from NETWORK on look at the inputs, those from STYLE on at the table.
RANDOM, FOLDER, CALLER, RAISER, CALL_OR_RAISE = range(5)
NETWORK, SHAPED_NETWORK, TOPOGRAPHY, POT_ODDS = range(5, 9)
STYLE, FORMULA, PUSH_OR_FOLD, PROFILE, SCARED_LIMPER = range(9, 14)
FIRST_KIND_WITH_INPUTS = NETWORK
FIRST_RULE = STYLE
OUTSIDE = -1  # not a kind: decides outside the kernels

_FOLD, _CALL, _SMALL = 0, 1, 2


@kernel
def choose(kind, sizes, weights, inputs, mask, u, work):
    """The id of the action that a player chooses: 0 fold, 1 call, 2..4 raise sizes.

    Static players: Nicolai, MSc thesis (University of Regina, 2008), section 5.1.1. An illegal
    fold becomes a check, an illegal raise a call.

    Args:
        kind: ``RANDOM`` ... ``POT_ODDS``.
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
    wish = np.int64(_CALL)
    if kind == POT_ODDS:
        wish = play_pot_odds(weights, inputs)
        if wish > _SMALL and not mask[wish]:
            wish = _SMALL  # the one raise of fixed-limit
    elif kind == FOLDER:
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
def play_rule(kind, parameters, table, least, most, u, part, strength_tables, work):
    """The action of the game that a rule chooses: ``FOLD``, ``CHECK_OR_CALL`` or raise to n.

    Args:
        kind: ``STYLE`` ... ``SCARED_LIMPER``.
        parameters: Row of float32, see ``agents.compiled.rules.spots``.
        table: A table record; hidden cards in it do not matter.
        least: Least legal raise; 0 if none.
        most: Most legal raise.
        u: Uniform in [0, 1), the player's own randomness.
        part: Another one.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``.
    """
    if kind == STYLE:
        return play_style(parameters, table, least, most)
    if kind == FORMULA:
        return play_formula(parameters, table, least, most, u, part, work)
    if kind == PUSH_OR_FOLD:
        return play_push_or_fold(parameters, table, least, most, u)
    if kind == PROFILE:
        return play_profile(parameters, table, least, most, u, part, strength_tables)
    return play_scared_limper(table)


# Of the largest legal bet, up to 8% is nearest to a small raise, up to 25% to a medium one.
_MOST_OF_SMALL = 0.08
_MOST_OF_MEDIUM = 0.25


@kernel
def nearest_size(table, action, most):
    """The id in the sized encoding that is nearest to an action of the game."""
    if action == FOLD:
        return _FOLD
    if action == CHECK_OR_CALL:
        return _CALL
    bet = table.street_bet[table.actor]
    fraction = (action - bet) / (most - bet)
    if table.betting == FIXED_LIMIT or fraction <= _MOST_OF_SMALL:
        return _SMALL
    return _SMALL + 1 if fraction <= _MOST_OF_MEDIUM else _SMALL + 2


@kernel
def play_rule_alone(
    kind,
    parameters,
    observation,
    seats,
    big_blind,
    least,
    most,
    mask,
    seen,
    strength_tables,
    work,
    seed,
    player,
    episode,
    hand,
    decision,
):
    """``play_rule`` for a player that sees the ``"cards"`` observation; the id of the action.

    With five actions it is the nearest id of the sized encoding, else that of ``"chips"``; -1 where
    the mask belongs to neither.
    """
    table = seen[0]
    read_table(observation, seats, big_blind, table)
    u, part, _ = decision_units(seed, decision, hand, player, episode)
    action = play_rule(kind, parameters, table, least, most, u, part, strength_tables, work)
    if len(mask) == actions.N_SIZED:
        action_id = nearest_size(table, action, most)
        return action_id if mask[action_id] else _SMALL
    chips = table.pot
    for seat in range(seats):
        chips += table.stack[seat]
    if len(mask) <= chips:
        return -1
    return actions.nearest_id(table, actions.CHIPS, work.no_fractions, action)


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
    if kind >= FIRST_RULE:
        return _decide_by_rule(kind, game, table, field.weights[who], strength_tables, work)
    actions.write_mask(table, actions.SIZED, work.no_fractions, work.mask)
    if kind >= FIRST_KIND_WITH_INPUTS:
        write_features(table, players, seat, field.inputs[who], strength_tables, work.inputs)
    u, part, place = actions.decision_units(game, table)
    action_id = choose(kind, field.layers[who], field.weights[who], work.inputs, work.mask, u, work)
    return action_id, actions.sized_action(table, action_id, part, place)


@kernel
def _decide_by_rule(kind, game, table, parameters, strength_tables, work):
    least, most = betting.legal_raise(table)
    u, part, _ = actions.decision_units(game, table)
    action = play_rule(kind, parameters, table, least, most, u, part, strength_tables, work)
    return nearest_size(table, action, most), action


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
