"""Networks from self-play: they come with the package as the page on players describes them."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agents
import nlhe_env

PAGE = (Path(__file__).parents[3] / "docs/players.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| `([\w-]+)` \| (\d+) \| `nlhe train --preset ([\w-]+) --seed (\d+)` \| ([\d.]+) "
    r"\| `(\w+)` \|$",
    re.MULTILINE,
)
ROWS = ROW.findall(PAGE)
PLAY = """
import sys, agents, nlhe_env
game = nlhe_env.Game.cash(num_hands=20, score="big_blinds")
print(agents.play([sys.argv[1], "caller"], agents.Blocks(20), game, seed=1).scores[0])
"""


def test_the_page_names_them():
    assert [row[0] for row in ROWS] == ["self-play-quick", "self-play-heads-up"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_their_files_have_the_weights_and_the_origin_of_the_page(row):
    name, weights, preset, seed, hands, digest = row
    player = agents.make_compiled(name)
    assert (player.name, len(player.weights)) == (name, int(weights))
    assert hashlib.sha256(player.weights.tobytes()).hexdigest()[:16] == digest
    assert (player.origin["experiment"], player.origin["seed"]) == (preset, int(seed))
    assert round(player.origin["hands"] / 1e6, 1) == float(hands)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_fresh_process_plays_them(row):
    done = subprocess.run(
        [sys.executable, "-c", PLAY, row[0]], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) > 0


def test_the_tournament_player_is_ahead_of_folder():
    names = ("self-play-quick", "folder", "old-best", "old-scratch", "old-start")
    others = ("random", "raiser", "caller", "call-or-raise", "pot-odds")
    players = [agents.make(name) for name in names + others]
    tally = agents.play(players, agents.Blocks(40), nlhe_env.Game.tournament(), seed=1)
    assert tally.scores[0] < tally.scores[1:].min()


@pytest.mark.parametrize("opponent", ["tight-aggressive", "formula", "old-best", "caller"])
def test_the_heads_up_player_beats_rule_players(opponent):
    game = nlhe_env.Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=20)
    players = [agents.make(name) for name in ("self-play-heads-up", opponent)]
    tally = agents.play(players, agents.Blocks(200), game, seed=1, variance_reduction="all-in")
    assert tally.scores[0] > 3 * tally.errors[0]
