"""Push-or-fold equilibrium between the blinds, computed and written to the package's data.

The small blind goes all-in or folds, the big blind calls or folds. Payoffs follow from the exact
equity of every hole-card class against every other, over all holdings and boards. The game has 169
+ 169 decision variables, and a linear program solves it (von Stengel, "Efficient Computation of
Behavior Strategies", Games and Economic Behavior 14, 1996: the sequence form; here each player has
one decision).

``python -m agents.books.push_fold_equilibrium agents/data`` rebuilds the file in under a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from agents.players.rules.push_or_fold import FILE, MOST_BIG_BLINDS
from agents.policy.spots import class_sizes
from nlhe_env.equity.calculator.match_ups import play_match_ups
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.suits import N_HOLES, N_PREFLOP
from nlhe_env.jit.array_types import F64, I64

SMALL_BLIND = 0.5
"""The small blind in big blinds."""


class MatchUps(NamedTuple):
    """All hole-card classes against each other."""

    equities: F64
    """``(169, 169)`` equity of the row's class."""
    chances: F64
    """``(169, 169)`` probability of the first player's class (row) and the second's (column)."""

    @classmethod
    def load(cls) -> MatchUps:
        """Load the match-ups of the package's data."""
        with np.load(FILE, allow_pickle=False) as file:
            return cls(file["equities"], _chances())


class PushFoldEquilibrium(NamedTuple):
    """Equilibrium for one stack size."""

    push: F64
    """``(169,)`` all-in probability in the small blind."""
    call: F64
    """``(169,)`` call probability in the big blind."""
    value: float
    """Value for the small blind in big blinds per hand."""


def play_all_match_ups() -> MatchUps:
    """Play every hole-card class against every other on all boards."""
    classes = _classes()
    # By suit symmetry, one holding represents its class.
    firsts = [int(np.flatnonzero(classes == c)[0]) for c in range(N_PREFLOP)]
    pairs = np.array(
        [
            (a, b)
            for a in firsts
            for b in range(N_HOLES)
            if classes[a] <= classes[b] and HOLE_SETS[a] & HOLE_SETS[b] == 0
        ]
    )
    histograms = np.zeros((len(pairs), 2, 3), np.int64)
    play_match_ups(pairs, 0, len(pairs), HOLE_SETS, HOLES, 0, showdown_tables(), histograms)
    wins, ties, negative_discount = histograms[:, 0, 1], histograms[:, 0, 2], histograms[:, 1, 1]
    shares = np.zeros((N_PREFLOP, N_PREFLOP))
    counts = np.zeros((N_PREFLOP, N_PREFLOP))
    where = tuple(classes[pairs].T)
    np.add.at(shares, where, (wins + 0.5 * ties) / (wins + ties + negative_discount))
    np.add.at(counts, where, 1.0)
    equities = np.divide(shares, counts, out=np.zeros_like(shares), where=counts > 0)
    lower = np.tril_indices(N_PREFLOP, -1)
    equities[lower] = 1.0 - equities.T[lower]
    return MatchUps(equities, _chances())


def _classes() -> I64:
    """``(1326,)`` class of each holding."""
    return np.array([preflop_class(int(a), int(b)) for a, b in HOLES], np.int64)


def _chances() -> F64:
    """``(169, 169)`` probabilities of pairs of classes dealt from one deck."""
    apart = (HOLE_SETS[:, np.newaxis] & HOLE_SETS == 0).astype(np.float64)
    of_class = np.eye(N_PREFLOP)[_classes()]
    counts = of_class.T @ apart @ of_class
    chances: F64 = counts / counts.sum()
    return chances


def positive_discount(match_ups: MatchUps, stack: float) -> F64:
    """Gain of the small blind from a called all-in over an uncalled one.

    Args:
        match_ups: Match-ups of all classes.
        stack: Stack of both, in big blinds.

    Returns:
        ``(169, 169)`` big blinds, times the probability of the pair of classes.
    """
    won: F64 = match_ups.chances * (2.0 * stack * match_ups.equities - stack - 1.0)
    return won


