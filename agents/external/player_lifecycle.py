"""Start and end of players' participation.

A player may have ``take_seat()``, which is called before its first game and whenever it sits down
again: it raises ``RuntimeError`` if it cannot play, so that only players that answer are dealt in.
It may have ``close()``, which its maker calls in the end.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import Any

from agents.external.chat import ChatReport
from agents.external.process import BotReport
from agents.policy.compiled_player import CompiledPlayer, Player

_as_agent: Callable[[Any], Player] | None = None


def provide_as_player(as_player: Callable[[Any], Player]) -> None:
    """Set the function that finds players by name: the registry's, which imports this package."""
    global _as_agent
    _as_agent = as_player


def as_players(players: Iterable[Any]) -> list[Player]:
    """Convert names and paths to players; see ``agents.as_player``.

    Raises:
        ValueError: Something is no player; the message says what is.
    """
    if _as_agent is None:
        raise RuntimeError("players are not found by name yet: import agents.registry first")
    return [
        player if isinstance(player, CompiledPlayer) else _as_agent(player) for player in players
    ]


def take_seats(players: Iterable[Any]) -> None:
    """Call ``take_seat`` of the players that have it.

    Raises:
        RuntimeError: One cannot play; the message says who and why.
    """
    for player in players:
        take_seat = getattr(player, "take_seat", None)
        if take_seat is not None:
            take_seat()


def reports_of(players: Iterable[Any]) -> list[BotReport | ChatReport]:
    """The reports of the programs and chat models among the players."""
    reports = (getattr(player, "report", None) for player in players)
    return [report for report in reports if isinstance(report, (BotReport, ChatReport))]


def close_all(players: Iterable[Any]) -> None:
    """Call ``close`` of the players that have it; the failure of one does not keep the others."""
    for player in players:
        close = getattr(player, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()
