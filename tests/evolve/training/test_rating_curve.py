"""Ratings of a run's champions on the bench, over training hands."""

from __future__ import annotations

import json

import pytest

import agents
from agents.measure.bench.page import as_text
from evolve import load_preset, thread_workers, train
from evolve.commands.main import main
from evolve.training.folder import RunFolder
from evolve.training.rating_curve import bench_seed, rate_champions

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