def solve(match_ups: MatchUps, stack: float) -> PushFoldEquilibrium:
    """An equilibrium for a stack in big blinds."""
    matrix = positive_discount(match_ups, stack)
    # All-in wins the big blind and a fold loses the small blind; the matrix adds the effect of
    # calls.
    uncalled = match_ups.chances.sum(axis=1) * (1.0 + SMALL_BLIND)
    # Small blind: maximise x . uncalled + sum(z), z <= 0 and z <= x matrix, 0 <= x <= 1.
    own = linprog(
        -np.concatenate([uncalled, np.ones(N_PREFLOP)]),
        A_ub=np.hstack([-matrix.T, np.eye(N_PREFLOP)]),
        b_ub=np.zeros(N_PREFLOP),
        bounds=[(0, 1)] * N_PREFLOP + [(None, 0)] * N_PREFLOP,
        method="highs",
    )
    # Big blind: minimise sum(z), z >= 0 and z >= uncalled + matrix y.
    other = linprog(
        np.concatenate([np.zeros(N_PREFLOP), np.ones(N_PREFLOP)]),
        A_ub=np.hstack([matrix, -np.eye(N_PREFLOP)]),
        b_ub=-uncalled,
        bounds=[(0, 1)] * N_PREFLOP + [(0, None)] * N_PREFLOP,
        method="highs",
    )
    if own.x is None or other.x is None:
        raise RuntimeError(f"no equilibrium was found: {own.message} {other.message}")
    push, call = own.x[:N_PREFLOP], other.x[:N_PREFLOP]
    value = push @ uncalled + np.minimum(push @ matrix, 0.0).sum() - SMALL_BLIND
    return PushFoldEquilibrium(push, call, float(value))


def exploitability(match_ups: MatchUps, stack: float, push: F64, call: F64) -> float:
    """Total gain of the best responses to both, in big blinds per hand; 0 in equilibrium."""
    matrix = positive_discount(match_ups, stack)
    uncalled = match_ups.chances.sum(axis=1) * (1.0 + SMALL_BLIND)
    best_push = np.maximum(uncalled + matrix @ call, 0.0).sum()
    best_call = push @ uncalled + np.minimum(push @ matrix, 0.0).sum()
    return float(best_push - best_call)


def _better(values: F64) -> F64:
    """Share of holdings with a larger value than each class, including half of the class."""
    sizes = class_sizes().astype(np.float64)
    order = np.argsort(-values, kind="stable")
    above = np.empty(N_PREFLOP)
    above[order] = np.cumsum(sizes[order]) - 0.5 * sizes[order]
    shares: F64 = above / sizes.sum()
    return shares


def tables(match_ups: MatchUps) -> dict[str, F64]:
    """Arrays for ``agents.players.rules.push_or_fold.TABLES``."""
    found: dict[str, list[F64]] = {
        name: [] for name in ("push", "better_pushes", "call", "better_calls", "pushed", "called")
    }
    sizes = class_sizes() / class_sizes().sum()
    holds = match_ups.chances.sum(axis=1)
    for stack in range(1, MOST_BIG_BLINDS + 1):
        equilibrium = solve(match_ups, stack)
        matrix = positive_discount(match_ups, stack)
        found["push"].append(equilibrium.push)
        found["call"].append(equilibrium.call)
        # Value of a class: its gain over folding.
        found["better_pushes"].append(_better(matrix @ equilibrium.call / holds))
        found["better_calls"].append(_better(-(equilibrium.push @ matrix) / holds))
        found["pushed"].append(sizes @ equilibrium.push)
        found["called"].append(sizes @ equilibrium.call)
    return {name: np.array(values, np.float32) for name, values in found.items()}


def main(folder: Path) -> None:
    """Write the file of the package."""
    match_ups = play_all_match_ups()
    arrays: dict[str, Any] = {"equities": match_ups.equities, **tables(match_ups)}
    np.savez_compressed(folder / FILE.name, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
