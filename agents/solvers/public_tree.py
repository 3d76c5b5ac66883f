"""Public tree of a game: bets, and cards on the board, in flat arrays.

Nodes stand in the order of a walk that goes down first, so that a subtree is a slice. The betting
is played by the kernels of the game itself; how many and which cards come between the streets is
for the caller to say.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agents.solvers.bet_sizes import BetSizes, legal_amounts
from nlhe_env.game import betting
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    CHECK_OR_CALL,
    FOLD,
    NO_LIMIT,
    NO_PLAYER,
    TableRecords,
    empty_tables,
)
from nlhe_env.jit.array_types import F64, I64, Int, Records
from nlhe_env.jit.compilation import kernel

DECISION, CHANCE, FOLDED, SHOWDOWN = range(4)


@dataclass(frozen=True)
class Betting:
    """Betting rules of a game of two players.

    Seat 0 acts first on every street; with blinds it posts the big one, and acts last before the
    flop.

    Args:
        stacks: Chips of each player before the antes.
        full_bets: Chips of a full bet on each street; there are as many streets.
        ante: Chips that each player puts in first.
        pot: Chips in the middle before that, half of them from each player.
        structure: ``NO_LIMIT`` or ``FIXED_LIMIT`` of the table record.
        max_bets: On a street of fixed-limit.
        bets: Sizes of the first bet of each street.
        raises: Sizes of a raise on each street.
        later_raises: Sizes of further raises on each street; those of ``raises`` if there are
            none.
        blinds: Chips of the small and the big blind, the first full bet; (0, 0) for none.
        line: Actions from the start, ``CHECK_OR_CALL`` or the chips raised to, whatever cards come.
            Where the sizes do not have such a raise, it is added: there, and nowhere else.
        rake: Rake of the pot at every end; None for none.
    """

    stacks: tuple[int, int]
    full_bets: tuple[int, ...]
    ante: int = 0
    pot: int = 0
    structure: int = NO_LIMIT
    max_bets: int = 0
    bets: tuple[BetSizes, ...] = ()
    raises: tuple[BetSizes, ...] = ()
    later_raises: tuple[BetSizes, ...] = ()
    blinds: tuple[int, int] = (0, 0)
    line: tuple[int, ...] = ()
    rake: Rake | None = None

    def rake_of(self, stake: float) -> float:
        """Chips that the house takes from a pot to which both have put in the stake."""
        return 0.0 if self.rake is None else float(self.rake.of(int(2 * stake)))

    def sizes(self, street: int, n_bets: int) -> BetSizes:
        """Sizes of the next bet or raise on a street after ``n_bets`` of them."""
        given = self.raises if n_bets > 0 else self.bets
        if n_bets > 1 and self.later_raises:
            given = self.later_raises
        return given[street] if given else BetSizes()

    def table(self) -> Records:
        """``(1,)`` table record with the first player to act."""
        table = empty_tables(1, 2, self.structure, self.max_bets)
        table["player"][0, :2] = (0, 1)
        table["stack"][0, :2] = self.stacks
        table["players"] = 2
        table["ante"] = self.ante
        table["button"] = 1
        table["small_blind"], table["big_blind"] = self.blinds
        _begin(table, self.full_bets[0], self.pot)
        return table


class PublicTree(NamedTuple):
    """A game as both players see it; every array has a row a node."""

    kind: I64
    """``DECISION``, ``CHANCE``, ``FOLDED`` or ``SHOWDOWN``."""
    actor: I64
    """Player to act; at a fold, the player who folded."""
    depth: I64
    end: I64
    """The first node after the subtree."""
    branch: I64
    """Which of its parent's children this is."""
    branches: I64
    """Children."""
    row: I64
    """Row of a decision's first action in arrays of strategies."""
    board: I64
    """Number of the board."""
    stake: F64
    """Chips that either player loses if the other wins the pot; 0 where the hand goes on."""
    rake: F64
    """Chips of the pot that the house takes, so that the winner wins fewer."""
    step: I64
    """Last step: ``FOLD``, ``CHECK_OR_CALL``, the chips raised to; after chance, the board."""
    street: I64
    pot: F64
    """Chips in the middle, bets of the street included."""

    @property
    def rows(self) -> int:
        """Actions of all decisions together."""
        return int(self.branches[self.kind == DECISION].sum())

    def children(self, node: int) -> list[int]:
        """The nodes right below one."""
        found = []
        child = node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def after(self, steps: Sequence[int]) -> int | None:
        """The node that some steps lead to from the root; None if they are not in the tree."""
        node = 0
        for step in steps:
            found = [child for child in self.children(node) if self.step[child] == step]
            if not found:
                return None
            node = found[0]
        return node


