"""The rating: a number for a player in a suite, on a scale fixed by the anchors."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.measure.bench.suites import Suite, reference
from agents.statistics.estimates import Z95, half_width
from nlhe_env.jit.array_types import F64

RATINGS = Path(__file__).parents[2] / "data" / "bench-ratings.json"
"""File of the ratings of built-in players, from ``tests/benchmarks/measure_ratings.py``."""
_STEPS = 40
"""Steps of the search for the ends of an interval; each halves the distance to them."""


class Rating(NamedTuple):
    """A rating and its standard error; rating ± 1.96 errors covers the true one with 95%."""

    value: float
    error: float


def rate(
    suite: Suite,
    results: Mapping[str, tuple[float, float]],
    *,
    correlations: F64 | None = None,
    degrees: float = math.inf,
) -> Rating | None:
    """Rating of a player from its results against all anchors.

    A result in big blinds per 100 hands counts as ``x / sqrt(1 + (x / 100)**2)``: win rates beyond
    one big blind per hand against a weak anchor say little about strength. Places count unchanged.
    The mean over all anchors is scaled linearly such that ``random`` has 0 and the anchor with the
    highest mean 100, as measured once for the suite. A player with better results against every
    anchor has a higher rating; ratings may be below 0 or above 100.

    Args:
        suite: The suite.
        results: Mean and standard error by anchor, in the suite's unit.
        correlations: ``(n, n)`` correlations between the means, in the order of the suite's
            anchors; None if they are independent.
        degrees: Degrees of freedom of the standard errors.

    Returns:
        The rating; None if an anchor has no result yet, or one without a standard error.
    """
    if any(name not in results or math.isnan(results[name][1]) for name in suite.anchors):
        return None
    means = np.array([results[name][0] for name in suite.anchors])
    errors = np.array([results[name][1] for name in suite.anchors])
    covariance = errors[:, None] * errors
    covariance *= np.eye(len(errors)) if correlations is None else correlations
    if degrees < math.inf:
        covariance *= (half_width(1.0, degrees) / Z95) ** 2
    value, reach = _counted(suite, means), _reach(suite, means, covariance)
    zero, hundred = scale(suite)
    points = 100.0 / (hundred - zero)
    # Rounded, since the last bits of sums of products differ from one machine to another.
    return Rating(points * (value - zero), round(points * reach / Z95, 6))


def _counted(suite: Suite, means: F64) -> float:
    return math.fsum(suite.bounded(float(mean)) for mean in means) / len(means)


def _reach(suite: Suite, means: F64, covariance: F64) -> float:
    """Distance of a 95% interval's farther end from the mean counted result.

    The interval has the counted results of all means that the data do not reject: those on the
    ellipsoid of ``Z95`` errors around the measured means. The slope at the measured means is
    not enough: a result near saturation has almost none, and if it is there by luck, the error
    would be far too small.
    """
    value, reach = _counted(suite, means), 0.0
    for side in (-Z95, Z95):
        point = means
        for _ in range(_STEPS):
            # The end of the interval is where the gradient is normal to the ellipsoid.
            slopes = np.array([suite.slope(float(each)) for each in point])
            direction = covariance @ slopes
            length = math.sqrt(max(float(slopes @ direction), 0.0))
            if length == 0.0:
                break
            end = means + side / length * direction
            reach = max(reach, abs(_counted(suite, end) - value))
            point = (point + end) / 2  # halfway, so that it does not swing between two points
    return reach


def scale(suite: Suite) -> tuple[float, float]:
    """Mean counted results that correspond to ratings of 0 and 100."""
    means = anchor_values(suite)
    return means[suite.anchors[0]], max(means.values())


def best_anchor(suite: Suite) -> str:
    """Anchor with a rating of 100."""
    means = anchor_values(suite)
    return max(means, key=means.__getitem__)


def anchor_values(suite: Suite) -> dict[str, float]:
    """Mean counted result of every anchor against all anchors, including itself."""
    results = reference(suite.version)["suites"][suite.name]["results"]
    return {
        name: math.fsum(map(suite.bounded, results[name].values())) / len(suite.anchors)
        for name in suite.anchors
    }


def measured_ratings(suite: Suite) -> dict[str, Rating]:
    """Ratings of the built-in players of the package, as measured once for the suite.

    Returns:
        Rating by name, the highest first; without players that cannot play the suite, or are too
        slow to have been measured.
    """
    known = _measured()["ratings"][suite.name]
    return {name: Rating(value, error) for name, (value, error) in known.items()}


@cache
def _measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RATINGS.read_text("utf-8"))
    return found
