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

from nlhe_env._version import __version__
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.batch import BatchEnv
from nlhe_env.envs.guarded import env
from nlhe_env.envs.single import NoLimitHoldemEnv
from nlhe_env.envs.wrappers import FeaturesWrapper
from nlhe_env.errors import IllegalActionError, TableFileError
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game

pettingzoo.register("aec", id="nlhe/NoLimitHoldem-v0", entry_point="nlhe_env:env")
gymnasium.register("nlhe/NoLimitHoldem-v0", entry_point="nlhe_env.envs.single:NoLimitHoldemEnv")

__all__ = [
    "BatchEnv",
    "BlindSchedule",
    "FeaturesWrapper",
    "Game",
    "IllegalActionError",
    "NoLimitHoldemEnv",
    "TableFileError",
    "__version__",
    "env",
    "format_cards",
    "parse_cards",
    "raw_env",
]
