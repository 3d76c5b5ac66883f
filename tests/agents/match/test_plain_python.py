"""Kernels as plain Python play the games that compiled ones play."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
import agents, nlhe_env

weights = np.random.default_rng(0).normal(0, 0.5, (3, 825)).astype(np.float32)
names = ("caller", "folder", "random", "tight-aggressive")
players = [agents.NetworkPlayer(genome) for genome in weights] + [agents.make(n) for n in names]
batch, game = agents.pack_players(players), nlhe_env.Game.tournament()
tally = agents.play(batch, agents.Tournaments(1), game, seed=3)
print(tally.scores.tolist(), tally.hands, tally.decisions, tally.style_counts.tolist())
"""


def played(**variables: str) -> str:
    command = [sys.executable, "-c", SCRIPT]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


@pytest.mark.slow
def test_plain_python_plays_the_same_games():
    assert played(NUMBA_DISABLE_JIT="1") == played(NUMBA_DISABLE_JIT="0")
