"""Preparation of every process that plays games."""

from __future__ import annotations

import numpy as np

from agents.match.playing import play
from agents.match.schedules import Tournaments
from agents.players.networks.network import N_WEIGHTS
from agents.players.networks.networks import pack_networks
from nlhe_env.game.description import Game


def prepare_game() -> None:
    """Loads the strength tables and compiles the game, outside the timing of a run."""
    networks = pack_networks(np.zeros((2, N_WEIGHTS), np.float32), inputs="features_scaled")
    play(networks, Tournaments(1), Game.tournament(), seed=0)
