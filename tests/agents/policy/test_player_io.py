"""Players by name, and players on disk."""

import json

import numpy as np
import pytest
from helpers import genome

import agents
from agents.players.networks import network
from nlhe_env.spaces.features import FEATURE_VECTORS

FEATURES = [observation.name for observation in FEATURE_VECTORS]


def test_unknown_names_are_refused_with_the_nearest_known_name():
    with pytest.raises(ValueError, match=r"no player 'foldr'; did you mean .folder.\?"):
        agents.make("foldr")
    with pytest.raises(ValueError, match="needs compiled players"):
        agents.pack_players([object()])


@pytest.mark.parametrize("hidden", [(20,), (6, 3)])
@pytest.mark.parametrize("inputs", FEATURES)
def test_saved_players_round_trip(tmp_path, inputs, hidden):
    player = agents.NetworkPlayer(
        genome(4, 0.5, network.count_weights(network.count_inputs(inputs), hidden)),
        inputs=inputs,
        hidden=hidden,
        name="Ann",
        origin={"generation": 7, "rank": 1.5},
    )
    path = tmp_path / "ann.npz"
    agents.save_player(path, player)
    assert [file.name for file in tmp_path.iterdir()] == ["ann.npz"]
    for loaded in (agents.load_player(path), agents.make(str(path))):
        np.testing.assert_array_equal(loaded.weights, player.weights)
        assert loaded.weights.dtype == np.float32
        assert (loaded.name, loaded.inputs, loaded.hidden, loaded.origin) == (
            "Ann",
            inputs,
            hidden,
            {"generation": 7, "rank": 1.5},
        )


def flip_a_byte(whole):
    flipped = bytearray(whole)
    flipped[len(whole) - 1500] ^= 0xFF
    return bytes(flipped)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: b"not a player",
        lambda whole: whole[:200],
        lambda whole: whole[: len(whole) // 2],
        flip_a_byte,
    ],
    ids=["empty", "text", "beginning", "half", "flipped"],
)
def test_damaged_player_files_are_named(tmp_path, damage):
    path = tmp_path / "ann.npz"
    agents.save_player(path, agents.NetworkPlayer(genome(4)))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"ann\.npz' is not a player file, or is damaged"):
        agents.load_player(path)


def test_a_file_that_is_not_a_player_is_named(tmp_path):
    path = tmp_path / "ann.npz"
    with pytest.raises(ValueError, match=r"there is no player file .*ann\.npz"):
        agents.load_player(path)
    np.savez(path, weights=genome(4))
    with pytest.raises(ValueError, match=r"ann\.npz' is not a player file"):
        agents.load_player(path)
    with pytest.raises(ValueError, match=r"must end with \.npz"):
        agents.save_player(tmp_path / "ann.txt", agents.NetworkPlayer(genome(4)))


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("nlbot-1", "NLBot 'nlbot-1'"),
        ("equilibrium-limit:resolve=river", "RiverSolver"),
        ("process:sh bot.sh", "ProcessPlayer 'sh'"),
    ],
)
def test_uncompiled_players_cannot_be_saved(tmp_path, name, got):
    with pytest.raises(ValueError, match=f"only compiled players can be saved .*; got {got}"):
        agents.save_player(tmp_path / "ann.npz", agents.make(name))
    assert not list(tmp_path.iterdir())


ABOUT = {
    "format": "nlhe-env player 3",
    "kind": "network",
    "sizes": [],
    "inputs": "features",
    "name": "Ann",
    "origin": {},
    "interpretation": {},
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"format": "nlhe-env player 2"},
            "contains a player of format .* 2'; this version reads .* 3'",
        ),
        ({"kind": None}, "is not a player of this version: it has no kind$"),
        ({"interpretation": None}, "is not a player of this version: it has no interpretation$"),
    ],
)
def test_files_of_another_format_are_refused(tmp_path, changes, message):
    about = {key: value for key, value in (ABOUT | changes).items() if value is not None}
    np.savez(tmp_path / "ann.npz", about=np.array(json.dumps(about)), weights=np.zeros(3))
    with pytest.raises(ValueError, match=rf"ann\.npz' {message}"):
        agents.load_player(tmp_path / "ann.npz")


def test_files_with_unknown_kinds_name_the_known_kinds(tmp_path):
    about = ABOUT | {"kind": "netwrok"}
    np.savez(tmp_path / "ann.npz", about=np.array(json.dumps(about)), weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"ann\.npz' .*did you mean .network.*must be one of"):
        agents.load_player(tmp_path / "ann.npz")
