"""Values of hands of hold'em at up to sixteen terminal nodes at once, as kernels.

The sums that ``terminals`` keeps for one node are kept in lanes for sixteen on the same board: what
costs time, finding out which sums a hand concerns, is done once for all. Input and output are
rows ``(LANES, H)``: the reach probabilities of the other player at each node, and the values of own
hands there, for a stake of one chip.
"""

from __future__ import annotations

from agents.solvers.cards import Cards
from agents.solvers.workspace import Lanes
from nlhe_env.jit.array_types import U8, AnyArray, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.float_lanes import LANES, everywhere, load, store, transpose


@kernel
def fold_values_in_lanes(
    cards: Cards, player: Int, ends: AnyArray, first: Int, lanes: Lanes
) -> None:
    """Weight of the other player's hands that each own hand can meet at sixteen nodes.

    Args:
        cards: Cards of the game.
        player: The player whose hands are valued.
        ends: ``(n, H)``; rows ``first`` to ``first + LANES`` are read, and replaced.
        first: Row.
        lanes: ``Lanes``, work.
    """
    other: Int = 1 - player
    reach, values, sums = lanes.reach, lanes.values, lanes.sums
    _to_lanes(ends, first, cards.n_hands[other], reach)
    for card in range(len(sums)):
        store(sums, card, 0, everywhere(sums, 0))
    total = everywhere(sums, 0)
    held = cards.cards[other]
    # Invariant: ``total``, (LANES,), and ``sums``, (52, LANES), are the reach probabilities of the
    # hands before h, of all and of those with each card; a lane is a terminal node.
    for h in range(cards.n_hands[other]):
        weight = load(reach, h, 0)
        total = total + weight
        _add(sums, held, h, weight)
    # Hands with both own cards have been subtracted twice: the twin, with the same cards, is added.
    held = cards.cards[player]
    twins = cards.twins[player]
    for h in range(cards.n_hands[player]):
        met = total - _with_cards(sums, held, h)
        twin = twins[h]
        if twin >= 0:
            met = met + load(reach, twin, 0)
        store(values, h, 0, met)
    _from_lanes(values, cards.n_hands[player], ends, first)


@kernel
def showdown_values_in_lanes(
    cards: Cards, player: Int, board: Int, ends: AnyArray, first: Int, lanes: Lanes
) -> None:
    """Weight of the hands that lose to each own hand minus those that win, at sixteen nodes.

    The arguments are those of ``fold_values_in_lanes``, and the number of the board.
    """
    other: Int = 1 - player
    own_order, other_order = cards.order[player, board], cards.order[other, board]
    own_end, other_end = cards.group_end[player, board], cards.group_end[other, board]
    own_held, other_held = cards.cards[player], cards.cards[other]
    reach, values, sums = lanes.reach, lanes.values, lanes.sums
    _to_lanes(ends, first, cards.n_hands[other], reach)
    for card in range(len(sums)):
        store(sums, card, 0, everywhere(sums, 0))
    for h in range(cards.n_hands[player]):
        store(values, h, 0, everywhere(sums, 0))
    total = everywhere(sums, 0)
    start = 0
    added = 0
    # Invariant: total, (LANES,), and sums, (52, LANES), are reach probabilities summed over
    # other_order[:added], the groups passed so far. A twin is subtracted twice from the sum up to
    # its group and from that of all: this cancels out.
    for group in range(cards.groups[board]):
        end = own_end[group]
        for place in range(start, end):
            h = own_order[place]
            store(values, h, 0, total - _with_cards(sums, own_held, h))
        for place in range(added, other_end[group]):
            h = other_order[place]
            weight = load(reach, h, 0)
            total = total + weight
            _add(sums, other_held, h, weight)
        added = other_end[group]
        for place in range(start, end):
            h = own_order[place]
            store(values, h, 0, load(values, h, 0) + (total - _with_cards(sums, own_held, h)))
        start = end
    # All hands are passed: what was added for each group, less the sum of all, is wins less losses.
    for place in range(start):
        h = own_order[place]
        store(values, h, 0, load(values, h, 0) - (total - _with_cards(sums, own_held, h)))
    _from_lanes(values, cards.n_hands[player], ends, first)


@inlined_kernel
def _add(sums: AnyArray, held: U8, h: Int, weight: Lanes) -> None:
    low, high = held[h, 0], held[h, 1]
    store(sums, low, 0, load(sums, low, 0) + weight)
    store(sums, high, 0, load(sums, high, 0) + weight)


@inlined_kernel
def _with_cards(sums: AnyArray, held: U8, h: Int) -> Lanes:
    """Sum over the hands with the low card of a hand, plus that with its high card."""
    return load(sums, held[h, 0], 0) + load(sums, held[h, 1], 0)


@inlined_kernel
def _to_lanes(ends: AnyArray, first: Int, n_hands: Int, lanes: AnyArray) -> None:
    for h in range(0, n_hands, LANES):
        transpose(ends, first, h, lanes, h, 0)


@inlined_kernel
def _from_lanes(lanes: AnyArray, n_hands: Int, ends: AnyArray, first: Int) -> None:
    for h in range(0, n_hands, LANES):
        transpose(lanes, h, 0, ends, first, h)
