"""Player weights from pairwise results: maximum-entropy Nash and alpha-rank.

Both identify the relevant players of a population. A mean score instead rewards wins over many
copies of one weak player, and ranks players of a cycle.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import LinearConstraint, linprog, minimize
from scipy.special import logsumexp, xlogy

from nlhe_env.jit.array_types import F64

_NASH_TOLERANCE = 1e-7
"""Weights and payoffs (relative to the largest) below it are rounding errors of the solver."""
_LOG_LEAK = -1e4
"""Log probability of changing to a worse player in the limit of alpha."""


def nash_weights(payoffs: F64) -> F64:
    """The Nash equilibrium of a symmetric zero-sum game with the largest entropy.

    No player wins on average against the mixture with these weights. A game may have many
    equilibria. The one with maximum entropy is unique, treats equal players equally, and divides
    weight among copies of a player (D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018,
    section 4). The equilibria are found by linear programming (HiGHS), the entropy is maximised
    among them by sequential quadratic programming.

    Args:
        payoffs: ``(n, n)`` payoff of the row player against the column player, antisymmetric.

    Returns:
        ``(n,)`` weights; they sum to 1.

    Raises:
        ValueError: The payoffs are not antisymmetric.
        RuntimeError: The solver found no equilibrium.

    >>> rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> nash_weights(rock_paper_scissors).round(3)
    array([0.333, 0.333, 0.333])
    """
    payoffs = _checked(payoffs)
    if not np.array_equal(payoffs, -payoffs.T):
        raise ValueError("payoffs must be antisymmetric: what one wins the other loses")
    n = len(payoffs)
    scaled = payoffs / max(float(np.abs(payoffs).max()), np.finfo(float).tiny)
    # The game is symmetric, so its value is 0: weights w are an equilibrium where w @ payoffs >= 0.
    extremes = np.stack([_largest_weight(scaled, i) for i in range(n)])
    # A mean of equilibria is an equilibrium, and this one has every player that any of them has.
    inside = _normalised(extremes.mean(axis=0))
    if np.ptp(extremes, axis=0).max() < _NASH_TOLERANCE:
        return inside
    return _largest_entropy(scaled, inside)


def _largest_weight(payoffs: F64, i: int) -> F64:
    """An equilibrium with the maximum weight of one player."""
    n = len(payoffs)
    wanted = np.zeros(n)
    wanted[i] = -1.0
    solution = linprog(
        wanted,
        A_ub=-payoffs.T,
        b_ub=np.zeros(n),
        A_eq=np.ones((1, n)),
        b_eq=np.ones(1),
        bounds=(0.0, 1.0),
        method="highs",
    )
    if not solution.success:
        raise RuntimeError(f"no Nash equilibrium was found: {solution.message}")
    return np.asarray(solution.x, np.float64)


def _largest_entropy(payoffs: F64, start: F64) -> F64:
    """The equilibrium of the largest entropy, from one with the largest support."""
    support = np.flatnonzero(start)
    least = min(0.0, float((start @ payoffs).min()))
    solution = minimize(
        _negative_entropy,
        start[support],
        jac=_its_gradient,
        method="SLSQP",
        bounds=[(1e-12, 1.0)] * len(support),
        constraints=[
            LinearConstraint(np.ones((1, len(support))), 1.0, 1.0),
            LinearConstraint(payoffs[support].T, least, math.inf),
        ],
        tol=1e-14,
        options={"maxiter": 1000},
    )
    weights = np.zeros(len(payoffs))
    weights[support] = solution.x
    weights = _normalised(weights)
    # The solver may report failure close to the optimum, so the solution itself is checked.
    found = float((weights @ payoffs).min()) > -10.0 * _NASH_TOLERANCE
    return weights if found and _negative_entropy(weights) <= _negative_entropy(start) else start


def _normalised(weights: F64) -> F64:
    weights = np.where(weights > _NASH_TOLERANCE, weights, 0.0)
    return np.asarray(weights / weights.sum(), np.float64)


def _negative_entropy(weights: F64) -> float:
    return float(xlogy(weights, weights).sum())


def _its_gradient(weights: F64) -> F64:
    return np.asarray(np.log(weights) + 1.0, np.float64)


def alpha_rank(payoffs: F64, *, alpha: float = math.inf, population: int = 50) -> F64:
    """Share of time that an evolving population spends at each player (alpha-rank).

    A uniform population occasionally tries another player, which takes over or dies out. With
    larger alpha, the better player prevails more reliably. The result is the stationary
    distribution of this process: alpha-rank for one population (S. Omidshafiei et al., "alpha-Rank:
    Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019). Unlike Nash weights it is
    unique and does not need payoffs to be antisymmetric; players that beat each other in a cycle
    share it.

    The distribution is found by state reduction (W. K. Grassmann, M. I. Taksar and D. P. Heyman,
    Operations Research 33, 1985), which never subtracts. It uses log probabilities, which do not
    overflow or underflow at any strength of selection.

    Args:
        payoffs: ``(n, n)`` payoff of the row player against the column player.
        alpha: Strength of selection, in 1 / unit of the payoffs; infinite for the limit in which
            only the signs of differences count: a better newcomer prevails, an equal one with
            probability 1 / ``population``, and a worse one with a probability that goes to 0.
        population: Size of the population.

    Returns:
        ``(n,)`` shares; they sum to 1.

    Raises:
        ValueError: The payoffs are not a square matrix of finite numbers, or another argument is
            out of range.

    >>> alpha_rank(np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]))
    array([1., 0., 0.])
    """
    payoffs = _checked(payoffs)
    if not alpha > 0.0:
        raise ValueError(f"alpha must be above 0; got {alpha}")
    if population < 2:
        raise ValueError(f"population must be at least 2; got {population}")
    # The newcomer (column) against the player of the population (row).
    advantage = payoffs.T - payoffs
    if math.isinf(alpha):
        rates = np.where(advantage > 0.0, 0.0, _LOG_LEAK)
        rates[advantage == 0.0] = -math.log(population)
    else:
        rates = _log_fixation(alpha * advantage, population)
    shares = np.exp(_log_stationary(rates))
    return np.asarray(shares / shares.sum(), np.float64)


def _log_fixation(u: F64, population: int) -> F64:
    """Logarithm of (1 - exp(-u)) / (1 - exp(-population u)), 1 / population where u is 0."""
    size = np.abs(u)
    size = np.where(size > 0.0, size, 1.0)
    ratio = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    # For negative u numerator and denominator are multiplied by exp(u), exp(population u).
    worse = ratio - (population - 1) * size
    return np.where(u > 0.0, ratio, np.where(u < 0.0, worse, -math.log(population)))


def _log_stationary(rates: F64) -> F64:
    """Logarithms, up to a constant, of the stationary distribution of a Markov chain.

    Args:
        rates: ``(n, n)`` log probabilities of changes from row to column, up to a constant; the
            diagonal is ignored.
    """
    rates = rates.copy()
    n = len(rates)
    for k in range(n - 1, 0, -1):
        # State k is eliminated: its inflow is passed on to its successors.
        rates[:k, k] -= logsumexp(rates[k, :k])
        rates[:k, :k] = np.logaddexp(rates[:k, :k], rates[:k, k, np.newaxis] + rates[k, :k])
    shares = np.zeros(n)
    for k in range(1, n):
        shares[k] = logsumexp(shares[:k] + rates[:k, k])
    return np.asarray(shares - shares.max(), np.float64)


def _checked(payoffs: F64) -> F64:
    payoffs = np.asarray(payoffs, np.float64)
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1] or not len(payoffs):
        raise ValueError(f"payoffs must be a square matrix; got shape {payoffs.shape}")
    if not np.isfinite(payoffs).all():
        raise ValueError("payoffs must be finite numbers")
    return payoffs
