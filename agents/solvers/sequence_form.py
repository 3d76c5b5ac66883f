"""Exact equilibria of small games as linear programs over sequences of own actions.

D. Koller, N. Megiddo, B. von Stengel, "Efficient Computation of Equilibria for Extensive Two-Person
Games", Games and Economic Behavior 14, 1996. A sequence is what a player has done so far with one
hand; a plan gives every sequence the chance that the player does its part.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, PublicTree, last_rows
from nlhe_env.jit.array_types import F64, I64, AnyArray


class SequenceGame(Protocol):
    """Game as linear programs need it; a player's hands may grow from street to street."""

    @property
    def tree(self) -> PublicTree:
        """Public tree of the game."""

    def n_hands(self, node: int, player: int) -> int:
        """Number of hands that a player may have at a node."""

    def earlier_hands(self, node: int, player: int, row: int) -> I64:
        """``(n_hands,)`` what each hand at a node was at the decision of an earlier row."""

    def payoffs(self, node: int) -> F64:
        """``(n_hands of 0, of 1)`` chips that player 0 wins at an end, times the chances."""


class Equilibrium(NamedTuple):
    """Equilibrium of a game solved exactly."""

    value: float
    """Chips a hand that player 0 wins."""
    strategy: AnyArray
    """``(rows, H)`` of both players."""


def equilibrium(game: PublicGame) -> Equilibrium:
    """Solve a small game by one linear program for each player.

    Raises:
        ValueError: Hands are counted out by cards, as in hold'em: such games are too large. Or
            there is a rake, so that what one player wins is not what the other loses.
        RuntimeError: The solver of linear programs found no equilibrium.
    """
    if game.tree.rake.any():
        raise ValueError("linear programs are for games without rake; use regret minimisation")
    if game.cards.meetings.shape[1] == 0:
        raise ValueError("linear programs are for small games; use regret minimisation for hold'em")
    value, weights = best_plans(game)
    return Equilibrium(value, game.normalised(weights))


def best_plans(game: SequenceGame) -> tuple[float, F64]:
    """Chips a hand that player 0 wins in equilibrium, and ``(rows, H)`` a plan for both players.

    Raises:
        RuntimeError: The solver of linear programs found no equilibrium.
    """
    plans = [_Plans.of(game, player) for player in range(2)]
    payoffs = _payoffs(game, plans)
    value, first = _best_plan(payoffs, *plans)
    _, second = _best_plan(csr_array(-payoffs.T), *plans[::-1])
    weights = np.zeros((game.tree.rows, max(plan.numbers.shape[1] for plan in plans)))
    for plan, found in zip(plans, (first, second), strict=True):
        taken = np.nonzero(plan.numbers >= 0)
        weights[taken] = np.maximum(found[plan.numbers[taken]], 0.0)
    return value, weights


class _Plans(NamedTuple):
    """The sequences of a player, and what makes numbers of them a plan."""

    numbers: I64
    """``(rows, H)`` of the sequence that ends with an action; -1 where the other player acts."""
    constraints: csr_array
    """A row an information set, the first for the start: what goes out minus what comes in."""
    totals: F64
    """1 for the start, else 0."""

    @classmethod
    def of(cls, game: SequenceGame, player: int) -> _Plans:
        tree = game.tree
        last = last_rows(tree)[:, player]
        decisions = np.flatnonzero((tree.kind == DECISION) & (tree.actor == player)).tolist()
        most = max(game.n_hands(node, player) for node in decisions)
        numbers = np.full((tree.rows, most), -1, np.int64)
        # The start: one sequence, nothing done yet, that is certain.
        at: list[AnyArray] = [np.zeros(1, np.int64)]
        of: list[AnyArray] = [np.zeros(1, np.int64)]
        amount: list[AnyArray] = [np.ones(1)]
        sequences = constraints = 1
        for node in decisions:
            n, first, branches = (
                game.n_hands(node, player),
                int(tree.row[node]),
                int(tree.branches[node]),
            )
            after = sequences + np.arange(branches * n).reshape(branches, n)
            numbers[first : first + branches, :n] = after
            here = constraints + np.arange(n)
            at += [here, np.tile(here, branches)]
            of += [_sequences(game, numbers, node, player, int(last[node])), after.ravel()]
            amount += [np.full(n, -1.0), np.ones(branches * n)]
            sequences += branches * n
            constraints += n
        entries = (np.concatenate(amount), (np.concatenate(at), np.concatenate(of)))
        totals = np.zeros(constraints)
        totals[0] = 1.0
        shape = (constraints, sequences)
        return cls(numbers, coo_array(entries, shape=shape).tocsr(), totals)


def _sequences(game: SequenceGame, numbers: I64, node: int, player: int, last_row: int) -> I64:
    """``(n_hands,)`` last sequence of a player at a node, 0 for the empty one."""
    if last_row < 0:
        return np.zeros(game.n_hands(node, player), np.int64)
    found: I64 = numbers[last_row, game.earlier_hands(node, player, last_row)]
    return found


def _payoffs(game: SequenceGame, plans: list[_Plans]) -> csr_array:
    """Chips that player 0 wins with every pair of sequences, times the chance of the cards."""
    tree = game.tree
    last = last_rows(tree)
    rows, columns, amounts = [], [], []
    for node in np.flatnonzero((tree.kind == FOLDED) | (tree.kind == SHOWDOWN)).tolist():
        own, other = (
            _sequences(game, plans[player].numbers, node, player, int(last[node, player]))
            for player in range(2)
        )
        rows.append(np.repeat(own, len(other)))
        columns.append(np.tile(other, len(own)))
        amounts.append(game.payoffs(node).ravel())
    shape = tuple(plan.constraints.shape[1] for plan in plans)
    data = (np.concatenate(amounts), (np.concatenate(rows), np.concatenate(columns)))
    found = coo_array(data, shape=shape).tocsr()
    found.eliminate_zeros()
    return found


def _best_plan(payoffs: csr_array, own: _Plans, other: _Plans) -> tuple[float, F64]:
    """The plan that wins most against the other's best answer."""
    n, n_other = own.constraints.shape[1], other.constraints.shape[0]
    # Most of totals . v with constraints' v <= payoffs' x for every sequence of the other. The
    # stubs of SciPy do not know that linprog takes sparse matrices.
    at_most: Any = hstack([-payoffs.T, other.constraints.T])
    plan: Any = hstack([own.constraints, csr_array((own.constraints.shape[0], n_other))])
    found = linprog(
        -np.concatenate([np.zeros(n), other.totals]),
        A_ub=at_most,
        b_ub=np.zeros(payoffs.shape[1]),
        A_eq=plan,
        b_eq=own.totals,
        bounds=[(0, None)] * n + [(None, None)] * n_other,
        method="highs",
    )
    if found.x is None:
        raise RuntimeError(f"no equilibrium was found: {found.message}")
    return -float(found.fun or 0.0), found.x[:n]
