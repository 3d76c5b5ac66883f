"""Players for ``nlhe_env``, and the matches that they play."""

from __future__ import annotations

from typing import Any

from agents import kernels
from agents.external.chat import BudgetError, ChatError, ChatPlayer, ChatReport, read_answer
from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer
from agents.external.episodes import Lineup, play_episode
from agents.external.http_player import HttpPlayer
from agents.external.nlbot import NLBot, NLBotSettings
from agents.external.policies import from_policy, from_sb3, from_torch
from agents.external.process import BotReport, ProcessPlayer
from agents.external.turn_text import TextObservations, rules_text, turn_text
from agents.match.fitting import fit_value_function
from agents.match.planning import Plan, plan
from agents.match.playing import play
from agents.match.schedules import Blocks, LineupBlocks, Schedule, SeatingOrder, Tournaments
from agents.match.style import (
    STYLE_STATS,
    Style,
    behaviour_descriptors,
    measure_style,
    standard_errors,
    style_stats,
)
from agents.match.tally import Rows, Tally
from agents.measure.bench.running import bench
from agents.measure.bench.scorecard import Scorecard
from agents.players.blueprint.player import BlueprintPlayer
from agents.players.networks.argmax_networks import ArgmaxNetworkPlayer
from agents.players.networks.lstm import RecurrentPlayer
from agents.players.networks.network import PUBLISHED, count_weights
from agents.players.networks.networks import NetworkPlayer, pack_networks
from agents.players.networks.pot_sized_networks import (
    MixedPotSizedNetworkPlayer,
    PotSizedNetworkPlayer,
)
from agents.players.networks.sparse_network import (
    NetworkLink,
    NetworkNode,
    SparseNetwork,
    SparseNetworkPlayer,
    network_outputs,
)
from agents.players.rules.rule_players import RulePlayer
from agents.players.topographies.policy_map import TopographyPlayer
from agents.policy.action_interpretation import ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.kinds import Kind, register_kind
from agents.policy.player_batch import PlayerBatch, concat, pack_players
from agents.policy.player_io import load_player, save_player
from agents.policy.vector_opponents import VectorOpponents
from agents.registry import as_player, describe, make, make_compiled, names, options
from agents.rooms import explain_missing
from agents.statistics.ranking import Ranking, rank
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.aivat_logs import AivatEvaluator
from agents.variance_reduction.divat import Divat
from agents.variance_reduction.methods import VarianceReduction
from agents.variance_reduction.value_functions import ValueFunction, load_value_function
from nlhe_env.envs.opponents import provide_opponents
from nlhe_env.system.part_names import allow_in_files

provide_opponents(as_player, Lineup, VectorOpponents)


def __getattr__(name: str) -> Any:
    raise explain_missing(__name__, name)


__all__ = [
    "CHECK_OR_CALL",
    "FOLD",
    "PUBLISHED",
    "STYLE_STATS",
    "ActionInterpretation",
    "Aivat",
    "AivatEvaluator",
    "ArgmaxNetworkPlayer",
    "Blocks",
    "BlueprintPlayer",
    "BotReport",
    "BudgetError",
    "ChatError",
    "ChatPlayer",
    "ChatReport",
    "ChipPlayer",
    "CompiledPlayer",
    "Divat",
    "HttpPlayer",
    "Kind",
    "Lineup",
    "LineupBlocks",
    "MixedPotSizedNetworkPlayer",
    "NLBot",
    "NLBotSettings",
    "NetworkLink",
    "NetworkNode",
    "NetworkPlayer",
    "Plan",
    "Player",
    "PlayerBatch",
    "PotSizedNetworkPlayer",
    "ProcessPlayer",
    "Ranking",
    "RecurrentPlayer",
    "Rows",
    "RulePlayer",
    "Schedule",
    "Scorecard",
    "SeatingOrder",
    "SparseNetwork",
    "SparseNetworkPlayer",
    "Style",
    "Tally",
    "TextObservations",
    "TopographyPlayer",
    "Tournaments",
    "ValueFunction",
    "VarianceReduction",
    "allow_in_files",
    "as_player",
    "behaviour_descriptors",
    "bench",
    "concat",
    "count_weights",
    "describe",
    "fit_value_function",
    "from_policy",
    "from_sb3",
    "from_torch",
    "kernels",
    "load_player",
    "load_value_function",
    "make",
    "make_compiled",
    "measure_style",
    "names",
    "network_outputs",
    "options",
    "pack_networks",
    "pack_players",
    "plan",
    "play",
    "play_episode",
    "rank",
    "read_answer",
    "register_kind",
    "rules_text",
    "save_player",
    "standard_errors",
    "style_stats",
    "turn_text",
]
