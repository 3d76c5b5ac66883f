"""Evolved responses: an optimizer trains a network against one fixed player."""

from __future__ import annotations

import tempfile
from pathlib import Path

import agents
from agents.match.workers.base import Workers
from evolve.training.config import Config
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, train
from evolve.training.state import State
from nlhe_env import Game


def response_config(
    player: str, game: Game, *, hands: int, seed: int, optimizer: str = "cma-es"
) -> Config:
    """Configuration for training a response: the preset ``heads-up`` with one opponent.

    Args:
        player: The opponent, as for ``agents.make``.
        game: A cash game without ante, with the same stack for both.
        hands: Training hands.
        seed: Seed of the training.
        optimizer: Name of the optimizer.

    Raises:
        ValueError: The player or optimizer does not exist, or the game is another one.
    """
    small, big, ante = game.blinds.levels[0]
    if not game.is_cash or ante or not isinstance(game.starting_stack, int):
        raise ValueError(
            "a response is evolved in a cash game without ante, with one starting_stack for both; "
            f"got {game}"
        )
    sessions = max(1, 200 // game.hands_limit)  # several hundred hands per candidate
    return load_preset("heads-up", optimizer).with_values(
        named=(player,),
        starting_stack=game.starting_stack,
        blinds=f"{small}/{big}",
        betting=game.betting,
        num_hands=game.hands_limit,
        blocks=sessions,
        variance_reduction="all-in",
        hands=hands,
        seed=seed,
        test_blocks=0,
    )


def evolve_response(
    config: Config, *, workers: Workers, listener: RunCallback | None = None
) -> agents.CompiledPlayer:
    """Trains a response and returns the player.

    Args:
        config: Configuration of ``response_config``, or another one.
        workers: Workers for the games; their number does not change the result.
        listener: Callback for the progress.
    """
    with tempfile.TemporaryDirectory() as runs:
        folder = RunFolder.create(Path(runs), config)
        train(folder, config, State.initial_state(config), workers=workers, listener=listener)
        return folder.champion()
