"""Lower bounds on what can be won of a player."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import agents
from evolve import Bound, bound_by, main, response_config, thread_workers
from evolve.evaluation.bounds import bound_by_best, joint_confidence, largest, usual_menus
from nlhe_env import Game

GAME = Game.cash(starting_stack=20_000, num_hands=1, score="big_blinds")


def test_a_bound_is_counted_by_the_hand():
    """Somebody who raises takes the blinds of a folder: 1.5 big blinds in two hands."""
    bound = bound_by(
        agents.make("hothead-maniac"),
        agents.make("folder"),
        GAME,
        by="raising",
        blocks=10,
        seed=1,
        workers=thread_workers(1),
    )
    assert bound == Bound("raising", 750.0, 0.0, 10, 20)
    assert bound.interval() == (750.0, 750.0)


def test_the_largest_bound_is_the_one_that_begins_highest():
    sure = Bound("sure", 500.0, 10.0, 1000, 2000)
    vague = Bound("vague", 900.0, 500.0, 1000, 2000)
    assert largest([vague, sure]) is sure
    assert joint_confidence([sure]) == 0.95
    assert joint_confidence([sure, vague]) == 0.975
    assert sure.interval(0.975)[0] < sure.interval()[0]


def test_fixed_limit_has_one_raise_to_try():
    limit = Game.cash(betting="fixed-limit", score="big_blinds")
    assert len(usual_menus(limit)) == len(usual_menus(GAME)) - 1


def test_a_response_trains_in_the_same_game_against_the_player_alone():
    config = response_config("pot-odds", GAME, hands=1000, seed=3)
    assert config.opponents.named == ("pot-odds",)
    expected = replace(Game.cash(starting_stack=20_000, num_hands=1), table_size=2)
    assert config.make_game() == expected
    assert (config.hands, config.seed) == (1000, 3)
    with pytest.raises(ValueError, match="cash game without ante"):
        response_config("pot-odds", Game.tournament(), hands=1000, seed=3)


def test_who_is_the_best_of_several_is_found_and_then_counted():
    """Who always raises takes the blinds of a folder, who calls or folds but a part of them."""
    names = ("folder", "caller", "hothead-maniac")
    bound = bound_by_best(
        {name: agents.make(name) for name in names},
        agents.make("folder"),
        GAME,
        blocks=20,
        seed=1,
        workers=thread_workers(1),
    )
    assert bound == Bound("hothead-maniac, the best of 3 players", 750.0, 0.0, 20, 40)
    with pytest.raises(ValueError, match="at least one player"):
        bound_by_best({}, agents.make("folder"), GAME, blocks=2, seed=1, workers=thread_workers(1))


@pytest.mark.slow
def test_players_in_python_are_bounded_by_the_best_of_ours(capsys):
    arguments = ["nlbot-2", "--betting", "fixed-limit", "--blocks", "6", "--workers", "1"]
    assert main(["bound", *arguments]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "nlbot-2 decides in Python" in said
    assert "the best of 3" in said


def test_other_games_are_refused():
    players = agents.make("folder"), agents.make("caller")
    rest = {"by": "", "blocks": 2, "seed": 1, "workers": thread_workers(1)}
    with pytest.raises(ValueError, match='score="big_blinds"'):
        bound_by(*players, Game.cash(), **rest)
    with pytest.raises(ValueError, match="blocks must be at least 2"):
        bound_by(*players, GAME, **(rest | {"blocks": 1}))


@pytest.mark.slow
def test_the_command_reports_both_kinds_of_bounds(tmp_path, capsys):
    out = tmp_path / "bounds.json"
    arguments = ["folder", "--menu", "fcpa", "--blocks", "20", "--train-hands", "2000"]
    assert main(["bound", *arguments, "--workers", "1", "--out", str(out)]) == 0
    bounds = json.loads(out.read_text())["bounds"]
    assert bounds[0]["value"] == 750.0
    assert bounds[1]["by"] == "evolved in 2,000 hands"
    assert "At least 750 can be won from folder" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["folder", "--waits", "flop"], "waits needs a menu"),
        (["folder", "--menu", "0"], "menu must be"),
        (["nobody"], "a player must be"),
        (["pot-odds", "--exact", "--betting", "fixed-limit"], "looks at its cards"),
        (
            ["tight-passive", "--exact", "--betting", "fixed-limit", "--flops", "25"],
            "flops must be even",
        ),
        (["caller", "--exact"], "add --betting fixed-limit"),
    ],
)
def test_bad_arguments_end_with_a_sentence(arguments, said, capsys):
    assert main(["bound", *arguments]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