Runouts = Callable[[int], Sequence[int]]
"""The boards that may follow a board when the next street is dealt."""


MOST_NODES = 2_000_000
"""Nodes of a tree, at most."""
_MOST_STEPS = 300
"""Steps from the start to the end of a hand, at most."""


def grow(rules: Betting, runouts: Runouts, *, most: int = MOST_NODES) -> PublicTree:
    """The whole tree of a game.

    Raises:
        ValueError: It has too many nodes, or the line of the rules is not possible.
    """
    grower = _Grower(rules, runouts, most)
    grower.grow(rules.table(), 0, rules.line, depth=0, branch=0, step=0)
    return grower.tree()


class _Grower:
    """Adds nodes to columns, parents before their children."""

    def __init__(self, rules: Betting, runouts: Runouts, most: int) -> None:
        self.rules = rules
        self.most = most
        self.runouts = runouts
        self.columns: dict[str, array[Any]] = {
            name: array("d" if name in ("stake", "rake", "pot") else "q")
            for name in PublicTree._fields
        }
        self.rows = 0
        self.to_come = 1
        """Nodes that are known to follow."""

    def tree(self) -> PublicTree:
        """Tree that has grown."""
        return PublicTree(**{name: np.array(column) for name, column in self.columns.items()})

    def grow(
        self,
        table: Records,
        board: int,
        line: tuple[int, ...],
        *,
        depth: int,
        branch: int,
        step: int,
    ) -> None:
        """Add the node of a state and all below it; the line is what was really done from here."""
        record = table[0]
        kind, actor, row, stake = DECISION, int(record["actor"]), -1, 0.0
        steps: list[tuple[int, int]] = []
        after = table
        if actor != NO_PLAYER:
            steps = [(board, action) for action in self._actions(table, line[:1])]
            row = self.rows
            self.rows += len(steps)
        elif record["unfolded"] == 1:
            kind = FOLDED
            actor = int(record["status"][0] in (ACTIVE, ALL_IN))
            stake = self._stake(record)
        elif record["street"] + 1 == len(self.rules.full_bets):
            kind = SHOWDOWN
            stake = self._stake(record)
        else:
            kind = CHANCE
            after = table.copy()
            _open(after, self.rules.full_bets[int(record["street"]) + 1])
            steps = [(following, following) for following in self.runouts(board)]
        node = len(self.columns["kind"])
        self.to_come += len(steps)  # at once, so that what is too large is soon seen to be
        self._check_size(node, depth)
        self.to_come -= 1
        self._add(
            kind=kind,
            actor=actor,
            depth=depth,
            end=0,
            branch=branch,
            branches=len(steps),
            row=row,
            board=board,
            stake=stake,
            rake=self.rules.rake_of(stake),
            step=step,
            street=int(record["street"]),
            pot=float(record["pot"]),
        )
        on_last_street = int(record["street"]) + 2 == len(self.rules.full_bets)
        for i, (following, how) in enumerate(steps):
            rest = line  # a card that comes leaves it as it is
            if kind == DECISION:
                after = table.copy()
                _take(after, how)
                rest = line[1:] if line[:1] == (how,) else ()
            elif i > 0 and on_last_street:
                self._repeat(node + 1, branch=i, board=following)
                continue
            self.grow(after, following, rest, depth=depth + 1, branch=i, step=how)
        self.columns["end"][node] = len(self.columns["kind"])

    def _repeat(self, first: int, *, branch: int, board: int) -> None:
        """Add the subtree of the first card once more for another: the betting is the same."""
        here = slice(first, self.columns["end"][first])
        node = len(self.columns["kind"])
        parts = {name: np.array(column[here]) for name, column in self.columns.items()}
        self.to_come -= 1
        self._check_size(node + len(parts["kind"]), 0)
        decides = parts["kind"] == DECISION
        if decides.any():
            parts["row"][decides] += self.rows - parts["row"][decides][0]
            self.rows += int(parts["branches"][decides].sum())
        parts["end"] += node - first
        parts["board"][:] = board
        parts["branch"][0], parts["step"][0] = branch, board
        for name, column in self.columns.items():
            column.frombytes(parts[name].tobytes())

    def _check_size(self, nodes: int, depth: int) -> None:
        if nodes + self.to_come > self.most or depth == _MOST_STEPS:
            raise ValueError(
                f"this is too large: more than {self.most:,} nodes or {_MOST_STEPS} actions in a "
                "row; take fewer bet sizes, shorter stacks or a later street"
            )

    def _add(self, **values: float) -> None:
        for name, value in values.items():
            self.columns[name].append(value)

    def _actions(self, table: Records, played: tuple[int, ...]) -> list[int]:
        """Actions of the player to act, that of the line among them."""
        record = table[0]
        facing = record["current_bet"] > record["street_bet"][record["actor"]]
        sizes = self.rules.sizes(int(record["street"]), int(record["bets"]))
        amounts = {*sizes.amounts(table)}
        for chips in played:
            least, most = legal_amounts(table)
            if chips != CHECK_OR_CALL and not (least > 0 and least <= chips <= most):
                raise ValueError(
                    f"line must be legal actions in turn; got a raise to {chips} where {least} to "
                    f"{most} are legal"
                )
            amounts.add(chips)
        amounts.discard(CHECK_OR_CALL)
        return [FOLD] * bool(facing) + [CHECK_OR_CALL, *sorted(amounts)]

    def _stake(self, record: Records) -> float:
        """Chips that both stand to lose: the smaller bet, because what is not matched returns."""
        return self.rules.pot / 2 + float(min(record["hand_bet"][:2]))


