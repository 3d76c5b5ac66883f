"""Permutation importance of inputs, against networks made for the test."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers import genome

import agents
import nlhe_env
from agents.players.networks import count_weights
from evolve.commands import behaviour
from evolve.commands.main import main
from evolve.evaluation.behaviour.permutation_importance import (
    PermutationImportance,
    has_permutation_importance,
    load_importance,
    measure_permutation_importance,
    net_inputs,
    permutation_importance,
    record_situations,
    save_importance,
)
from evolve.opponents.behaviour_probes import BehaviourProbes

OPPONENTS = ["caller", "folder", "random"]
EDGE, PRICE = 3, 0


def network(links: dict[int, float], inputs: str = "features_unit") -> agents.NetworkPlayer:
    """A network whose first hidden unit sees some inputs, and decides between fold and raise."""
    weights = np.zeros(825, np.float32)
    for number, weight in links.items():
        weights[number * 20] = weight
    weights[720], weights[720 + 4] = -8.0, 8.0  # the unit's links to fold and to the large raise
    weights[820], weights[824] = 4.0, -4.0
    return agents.NetworkPlayer(weights, inputs=inputs)


@pytest.fixture(scope="module")
def situations() -> BehaviourProbes:
    opponents = [agents.make(name) for name in OPPONENTS]
    return record_situations(network({EDGE: 4.0}), opponents, count=600)


def test_only_inputs_that_a_network_uses_have_importance(situations):
    importance = permutation_importance(network({EDGE: 4.0}), situations)
    assert importance.moves["edge"] > 0.1
    assert sum(importance.moves.values()) == importance.moves["edge"] == importance.cards
    assert not importance.is_blind
    importance = permutation_importance(network({PRICE: 4.0}), situations)
    assert importance.moves["price"] > 0.02
    assert (importance.cards, importance.is_blind) == (0.0, True)
    assert "plays blind" in importance.conclusion()


def test_a_saturated_network_has_no_importance():
    # As in the published form: chips of 1000 through links of deviation 0.5.
    player = agents.NetworkPlayer(genome(1), inputs="features")
    importance = measure_permutation_importance(
        player, [agents.make(name) for name in OPPONENTS], count=300
    )
    assert importance.saturated > 0.95
    assert importance.net_input > 100
    assert importance.is_blind
    unit = agents.NetworkPlayer(genome(1), inputs="features_unit")
    importance = measure_permutation_importance(
        unit, [agents.make(name) for name in OPPONENTS], count=300
    )
    assert importance.saturated < 0.1
    assert not importance.is_blind


def test_net_inputs_match_plain_arithmetic():
    rng = np.random.default_rng(3)
    hidden = (4, 3)
    weights = rng.normal(size=count_weights(35, hidden)).astype(np.float32)
    player = agents.NetworkPlayer(weights, inputs="features_unit", hidden=hidden)
    seen = rng.normal(size=(5, 35)).astype(np.float32)
    first = seen.astype(np.float64) @ weights[:140].reshape(35, 4) + weights[140:144]
    second = 1 / (1 + np.exp(-first)) @ weights[144:156].reshape(4, 3) + weights[156:159]
    np.testing.assert_allclose(net_inputs(player, seen), np.hstack([first, second]), rtol=1e-6)


def test_situations_are_the_players_own_decisions():
    folder_like = network({EDGE: 0.0})
    probes = record_situations(folder_like, [agents.make("caller")], count=50, seed=4)
    same = record_situations(folder_like, [agents.make("caller")], count=50, seed=4)
    assert probes.observations.shape == (50, 35)
    assert (probes.masks[:, 1] == 1).all()
    np.testing.assert_array_equal(probes.observations, same.observations)


def test_only_input_driven_players_have_permutation_importance():
    sighted = ("old-best",)
    assert all(has_permutation_importance(agents.make(name)) for name in sighted)
    assert not any(
        has_permutation_importance(agents.make(name)) for name in ("caller", "lstm", "formula")
    )
    with pytest.raises(ValueError, match="does not decide on a vector of inputs"):
        measure_permutation_importance(agents.make_compiled("caller"), [agents.make("caller")])
    with pytest.raises(ValueError, match="at least one opponent and two situations"):
        record_situations(network({}), [], count=5)


def test_files_keep_the_importance(tmp_path):
    assert load_importance(tmp_path) is None
    importance = PermutationImportance(
        300, "features", {"win_chance": 0.001, "pot": 0.0}, 1.0, 1400.0
    )
    save_importance(importance, tmp_path)
    assert load_importance(tmp_path) == importance


def test_the_command_describes_players(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(behaviour, "SITUATIONS", 200)
    path = tmp_path / "ann.npz"
    agents.save_player(path, network({EDGE: 4.0}))
    arguments = [
        "evaluate",
        "behaviour",
        str(path),
        "--out",
        str(tmp_path / "out"),
    ]
    assert main([*arguments, "--players", *OPPONENTS]) == 0
    said = capsys.readouterr().out
    for words in ("edge", "Its cards change", "Saturated hidden units", "voluntarily in pot"):
        assert words in said
    stored = json.loads((tmp_path / "out" / "permutation_importance-ann.json").read_text())
    assert stored["situations"] == 200
    assert (tmp_path / "out" / "permutation_importance-ann.png").exists()
    assert main(["evaluate", "behaviour", "caller", "--players", "folder"]) == 0
    assert "input importance cannot be measured" in capsys.readouterr().out


def test_importance_in_cash_games():
    opponents = [agents.make("caller")]
    game = nlhe_env.Game.cash(num_hands=5)
    importance = measure_permutation_importance(
        network({EDGE: 4.0}), opponents, game=game, count=100
    )
    assert importance.situations == 100
    assert importance.moves["edge"] > 0.05
