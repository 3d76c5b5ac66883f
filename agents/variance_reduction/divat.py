"""Settings of DIVAT: baselines and form of equity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from nlhe_env.arguments import number, one_of
from nlhe_env.assessment.estimators.divat_average import divat_average_estimator
from nlhe_env.assessment.estimators.divat_baseline import Baseline
from nlhe_env.assessment.estimators.estimator import Estimator

Form = Literal["aie", "roe"]


@dataclass(frozen=True, kw_only=True)
class Divat:
    """Settings of DIVAT; ``"divat"`` and ``"divat-roe"`` of ``agents.play`` mean one baseline.

    Args:
        baselines: One or more, over which DIVAT is averaged; ``Baseline.sweep()`` gives five.
        weights: A positive weight for each baseline, such as 1, 2, 3, 2, 1; default: equal weights.
        form: Equity after a street: all-in equity, ``"aie"``, or roll-outs, ``"roe"``.

    Raises:
        ValueError: An argument is out of range or unknown.

    Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
    Alberta, 2006), section 5.3.5.
    """

    baselines: Sequence[Baseline] = (Baseline(),)
    weights: Sequence[float] | None = None
    form: Form = "aie"

    def __post_init__(self) -> None:
        one_of("form", self.form, get_args(Form))
        if not self.baselines:
            raise ValueError("baselines must not be empty")
        if self.weights is not None:
            if len(self.weights) != len(self.baselines):
                raise ValueError(
                    f"weights must be one for each of {len(self.baselines)} baselines; "
                    f"got {len(self.weights)}"
                )
            for weight in self.weights:
                number("weights", weight, least=1e-6, most=1e6)

    def estimator(self, n_players: int) -> Estimator:
        """Create the estimator with its state for one thread."""
        weights = self.weights or (1.0,) * len(self.baselines)
        return divat_average_estimator(
            n_players, self.baselines, weights, roll_outs=self.form == "roe"
        )
