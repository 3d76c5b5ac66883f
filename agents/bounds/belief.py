"""What a local best response believes of the hand of a player that it knows.

It begins with all hands as likely and multiplies by the chances with which the player would have
done with each what it has done. The chances are asked for only when a decision needs them: until
then the situations are kept as the player saw them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.bounds.holdings import write_ranks
from agents.compiled.fields import Field
from agents.compiled.likelihood import Asking, write_chances_of_action
from nlhe_env.equity.all_in.preflop_pairs import N_BOARDS, count_pair, preflop_pairs
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, RANK_PAIRS
from nlhe_env.equity.tables.cells import EVERY_SUIT
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import PREFLOP, TABLE
from nlhe_env.machine.array_types import F32, F64, I64, Records
from nlhe_env.machine.compilation import kernel

_MOST_DECISIONS = 256
"""Of one player in a hand; those after them are not learnt from."""
_UNKNOWN = -1


class Known(NamedTuple):
    """Tables that never change."""

    holes: I64
    """``(1326, 2)`` cards of all hands."""
    sets: I64
    columns: I64
    pairs: Records
    """``(1,)`` of dtype ``PREFLOP_PAIRS``."""
    showdowns: Records
    """``(1,)`` of the ranks of all hands."""

    @classmethod
    def load(cls) -> Known:
        """Those of the package."""
        pairs, showdowns = np.atleast_1d(preflop_pairs()), np.atleast_1d(showdown_tables())
        return cls(HOLES, HOLE_SETS, RANK_PAIRS, pairs, showdowns)


class Seen(NamedTuple):
    """Decisions of the player in this hand that nothing has been learnt from yet."""

    size: I64
    """``(1,)``."""
    tables: Records
    players: Records
    """``(n, 2)``."""
    memory: F32
    """``(n, m)`` what it remembered."""
    actions: I64

    @classmethod
    def new(cls, field: Field) -> Seen:
        """None."""
        memory = field.work_arrays(2).memory.shape[1]
        return cls(
            np.zeros(1, np.int64),
            np.zeros(_MOST_DECISIONS, TABLE),
            np.zeros((_MOST_DECISIONS, 2), PLAYER),
            np.zeros((_MOST_DECISIONS, memory), np.float32),
            np.zeros(_MOST_DECISIONS, np.int64),
        )


class Belief(NamedTuple):
    """The hands that the player may hold; arrays begin with as many entries as there are."""

    size: I64
    """``(1,)`` hands that are possible; ``_UNKNOWN`` before the first question of a hand."""
    street: I64
    """``(1,)`` of which ``shares`` are."""
    numbers: I64
    sets: I64
    columns: I64
    weights: F64
    shares: F64
    """What the own hand wins of a pot against each, on average over the boards to come."""
    chances: F64
    """Work: of the action asked for."""
    ranks: I64
    """Work."""
    asking: Asking
    """Work."""
    every: I64
    """``(1,)`` only every so many of the hands are believed possible."""

    @classmethod
    def new(cls, hands: int) -> Belief:
        """Nothing yet, of at most so many hands."""

        def numbers() -> I64:
            return np.zeros(N_HOLES, np.int64)

        return cls(
            size=np.full(1, _UNKNOWN),
            street=np.full(1, _UNKNOWN),
            numbers=numbers(),
            sets=numbers(),
            columns=numbers(),
            weights=np.zeros(N_HOLES),
            shares=np.zeros(N_HOLES),
            chances=np.zeros(N_HOLES),
            ranks=numbers(),
            asking=Asking.new(),
            every=np.array([-(-N_HOLES // hands)]),
        )


@kernel
def forget_hand(seen, belief):
    """A new hand is dealt."""
    seen.size[0] = 0
    belief.size[0] = _UNKNOWN
    belief.street[0] = _UNKNOWN


@kernel
def note(seen, table, players, memory, action):
    """Keep a decision of the player, before it is carried out.

    Args:
        seen: ``Seen``.
        table: The record of the table.
        players: The players' records.
        memory: ``(m,)`` what the player remembers.
        action: What it does.
    """
    k = seen.size[0]
    if k < _MOST_DECISIONS:
        seen.tables[k] = table
        seen.players[k, 0] = players[0]
        seen.players[k, 1] = players[1]
        for i in range(len(memory)):
            seen.memory[k, i] = memory[i]
        seen.actions[k] = action
        seen.size[0] = k + 1


@kernel
def learn(belief, seen, own, board, who, known, field, strength_tables, work):
    """Bring the belief up to date.

    Args:
        belief: ``Belief``.
        seen: ``Seen``; nothing is left in it.
        own: The own hole cards as a set.
        board: The open board as a set.
        who: The player that is believed something of.
        known: ``Known``.
        field: ``FieldArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``; what the player remembers is put back afterwards.
    """
    if belief.size[0] == _UNKNOWN:
        _believe_anything(belief, own | board, known)
    _leave_out(belief, board)
    if seen.size[0] == 0:
        return
    now = seen.memory.shape[0] - 1  # a row that no decision can have
    for i in range(seen.memory.shape[1]):
        seen.memory[now, i] = work.memory[who, i]
    for k in range(min(seen.size[0], now)):
        for i in range(seen.memory.shape[1]):
            work.memory[who, i] = seen.memory[k, i]
        n = belief.size[0]
        write_chances_of_action(
            field,
            who,
            seen.tables[k],
            seen.players[k],
            seen.actions[k],
            known.holes,
            belief.numbers[:n],
            strength_tables,
            work,
            belief.asking,
            belief.chances,
        )
        _multiply(belief, own | board, known)
    for i in range(seen.memory.shape[1]):
        work.memory[who, i] = seen.memory[now, i]
    seen.size[0] = 0


@kernel
def _believe_anything(belief, dead, known):
    """All hands without certain cards are as likely, or some of them: others with other cards."""
    n = 0
    for hand in range(dead % belief.every[0], N_HOLES, belief.every[0]):
        if known.sets[hand] & dead == 0:
            belief.numbers[n] = hand
            belief.sets[n] = known.sets[hand]
            belief.columns[n] = known.columns[hand]
            belief.weights[n] = 1.0
            n += 1
    belief.size[0] = n


@kernel
def _leave_out(belief, board):
    """Take out hands with cards of the board."""
    for i in range(belief.size[0]):
        if belief.sets[i] & board:
            belief.weights[i] = 0.0
    _close_gaps(belief)


@kernel
def _close_gaps(belief):
    """Keep the hands that have a weight."""
    n = 0
    for i in range(belief.size[0]):
        if belief.weights[i] > 0.0:
            belief.numbers[n] = belief.numbers[i]
            belief.sets[n] = belief.sets[i]
            belief.columns[n] = belief.columns[i]
            belief.weights[n] = belief.weights[i]
            belief.shares[n] = belief.shares[i]
            n += 1
    belief.size[0] = n


@kernel
def _multiply(belief, dead, known):
    """Multiply by the chances, and let the weights sum to 1; begin anew if no hand is left."""
    total = 0.0
    for i in range(belief.size[0]):
        belief.weights[i] *= belief.chances[i]
        total += belief.weights[i]
    if not total > 0.0:
        _believe_anything(belief, dead, known)
        belief.street[0] = _UNKNOWN
        return
    for i in range(belief.size[0]):
        belief.weights[i] /= total
    _close_gaps(belief)


@kernel
def find_shares(belief, table, own, board, known):
    """Write the shares of the pot against every hand, unless this street has them.

    Args:
        belief: ``Belief``, up to date.
        table: The record of the table.
        own: The number of the own hand.
        board: The open board as a set.
        known: ``Known``.
    """
    if belief.street[0] == table.street:
        return
    belief.street[0] = table.street
    n = belief.size[0]
    shares = belief.shares
    if table.street == PREFLOP:
        for i in range(n):
            high, low = known.holes[own], known.holes[belief.numbers[i]]
            wins, ties = count_pair(high[0], high[1], low[0], low[1], known.pairs[0])
            shares[i] = (wins + 0.5 * ties) / N_BOARDS
        return
    for i in range(n):
        shares[i] = 0.0
    free = EVERY_SUIT & ~(board | known.sets[own])
    to_come = 5 - table.board_cards
    unseen = 43 + to_come  # cards that neither hand nor the board has
    boards = unseen * (unseen - 1) // 2 if to_come == 2 else unseen if to_come == 1 else 1
    if to_come == 0:
        _add_board(belief, board, own, known)
    while to_come > 0 and free:
        card = free & -free
        free &= free - 1
        if to_come == 1:
            _add_board(belief, board | card, own, known)
            continue
        others = free
        while others:
            _add_board(belief, board | card | others & -others, own, known)
            others &= others - 1
    for i in range(n):
        shares[i] /= boards


@kernel
def _add_board(belief, board, own, known):
    """Add who wins on a full board."""
    n = belief.size[0]
    sets, ranks, shares = belief.sets, belief.ranks, belief.shares
    tables = known.showdowns[0]
    write_ranks(board, known.sets[own : own + 1], known.columns[own : own + 1], tables, ranks)
    mine = ranks[0]
    write_ranks(board, sets[:n], belief.columns[:n], tables, ranks)
    for i in range(n):
        free = np.float64(sets[i] & board == 0)
        shares[i] += free * (np.float64(mine > ranks[i]) + 0.5 * np.float64(mine == ranks[i]))
