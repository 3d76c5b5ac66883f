"""Whether players support a game, which their kinds decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import agents
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env import Game


def check_batch(name: str, batch: agents.PlayerBatch, game: Game, *, seats: int) -> None:
    """Check that players support a game at a table of this size.

    Args:
        name: Their name in the message.
        batch: Players.
        game: Game that is played.
        seats: Number of players at the table.

    Raises:
        ValueError: A player in the batch does not support the game.
    """
    try:
        one_table = game if seats <= game.table_size else replace(game, table_size=seats)
        batch.check(one_table.arrays(seats).tables)
    except ValueError as error:
        raise ValueError(f"{name} cannot play this game: {error}") from error


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
