"""What players believe, as pages show it: weight tables, estimates, what has been learnt."""

from __future__ import annotations

import json

import numpy as np
import pytest
from web_tables import new_game

import agents
from agents.theses.billings.poki.records import MEMORY, N_MEMORY
from agents.theses.li.ashe1 import AshePlayer, AsheShape, count_genes
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import ModelShape
from agents.web.table.game import LiveGame
from agents.web.table.setup import GameSetup
from agents.web.table.view import table_view


def view_of(game, seat=None):
    return json.loads(json.dumps(table_view(game.snapshot, game.names, seat)))


def until(game, happened):
    for _ in range(2000):
        if happened(game):
            return
        game.advance()
    raise AssertionError("it does not happen")


def test_poki_shows_a_weight_table_of_each_opponent():
    game = new_game("poki", "raiser", "caller", mode="cash")
    until(game, lambda game: any(explained.seat == 0 for explained in game.snapshot.explanations))
    (explained,) = view_of(game)["explanations"]
    memory = game._lineup.work.memory[0][:N_MEMORY].view(MEMORY)[0]
    assert {belief["seat"] for belief in explained["ranges"]} <= {1, 2}
    for belief in explained["ranges"]:
        grid = np.array(belief["grid"])
        assert grid.shape == (13, 13)
        assert grid.max() == 1
        weights = memory["weights"][belief["seat"]]
        assert belief["share"] == pytest.approx(weights.mean() / weights.max(), abs=0.2)
    assert sum(action["probability"] for action in explained["actions"]) == pytest.approx(1)


def test_poki_sim_shows_what_it_expects_of_calling_and_raising():
    game = new_game("poki-sim", "caller", mode="cash", betting="fixed-limit")

    def simulated(game):
        return any(
            estimate.label == "Simulated deals"
            for explained in game.snapshot.explanations
            for estimate in explained.explanation.estimates
        )

    until(game, simulated)
    actions = view_of(game)["explanations"][-1]["actions"]
    assert {action["name"].split()[0] for action in actions} <= {"fold", "check", "call", "bet"}
    (chosen,) = (action for action in actions if action["probability"] == 1)
    assert chosen["value"] == max(action["value"] for action in actions)
    assert len({action["value"] for action in actions}) == len(actions) >= 2


def test_a_pseudo_optimal_player_shows_its_bucket_and_mixture():
    game = new_game("psopti-1", "caller", mode="cash", betting="fixed-limit")
    seen = set()

    def shown(game):
        for explained in view_of(game)["explanations"]:
            values = {each["label"]: each["value"] for each in explained["estimates"]}
            shares = [
                value
                for label, value in values.items()
                if label.endswith(("fold", "call", "raise"))
            ]
            assert sum(shares) == pytest.approx(1)
            seen.update(label.split(":")[0].split(" class")[0] for label in values)
        return {"Hand", "Bucket strategy", "Part of the bucket (of 2)"} <= seen

    until(game, shown)


def test_a_raise_makes_strong_hands_more_likely():
    game = new_game("poki", "tight-aggressive", mode="cash", starting_stack=2000)

    def raised(game):
        latest = game.snapshot.explanations[-1:]
        return any(
            explained.seat == 0
            and any(
                event["seat"] == 1 and event["action"] == "raise"
                for event in game.snapshot.history[:-1]
            )
            for explained in latest
        )

    until(game, raised)
    grid = np.array(view_of(game)["explanations"][-1]["ranges"][0]["grid"])
    assert grid[0, 0] > grid[12, 5]  # aces, and nine-deuce


def test_what_is_learnt_is_shown_at_once_and_names_no_cards_of_the_player():
    game = new_game("human", "poki", mode="cash", starting_stack=2000)
    for _ in range(12):
        if game.phase == "human":
            game.act_for_absent()
        else:
            game.advance()
    view = view_of(game, 0)
    assert not any(explained["seat"] == 1 for explained in view["explanations"]) or view["over"]
    (model,) = view["opponent_models"]
    assert model["opponent"] == game.names[0]
    values = {estimate["label"]: estimate["value"] for estimate in model["estimates"]}
    assert values["Remembered decisions"] > 0
    assert all(0 <= value <= 1 for label, value in values.items() if label.startswith("Facing"))


