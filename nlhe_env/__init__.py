"""No-Limit Texas Hold'em for multi-agent learning.

>>> import nlhe_env
>>> env = nlhe_env.env(num_players=2)
>>> env.reset(seed=7)
>>> env.agent_selection in ("player_0", "player_1")
True
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from nlhe_env import evaluator, hand_history, kernels
from nlhe_env._version import __version__
from nlhe_env.assessment import (
    Baseline,
    BoardTexture,
    HandDivat,
    IncomeRates,
    Potential,
    StreetDivat,
    all_in_ev,
    board_clusters,
    board_features,
    board_texture,
    class_names,
    draw_probability,
    hand_divat,
    hand_strength,
    higher_pair_counts,
    higher_pair_probability,
    implied_odds,
    income_rates,
    iterated_income_rates,
    net_equity,
    optimal_bluff_ratio,
    pot_odds,
    potential,
    required_fold_equity,
    showdown_odds,
)
from nlhe_env.cards import RANKS, format_cards, parse_cards
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.batch import BatchEnv
from nlhe_env.envs.order_enforcing import env
from nlhe_env.envs.single import NoLimitHoldemEnv
from nlhe_env.envs.vector import NoLimitHoldemVectorEnv
from nlhe_env.envs.wrappers import FeaturesWrapper, MaskInInfo, MaskInObservation
from nlhe_env.equity import (
    EquityResult,
    Range,
    StrengthTables,
    equities,
    hand_equities,
    hand_equity,
    load_tables,
    rebuild_tables,
    tables_file,
    win_or_tie_probabilities,
    win_or_tie_probability,
)
from nlhe_env.errors import IllegalActionError, TableFileError
from nlhe_env.extras import warn_of_overwritten_packages
from nlhe_env.game import what_if
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game
from nlhe_env.game.rake import Rake
from nlhe_env.spaces.cash_features import CASH_FEATURES
from nlhe_env.spaces.core_features import CORE_FEATURES
from nlhe_env.spaces.features import FEATURES, OPPONENT_FEATURES
from nlhe_env.spaces.observation import Observation
from nlhe_env.spaces.observations import register_observation
from nlhe_env.spaces.unit_features import UNIT_FEATURES

warn_of_overwritten_packages()
if hasattr(pettingzoo, "register"):  # since 1.27
    pettingzoo.register("aec", id="nlhe/NoLimitHoldem-v0", entry_point="nlhe_env:env")
gymnasium.register(
    "nlhe/NoLimitHoldem-v0",
    entry_point="nlhe_env.envs.single:NoLimitHoldemEnv",
    vector_entry_point="nlhe_env.envs.vector:NoLimitHoldemVectorEnv",
)

__all__ = [
    "CASH_FEATURES",
    "CORE_FEATURES",
    "FEATURES",
    "OPPONENT_FEATURES",
    "RANKS",
    "UNIT_FEATURES",
    "Baseline",
    "BatchEnv",
    "BlindSchedule",
    "BoardTexture",
    "EquityResult",
    "FeaturesWrapper",
    "Game",
    "HandDivat",
    "IllegalActionError",
    "IncomeRates",
    "MaskInInfo",
    "MaskInObservation",
    "NoLimitHoldemEnv",
    "NoLimitHoldemVectorEnv",
    "Observation",
    "Potential",
    "Rake",
    "Range",
    "StreetDivat",
    "StrengthTables",
    "TableFileError",
    "__version__",
    "all_in_ev",
    "board_clusters",
    "board_features",
    "board_texture",
    "class_names",
    "draw_probability",
    "env",
    "equities",
    "evaluator",
    "format_cards",
    "hand_divat",
    "hand_equities",
    "hand_equity",
    "hand_history",
    "hand_strength",
    "higher_pair_counts",
    "higher_pair_probability",
    "implied_odds",
    "income_rates",
    "iterated_income_rates",
    "kernels",
    "load_tables",
    "net_equity",
    "optimal_bluff_ratio",
    "parse_cards",
    "pot_odds",
    "potential",
    "raw_env",
    "rebuild_tables",
    "register_observation",
    "required_fold_equity",
    "showdown_odds",
    "tables_file",
    "what_if",
    "win_or_tie_probabilities",
    "win_or_tie_probability",
]
