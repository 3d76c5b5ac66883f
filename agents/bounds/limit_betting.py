"""The betting of heads-up limit against somebody who ignores the cards, street by street.

Against such an opponent nothing is learnt from the betting, so that all that the betting before a
street leaves behind is what follows. Betting trees are therefore kept as programs in which equal
parts are one: after some hundreds of ways to the river a few dozen differ. A program takes what the
streets to come are worth with every hand of the hero, and says what its own street is worth: where
the hero decides the best of the actions, where the opponent does their mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nlhe_env.game import holdem
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.description import Game
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, NOBODY, RIVER
from nlhe_env.machine.array_types import F64, I64, Records
from nlhe_env.machine.compilation import kernel

INPUT, CONSTANT, BEST, MEAN = range(4)

Blind = Callable[[Records], tuple[float, float, float]]
"""The chances to fold, to call and to raise at a table, whatever the cards; of those that are legal
there."""


class Program(NamedTuple):
    """The betting of one street; every array but the last two has an entry a node."""

    kind: I64
    """``INPUT``, ``CONSTANT``, ``BEST`` of other nodes or their ``MEAN``."""
    value: F64
    """Of a constant, in big blinds; of an input the factor."""
    first: I64
    """The first of its terms; of an input, which one."""
    length: I64
    """Terms."""
    terms: I64
    """The nodes that others are made of, always earlier ones."""
    weights: F64
    """Theirs in a mean."""
    roots: I64
    """``(n_roots,)`` the nodes with which the street can begin."""


@kernel
def run(program, inputs, values):
    """Work out every node for many hands.

    Args:
        program: ``Program``.
        inputs: ``(n_inputs, n)`` worth of what follows the street.
        values: ``(n_nodes, n)`` is written; the rows ``program.roots`` are the result.
    """
    n = values.shape[1]
    for node in range(len(program.kind)):
        kind, value, first = program.kind[node], program.value[node], program.first[node]
        if kind == INPUT:
            for h in range(n):
                values[node, h] = value * inputs[first, h]
        elif kind == CONSTANT:
            for h in range(n):
                values[node, h] = value
        else:
            term = program.terms[first]
            weight = program.weights[first] if kind == MEAN else 1.0
            for h in range(n):
                values[node, h] = weight * values[term, h]
            for i in range(first + 1, first + program.length[node]):
                term, weight = program.terms[i], program.weights[i]
                if kind == MEAN:
                    for h in range(n):
                        values[node, h] += weight * values[term, h]
                else:
                    for h in range(n):
                        values[node, h] = max(values[node, h], values[term, h])


_Options = tuple[tuple[int, float], ...]
"""Nodes with their weights."""


class StreetNodes:
    """The nodes of one street as they are found; equal ones are one."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[int, float, int, _Options], int] = {}
        self.roots: dict[int, int] = {}

    def node(self, kind: int, value: float, first: int = 0, options: _Options = ()) -> int:
        """The number of a node."""
        return self.nodes.setdefault((kind, value, first, options), len(self.nodes))

    def root(self, node: int) -> int:
        """The number of a node among those with which the street can begin."""
        return self.roots.setdefault(node, len(self.roots))

    def program(self) -> Program:
        """What has been found."""
        terms = [option for *_, options in self.nodes for option in options]
        kinds, values, firsts, options = zip(*self.nodes, strict=True)
        lengths = np.array([len(each) for each in options], np.int64)
        begins = np.cumsum(lengths) - lengths
        return Program(
            np.array(kinds, np.int64),
            np.array(values, np.float64),
            np.where(lengths > 0, begins, firsts),
            lengths,
            np.array([node for node, _ in terms], np.int64),
            np.array([weight for _, weight in terms], np.float64),
            np.array(list(self.roots), np.int64),
        )


class LimitBetting:
    """All betting of a hero against a blind opponent.

    Args:
        game: Heads-up fixed-limit with stacks that nobody can lose in a hand.
        opponent: Its chances.

    Attributes:
        programs: Of the four streets. The inputs of one are the roots of the next, of the last the
            share of hands that are beaten less that of hands that win; the roots of the first are
            the hero on the button and in the big blind.
    """

    def __init__(self, game: Game, opponent: Blind) -> None:
        self._opponent = opponent
        self._streets = [StreetNodes() for _ in range(RIVER + 1)]
        self._big_blind = game.big_blind
        tables = opening(game)
        for hero in range(2):
            self._streets[0].root(self._grow(tables.copy(), hero))
        self.programs = tuple(street.program() for street in self._streets)

    def _grow(self, table: Records, hero: int) -> int:
        """The node of a decision."""
        record = table[0]
        street = self._streets[int(record["street"])]
        actions = legal_actions(table)
        if record["actor"] == hero:
            options = ((self._after(table, action, hero), 1.0) for action in sorted(set(actions)))
            return street.node(BEST, 0.0, 0, tuple(options))
        chances: dict[int, float] = {}
        for action, chance in zip(actions, self._opponent(table), strict=True):
            chances[action] = chances.get(action, 0.0) + chance
        likely = {action: chance for action, chance in chances.items() if chance > 0.0}
        options = ((self._after(table, each, hero), likely[each]) for each in sorted(likely))
        return street.node(MEAN, 0.0, 0, tuple(options))

    def _after(self, table: Records, action: int, hero: int) -> int:
        """The node of what follows an action, on the street of the action."""
        street = int(table[0]["street"])
        here = self._streets[street]
        after = table.copy()
        act(after, action)
        record = after[0]
        if record["actor"] != NOBODY:
            node = self._grow(after, hero)
            if record["street"] == street:
                return node
            return here.node(INPUT, 1.0, self._streets[street + 1].root(node))
        stake = float(min(record["hand_bet"][:2])) / self._big_blind
        if record["unfolded"] == 1:
            return here.node(CONSTANT, -stake if table[0]["actor"] == hero else stake)
        return here.node(INPUT, stake)


def opening(game: Game) -> Records:
    """``(1,)`` table of two players whose blinds are posted; seat 0 has the button."""
    arrays = game.arrays(2)
    tables: Records = arrays.tables
    tables["player"][0, :2] = (0, 1)
    tables["stack"][0, :2] = game.stacks(2)
    tables["players"] = 2
    _start(tables, *arrays.levels[0].tolist())
    return tables


def legal_actions(table: Records) -> tuple[int, int, int]:
    """To fold, to call and to raise; where they are not legal, to check or call."""
    to_call, least = _legal(table)
    return FOLD if to_call else CHECK_OR_CALL, CHECK_OR_CALL, least or CHECK_OR_CALL


@kernel
def _start(tables, small_blind, big_blind, ante):
    holdem.start_hand(tables[0], 0, small_blind, big_blind, ante, 0, 0)


@kernel
def act(tables, action):
    """Do what the actor of the one table chose."""
    holdem.act(tables[0], action)


@kernel
def _legal(tables):
    """What the actor has to call, and its least raise, 0 if none."""
    least, _ = legal_raise(tables[0])
    return amount_to_call(tables[0]), least
