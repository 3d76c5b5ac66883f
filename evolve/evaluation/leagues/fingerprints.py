"""What tells players from each other in stored results."""

from __future__ import annotations

import hashlib

import numpy as np

from agents.players.rules.static import STATIC
from agents.policy.compiled_player import CompiledPlayer, Player

_STATIC_OF_0_1 = ((1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1))
_CLASS_OF_0_1 = {
    "agents.external.nlbot.NLBot": "agents.nlbot.NLBot",
    "agents.external.process.player.ProcessPlayer": "agents.external.player.ProcessPlayer",
}
_NUMBER_OF_0_1 = {
    "topography": 7,
    "pot-odds": 8,
    "style": 9,
    "formula": 10,
    "push-or-fold": 11,
    "ashe-opponent": 12,
    "scared-limper": 13,
}


def fingerprint(player: Player) -> str:
    """What tells a player from others: of a compiled one all that it is, else class and identity.

    The identity is the attribute of this name (of a program, its command), else ``name``.
    """
    if not isinstance(player, CompiledPlayer):
        kind = type(player)
        identity = getattr(player, "identity", getattr(player, "name", ""))
        return f"{kind.__module__}.{kind.__qualname__} {identity}".rstrip()
    about = f"{player.kind.name} {player.inputs} {player.sizes.tolist()} "
    if player.interpretation.code:
        about += f"{player.interpretation.as_dict()} "
    book = b"" if player.book is None else player.book.tobytes()
    return hashlib.sha256(about.encode() + player.weights.tobytes() + book).hexdigest()


def fingerprint_of_0_1(player: Player) -> str:
    """The same as version 0.1 stored it, which numbered the kinds; that of today for new kinds."""
    if not isinstance(player, CompiledPlayer):
        kind = f"{type(player).__module__}.{type(player).__qualname__}"
        kind = _CLASS_OF_0_1.get(kind, kind)
        return f"{kind} {getattr(player, 'name', '')}".rstrip()
    if player.interpretation.code:  # it knew none
        return fingerprint(player)
    weights, layers = player.weights, player.sizes[:6]
    if player.kind is STATIC:
        number = _STATIC_OF_0_1.index(tuple(int(n) for n in weights))
        weights = np.zeros(0, np.float32)
    elif player.kind.name == "network":
        number = 5 if layers.tolist() == [35, 20, 5, 0, 0, 0] else 6
    elif player.kind.name in _NUMBER_OF_0_1:
        number = _NUMBER_OF_0_1[player.kind.name]
    else:
        return fingerprint(player)
    about = f"{number} {player.inputs} {layers.tolist()} "
    return hashlib.sha256(about.encode() + weights.tobytes()).hexdigest()
