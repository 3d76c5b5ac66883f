"""What all hands of a hero are worth against parts of a range of hands, board by board, as kernels.

Sixteen parts go through the hands of a board side by side, in the order of their ranks, as in
``holdings.write_margins``. Ranges are masks of zeros and ones, so that all counts are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.bounds.holdings import N_OPPOSING, N_SCRATCH, write_margins, write_ranks
from agents.bounds.limit_betting import run
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.machine.array_types import F32, F64, I64
from nlhe_env.machine.compilation import allocating_kernel, kernel
from nlhe_env.machine.float_lanes import LANES, everywhere, load, store

COLUMNS = 32
"""Hands of the hero whose programs are run together: what they need stays in the cache."""
BLOCKED = -1.0
"""The strength of hands that the board does not allow."""


class Parts(NamedTuple):
    """Parts of ranges on a street."""

    ranges: I64
    """``(n,)`` of which range."""
    intervals: F64
    """``(n, 2)`` the strengths that belong to it, the second no more."""


class Sweeps(NamedTuple):
    """Work: a row for each holding, or for each card."""

    masks: F32
    met: F32
    margins: F32
    all_sums: F32
    """``(53, LANES)`` of holdings with each card, and of all."""
    sums: F32

    @classmethod
    def new(cls, n_holdings: int) -> Sweeps:
        """For so many holdings."""
        rows = (n_holdings, n_holdings, n_holdings, 53, 53)
        return cls(*(np.zeros((n, LANES), np.float32) for n in rows))


@kernel
def write_inputs(parts, reach, strength, ranks, order, holdings, sweeps, inputs):
    """Write the inputs of a street, see ``strength_betting``: how many hands of each part are met.

    Args:
        parts: ``Parts``.
        reach: ``(n_ranges, n)`` float32, 1 for holdings in a range at the beginning of the street.
        strength: ``(n,)`` float64 on this board, ``BLOCKED`` where it does not allow a holding.
        ranks: ``(n,)`` numbers of the ranks of the holdings.
        order: Holdings in the order of their ranks, for the margins of a showdown; of length 0 for
            none.
        holdings: ``Holdings``; the first ones are the hero's.
        sweeps: ``Sweeps``.
        inputs: ``(n_blocks, n_inputs, COLUMNS)`` is written at ``2 row``, and at ``2 row + 1`` with
            a showdown; 0 for hands that the board does not allow.
    """
    n_parts = len(parts.ranges)
    heroes = min(inputs.shape[0] * COLUMNS, len(strength))
    for first in range(0, n_parts, LANES):
        count = min(LANES, n_parts - first)
        _write_masks(parts, first, count, reach, strength, sweeps.masks)
        _meet(holdings, heroes, sweeps)
        if len(order):
            _show_down(ranks, order, holdings, heroes, sweeps)
        for lane in range(count):
            row = 2 * (first + lane)
            for h in range(heroes):
                free = strength[h] != BLOCKED
                block, column = h // COLUMNS, h % COLUMNS
                inputs[block, row, column] = sweeps.met[h, lane] if free else 0.0
                if len(order):
                    inputs[block, row + 1, column] = sweeps.margins[h, lane] if free else 0.0


@kernel
def _write_masks(parts, first, count, reach, strength, masks):
    masks[:, :] = 0.0
    for lane in range(count):
        part = first + lane
        row = reach[parts.ranges[part]]
        low, high = parts.intervals[part, 0], parts.intervals[part, 1]
        for h in range(len(strength)):
            masks[h, lane] = row[h] if low <= strength[h] < high else np.float32(0.0)


@kernel
def _meet(holdings, heroes, sweeps):
    """How many holdings of sixteen masks every hand of the hero can meet."""
    cards, masks, sums = holdings.cards, sweeps.masks, sweeps.all_sums
    sums[:, :] = 0.0
    total = everywhere(sums, 0.0)
    for h in range(len(cards)):
        mask = load(masks, h, 0)
        total = total + mask
        store(sums, cards[h, 0], 0, load(sums, cards[h, 0], 0) + mask)
        store(sums, cards[h, 1], 0, load(sums, cards[h, 1], 0) + mask)
    store(sums, 52, 0, total)
    for h in range(heroes):
        held = load(sums, cards[h, 0], 0) + load(sums, cards[h, 1], 0)
        store(sweeps.met, h, 0, total - held + load(masks, h, 0))


@kernel
def _show_down(ranks, order, holdings, heroes, sweeps):
    """How many of them it beats, less how many beat it; ``_meet`` comes before."""
    cards, masks, sums, margins = holdings.cards, sweeps.masks, sweeps.sums, sweeps.margins
    everyone = sweeps.all_sums
    sums[:, :] = 0.0
    below = everywhere(sums, 0.0)
    total = load(everyone, 52, 0)
    first = np.int64(0)
    while first < len(order):
        rank = ranks[order[first]]
        end = first
        while end < len(order) and ranks[order[end]] == rank:
            h = order[end]
            if h < heroes:
                held = load(sums, cards[h, 0], 0) + load(sums, cards[h, 1], 0)
                store(margins, h, 0, below - held)
            end += 1
        for place in range(first, end):
            h = order[place]
            mask = load(masks, h, 0)
            below = below + mask
            store(sums, cards[h, 0], 0, load(sums, cards[h, 0], 0) + mask)
            store(sums, cards[h, 1], 0, load(sums, cards[h, 1], 0) + mask)
        for place in range(first, end):
            h = order[place]
            if h < heroes:
                # The own hand, if it is in the range, is taken out twice from both sides.
                not_above = load(sums, cards[h, 0], 0) + load(sums, cards[h, 1], 0)
                held = load(everyone, cards[h, 0], 0) + load(everyone, cards[h, 1], 0)
                above = (total - held) - (below - not_above)
                store(margins, h, 0, load(margins, h, 0) - above)
        first = end


@kernel
def write_strength(margins, n_opposing, strength):
    """HS of holdings from how many they beat less how many beat them, where they are not blocked.

    Args:
        margins: ``(n,)`` of ``write_margins``.
        n_opposing: Holdings that each can meet.
        strength: ``(n,)`` float64; those that are ``BLOCKED`` stay so.
    """
    for h in range(len(strength)):
        if strength[h] != BLOCKED:
            strength[h] = 0.5 * (margins[h] + n_opposing) / n_opposing


@allocating_kernel
def add_rivers(turn, rivers, parts, reach, holdings, tables, program, sweeps, inputs, sums):
    """Add up what the rivers after a turn are worth.

    Args:
        turn: Four cards as a set.
        rivers: ``(n,)`` cards that may come.
        parts: ``Parts`` of the river.
        reach: ``(n_ranges, n)`` as ``write_inputs`` takes it.
        holdings: ``Holdings``; the first ones are the hero's.
        tables: ``ShowdownTables``.
        program: ``Program`` of the river.
        sweeps: ``Sweeps``.
        inputs: ``(n_blocks, n_inputs, COLUMNS)`` work.
        sums: ``(n_blocks, n_roots, COLUMNS)`` of the roots of the program, is added to.
    """
    n = len(holdings.sets)
    ranks, margins = np.zeros(n, np.int64), np.zeros(n, np.int64)
    scratch = np.empty(N_SCRATCH + n, np.int32)
    strength = np.empty(n)
    values = np.empty((len(program.kind), COLUMNS))
    for river in rivers:
        board = turn | card_bit(river)
        n_free = 0
        for h in range(n):
            free = holdings.sets[h] & board == 0
            strength[h] = 0.0 if free else BLOCKED
            n_free += free
        write_ranks(board, holdings.sets, holdings.columns, tables, ranks)
        write_margins(board, holdings, ranks, scratch, margins)
        write_strength(margins, N_OPPOSING, strength)
        order = scratch[N_SCRATCH : N_SCRATCH + n_free]
        write_inputs(parts, reach, strength, ranks, order, holdings, sweeps, inputs)
        for block in range(len(inputs)):
            run(program, inputs[block], values)
            for root in range(len(program.roots)):
                for column in range(COLUMNS):
                    sums[block, root, column] += values[program.roots[root], column]
