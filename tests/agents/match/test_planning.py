"""Plans, against the formula, repeated matches and worked figures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match.planning import ARENAS, load_arena
from agents.match.workers.base import thread_workers

GAME = nlhe_env.Game.cash(num_hands=10)


def test_a_plan_says_how_often_the_best_comes_first():
    players = ["tight-aggressive", "old-best"]
    found = agents.plan(players, GAME, 40, method="all-in", hands=40_000)
    assert list(found.rankings) == ["plain", "duplicate", "all-in"]
    tally = agents.play(players, agents.Tournaments(20_000), score_in_bb(), seed=2, rows=True)
    means = tally.row_scores.reshape(500, 40, 2).mean(axis=1)
    best = found.rankings["plain"].order[0]
    share = (means.argmax(axis=1) == best).mean()
    assert found.rankings["plain"].first[best] == pytest.approx(share, abs=0.06)
    spread = means[:, 0].std(ddof=1) * 10.0
    assert found.rankings["plain"].errors[0] == pytest.approx(spread, rel=0.12)
    reduced = found.rankings["all-in"].errors
    assert (reduced < found.rankings["plain"].errors).all()


def score_in_bb() -> nlhe_env.Game:
    return nlhe_env.Game.cash(num_hands=10, score="big_blinds")


def test_duplicate_blocks_have_the_error_of_equally_many_hands():
    players = ["tight-passive", "caller", "old-best"]
    found = agents.plan(players, GAME, 30, method="none", hands=20_000)
    blocks = agents.play(players, agents.Blocks(6_000), score_in_bb(), seed=3, rows=True)
    scores = blocks.row_scores * 100.0 / 30  # bb/100 of a block of three sessions
    errors = scores.std(axis=0, ddof=1) / math.sqrt(10)
    assert found.rankings["duplicate"].errors == pytest.approx(errors, rel=0.1)
    assert (found.rankings["duplicate"].counts == 300).all()
    assert found.simulated.errors.max() < errors.max() / 10


def test_tournaments_are_planned_by_places():
    game = nlhe_env.Game.tournament()
    found = agents.plan({"one": "caller", "two": "folder", "three": "raiser"}, game, 50)
    plain = found.rankings["plain"]
    assert plain.names == ("one", "two", "three")
    assert plain.lower_is_better
    assert plain.means.mean() == pytest.approx(2.0)
    assert (plain.counts == 50).all()


def test_a_plan_does_not_depend_on_the_workers():
    with thread_workers(2) as workers:
        one = agents.plan(["caller", "raiser"], GAME, 10, hands=4000, workers=workers)
    other = agents.plan(["caller", "raiser"], GAME, 10, hands=4000)
    np.testing.assert_array_equal(
        one.rankings["aivat"].covariance, other.rankings["aivat"].covariance
    )


def test_wrong_plans_are_named():
    with pytest.raises(ValueError, match=r"one table of 2 to 10; got 1 players"):
        agents.plan(["caller"], GAME, 10)
    with pytest.raises(ValueError, match="sessions must be at least 1"):
        agents.plan(["caller", "folder"], GAME, 0)
    with pytest.raises(ValueError, match="place"):
        agents.plan(["caller", "folder"], nlhe_env.Game.tournament(), 10, method="aivat")


def test_players_need_names_of_their_own():
    with pytest.raises(ValueError, match="names must be 3 different names"):
        agents.plan(["caller", "caller", "folder"], GAME, 10, method="none", hands=1000)


@pytest.mark.parametrize("name", sorted(path.stem for path in ARENAS.glob("*.toml")))
def test_formats_of_arenas_are_games(name):
    arena = load_arena(name)
    assert arena["source"].startswith("https://")
    assert arena["hands"] > 0
    options = dict(arena["game"])
    game = nlhe_env.Game.read(options.pop("mode"), **options)
    assert game.seats(arena["players"]) == min(arena["players"], options["table_size"])


def test_unknown_arenas_are_named():
    with pytest.raises(ValueError, match=r"an arena must be one of .*pokerbattle"):
        load_arena("../data")
