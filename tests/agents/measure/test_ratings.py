"""Ratings of the package's players: what is on file is what the bench measures."""

from __future__ import annotations

import math

import pytest
from benchmarks.measure_ratings import anchor_ratings, measure

from agents import registry
from agents.measure.bench.rating import best_anchor, measured_ratings
from agents.measure.bench.suites import SUITES


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_the_file_has_built_in_players_and_the_best_first(suite):
    ratings = measured_ratings(suite)
    assert set(suite.anchors) <= set(ratings) <= {*registry.names(plugins=False), "nit"}
    values = [rating.value for rating in ratings.values()]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_anchors_have_the_ratings_of_their_reference(suite):
    ratings = measured_ratings(suite)
    for name, rating in anchor_ratings(suite).items():
        assert ratings[name] == pytest.approx(rating, abs=0.1)
    assert ratings[suite.anchors[0]].value == 0
    assert ratings[best_anchor(suite)].value == 100


def test_other_players_come_to_their_ratings_again():
    suite = SUITES["limit"]
    known = measured_ratings(suite)["old-best"]
    found = measure("old-best", suite, blocks=100, seed=3)
    assert abs(found.value - known.value) < 4 * math.hypot(found.error, known.error)


def test_players_that_cannot_play_a_suite_have_no_rating_there():
    assert "psopti-1" not in measured_ratings(SUITES["six-max"])
    assert measure("psopti-1", SUITES["six-max"], blocks=1) is None
