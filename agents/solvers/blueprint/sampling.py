"""Regret minimisation that samples cards and what the other player does.

External sampling (M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo Sampling for Regret
Minimization in Extensive Games", NIPS 2009): a walk tries all actions of one player and follows one
action of the other, drawn by its strategy of now. Later walks weigh more, linearly (N. Brown,
T. Sandholm, "Solving Imperfect-Information Games via Discounted Regret Minimization", AAAI 2019).
Actions that have proved hopeless are tried in one of twenty iterations only (the same, "Superhuman
AI for multiplayer poker", Science 2019).

An iteration deals once and walks once for each player. Its random numbers follow from its number
alone, so that what is learned does not depend on where a run was interrupted.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from agents.compiled.blueprint.book import BettingTree
from nlhe_env.game.random_stream import unit
from nlhe_env.machine.array_types import F32, F64, I8, I64, U16
from nlhe_env.machine.compilation import inlined_kernel, kernel

MOST_ACTIONS = 16
_MOST_DECISIONS = 128
"""Of one player in a hand."""
_DEALT_AT_ONCE = 4096
_HOPELESS_AFTER = 100.0
"""Largest stakes of regret after which an action is passed over."""
_TRIES_ALL = 20
"""One in so many iterations tries every action."""


class Deals(NamedTuple):
    """Cards, as far as they matter."""

    buckets: U16
    """``(n, 2, streets)``: of both players on every street."""
    outcomes: I8
    """``(n,)``: 1 where player 0 wins a showdown, 0 for a tie, -1."""


class Dealer(Protocol):
    """Whoever deals."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets every street has."""

    def deal(self, first: int, deals: Deals) -> None:
        """Fill deals of these numbers; the same number always brings the same cards."""


class Layout(NamedTuple):
    """Where regrets and strategies lie: a block for each street, in it a row for each bucket."""

    starts: I64
    """``(streets,)``."""
    rows: I64
    """``(streets,)`` numbers in a row: actions of all decisions of the street."""


class Sums(NamedTuple):
    """What has been learned."""

    regrets: F32
    totals: F64
    """Of strategies, as often as they were met."""


