"""Start and end of players' participation.

A player may have ``take_seat()``, which is called before its first game and whenever it sits down
again: it raises ``RuntimeError`` if it cannot play, so that only working players are dealt in. It
may have ``close()``, which its creator calls at the end.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterable
from typing import Any

from agents.external.chat import ChatReport
from agents.external.process import BotReport
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env.envs.opponents import provider


def as_players(players: Iterable[Any]) -> list[Player]:
    """Convert names and paths to players; see ``agents.as_player``.

    Raises:
        ValueError: An object is not a player; the message describes valid ones.
    """
    return [
        player if isinstance(player, CompiledPlayer) else provider().as_player(player)
        for player in players
    ]


def take_seats(players: Iterable[Any]) -> None:
    """Call ``take_seat`` of the players that have it.

    Raises:
        RuntimeError: A player cannot play; the message says which one and why.
    """
    for player in players:
        take_seat = getattr(player, "take_seat", None)
        if take_seat is not None:
            take_seat()


def reports_of(players: Iterable[Any]) -> list[BotReport | ChatReport]:
    """Reports of the programs and chat models among the players."""
    reports = (getattr(player, "report", None) for player in players)
    return [report for report in reports if isinstance(report, (BotReport, ChatReport))]


def describe_failure(player: Any, error: Exception) -> str:
    """Error message for the author of a player, with its name and the location of the error.

    Args:
        player: The player that has failed.
        error: What it raised, as caught.
    """
    name = getattr(player, "name", type(player).__name__)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{name} has failed: {type(error).__name__}: {error} "
        f"({place.filename}, line {place.lineno}: {place.line})"
    )


def close_all(players: Iterable[Any]) -> None:
    """Call ``close`` of the players that have it, even if some of them fail."""
    for player in players:
        close = getattr(player, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()
