"""Kernels for walks through a betting tree that learn from one deal.

Nearly all sampling time is spent here, most of it waiting for memory. Data is therefore read at
addresses, without array descriptors and checks; nodes are half the size of those of
``BettingTree``; and regrets are prefetched while other actions are tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from agents.players.blueprint.book import BettingTree
from nlhe_env.game.random_stream import unit
from nlhe_env.jit.array_types import F32, F64, I8, I32, I64, U16, Float, Int, Records
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.record_pointers import record_pointer

MOST_ACTIONS = 16
_MOST_DECISIONS = 128
"""Maximum number of decisions by one player in a hand."""
_TRIES_ALL = 20
"""Every action is tried in one out of this many iterations."""

_STATION = np.dtype(
    [
        ("stake", np.float32),  # as in NODE
        ("row", np.int32),
        ("children", np.int32),  # byte offset of its actions' children
        ("actor", np.int8),
        ("count", np.int8),
        ("start", np.int8),  # byte offset in the starts of a deal
        ("unused", np.int8),
    ]
)
"""A node of the tree, reduced to the fields used by walks."""
_TURN = np.dtype(
    [
        ("children", np.int64),  # address
        ("start", np.int64),  # index of its regrets
        ("action", np.int64),  # current action
        ("count", np.int64),
        ("chances", np.float64, (MOST_ACTIONS,)),
        ("values", np.float64, (MOST_ACTIONS,)),
    ]
)
"""A decision of the walking player on the current path."""

_FLOAT, _DOUBLE, _SMALL, _LARGE = 4, 8, 4, 8
"""Sizes of number types in bytes."""
_float_at = record_pointer(np.dtype([("value", np.float32)]))
_double_at = record_pointer(np.dtype([("value", np.float64)]))
_small_at = record_pointer(np.dtype([("value", np.int32)]))
_large_at = record_pointer(np.dtype([("value", np.int64)]))
_station_at = record_pointer(_STATION)
_turn_at = record_pointer(_TURN)
_TURN_BYTES = _TURN.itemsize
_CHANCES = 4 * _LARGE
_VALUES = _CHANCES + MOST_ACTIONS * _DOUBLE
"""Byte offsets in a record of dtype ``_TURN``."""


CARDS, WALKS = range(2)
"""Purposes: deals, and actions of the other player."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


class SampledDeals(NamedTuple):
    """Deals, reduced to buckets and outcomes."""

    buckets: U16
    """``(n, 2, streets)`` buckets of both players."""
    outcomes: I8
    """``(n,)`` showdown results: 1 if player 0 wins, 0 for a tie, -1 if it loses."""


class StrategyLayout(NamedTuple):
    """Layout of regrets and strategies: a block per street with a row per bucket."""

    starts: I64
    """``(streets,)`` offset of each block."""
    rows: I64
    """``(streets,)`` length of a row: the number of actions over all decisions of the street."""


class Sums(NamedTuple):
    """Cumulative regrets and strategies."""

    regrets: F32
    totals: F64
    """Cumulative strategies, summed over visits."""

    @property
    def addresses(self) -> SumAddresses:
        """Addresses for kernels, valid as long as the arrays exist."""
        return SumAddresses(self.regrets.ctypes.data, self.totals.ctypes.data)


class SumAddresses(NamedTuple):
    """Addresses of ``Sums``."""

    regrets: Int
    totals: Int


