"""Factories of the players in ``agents.player_records`` that have arguments of their own."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from agents.external.player_factory import PlayerFactory
from agents.policy import player_io
from agents.policy.compiled_player import Player
from nlhe_env.arguments import one_of

_DATA = Path(__file__).parent / "data"


def blueprint(name: str) -> PlayerFactory:
    """The book in a file that comes with the package, with or without solvers."""

    def make(resolve: str = "none") -> Player:
        player = player_io.load_player(_DATA / f"{name}.npz")
        if one_of("resolve", resolve, ("none", "river", "turn")) == "none":
            return player
        # Imported here because solvers bring SciPy, which most processes do without.
        from agents.solvers import RiverSolver, TurnSolver

        return RiverSolver(player) if resolve == "river" else TurnSolver(player)

    return PlayerFactory(make)


def profile(name: str) -> PlayerFactory:
    """A rule player by a profile of numbers."""
    from agents.players.rules import rule_players

    known = rule_players.profile_options(name)
    return PlayerFactory(partial(rule_players.profile_player, name), known=known)


def nlbot(name: str) -> PlayerFactory:
    """A version of NLBot."""
    from agents.external.nlbot import VERSIONS, NLBot

    version = int(name.removeprefix("nlbot-"))

    def make(**options: Any) -> NLBot:
        return NLBot(version, settings=replace(VERSIONS[version], **options))

    return PlayerFactory(make, known=asdict(VERSIONS[version]))


def chat(_: str) -> PlayerFactory:
    """A chat model."""
    from agents.external.chat import ChatPlayer
    from agents.external.chat.player import OPTIONS_BESIDE_PLAY

    return PlayerFactory(ChatPlayer, beside_play=OPTIONS_BESIDE_PLAY)


def http(_: str) -> PlayerFactory:
    """An agent behind an address."""
    from agents.external.http_player import OPTIONS_BESIDE_PLAY, HttpPlayer

    return PlayerFactory(HttpPlayer, beside_play=OPTIONS_BESIDE_PLAY)
