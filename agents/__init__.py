"""Players for ``nlhe_env``: benchmark players, networks, and everything that seats them."""

from __future__ import annotations

from agents import kernels
from agents.compiled.ashe.first import AshePlayer, AsheShape
from agents.compiled.ashe.second import ModelPlayer
from agents.compiled.ashe.shape import ModelShape
from agents.compiled.blueprint.player import BlueprintPlayer
from agents.compiled.crew import Crew
from agents.compiled.fields import Field, join, pack
from agents.compiled.firm_networks import FirmNetworkPlayer
from agents.compiled.kinds import Kind, register_kind
from agents.compiled.lstm import RecurrentPlayer
from agents.compiled.network import PUBLISHED, count_weights
from agents.compiled.networks import NetworkPlayer, pack_networks
from agents.compiled.players import Agent, CompiledPlayer
from agents.compiled.pot_networks import PotNetworkPlayer
from agents.compiled.readings import Readings
from agents.compiled.rules.rule_players import RulePlayer
from agents.compiled.saved import load_player, save_player
from agents.compiled.teams.layered_teams import LayeredTeamPlayer
from agents.compiled.teams.limit_teams import LimitTeamPlayer, VotingPlayer
from agents.compiled.teams.programs import Instruction, Program
from agents.compiled.teams.team_players import TeamPlayer
from agents.compiled.topography_players import TopographyPlayer
from agents.outside.chips import CHECK_OR_CALL, FOLD, ChipPlayer
from agents.outside.episodes import Lineup, play_episode
from agents.outside.nlbot import NLBot, NLBotSettings
from agents.outside.process import BotReport, ProcessPlayer
from agents.play.aivat import Aivat
from agents.play.fitting import fit_value_function
from agents.play.logged import LogJudge
from agents.play.luck import Luck
from agents.play.playing import play
from agents.play.schedules import Blocks, Circle, LineUps, Schedule, Tournaments
from agents.play.style import (
    MEASURES,
    Style,
    behaviours,
    measure_style,
    measures,
    standard_errors,
)
from agents.play.tally import Rows, Tally
from agents.play.value_functions import ValueFunction, load_value_function
from agents.registry import as_agent, describe, make, make_compiled, names, options
from nlhe_env.envs.opponents import provide_opponents

provide_opponents(as_agent, Lineup, Crew)

__all__ = [
    "CHECK_OR_CALL",
    "FOLD",
    "MEASURES",
    "PUBLISHED",
    "Agent",
    "Aivat",
    "AshePlayer",
    "AsheShape",
    "Blocks",
    "BlueprintPlayer",
    "BotReport",
    "ChipPlayer",
    "Circle",
    "CompiledPlayer",
    "Field",
    "FirmNetworkPlayer",
    "Instruction",
    "Kind",
    "LayeredTeamPlayer",
    "LimitTeamPlayer",
    "LineUps",
    "Lineup",
    "LogJudge",
    "Luck",
    "ModelPlayer",
    "ModelShape",
    "NLBot",
    "NLBotSettings",
    "NetworkPlayer",
    "PotNetworkPlayer",
    "ProcessPlayer",
    "Program",
    "Readings",
    "RecurrentPlayer",
    "Rows",
    "RulePlayer",
    "Schedule",
    "Style",
    "Tally",
    "TeamPlayer",
    "TopographyPlayer",
    "Tournaments",
    "ValueFunction",
    "VotingPlayer",
    "as_agent",
    "behaviours",
    "count_weights",
    "describe",
    "fit_value_function",
    "join",
    "kernels",
    "load_player",
    "load_value_function",
    "make",
    "make_compiled",
    "measure_style",
    "measures",
    "names",
    "options",
    "pack",
    "pack_networks",
    "play",
    "play_episode",
    "register_kind",
    "save_player",
    "standard_errors",
]
