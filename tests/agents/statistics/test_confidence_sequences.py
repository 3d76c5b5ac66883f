"""Intervals that hold however often one looks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from agents.statistics.estimates import LEAST_COUNT, confidence_sequence


def reach(count: int, planned: int, confidence: float = 0.95) -> float:
    return confidence_sequence(0.0, 1.0, count, planned=planned, confidence=confidence)[1]


@pytest.mark.parametrize("count", [100, 500, 20_000])
def test_bounds_solve_the_gaussian_mixture_martingale_equation(count):
    # Robbins: averaged over a normal l with deviation rho, exp(l S - l^2 t / 2) is a martingale,
    # which by Ville's inequality passes 1 / alpha with a chance of at most alpha.
    alpha, planned = 0.05, 500
    doubt = -2 * math.log(alpha)
    rho = math.sqrt((doubt + math.log(doubt + 1)) / planned)
    total = count * reach(count, planned)
    mixture, _ = integrate.quad(
        lambda x: math.exp(x * total - x * x * count / 2) * stats.norm.pdf(x, scale=rho),
        -12 * rho,
        12 * rho,
        points=[total / (count + rho**-2)],
        limit=400,
    )
    assert mixture == pytest.approx(1 / alpha, rel=1e-6)


def test_the_sequence_is_narrowest_near_its_planned_time():
    by_plan = {planned: reach(1000, planned) for planned in (10, 100, 1000, 10_000, 100_000)}
    assert min(by_plan, key=by_plan.get) == 1000
    usual = stats.norm.ppf(0.975) / math.sqrt(1000)
    assert 1.3 * usual < by_plan[1000] < 1.7 * usual


def test_repeated_looks_find_no_difference_between_equals():
    rng = np.random.default_rng(1)
    runs, length = 400, 3000
    sums = rng.exponential(size=(runs, length)).cumsum(axis=1) - np.arange(1, length + 1)
    counts = np.arange(1, length + 1)
    bounds = np.array([reach(int(count), 300) for count in counts])
    wrong = (np.abs(sums / counts) > bounds).any(axis=1).mean()
    looking = slice(LEAST_COUNT, None)
    naive = (np.abs(sums / counts) > 1.96 / np.sqrt(counts))[:, looking].any(axis=1).mean()
    assert wrong < 0.08
    assert naive > 0.3


def test_few_values_give_no_bounds():
    assert confidence_sequence(1.0, 0.1, LEAST_COUNT - 1, planned=100) == (-math.inf, math.inf)
    assert confidence_sequence(1.0, math.nan, 100, planned=100) == (-math.inf, math.inf)
    with pytest.raises(ValueError, match="planned"):
        reach(100, 0)
