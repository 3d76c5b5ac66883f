"""One set of estimates and stop rules."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path

import pytest

from agents.statistics.estimates import Z95, MeanEstimate
from agents.statistics.stop_rules import StopRule, excludes_0

ROOT = Path(__file__).parents[3]
NOTHING = MeanEstimate(math.nan, math.nan, 0)


def test_the_dashboard_draws_the_same_intervals():
    script = (ROOT / "evolve/dashboard/static/js/format.js").read_text(encoding="utf-8")
    assert re.findall(r"Z95 = ([\d.]+);", script) == [str(Z95)]


def test_an_estimate_has_intervals_of_both_kinds():
    estimate = MeanEstimate(5.0, 0.1, 1000)
    fixed, anytime = estimate.interval(), estimate.sequence(planned=1000)
    assert anytime[0] < fixed[0] < 5.0 < fixed[1] < anytime[1]
    assert estimate.interval(0.99)[0] < fixed[0]


def test_the_first_limit_reached_ends_a_match():
    assert not StopRule(most=10).ends(MeanEstimate(0.0, 1.0, 9))
    assert StopRule(most=10).ends(MeanEstimate(0.0, 1.0, 10))
    rule = StopRule(most=10, standard_error=0.5)
    assert not rule.ends(MeanEstimate(0.0, 0.6, 2))
    assert not rule.ends(MeanEstimate(0.0, math.nan, 1))
    assert rule.ends(MeanEstimate(0.0, 0.5, 2))


def test_every_match_has_a_value_when_the_time_is_over():
    rule = StopRule(most=10, deadline=time.monotonic())
    assert not rule.ends(MeanEstimate(0.0, 1.0, 1), NOTHING)
    assert rule.ends(MeanEstimate(0.0, 1.0, 1))


def test_matches_end_when_all_signs_are_known():
    clear, narrow = MeanEstimate(1.0, 0.1, 500), MeanEstimate(0.3, 0.1, 500)
    rule = StopRule(most=1000, planned=500)
    assert rule.ends(clear)
    assert not rule.ends(clear, narrow)
    assert not rule.ends(NOTHING)
    alone, together = rule.sequences([clear]), rule.sequences([clear, narrow])
    assert together[0][0] < alone[0][0]  # both hold jointly
    assert list(map(excludes_0, together)) == [True, False]
    with pytest.raises(ValueError, match="need planned"):
        StopRule(most=10).sequences([clear])
