"""Ratings of a run's champions on the bench, over training hands."""

import json

import pytest

import agents
from agents.measure.bench.page import as_text
from evolve import load_preset, thread_workers, train
from evolve.commands.main import main
from evolve.training.candidate_test import play_trial
from evolve.training.folder import RunFolder
from evolve.training.rating_curve import bench_seed, rate_champions
from evolve.training.run import step_generation
from evolve.training.state import State

HANDS = 40
SMALL = {"lineages": 2, "population": 4, "blocks": 2}
SMALL |= {"selection_opponents": 2, "selection_rounds": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    config = load_preset("heads-up-quick").with_values(hands=1300, **SMALL)
    found = RunFolder.at(tmp_path_factory.mktemp("runs") / "small", config)
    with thread_workers(1) as workers:
        train(found, config, found.restore(config, say=print), workers=workers)
    return found


def test_command_prints_stores_and_draws_the_ratings(folder, capsys):
    arguments = ["--bench", "heads-up", "--hands", str(HANDS)]
    assert main(["evaluate", "progress", str(folder.path), *arguments]) == 0
    printed = capsys.readouterr().out
    first, *_, last = json.loads((folder.path / "ratings.json").read_text())["ratings"]
    lines = folder.metrics()
    assert [one["generation"] for one in (first, last)] == [1, len(lines)]
    assert [one["hands"] for one in (first, last)] == [lines[0]["hands"], lines[-1]["hands"]]
    assert f"{last['hands']:,} hands: rating {last['rating']:5.1f}" in printed
    assert (folder.path / "ratings.png").is_file()
    card = agents.Scorecard.load(folder.path)
    assert card.suites["heads-up"].rating == last["rating"]
    assert as_text(card.suites["heads-up"]) in printed


def test_ratings_are_those_of_the_bench(folder):
    (*_, last), _ = rate_champions(folder, "heads-up", most=2, hands=HANDS)
    champion = agents.load_player(folder.path / "champion.npz")  # of the selected lineage
    result = agents.bench(champion, hands=HANDS, seed=bench_seed(folder), bound=False).suites[
        "heads-up"
    ]
    assert (last.rating, last.error) == (result.rating, result.rating_error)
    assert last.vpip == result.style["voluntarily_in_pot"]


def test_too_few_hands_for_a_rating_are_refused(folder):
    with pytest.raises(ValueError, match="hands"):
        rate_champions(folder, "heads-up", most=2, hands=20)


# --- variance reduction ---------------------------------------------------------------------------


HEADS_UP = {
    "population": 4,
    "blocks": 20,
    "num_hands": 5,
    "named": ("push-or-fold",),
    "test_blocks": 50,
}


def first_line(count: int = 1, **values) -> dict:
    config = load_preset("heads-up-openai-es").with_values(**HEADS_UP, **values)
    with thread_workers(count) as workers:
        return step_generation(State.initial_state(config), config, workers=workers)[1]


def test_candidates_are_ranked_by_estimated_results():
    plain, evaluated = first_line(), first_line(variance_reduction="all-in")
    assert evaluated["hands"] == plain["hands"]
    assert evaluated["score_error"] < plain["score_error"]
    assert evaluated["mean_score"] != plain["mean_score"]


def test_workers_change_nothing():
    assert first_line(1, variance_reduction="all-in") == first_line(2, variance_reduction="all-in")


def test_tests_can_use_variance_reduction(workers):
    trials = []
    for variance_reduction in ("none", "all-in"):
        config = load_preset("heads-up-openai-es").with_values(
            **HEADS_UP, test_variance_reduction=variance_reduction
        )
        state = State.initial_state(config)
        step_generation(state, config, workers=workers)
        trials.append(play_trial(state, config, workers=workers))
    assert trials[0].score != trials[1].score
    assert trials[0].test_hands == trials[1].test_hands


def test_places_have_no_variance_reduction():
    config = load_preset("heads-up-openai-es").with_values(**HEADS_UP)
    with pytest.raises(ValueError, match="variance_reduction must be one of"):
        config.with_values(variance_reduction="some")
    with pytest.raises(ValueError, match="this one is scored by places"):
        config.with_values(game="tournament", variance_reduction="all-in")
    with pytest.raises(ValueError, match="this one is scored by places"):
        config.with_values(game="tournament", test_variance_reduction="all-in")
