"""Training by results with variance reduction."""

from __future__ import annotations

import pytest

from agents.match.workers.base import thread_workers
from evolve.training.candidate_test import play_trial
from evolve.training.config_files import load_preset
from evolve.training.run import step_generation
from evolve.training.state import State

SMALL = {
    "population": 4,
    "blocks": 20,
    "num_hands": 5,
    "named": ("push-or-fold",),
    "test_blocks": 50,
}


def first_line(count: int = 1, **values) -> dict:
    config = load_preset("heads-up-openai-es").with_values(**SMALL, **values)
    with thread_workers(count) as workers:
        return step_generation(State.initial_state(config), config, workers=workers)[1]


def test_candidates_are_ranked_by_estimated_results():
    plain, evaluated = first_line(), first_line(variance_reduction="all-in")
    assert evaluated["hands"] == plain["hands"]
    assert evaluated["score_error"] < plain["score_error"]
    assert evaluated["mean_score"] != plain["mean_score"]


def test_workers_change_nothing():
    assert first_line(1, variance_reduction="all-in") == first_line(2, variance_reduction="all-in")


def test_tests_can_use_variance_reduction():
    trials = []
    for variance_reduction in ("none", "all-in"):
        config = load_preset("heads-up-openai-es").with_values(
            **SMALL, test_variance_reduction=variance_reduction
        )
        state = State.initial_state(config)
        with thread_workers(1) as workers:
            step_generation(state, config, workers=workers)
            trials.append(play_trial(state, config, workers=workers))
    assert trials[0].score != trials[1].score
    assert trials[0].test_hands == trials[1].test_hands


def test_places_have_no_variance_reduction():
    config = load_preset("heads-up-openai-es").with_values(**SMALL)
    with pytest.raises(ValueError, match="variance_reduction must be one of"):
        config.with_values(variance_reduction="some")
    with pytest.raises(ValueError, match="this one is scored by places"):
        config.with_values(game="tournament", variance_reduction="all-in")
    with pytest.raises(ValueError, match="this one is scored by places"):
        config.with_values(game="tournament", test_variance_reduction="all-in")
