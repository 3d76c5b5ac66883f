"""Checks that all players know the game of a match, before any connection is awaited."""

from __future__ import annotations

from collections.abc import Sequence

from agents.acpc.table import Table
from agents.external.chips import ChipPlayer
from agents.external.nlbot import NLBot
from agents.external.space_adapter import SpaceAdapter
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players_of
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS


def check_players(table: Table, players: Sequence[Player | None]) -> None:
    """Accept the players of a table.

    Args:
        table: Where they are to play.
        players: By seat; ``None`` for those of others.

    Raises:
        ValueError: One does not know the game; the message says what it knows.
    """
    pack_players_of(players).check(table.env.tables)
    for player in players:
        if isinstance(player, NLBot) and len(players) != 2:  # says so only when it is to act
            raise ValueError(
                f"{player.name} plays heads-up only; this match has {len(players)} seats"
            )
        if player is not None and not isinstance(player, (CompiledPlayer, ChipPlayer)):
            SpaceAdapter.of(player, table.env)


def check_player(player: Player, game: Game, observation: str) -> None:
    """Accept a player for a match with any number of seats, as a dealer will announce it.

    Args:
        player: The player.
        game: What.
        observation: Observation of the player if it is not compiled.

    Raises:
        ValueError: It does not know the game, however many play; the message says what it knows.
    """
    problem: ValueError | None = None
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        table = Table(game, seats, seed=0, observation=observation)
        try:
            check_players(table, [player, *[None] * (seats - 1)])
        except ValueError as error:
            problem = problem or error
        else:
            return
    if problem is not None:
        raise problem
