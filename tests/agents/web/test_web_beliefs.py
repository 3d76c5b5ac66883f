"""What players believe, as pages are told: weight tables, estimates, what has been learnt."""

from __future__ import annotations

import json

import numpy as np
import pytest
from web_tables import new_game

import agents
from agents.players.ashe.ashe1 import count_genes
from agents.players.poki.records import MEMORY, N_MEMORY
from agents.web.table.game import LiveGame
from agents.web.table.setup import GameSetup
from agents.web.table.view import table_view


def told(game, seat=None):
    return json.loads(json.dumps(table_view(game.snapshot, game.names, seat)))


def until(game, happened):
    for _ in range(2000):
        if happened(game):
            return
        game.advance()
    raise AssertionError("it does not happen")


def test_poki_shows_a_weight_table_of_each_opponent():
    game = new_game("poki", "raiser", "caller", mode="cash")
    until(game, lambda game: any(insight.seat == 0 for insight in game.snapshot.insights))
    (insight,) = told(game)["insights"]
    memory = game._lineup.work.memory[0][:N_MEMORY].view(MEMORY)[0]
    assert {belief["seat"] for belief in insight["ranges"]} <= {1, 2}
    for belief in insight["ranges"]:
        grid = np.array(belief["grid"])
        assert grid.shape == (13, 13)
        assert grid.max() == 1
        weights = memory["weights"][belief["seat"]]
        assert belief["share"] == pytest.approx(weights.mean() / weights.max(), abs=0.2)
    assert sum(action["chance"] for action in insight["actions"]) == pytest.approx(1)


def test_a_raise_makes_strong_hands_likelier():
    game = new_game("poki", "tight-aggressive", mode="cash", stack=2000)

    def raised(game):
        latest = game.snapshot.insights[-1:]
        return any(
            insight.seat == 0
            and any(
                event["seat"] == 1 and event["action"] == "raise"
                for event in game.snapshot.history[:-1]
            )
            for insight in latest
        )

    until(game, raised)
    grid = np.array(told(game)["insights"][-1]["ranges"][0]["grid"])
    assert grid[0, 0] > grid[12, 5]  # aces, and nine-deuce


def test_what_is_learnt_is_told_at_once_and_names_no_cards_of_the_player():
    game = new_game("human", "poki", mode="cash", stack=2000)
    for _ in range(12):
        if game.phase == "human":
            game.act_for_absent()
        else:
            game.advance()
    view = told(game, 0)
    assert not any(insight["seat"] == 1 for insight in view["insights"]) or view["over"]
    (learnt,) = view["learnt"]
    assert learnt["of"] == game.names[0]
    values = {estimate["label"]: estimate["value"] for estimate in learnt["estimates"]}
    assert values["Decisions that it remembers"] > 0
    assert all(0 <= value <= 1 for label, value in values.items() if label.startswith("Facing"))


def test_ashe_tells_what_its_memory_of_the_opponent_changes():
    shape = agents.AsheShape(2, 3, 1, 4, 5)
    weights = np.random.default_rng(1).normal(0, 0.4, count_genes(shape)).astype(np.float32)
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    player = agents.AshePlayer(weights, shape=shape)
    game = LiveGame(setup, [player, agents.make("raiser")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 3 and game.snapshot.insights)
    values = {e["label"]: e["value"] for e in told(game)["insights"][-1]["estimates"]}
    now, stranger = values["Willing to put in, -1 to 1"], values["Against a stranger"]
    assert -1 < stranger < 1
    assert now != stranger
    assert values["What its memory of the opponent changes"] == pytest.approx(
        now - stranger, abs=2e-4
    )


def test_a_network_that_does_not_need_its_win_chance_is_told_it_all_the_same():
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    weights = np.random.default_rng(1).normal(0, 50, 825).astype(np.float32)
    player = agents.NetworkPlayer(weights, inputs="features")
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.snapshot.insights)
    inputs = {entry["label"]: entry["values"] for entry in told(game)["insights"][-1]["inputs"]}
    assert 0 < inputs["win chance"][0] < 1


def test_the_model_of_ashe_2_tells_win_and_fold_chances():
    shape = agents.ModelShape(blocks=2, cell=3, hidden=4, min_node_visits=0, nodes=64)
    weights = np.random.default_rng(1).normal(0, 0.3, sum(shape.parts)).astype(np.float32)
    player = agents.ModelPlayer(weights, shape=shape)
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 2 and game.snapshot.insights)
    view = told(game)
    estimates = view["insights"][-1]["estimates"]
    assert estimates[0]["label"] == "Wins a showdown"
    assert any(estimate["label"].startswith("The opponent folds to") for estimate in estimates[1:])
    assert all(0 < estimate["value"] < 1 for estimate in estimates)
    (learnt,) = view["learnt"]
    assert learnt["estimates"][0]["label"] == "Hands with this betting"


@pytest.mark.parametrize(("level", "version"), [(2, "2.2"), (3, "2.3")])
def test_ashe_that_looks_ahead_tells_what_actions_are_worth(level, version):
    shape = agents.ModelShape(2, 3, 4, min_node_visits=0, nodes=64, level=level, boards=4)
    weights = np.random.default_rng(1).normal(0, 0.3, sum(shape.parts)).astype(np.float32)
    player = agents.ModelPlayer(weights, shape=shape)
    assert player.version == version
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 2 and game.snapshot.insights)
    explanation = game.snapshot.insights[-1].explanation
    # What it did is what was worth most; nothing that it could do is worth nothing known.
    assert explanation.chances.sum() == 1.0
    assert explanation.values[explanation.chances.argmax()] == explanation.values.max()
    assert np.isfinite(explanation.values).all()
    values = {estimate.label: estimate.value for estimate in explanation.estimates}
    assert 0 < values["Wins a showdown"] < 1
    raises = [name for name in explanation.names if name.startswith(("raise", "bet"))]
    for name in raises:
        amount = name.split()[-1]
        folds, rises = (values[f"The opponent {does} to {amount}"] for does in ("folds", "raises"))
        assert 0 < folds < 1
        assert 0 <= rises < 1 - folds
    # Nobody raises an all-in.
    assert values[f"The opponent raises to {raises[-1].split()[-1]}"] == pytest.approx(0, abs=1e-6)
    ranges = [value for label, value in values.items() if label.endswith("of 990")]
    assert len(ranges) == (9 if version == "2.3" else 0)
    assert set(explanation.ranges) == ({1} if version == "2.3" else set())
    if ranges:
        assert sum(ranges) == pytest.approx(1.0, abs=1e-5)
        assert explanation.ranges[1].sum() == pytest.approx(1.0, abs=1e-4)