@inlined_kernel
def mix(word: Int) -> Int:
    """SplitMix64's output function: 64 random bits of a counter times the golden ratio."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def start_stream(seed: Int, purpose: Int, number: Int) -> Int:
    """Initial state, for ``next_unit``, of the stream with a purpose and number."""
    return mix(mix(np.uint64(seed) + _GOLDEN * np.uint64(purpose)) ^ (np.uint64(number) * _GOLDEN))


@inlined_kernel
def next_unit(state: Int) -> tuple[Int, Float]:
    """Next state of a stream, and a number in [0, 1)."""
    state += _GOLDEN
    return state, unit(mix(state))


if numba.config.DISABLE_JIT:

    def prefetch(address: Int) -> None:
        """No-op in plain Python."""

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(typingctx: Any, address: Any) -> Any:
        """Prefetch the cache line at an address."""

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            to_read, into_all_caches, as_data = 0, 3, 1
            how = [number(value) for value in (to_read, into_all_caches, as_data)]
            builder.call(fetch, [builder.inttoptr(args[0], byte), *how])
            return context.get_dummy_value()

        return types.void(address), generate


class WalkedTree(NamedTuple):
    """A betting tree for walks, with their work arrays."""

    stations: Records
    """``(nodes,)`` of dtype ``_STATION``."""
    children: I32
    """``(actions,)`` byte offset of each action's station."""
    starts: Records
    """``(2, streets)`` start of the regrets of each player's bucket in the current deal."""
    turns: Records
    """Records of dtype ``_TURN``: one per decision of the walking player, and one for the other."""

    @classmethod
    def of(cls, tree: BettingTree) -> WalkedTree:
        """Create the arrays for walks through a tree."""
        nodes, streets = tree.nodes, len(tree.rows)
        stations = np.zeros(len(nodes), _STATION)
        for name in ("stake", "row", "actor", "count"):
            stations[name] = nodes[name]
        stations["children"] = nodes["first"] * _SMALL
        whose = np.maximum(nodes["actor"], 0)  # rows of nodes without an actor are never read
        stations["start"] = (whose * streets + nodes["street"]) * _LARGE
        return cls(
            stations,
            (tree.actions["child"] * _STATION.itemsize).astype(np.int32),
            np.zeros((2, streets), np.int64),
            np.zeros(_MOST_DECISIONS + 1, _TURN),
        )

    @property
    def places(self) -> TreeAddresses:
        """Addresses for kernels, valid as long as the arrays exist."""
        return TreeAddresses(*(array.ctypes.data for array in self))


class TreeAddresses(NamedTuple):
    """Addresses of a ``WalkedTree``."""

    stations: Int
    children: Int
    starts: Int
    turns: Int


@kernel
def learn(
    places: TreeAddresses,
    layout: StrategyLayout,
    deals: SampledDeals,
    first: Int,
    seed: Int,
    hopeless: Float,
    sums: SumAddresses,
) -> None:
    """Run one iteration per deal, numbered from ``first`` on.

    Args:
        places: Addresses of the tree.
        layout: Layout of regrets and strategies in the sums.
        deals: Deals, one per iteration.
        first: Number of the first iteration.
        seed: Seed as uint64.
        hopeless: Regret below which actions are tried in few iterations only.
        sums: Addresses of the sums.
    """
    streets = len(layout.rows)
    for i in range(len(deals.outcomes)):
        for player in range(2):
            for street in range(streets):
                start = layout.starts[street]
                start += np.int64(deals.buckets[i, player, street]) * layout.rows[street]
                _large_at(places.starts + (player * streets + street) * _LARGE).value = start
        state = start_stream(seed, WALKS, first + i)
        limit = -np.inf if (first + i) % _TRIES_ALL == 0 else hopeless
        outcome = np.float64(deals.outcomes[i])
        for learner in range(2):
            own = outcome if learner == 0 else -outcome
            state = _walk(places, learner, own, state, limit, sums)


