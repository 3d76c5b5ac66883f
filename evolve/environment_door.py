"""Tournaments played through the environment: the same results, one ``env.step`` at a time.

Every player is a Python object that gets what ``env.last()`` returns and answers with an action, as
in any program that uses the environment. It shows that both doors lead to the same game, and how an
experiment with players of another kind would look; it is hundreds of times slower than whole
compiled tournaments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.players import CompiledPlayer
from evolve.config import RunConfig
from nlhe_env.equity import StrengthTables


class OutsidePlayer:
    """A player that sees no more than its observation: for the environment, somebody's own code."""

    def __init__(self, player: CompiledPlayer) -> None:
        self._player = player

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action."""
        return self._player.act(observation, info)


def check_config(config: RunConfig) -> None:
    """Checks that the environment plays the tournaments of a run as compiled ones are played.

    Raises:
        ValueError: Everybody fits at one table, where the environment gives seats by number.
    """
    if config.population <= config.table_size:
        raise ValueError(
            "--door environment needs more players than fit at one table, where it would not "
            f"draw the seats; got population = {config.population} and table_size = "
            f"{config.table_size}"
        )
