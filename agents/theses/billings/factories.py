"""Factories of the players in ``agents.theses.billings.room``."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from agents.external.player_factory import PlayerFactory
from agents.policy import player_io
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.billings.poki import players
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from agents.theses.billings.vexbot import player as settings
from agents.theses.billings.vexbot.player import VexbotPlayer

_DATA = Path(__file__).parent / "data"


def psopti(name: str) -> PlayerFactory:
    """A PsOpti."""
    number = int(name.removeprefix("psopti-"))

    def make(**options: Any) -> CompiledPlayer:
        # Imported here because solvers bring SciPy, which most processes do without.
        from agents.theses.billings.pseudo_optimal.build_book import pseudo_optimal_player

        return pseudo_optimal_player(number, **options)

    return PlayerFactory(make, known=asdict(Sizes.usual(number)))


def vexbot(name: str) -> PlayerFactory:
    """A Vexbot with the book of a file that comes with the package."""
    book, usual = {
        "vexbot": ("vexbot", settings.SETTINGS),
        "anti-poki": ("anti-poki", settings.COUNTER_SETTINGS),
        "hobbybot": ("anti-poki", settings.SLOW_SETTINGS),
    }[name]

    def make(**options: Any) -> CompiledPlayer:
        shipped_player = player_io.load_player(_DATA / f"{book}.npz")
        assert shipped_player.book is not None
        given = {**usual, **options}
        return VexbotPlayer(shipped_player.book, origin=shipped_player.origin, **given)

    return PlayerFactory(make, known=usual)


def alberta(name: str) -> PlayerFactory:
    """A Loki or Poki."""
    return PlayerFactory(
        partial(players.alberta_player, name), known=asdict(players.PLAYERS[name][1])
    )
