"""Checks before a run that its players support the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import agents
from agents.policy.compiled_player import CompiledPlayer, Player
from evolve.genomes.ashe_models import ModelKind
from evolve.optimizers import Optimizer
from evolve.training.config import Config, kind_of
from nlhe_env import Game


def check_players(players: Mapping[str, Player], game: Game, *, seats: int) -> None:
    """Check that players support a game at a table of this size.

    Args:
        players: Players by their names in messages; players that decide in Python may play
            anything.
        game: Game that is played.
        seats: Number of players at the table.

    Raises:
        ValueError: A player does not support the game; the message says which one and why.
    """
    for name, player in players.items():
        if isinstance(player, CompiledPlayer):
            check_batch(name, agents.pack_players([player]), game, seats=seats)


def can_play(player: Player, game: Game, *, seats: int) -> bool:
    """Whether a player supports a game at a table of this size."""
    try:
        check_players({"player": player}, game, seats=seats)
    except ValueError:
        return False
    return True


def check_run(config: Config, optimizer: Optimizer) -> None:
    """Check that all players of a run support its game: named players and candidates.

    Args:
        config: Configuration of the run.
        optimizer: Optimizer before its first generation.

    Raises:
        ValueError: A player does not support it; the message says which one, why, and the value
            naming it.
    """
    values, game, seats = config.values(), config.make_game(), config.game.table_size
    for key in ("named", "named_later", "test_players"):
        players = {f"{key}: {name}": agents.make_compiled(name) for name in values.get(key, ())}
        check_players(players, game, seats=seats)
    candidates, kind = _anyone(config, optimizer).pack(), kind_of(config, "genomes")
    check_batch(f"genomes {kind!r}", candidates, game, seats=seats)
    if config.progress.progress_tournaments:
        closing = config.compared_in
        called = f"progress_tournaments must be 0: genomes {kind!r}"
        check_batch(called, candidates, closing.make(), seats=closing.table_size)


def check_batch(called: str, batch: agents.PlayerBatch, game: Game, *, seats: int) -> None:
    """Equivalent of ``check_players`` for a batch with one name.

    Raises:
        ValueError: A player in the batch does not support the game.
    """
    try:
        batch.check(replace(game, table_size=seats).arrays(seats).tables)
    except ValueError as error:
        raise ValueError(f"{called} cannot play this game: {error}") from error


def _anyone(config: Config, optimizer: Optimizer) -> Any:
    """An example of the candidates, a batch of one genome."""
    kind, first = config.genomes, optimizer.initial_candidate()
    if not len(first):  # it starts from a population
        rng = np.random.default_rng(config.seed)
        first = kind.first(1, config.variation, rng=rng)
    if isinstance(kind, ModelKind) and kind.default_hands:
        # Filling default trees takes seconds, and players without them support the same games.
        return replace(kind, default_hands=0, init=ModelKind.init).of_genes(first.rows)
    return first