@kernel
def _begin(tables: TableRecords, full_bet: Int, pot: Int) -> None:
    """Antes and blinds are posted; the first player is to act."""
    table = tables[0]
    betting.begin(table, full_bet)
    betting.post_antes(table)
    table.pot += pot
    last = table.button
    if table.big_blind > 0:
        last = betting.post_blinds(table)
    table.actor = betting.next_to_decide(table, last)


@kernel
def _take(tables: TableRecords, action: Int) -> None:
    """The actor does something legal; who decides next on this street."""
    table = tables[0]
    seat = table.actor
    betting.take(table, action)
    table.actor = betting.next_to_decide(table, seat) if table.unfolded > 1 else NO_PLAYER


@kernel
def _open(tables: TableRecords, full_bet: Int) -> None:
    """Open the next street; there is no decision if a player is all-in."""
    table = tables[0]
    betting.open_street(table, full_bet)
    table.actor = betting.next_to_decide(table, table.button)


def last_rows(tree: PublicTree) -> I64:
    """``(n, 2)`` row of the last action of each player before every node, -1 for none."""
    last = np.full((len(tree.kind), 2), -1, np.int64)
    path: list[int] = []
    for node in range(len(tree.kind)):
        del path[int(tree.depth[node]) :]
        if path:
            parent = path[-1]
            last[node] = last[parent]
            if tree.kind[parent] == DECISION:
                last[node, tree.actor[parent]] = tree.row[parent] + tree.branch[node]
        path.append(node)
    return last