@inlined_kernel
def _walk(
    places: TreeAddresses,
    player: Int,
    outcome: Float,
    state: Int,
    hopeless: Float,
    sums: SumAddresses,
) -> Int:
    """One walk from the root; returns the state of the stream."""
    regrets, totals = sums
    turn = places.turns - _TURN_BYTES  # turn of the player's last decision on the path
    at = places.stations
    while True:
        station = _station_at(at)
        count = np.int64(station.count)
        if count > 0:
            start = _large_at(places.starts + station.start).value + station.row
            children = places.children + station.children
            for a in range(1, count):
                _fetch(places, children, a, player, sums)
            chances = turn + _TURN_BYTES + _CHANCES
            _match_regrets(regrets, start, count, chances)
            if station.actor == player:
                turn += _TURN_BYTES
                here = _turn_at(turn)
                here.children = children
                here.start = start
                here.count = count
                action = _next_tried(regrets, start, chances, np.int64(0), count, hopeless)
                here.action = action
            else:
                state, left = next_unit(state)
                action = np.int64(0)
                for a in range(count):
                    chance = _double_at(chances + a * _DOUBLE).value
                    _double_at(totals + (start + a) * _DOUBLE).value += chance
                    left -= chance
                    action += np.int64(left >= 0.0)
                action = min(action, count - 1)  # in case the probabilities sum to less than 1
            at = _child(places, children, action)
            continue
        value: Float = np.float64(station.stake)
        if station.actor < 0:
            value *= outcome
        elif station.actor == player:
            value = -value
        # Return to the last decision with an untried action.
        while turn >= places.turns:
            here = _turn_at(turn)
            start, count = here.start, here.count
            chances, values = turn + _CHANCES, turn + _VALUES
            _double_at(values + here.action * _DOUBLE).value = value
            action = _next_tried(regrets, start, chances, here.action + 1, count, hopeless)
            if action < count:
                here.action = action
                at = _child(places, here.children, action)
                break
            value = _learn_from(regrets, start, count, chances, values, hopeless)
            turn -= _TURN_BYTES
        if turn < places.turns:
            return state


@inlined_kernel
def _child(places: TreeAddresses, children: Int, action: Int) -> Int:
    """Address of the station after an action."""
    return places.stations + np.int64(_small_at(children + action * _SMALL).value)


@inlined_kernel
def _fetch(
    places: TreeAddresses, children: Int, action: Int, player: Int, sums: SumAddresses
) -> None:
    """Prefetch the data of the decision after an action."""
    station = _station_at(_child(places, children, action))
    start = _large_at(places.starts + station.start).value + station.row
    prefetch(sums.regrets + start * _FLOAT)
    if station.actor != player:
        prefetch(sums.totals + start * _DOUBLE)


@inlined_kernel
def _match_regrets(regrets: Int, start: Int, count: Int, chances: Int) -> None:
    """Write action probabilities by regret matching; uniform without positive regrets."""
    total = 0.0
    for a in range(count):
        chance = max(np.float64(_float_at(regrets + (start + a) * _FLOAT).value), 0.0)
        _double_at(chances + a * _DOUBLE).value = chance
        total += chance
    if total > 0.0:
        factor = 1.0 / total
        for a in range(count):
            _double_at(chances + a * _DOUBLE).value *= factor
    else:
        even = 1.0 / count
        for a in range(count):
            _double_at(chances + a * _DOUBLE).value = even


@inlined_kernel
def _next_tried(
    regrets: Int, start: Int, chances: Int, action: Int, count: Int, hopeless: Float
) -> Int:
    """First action, from ``action`` on, that is not skipped; ``count`` if there is none."""
    while (
        action < count
        and _double_at(chances + action * _DOUBLE).value == 0.0
        and _float_at(regrets + (start + action) * _FLOAT).value < hopeless
    ):
        action += 1
    return action


@inlined_kernel
def _learn_from(
    regrets: Int, start: Int, count: Int, chances: Int, values: Int, hopeless: Float
) -> Float:
    """Update the regrets of a decision; returns its value."""
    value = 0.0
    for a in range(count):
        # Skipped actions have probability 0, so that their stale values do not count.
        chance = _double_at(chances + a * _DOUBLE).value
        value += chance * _double_at(values + a * _DOUBLE).value
    for a in range(count):
        regret = _float_at(regrets + (start + a) * _FLOAT)
        if _double_at(chances + a * _DOUBLE).value > 0.0 or regret.value >= hopeless:
            regret.value += np.float32(_double_at(values + a * _DOUBLE).value - value)
    return value