def test_ashe_shows_what_its_memory_of_the_opponent_changes():
    shape = AsheShape(2, 3, 1, 4, 5)
    weights = np.random.default_rng(1).normal(0, 0.4, count_genes(shape)).astype(np.float32)
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    player = AshePlayer(weights, shape=shape)
    game = LiveGame(setup, [player, agents.make("raiser")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 3 and game.snapshot.explanations)
    values = {e["label"]: e["value"] for e in view_of(game)["explanations"][-1]["estimates"]}
    now, stranger = values["Aggression, -1 to 1"], values["Aggression against an unknown opponent"]
    assert -1 < stranger < 1
    assert now != stranger
    assert values["Effect of its memory of the opponent"] == pytest.approx(now - stranger, abs=2e-4)


def test_a_network_that_does_not_need_its_win_chance_is_given_it_all_the_same():
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    weights = np.random.default_rng(1).normal(0, 50, 825).astype(np.float32)
    player = agents.NetworkPlayer(weights, inputs="features")
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.snapshot.explanations)
    inputs = {
        entry["label"]: entry["values"] for entry in view_of(game)["explanations"][-1]["inputs"]
    }
    assert 0 < inputs["win chance"][0] < 1


def test_the_model_of_ashe_2_shows_win_and_fold_chances():
    shape = ModelShape(blocks=2, cell=3, hidden=4, min_node_visits=0, nodes=64)
    weights = np.random.default_rng(1).normal(0, 0.3, sum(shape.parts)).astype(np.float32)
    player = ModelPlayer(weights, shape=shape)
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 2 and game.snapshot.explanations)
    view = view_of(game)
    estimates = view["explanations"][-1]["estimates"]
    assert estimates[0]["label"] == "Showdown win probability"
    assert any(estimate["label"].startswith("Opponent folds to") for estimate in estimates[1:])
    assert all(0 < estimate["value"] < 1 for estimate in estimates)
    (model,) = view["opponent_models"]
    assert model["estimates"][0]["label"] == "Hands with this betting sequence"


@pytest.mark.parametrize(("level", "version"), [(2, "2.2"), (3, "2.3")])
def test_ashe_that_looks_ahead_shows_what_actions_are_worth(level, version):
    shape = ModelShape(2, 3, 4, min_node_visits=0, nodes=64, level=level, boards=4)
    weights = np.random.default_rng(1).normal(0, 0.3, sum(shape.parts)).astype(np.float32)
    player = ModelPlayer(weights, shape=shape)
    assert player.version == version
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "mode": "cash"})
    game = LiveGame(setup, [player, agents.make("caller")], ["one", "other"])
    until(game, lambda game: game.hands_played >= 2 and game.snapshot.explanations)
    explanation = game.snapshot.explanations[-1].explanation
    # The chosen action has the largest known value; an illegal action has no value.
    assert explanation.chances.sum() == 1.0
    assert explanation.values[explanation.chances.argmax()] == explanation.values.max()
    assert np.isfinite(explanation.values).all()
    values = {estimate.label: estimate.value for estimate in explanation.estimates}
    assert 0 < values["Showdown win probability"] < 1
    raises = [name for name in explanation.names if name.startswith(("raise", "bet"))]
    for name in raises:
        amount = name.split()[-1]
        folds, rises = (values[f"Opponent {does} to {amount}"] for does in ("folds", "raises"))
        assert 0 < folds < 1
        assert 0 <= rises < 1 - folds
    # No player raises an all-in.
    assert values[f"Opponent raises to {raises[-1].split()[-1]}"] == pytest.approx(0, abs=1e-6)
    ranges = [value for label, value in values.items() if label.endswith("of 990")]
    assert len(ranges) == (9 if version == "2.3" else 0)
    assert set(explanation.ranges) == ({1} if version == "2.3" else set())
    if ranges:
        assert sum(ranges) == pytest.approx(1.0, abs=1e-5)
        assert explanation.ranges[1].sum() == pytest.approx(1.0, abs=1e-4)
