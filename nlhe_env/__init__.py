"""No-Limit Texas Hold'em for multi-agent learning.

>>> import nlhe_env
>>> env = nlhe_env.env(num_players=2)
>>> env.reset(seed=7)
>>> env.agent_selection in ("player_0", "player_1")
True

``__init__.pyi`` lists the public names. Each is loaded on first use.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from nlhe_env._version import __version__ as __version__
from nlhe_env.extras import warn_of_overwritten_packages
from nlhe_env.system.public_names import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)

warn_of_overwritten_packages()
if hasattr(pettingzoo, "register"):  # since 1.27
    pettingzoo.register("aec", id="nlhe/NoLimitHoldem-v0", entry_point="nlhe_env:env")
gymnasium.register(
    "nlhe/NoLimitHoldem-v0",
    entry_point="nlhe_env.envs.single:NoLimitHoldemEnv",
    vector_entry_point="nlhe_env.envs.vector:NoLimitHoldemVectorEnv",
)
