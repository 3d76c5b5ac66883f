"""Stop rules: when a match ends."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from agents.statistics.estimates import CONFIDENCE, Interval, MeanEstimate, joint_confidence


@dataclass(frozen=True, kw_only=True)
class StopRule:
    """Limits of one match, or of several; the first one reached ends them.

    Attributes:
        most: Maximum number of values: duplicate blocks, or rounds.
        deadline: Time of ``time.monotonic`` at which they end once they have a value each.
        standard_error: Standard error of the means that is small enough; None for no such limit.
        planned: With a number, they end as soon as the sign of every mean is known, by confidence
            sequences that are narrowest at this number of values. Matches end early where luck has
            exaggerated a difference, so only the signs are reliable.
        confidence: Probability that all confidence sequences together are valid.
    """

    most: int
    deadline: float = math.inf
    standard_error: float | None = None
    planned: int | None = None
    confidence: float = CONFIDENCE

    def ends(self, *estimates: MeanEstimate) -> bool:
        """Whether matches with these estimates end."""
        least = min(estimate.count for estimate in estimates)
        if least >= self.most or (least > 0 and time.monotonic() >= self.deadline):
            return True
        target = self.standard_error
        if target is not None and all(estimate.error <= target for estimate in estimates):
            return True
        return self.planned is not None and all(map(excludes_0, self.sequences(estimates)))

    def sequences(self, estimates: Sequence[MeanEstimate]) -> list[Interval]:
        """Confidence sequences that hold jointly, at any number of values.

        Raises:
            ValueError: ``planned`` is None.
        """
        if self.planned is None:
            raise ValueError("confidence sequences need planned; got None")
        each = joint_confidence(len(estimates), self.confidence)
        return [one.sequence(planned=self.planned, confidence=each) for one in estimates]


def excludes_0(interval: Interval) -> bool:
    """Whether it is known which side of 0 the true value is on."""
    low, high = interval
    return low > 0.0 or high < 0.0
