"""Networks from self-play: they come with the package as the page on players describes them."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
import nlhe_env
from agents.players.networks import PotSizedNetworkPlayer
from evolve.commands.main import main

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "players.md").read_text(encoding="utf-8")
RUNS = DOCS / "results/learners-runs.jsonl"
ROW = re.compile(
    r"^\| `([\w-]+)` \| (\d+) \| `nlhe train --preset ([\w-]+) --seed (\d+)`[\w ]* \| ([\d.]+) "
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
    assert [row[0] for row in ROWS] == ["self-play-quick", "self-play-es"]


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
    others = ("random", "raiser", "caller", "call-or-raise")
    players = [agents.make(name) for name in names + others]
    tally = agents.play(players, agents.Blocks(60), nlhe_env.Game.tournament(), seed=1)
    assert tally.scores[0] < tally.scores[1:].min()


@pytest.mark.parametrize(
    "opponent", ["pot-odds", "loose-aggressive", "ashe-tight-aggressive", "caller"]
)
def test_the_heads_up_player_beats_rule_players(opponent):
    game = nlhe_env.Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=20)
    players = [agents.make(name) for name in ("self-play-es", opponent)]
    tally = agents.play(players, agents.Blocks(200), game, seed=1, variance_reduction="all-in")
    assert tally.scores[0] > 3 * tally.errors[0]


@pytest.mark.slow
def test_the_command_of_the_page_makes_the_heads_up_player_again(tmp_path):
    command = re.search(r"^nlhe (train .* --seed 1021 .*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
    assert not main([*command[1].replace("\\\n", " ").split(), "--runs", str(tmp_path)])
    (run,) = tmp_path.iterdir()
    made = agents.load_player(run / "champion.npz")
    np.testing.assert_array_equal(made.weights, agents.make_compiled("self-play-es").weights)


@pytest.mark.slow
def test_the_heads_up_player_is_the_best_of_the_study_against_players_unknown_in_training():
    game = nlhe_env.Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=20)
    opponents = (
        *("pot-odds", "tight-aggressive", "loose-aggressive", "hothead-maniac"),
        *("opponent-frequency", "ashe-tight-aggressive", "ashe-tight-passive"),
    )
    means = {}
    for line in RUNS.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        if (run["arm"], run["hands"]) == ("self-play-es", 3_000_000):
            weights = np.frombuffer(base64.b64decode(run["weights"]), "<f4")
            player = PotSizedNetworkPlayer(weights, inputs="features_cash", hidden=(8,))
            tallies = [
                agents.play(
                    [player, name], agents.Blocks(250), game, seed=62, variance_reduction="all-in"
                )
                for name in opponents
            ]
            rates = np.array([tally.scores[0] for tally in tallies]) / 40  # chips, big blinds: 100
            means[run["seed"]] = (rates / np.hypot(1, rates / 100)).mean()
    assert len(means) == 30
    assert max(means, key=means.get) == agents.make_compiled("self-play-es").origin["seed"]
    assert round(max(means.values())) == 66
    assert round(sorted(means.values())[-2]) == 60
