"""Local best response: a player that knows another one's policy, and looks one action ahead.

V. Lisy and M. Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots", AAAI
workshop 2017, https://arxiv.org/abs/1612.07547. At every decision it believes of the other's hand
what follows from all that the other has done, and takes the action that would win most if from then
on both only checked and called: of a raise, the other folds as often as its policy says. What it
wins in play is a lower bound on what can be won of the other, whatever is believed: a belief that
is off makes the bound worse, never wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.bounds.belief import Belief, Known, Seen, find_shares, forget_hand, learn, note
from agents.bounds.menus import WAITS, Menu
from agents.compiled.dispatch import (
    act_and_tell,
    begin_hand,
    begin_session,
    decide,
    end_hand,
    somebody_listens,
)
from agents.compiled.fields import Field
from agents.compiled.likelihood import write_chances_of_action
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game import tournament
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TABLE
from nlhe_env.game.tournament import DRAWN
from nlhe_env.machine.array_types import F32, F64, Records
from nlhe_env.machine.compilation import inlined_kernel, kernel
from nlhe_env.spaces.actions import fraction_raise

FROZEN, RESPONDER = range(2)
"""The players: who is known, and who responds."""


class Responder(NamedTuple):
    """What a local best response knows and works with, in one thread."""

    menu: F64
    """``(4, n)``, see ``Menu.array``."""
    known: Known
    belief: Belief
    seen: Seen
    tables: Records
    """``(1,)`` where a raise is tried."""
    players: Records
    memory: F32
    """What players remembered before it."""

    @classmethod
    def new(cls, menu: Menu, field: Field, hands: int = N_HOLES) -> Responder:
        """Against the first player of a field of two, of whom so many hands are asked for."""
        return cls(
            menu.array(),
            Known.load(),
            Belief.new(hands),
            Seen.new(field),
            np.zeros(1, TABLE),
            np.zeros(2, PLAYER),
            np.zeros_like(field.work_arrays(2).memory),
        )


@kernel
def play_blocks(
    game, tables, players, levels, first, field, strength_tables, work, responder, units
):
    """Play duplicate blocks of the two.

    Args:
        game: ``(1,)`` record of a heads-up game that is set up.
        tables: Its table.
        players: Its players' records.
        levels: Its blinds.
        first: Number of the first block.
        field: ``FieldArrays`` of the frozen player and somebody outside.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
        responder: ``Responder``.
        units: ``UnitArrays``; points and counts are written.
    """
    record = game[0]
    for i in range(len(units.points)):
        for shift in range(2):
            record.tournament = first + i
            record.decision_tournament = 2 * (first + i) + shift
            tournament.start_game(record, tables, players, levels, DRAWN - shift)
            units.chips[:] = 0
            _play_out(
                record,
                tables,
                players,
                levels,
                field,
                strength_tables,
                work,
                responder,
                units.chips,
            )
            for player in range(2):
                units.points[i, player] += units.chips[player]
            units.counts[i, 0] += record.hands
            units.counts[i, 1] += record.decisions


@kernel
def _play_out(game, tables, players, levels, field, strength_tables, work, responder, chips):
    """``dispatch.play_out``, where the second player responds to the first."""
    told = somebody_listens(field)
    begin_session(tables, field, strength_tables, work)
    forget_hand(responder.seen, responder.belief)
    while True:
        event = tournament.advance(game, tables, players, levels)
        table = tables[0]
        if event == tournament.DECISION:
            if told:
                begin_hand(table, field, strength_tables, work)
            if table.player[table.actor] == FROZEN:
                _, action = decide(game, tables, players, field, strength_tables, work)
                note(responder.seen, table, players, work.memory[FROZEN], action)
            else:
                action = respond(
                    game, tables, players, field, strength_tables, work, responder, told
                )
            act_and_tell(game, tables, players, action, field, strength_tables, work, told)
        elif event == tournament.HAND_OVER:
            for seat in range(2):
                chips[table.player[seat]] += table.won[seat] - table.hand_bet[seat]
            if told:
                end_hand(table, field, strength_tables, work)
            forget_hand(responder.seen, responder.belief)
        elif event == tournament.GAME_OVER:
            return


@kernel
def respond(game, tables, players, field, strength_tables, work, responder, told):
    """The action of the local best response."""
    table = tables[0]
    menu = responder.menu[table.street]
    to_call = amount_to_call(table)
    least, _ = legal_raise(table)
    if menu[0] == WAITS or (to_call == 0 and (menu[0] == 0.0 or least == 0)):
        return np.int64(CHECK_OR_CALL)
    known, belief = responder.known, responder.belief
    seat = table.actor
    high = max(np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1]))
    low = min(np.int64(table.cards[2 * seat]), np.int64(table.cards[2 * seat + 1]))
    own = (high * (high - 1) >> 1) + low
    board = np.int64(0)
    for i in range(table.board_cards):
        board |= card_bit(table.cards[4 + i])
    learn(
        belief, responder.seen, known.sets[own], board, FROZEN, known, field, strength_tables, work
    )
    find_shares(belief, table, own, board, known)

    mine, theirs = table.hand_bet[seat], table.hand_bet[1 - seat]
    won, total = 0.0, 0.0
    for i in range(belief.size[0]):
        won += belief.weights[i] * belief.shares[i]
        total += belief.weights[i]
    share = won / total
    best, most = np.int64(CHECK_OR_CALL), _worth(share, min(mine + to_call, theirs))
    if to_call > 0 and -np.float64(mine) > most:
        best, most = np.int64(FOLD), -np.float64(mine)
    if least == 0:
        return best
    tried = np.int64(0)
    for i in range(len(menu)):
        if menu[i] == 0.0:
            break
        amount = _raise_by(table, menu[i])
        if amount == tried:
            continue  # the same after rounding, and within the limits of the table
        tried = amount
        _write_folds(game, tables, players, amount, field, strength_tables, work, responder, told)
        stays, wins = 0.0, 0.0
        for k in range(belief.size[0]):
            weight = belief.weights[k] * (1.0 - belief.chances[k])
            stays += weight
            wins += weight * belief.shares[k]
        stake = min(mine + amount - table.street_bet[seat], theirs + table.stack[1 - seat])
        worth = (1.0 - stays / total) * theirs
        if stays > 0.0:
            worth += stays / total * _worth(wins / stays, stake)
        if worth > most:
            best, most = amount, worth
    return best


@inlined_kernel
def _worth(share, stake):
    """What a share of a pot is worth to which both have put in the stake."""
    return (2.0 * share - 1.0) * stake


@kernel
def _raise_by(table, fraction):
    """The legal raise next to a fraction of the pot."""
    least, most = legal_raise(table)
    if fraction == np.inf:
        return most
    return min(max(fraction_raise(table, fraction), least), most)


@kernel
def _copy(source, target):
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]


@kernel
def _write_folds(game, tables, players, amount, field, strength_tables, work, responder, told):
    """Write with which chance the other folds each of its hands to a raise."""
    trial, those, belief = responder.tables, responder.players, responder.belief
    trial[0] = tables[0]
    those[0] = players[0]
    those[1] = players[1]
    decisions = game.decisions
    if told:
        _copy(work.memory, responder.memory)
    act_and_tell(game, trial, those, amount, field, strength_tables, work, told)
    n = belief.size[0]
    write_chances_of_action(
        field,
        FROZEN,
        trial[0],
        those,
        FOLD,
        responder.known.holes,
        belief.numbers[:n],
        strength_tables,
        work,
        belief.asking,
        belief.chances,
    )
    game.decisions = decisions
    if told:
        _copy(responder.memory, work.memory)
