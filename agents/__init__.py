"""Players for ``nlhe_env``: benchmark players, networks, and everything that seats them."""

from __future__ import annotations

from agents.cash import CashGame, CashResults, play_cash
from agents.dynamic import TopographyPlayer
from agents.episodes import Lineup, play_episode
from agents.players import (
    Agent,
    CompiledPlayer,
    Field,
    NetworkPlayer,
    join,
    pack,
    pack_networks,
)
from agents.registry import as_agent, make, names
from agents.saved import load_player, save_player
from agents.tournaments import (
    Circle,
    Structure,
    TournamentResults,
    play_revolutions,
    play_tournaments,
)

__all__ = [
    "Agent",
    "CashGame",
    "CashResults",
    "Circle",
    "CompiledPlayer",
    "Field",
    "Lineup",
    "NetworkPlayer",
    "Structure",
    "TopographyPlayer",
    "TournamentResults",
    "as_agent",
    "join",
    "load_player",
    "make",
    "names",
    "pack",
    "pack_networks",
    "play_cash",
    "play_episode",
    "play_revolutions",
    "play_tournaments",
    "save_player",
]