class Space(NamedTuple):
    """Work arrays of a walk, a row for every decision of the walking player above."""

    node: I64
    start: I64
    action: I64
    chances: F64
    values: F64

    @classmethod
    def new(cls) -> Space:
        """For walks through any tree."""
        node, start, action = (np.zeros(_MOST_DECISIONS, np.int64) for _ in range(3))
        chances, values = (np.zeros((_MOST_DECISIONS, MOST_ACTIONS)) for _ in range(2))
        return cls(node, start, action, chances, values)


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined_kernel
def mix(word):
    """SplitMix64's output function: 64 random bits of a counter times the golden ratio."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def start_stream(seed, purpose, number):
    """The state of a stream of its own for each number; ``next_unit`` goes on from there."""
    return mix(mix(np.uint64(seed) + _GOLDEN * np.uint64(purpose)) ^ (np.uint64(number) * _GOLDEN))


@inlined_kernel
def next_unit(state):
    """The next state of a stream, and a number in [0, 1)."""
    state += _GOLDEN
    return state, unit(mix(state))


@inlined_kernel
def _match_regrets(regrets, start, count, chances):
    """Actions by their positive regrets; all alike where there are none."""
    total = 0.0
    for a in range(count):
        regret = np.float64(regrets[start + a])
        chance = max(regret, 0.0)
        chances[a] = chance
        total += chance
    if total > 0.0:
        factor = 1.0 / total
        for a in range(count):
            chances[a] *= factor
    else:
        even = 1.0 / count
        for a in range(count):
            chances[a] = even


WALKS = 1
"""Purpose of a stream: what the other player does."""


@kernel
def learn(tree, layout, deals, first, seed, hopeless, learners, sums, space):
    """An iteration for each deal; the first one has a number."""
    for i in range(len(deals.outcomes)):
        state = start_stream(seed, WALKS, first + i)
        limit = -np.inf if (first + i) % _TRIES_ALL == 0 else hopeless
        for player in learners:
            state = _walk(tree, layout, deals, i, player, state, limit, sums, space)


@inlined_kernel
def _next_tried(regrets, start, chances, action, count, hopeless):
    """The first action from a given one on that is not passed over; ``count`` if there is none."""
    while action < count and chances[action] == 0.0 and regrets[start + action] < hopeless:
        action += 1
    return action


@inlined_kernel
def _walk(tree, layout, deals, deal, player, state, hopeless, sums, space):
    """One walk from the root; returns the state of the stream."""
    nodes, actions = tree.nodes, tree.actions
    regrets, totals = sums.regrets, sums.totals
    outcome = np.float64(deals.outcomes[deal])
    if player == 1:
        outcome = -outcome
    above = np.int64(-1)
    at = np.int64(0)
    while True:
        node = nodes[at]
        count = np.int64(node.count)
        if count > 0:
            street = node.street
            bucket = np.int64(deals.buckets[deal, node.actor, street])
            start = layout.starts[street] + bucket * layout.rows[street] + node.row
            if node.actor == player:
                above += 1
                space.node[above] = at
                space.start[above] = start
                chances = space.chances[above]
                _match_regrets(regrets, start, count, chances)
                a = _next_tried(regrets, start, chances, np.int64(0), count, hopeless)
                space.action[above] = a
                at = np.int64(actions[node.first + a].child)
            else:
                chances = space.chances[above + 1]
                _match_regrets(regrets, start, count, chances)
                state, left = next_unit(state)
                taken = count - 1
                for a in range(count):
                    chance = chances[a]
                    totals[start + a] += chance
                    if left >= 0.0 and left < chance:
                        taken = np.int64(a)
                    left -= chance
                at = np.int64(actions[node.first + taken].child)
            continue
        value = np.float64(node.stake)
        if node.actor < 0:
            value *= outcome
        elif node.actor == player:
            value = -value
        # Back to the last decision with an action that has not been tried.
        while above >= 0:
            tried, start = space.action[above], space.start[above]
            values, chances = space.values[above], space.chances[above]
            values[tried] = value
            decision = nodes[space.node[above]]
            count = np.int64(decision.count)
            a = _next_tried(regrets, start, chances, tried + 1, count, hopeless)
            if a < count:
                space.action[above] = a
                at = np.int64(actions[decision.first + a].child)
                break
            value = 0.0
            for b in range(count):
                if chances[b] > 0.0:
                    value += chances[b] * values[b]
            for b in range(count):
                if chances[b] > 0.0 or regrets[start + b] >= hopeless:
                    regrets[start + b] += np.float32(values[b] - value)
            above -= 1
        if above < 0:
            return state


@kernel
def _discount(sums, factor):
    for i in range(len(sums.regrets)):
        sums.regrets[i] *= factor
        sums.totals[i] *= factor


class SampledSolver:
    """Learns strategies for both players of a game.

    Args:
        tree: The betting.
        dealer: The cards.
        seed: Of all random numbers.
        period: Iterations that weigh the same, the next ones more.
    """

    def __init__(
        self, tree: BettingTree, dealer: Dealer, *, seed: int = 0, period: int = 100_000
    ) -> None:
        self.tree = tree
        self.dealer = dealer
        self.seed = seed
        self.period = period
        self.iterations = 0
        self.learners: tuple[int, ...] = (0, 1)
        """Who learns."""
        self.hopeless = -_HOPELESS_AFTER * float(tree.nodes["stake"].max())
        """Actions with less regret are passed over."""
        rows = np.array(tree.rows, np.int64)
        sizes = rows * np.array(dealer.counts, np.int64)
        self.layout = Layout(np.cumsum(sizes) - sizes, rows)
        total = int(sizes.sum())
        self.sums = Sums(np.zeros(total, np.float32), np.zeros(total))
        self._space = Space.new()
        shape = (_DEALT_AT_ONCE, 2, len(rows))
        self._deals = Deals(np.zeros(shape, np.uint16), np.zeros(_DEALT_AT_ONCE, np.int8))

    def run(self, iterations: int) -> None:
        """Go on for some iterations."""
        last = self.iterations + iterations
        while self.iterations < last:
            left_of_period = self.period - self.iterations % self.period
            count = min(last - self.iterations, left_of_period, _DEALT_AT_ONCE)
            deals = Deals(self._deals.buckets[:count], self._deals.outcomes[:count])
            self.dealer.deal(self.iterations, deals)
            learn(
                self.tree,
                self.layout,
                deals,
                self.iterations,
                np.uint64(self.seed),
                self.hopeless,
                self.learners,
                self.sums,
                self._space,
            )
            self.iterations += count
            if self.iterations % self.period == 0:
                done = self.iterations // self.period
                _discount(self.sums, np.float32(done / (done + 1)))

    def street(self, street: int) -> tuple[F64, F32]:
        """``(buckets, rows)`` sums of a street: of strategies, and regrets, as views."""
        start, rows = int(self.layout.starts[street]), int(self.layout.rows[street])
        count = self.dealer.counts[street]
        part = slice(start, start + count * rows)
        return (
            self.sums.totals[part].reshape(count, rows),
            self.sums.regrets[part].reshape(count, rows),
        )

    def chances(self) -> list[F64]:
        """For each street ``(buckets, rows)`` the chances of actions: the average strategies.

        Where a player never came to be, by its own strategy of any time, it plays by its regrets.
        """
        found = []
        for street in range(len(self.layout.rows)):
            totals, regrets = self.street(street)
            chances = np.zeros_like(totals)
            for node in self.tree.nodes[self.tree.nodes["street"] == street]:
                count = int(node["count"])
                part = slice(int(node["row"]), int(node["row"]) + count)
                for weights in (totals[:, part], np.maximum(regrets[:, part], 0), 1.0):
                    none = chances[:, part].sum(axis=1) == 0
                    chances[:, part] += none[:, np.newaxis] * weights
                if count > 0:
                    chances[:, part] /= chances[:, part].sum(axis=1, keepdims=True)
            found.append(chances)
        return found
