"""Creation of a table's players for a game."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from agents.external.nlbot import NLBot
from agents.external.player_lifecycle import close_all, take_seats
from agents.policy.compiled_player import Player
from agents.web.catalogue import Catalogue
from agents.web.table.game import name_seats
from agents.web.table.setup import HUMAN, GameSetup


@contextlib.contextmanager
def seated_players(
    setup: GameSetup, catalogue: Catalogue
) -> Iterator[tuple[list[Player | None], list[str]]]:
    """Players of a table by seat, None for people, and their names.

    They are closed if the context's block, which creates the game, raises an exception.

    Raises:
        ValueError: A player does not exist, or cannot play this game.
    """
    players: list[Player | None] = []
    with contextlib.ExitStack() as failed:
        failed.callback(close_all, players)
        for name in setup.seats:
            players.append(None if name == HUMAN else catalogue.make(name))
            if isinstance(players[-1], NLBot) and len(setup.seats) > 2:
                raise ValueError(
                    f"{name} plays heads-up only; this table has {len(setup.seats)} seats"
                )
        take_seats(players)  # programs report their names here
        yield players, name_seats(players, setup.seats, "Open seat")
        failed.pop_all()
