"""Player files: one ``.npz`` with weights, input scaling and origin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy.action_interpretation import ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import find_kind, make_sizes
from nlhe_env.system.files import load_npz, replacing

_FORMAT = "nlhe-env player 3"
_KEYS = ("kind", "sizes", "inputs", "name", "origin", "interpretation")


def save_player(path: str | Path, player: CompiledPlayer) -> None:
    """Write a player file atomically.

    Args:
        path: Path with the suffix ``.npz``.
        player: A compiled player, with plain JSON values as its origin.

    Raises:
        ValueError: The suffix is different, or the player is not compiled.
    """
    if not isinstance(player, CompiledPlayer):
        raise ValueError(
            "only compiled players can be saved (agents.CompiledPlayer, such as those of "
            "agents.names(compiled=True)), not players that decide in Python or in a program; got "
            f"{type(player).__name__} {getattr(player, 'name', player)!r}"
        )
    target = Path(path)
    if target.suffix != ".npz":
        raise ValueError(f"a player file must end with .npz; got {str(path)!r}")
    about = {
        "format": _FORMAT,
        "kind": player.kind.name,
        "sizes": [int(n) for n in np.trim_zeros(player.sizes, "b")],
        "inputs": player.inputs,
        "name": player.name,
        "origin": player.origin,
        "interpretation": player.interpretation.as_dict(),
    }
    arrays = {"about": np.array(json.dumps(about)), "weights": player.weights}
    with replacing(target) as file:
        if player.book is None:
            np.savez(file, allow_pickle=False, **arrays)
        else:
            np.savez_compressed(file, allow_pickle=False, **arrays, book=player.book)


def load_player(path: str | Path) -> CompiledPlayer:
    """Load a player file from ``save_player``.

    Raises:
        ValueError: The file is missing or has another format.
    """
    try:
        file = load_npz(Path(path))
        about: dict[str, Any] = json.loads(str(file["about"]))
        weights = file["weights"]
    except FileNotFoundError:
        raise ValueError(f"there is no player file {str(path)!r}") from None
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is not a player file, or is damaged: {error}") from None
    if about.get("format") != _FORMAT:
        raise ValueError(
            f"{str(path)!r} contains a player of format {about.get('format')!r}; this version "
            f"reads {_FORMAT!r}"
        )
    missing = [key for key in _KEYS if key not in about]
    if missing:
        raise ValueError(f"{str(path)!r} is an incomplete player: it has no {', '.join(missing)}")
    try:
        kind = find_kind(about["kind"])
    except ValueError as error:
        raise ValueError(f"{str(path)!r}: {error}") from None
    try:
        interpretation = ActionInterpretation(**about["interpretation"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{str(path)!r}: {error}") from None
    players: type[CompiledPlayer] = kind.player_class or CompiledPlayer
    return players.restore(
        kind=kind,
        weights=weights,
        sizes=make_sizes(*about["sizes"]),
        interpretation=interpretation,
        book=file.get("book"),
        **{key: about[key] for key in ("inputs", "name", "origin")},
    )
