"""Records of players: they agree with the players, and read without them."""

import contextlib
import itertools
import subprocess
import sys
from dataclasses import fields

import pytest

import agents
from agents.external.known_games import check_knows_game
from agents.measure.bench import suites
from agents.player_records import PLAYERS
from agents.players.networks.lstm import Shape
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env import Game
from nlhe_env.game.description import BETTING

LISTING = """
import sys
from agents import registry
lines = [registry.describe(name) for name in registry.names(plugins=False)]
assert all(lines) and len(lines) > 50
for player in ("poki", "vexbot", "pseudo_optimal"):
    assert f"agents.players.{player}" not in sys.modules, player
"""
LOADING = """
import sys
from pathlib import Path
import numpy as np
import agents
for file in sorted((Path(agents.__file__).parent / "data").glob("*.npz")):
    if "about" in np.load(file).files:
        assert agents.load_player(file).kind.name
"""


@pytest.mark.parametrize("script", [LISTING, LOADING], ids=["listing", "loading"])
def test_players_are_imported_when_they_are_needed(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", PLAYERS)
def test_records_agree_with_their_players(name):
    record = PLAYERS[name]
    assert isinstance(agents.options(name), dict)
    assert agents.describe(name) == record.does
    player = agents.make(name)
    assert isinstance(player, agents.CompiledPlayer) == record.compiled
    if record.compiled:
        kind = player.kind
        observation = player.inputs if kind.wants == "inputs" else kind.wants
        memory = kind.on_event is not None
        assert (observation, memory) == (record.observation, record.memory)
    else:
        assert player.observation == record.observation


@pytest.mark.parametrize("name", PLAYERS)
def test_players_refuse_exactly_the_games_that_their_records_leave_out(name):
    record, player = PLAYERS[name], agents.make(name)
    for betting, seats in itertools.product(BETTING, (2, 3)):
        knows = record.seats in (None, seats) and record.betting in (None, betting)
        refusal = pytest.raises(ValueError, match=r"heads-up .*only")
        with contextlib.nullcontext() if knows else refusal:
            check_knows_game(player, Game.cash(betting=betting), seats)


def test_sizes_are_marked_as_costly():
    assert set(PLAYERS["lstm"].costly) == {*Shape._fields} - {"sees_cards"}
    assert set(PLAYERS["psopti-1"].costly) == {one.name for one in fields(Sizes)} - {"solver"}


def test_an_anchor_of_a_missing_room_names_the_room(monkeypatch):
    monkeypatch.setattr(suites, "PLAYERS", {})
    with pytest.raises(ValueError, match="psopti-1 is missing: it is in the room billings"):
        suites.find_anchor.__wrapped__("psopti-1")
