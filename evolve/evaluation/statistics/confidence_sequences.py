"""Intervals that hold however often one looks, so that one may stop at any time.

A usual 95% interval is right for a number of hands that was fixed before. One that is checked
every thousand hands until it excludes 0 finds a difference between equals sooner or
later. A confidence sequence covers the mean at all times together with its chance. That costs
width: about half as much again at its best.

Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), arXiv:2103.06476,
theorem 2.2 and appendix B.2. Like the usual interval it holds in the limit of many values of finite
variance; it needs no bounds, which chips won do not have in any useful sense.
"""

from __future__ import annotations

import math

from evolve.evaluation.statistics.samples import CONFIDENCE
from nlhe_env.arguments import number, whole_number

LEAST_COUNT = 30
"""Values from which on the limit is taken to be near; fewer give no bounds."""


def confidence_sequence(
    mean: float,
    deviation: float,
    count: int,
    *,
    planned: int,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """Bounds of a mean that hold at all times together, however often one looks.

    Args:
        mean: Mean of the values so far.
        deviation: Their standard deviation.
        count: How many there are; with less than 30 the bounds are infinite.
        planned: The count at which the bounds should be narrowest, fixed beforehand.
        confidence: Chance that the bounds cover the true mean at all counts.

    Raises:
        ValueError: ``planned`` or ``confidence`` is out of range.

    >>> [round(bound, 3) for bound in confidence_sequence(5.0, 1.0, 1000, planned=1000)]
    [4.904, 5.096]
    """
    whole_number("planned", planned, least=1)
    number("confidence", confidence, least=0.0, most=1.0)
    if count < LEAST_COUNT or math.isnan(deviation) or confidence in (0.0, 1.0):
        return -math.inf, math.inf
    alpha = 1.0 - confidence
    doubt = -2.0 * math.log(alpha)
    squared_rho = (doubt + math.log(doubt + 1.0)) / planned
    grown = count * squared_rho + 1.0
    reach = deviation * math.sqrt(
        2.0 * grown / (count**2 * squared_rho) * math.log(math.sqrt(grown) / alpha)
    )
    return mean - reach, mean + reach
