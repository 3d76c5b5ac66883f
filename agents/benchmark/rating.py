"""The rating: a number for a player in a suite, on a scale fixed by the anchors."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from agents.benchmark.suites import Suite, reference

RATINGS = Path(__file__).parents[1] / "data" / "bench-ratings.json"
"""File of the ratings of built-in players, from ``agents.benchmark.measure_ratings``."""


class Rating(NamedTuple):
    """A rating and its standard error."""

    value: float
    error: float


def rate(suite: Suite, results: Mapping[str, tuple[float, float]]) -> Rating | None:
    """Rating of a player from its results against all anchors.

    A result in big blinds per 100 hands counts as ``x / sqrt(1 + (x / 100)**2)``: win rates beyond
    one big blind per hand against a weak anchor say little about strength. Places count unchanged.
    The mean over all anchors is scaled linearly such that ``random`` has 0 and the anchor with the
    highest mean 100, as measured once for the suite. A player with better results against every
    anchor has a higher rating; ratings may be below 0 or above 100.

    Args:
        suite: The suite.
        results: Mean and standard error by anchor, in the suite's unit.

    Returns:
        The rating; None if an anchor has no result yet, or one without a standard error.
    """
    if any(name not in results or math.isnan(results[name][1]) for name in suite.anchors):
        return None
    found = [results[name] for name in suite.anchors]
    value = sum(suite.bounded(mean) for mean, _ in found) / len(found)
    variance = sum((suite.slope(mean) * error) ** 2 for mean, error in found) / len(found) ** 2
    zero, hundred = scale(suite)
    points = 100.0 / (hundred - zero)
    return Rating(points * (value - zero), points * math.sqrt(variance))


def scale(suite: Suite) -> tuple[float, float]:
    """Mean counted results that correspond to ratings of 0 and 100."""
    means = anchor_values(suite, reference()["suites"][suite.name]["results"])
    return means[suite.anchors[0]], max(means.values())


def best_anchor(suite: Suite) -> str:
    """Anchor with a rating of 100."""
    means = anchor_values(suite, reference()["suites"][suite.name]["results"])
    return max(means, key=means.__getitem__)


def anchor_values(suite: Suite, results: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Mean counted result of every anchor against all anchors, including itself.

    Args:
        suite: The suite.
        results: Result of each anchor against each other anchor.
    """
    return {
        name: sum(suite.bounded(result) for result in results[name].values()) / len(suite.anchors)
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
