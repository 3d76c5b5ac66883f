"""Fingerprints that distinguish the players of stored results."""

from __future__ import annotations

import hashlib

from agents.policy.compiled_player import CompiledPlayer, Player


def fingerprint(player: Player) -> str:
    """Fingerprint of a player: a hash of a compiled player, else its class and identity.

    The identity is the attribute ``identity`` (for a program its command), else ``name``.
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
