"""Players for ``nlhe_env``: benchmark players, networks, and everything that seats them."""

from __future__ import annotations

from agents.cash import CashGame, CashResults, play_cash
from agents.chips import CHECK_OR_CALL, FOLD, ChipPlayer
from agents.dynamic import TopographyPlayer
from agents.episodes import Lineup, play_episode
from agents.external import BotReport, ProcessPlayer
from agents.matches import MatchResults, play_matches
from agents.nlbot import NLBot
from agents.players import (
    Agent,
    CompiledPlayer,
    Field,
    NetworkPlayer,
    join,
    pack,
    pack_networks,
)
from agents.registry import as_agent, make, make_compiled, names, options
from agents.rule_players import RulePlayer
from agents.saved import load_player, save_player
from agents.style import Style, measure_style
from agents.tournaments import (
    Circle,
    Structure,
    TournamentResults,
    play_revolutions,
    play_tournaments,
)

__all__ = [
    "CHECK_OR_CALL",
    "FOLD",
    "Agent",
    "BotReport",
    "CashGame",
    "CashResults",
    "ChipPlayer",
    "Circle",
    "CompiledPlayer",
    "Field",
    "Lineup",
    "MatchResults",
    "NLBot",
    "NetworkPlayer",
    "ProcessPlayer",
    "RulePlayer",
    "Structure",
    "Style",
    "TopographyPlayer",
    "TournamentResults",
    "as_agent",
    "join",
    "load_player",
    "make",
    "make_compiled",
    "measure_style",
    "names",
    "options",
    "pack",
    "pack_networks",
    "play_cash",
    "play_episode",
    "play_matches",
    "play_revolutions",
    "play_tournaments",
    "save_player",
]
