"""Exact equilibria of small games as linear programs over sequences of own actions.

D. Koller, N. Megiddo, B. von Stengel, "Efficient Computation of Equilibria for Extensive Two-Person
Games", Games and Economic Behavior 14, 1996. A sequence is what a player has done so far with one
hand; a plan gives every sequence the chance that the player does its part.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import DECISION, FOLDED, SHOWDOWN, last_rows
from nlhe_env.machine.array_types import F64, I64, AnyArray


class Equilibrium(NamedTuple):
    """Of a game solved exactly."""

    value: float
    """Chips a hand that player 0 wins."""
    strategy: AnyArray
    """``(rows, H)`` of both players."""


def equilibrium(game: PublicGame) -> Equilibrium:
    """Solve a small game by a linear program for each player.

    Raises:
        ValueError: Hands are counted out by cards, as in hold'em: such games are too large.
        RuntimeError: The solver of linear programs found no equilibrium.
    """
    if game.cards.meetings.shape[1] == 0:
        raise ValueError("linear programs are for small games; use regret minimisation for hold'em")
    plans = [_Plans.of(game, player) for player in range(2)]
    payoffs = _payoffs(game, plans)
    value, first = _best_plan(payoffs, *plans)
    _, second = _best_plan(csr_array(-payoffs.T), *plans[::-1])
    weights = np.zeros((game.tree.rows, int(game.cards.n_hands.max())))
    for plan, found in zip(plans, (first, second), strict=True):
        taken = plan.numbers >= 0
        weights[taken] = np.maximum(found[plan.numbers[taken]], 0.0)
    return Equilibrium(value, game.normalised(weights))


class _Plans(NamedTuple):
    """The sequences of a player, and what makes numbers of them a plan."""

    numbers: I64
    """``(rows, H)`` of the sequence that ends with an action; -1 where the other player acts."""
    constraints: csr_array
    """A row an information set, the first for the start: what goes out minus what comes in."""
    totals: F64
    """1 for the start, else 0."""

    @classmethod
    def of(cls, game: PublicGame, player: int) -> _Plans:
        tree, n_hands = game.tree, int(game.cards.n_hands[player])
        last = last_rows(tree)[:, player]
        numbers = np.full((tree.rows, int(game.cards.n_hands.max())), -1, np.int64)
        decisions = np.flatnonzero((tree.kind == DECISION) & (tree.actor == player))
        count = 1
        for node in decisions:
            rows = range(int(tree.row[node]), int(tree.row[node] + tree.branches[node]))
            size = len(rows) * n_hands
            numbers[rows, :n_hands] = count + np.arange(size).reshape(len(rows), n_hands)
            count += size
        entries: list[tuple[int, int, float]] = [(0, 0, 1.0)]
        for i, node in enumerate(decisions):
            for h in range(n_hands):
                constraint = 1 + i * n_hands + h
                before = numbers[last[node], h] if last[node] >= 0 else 0
                entries.append((constraint, int(before), -1.0))
                first = int(tree.row[node])
                rows = range(first, first + int(tree.branches[node]))
                entries += [(constraint, int(numbers[row, h]), 1.0) for row in rows]
        at, of, amount = zip(*entries, strict=True)
        shape = (1 + len(decisions) * n_hands, count)
        totals = np.zeros(shape[0])
        totals[0] = 1.0
        return cls(numbers, coo_array((amount, (at, of)), shape=shape).tocsr(), totals)


def _payoffs(game: PublicGame, plans: list[_Plans]) -> csr_array:
    """Chips that player 0 wins with every pair of sequences, times the chance of the cards."""
    tree, cards = game.tree, game.cards
    last = last_rows(tree)
    sequences = [
        np.vstack([plan.numbers, np.zeros((1, plan.numbers.shape[1]), np.int64)]) for plan in plans
    ]
    rows, columns, amounts = [], [], []
    for node in np.flatnonzero((tree.kind == FOLDED) | (tree.kind == SHOWDOWN)):
        won = cards.outcomes[0, tree.board[node]]
        if tree.kind[node] == FOLDED:
            won = cards.meetings[0, tree.board[node]] * (1 if tree.actor[node] == 1 else -1)
        # Row -1, the last, is that of the start: nothing done yet.
        own, other = (sequences[player][last[node, player]] for player in range(2))
        rows.append(np.repeat(own, len(other)))
        columns.append(np.tile(other, len(own)))
        amounts.append((won * tree.stake[node]).ravel())
    shape = tuple(plan.constraints.shape[1] for plan in plans)
    data = (np.concatenate(amounts), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(data, shape=shape).tocsr()


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
