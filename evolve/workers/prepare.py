"""Preparation of every process that plays games."""

from __future__ import annotations

import numpy as np

import agents
import nlhe_env
from agents.players.networks.network import N_WEIGHTS


def prepare_game() -> None:
    """Loads the strength tables and compiles the game, outside the timing of a run."""
    agents.play(
        agents.pack_networks(np.zeros((2, N_WEIGHTS), np.float32), inputs="features_scaled"),
        agents.Tournaments(1),
        nlhe_env.Game.tournament(),
        seed=0,
    )
