"""Players for ``nlhe_env``, and the matches that they play.

``__init__.pyi`` lists the public names. Each is loaded on first use.
"""

from __future__ import annotations

from nlhe_env.envs.opponents import Provider, provide_opponents
from nlhe_env.system.public_names import attach_stub

_MOVED = {
    "agents.external.chat": ("BudgetError", "ChatError", "ChatReport", "read_answer"),
    "agents.external.nlbot": ("NLBotSettings",),
    "agents.external.process": ("BotReport",),
    "agents.match.style": ("STYLE_STATS", "Style", "behaviour_descriptors", "standard_errors"),
    "agents.players.networks": (
        "PUBLISHED",
        "ArgmaxNetworkPlayer",
        "MixedPotSizedNetworkPlayer",
        "NetworkLink",
        "NetworkNode",
        "PotSizedNetworkPlayer",
        "RecurrentPlayer",
        "SparseNetwork",
        "SparseNetworkPlayer",
        "count_weights",
        "network_outputs",
        "pack_networks",
    ),
}
"""Names that were here before 2.0.0, by their modules."""


def _provider() -> Provider:
    from agents.external.episodes import Lineup
    from agents.policy.vector_opponents import VectorOpponents
    from agents.registry import as_player

    return Provider(as_player, Lineup, VectorOpponents)


__getattr__, __dir__, __all__ = attach_stub(__name__, "agents.rooms:explain_missing", _MOVED)
provide_opponents(_provider)
