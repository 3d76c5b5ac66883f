"""Player files: one ``.npz`` with weights, input scaling and origin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy.action_interpretation import ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import find_kind, make_sizes
from agents.policy.view import MOST_SIZES
from nlhe_env.arguments import array, shown, whole_number
from nlhe_env.jit.array_types import I64
from nlhe_env.system.files import load_npz, replacing
from nlhe_env.system.json_text import Types, check_fields, parse_fields
from nlhe_env.system.part_names import check_names

_FORMAT = "nlhe-env player 3"
_MOST_SIZE = 2**24
"""Larger than any size of a kind, and small enough for products of two."""
_FIELDS: dict[str, Types] = {
    "kind": str,
    "sizes": list,
    "inputs": str,
    "name": str,
    "origin": dict,
    "interpretation": dict,
}


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
    with replacing(target, through=True) as file:
        if player.book is None:
            np.savez(file, allow_pickle=False, **arrays)
        else:
            np.savez_compressed(file, allow_pickle=False, **arrays, book=player.book)


def load_player(path: str | Path) -> CompiledPlayer:
    """Load a player file from ``save_player``.

    Raises:
        ValueError: The file is missing, has another format, or names an observation in a
            Python file that the user has not named, see ``agents.allow_in_files``.
    """
    try:
        file = load_npz(Path(path))
        about = parse_fields(str(file["about"]), {"format": str})
        weights = array("weights", file["weights"], (None,), dtype=np.float32)
    except FileNotFoundError:
        raise ValueError(f"there is no player file {str(path)!r}") from None
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is not a player file, or is damaged: {error}") from None
    if about["format"] != _FORMAT:
        raise ValueError(
            f"{str(path)!r} contains a player of format {shown(about['format'])}; this version "
            f"reads {_FORMAT!r}"
        )
    try:
        check_fields(about, _FIELDS)
        check_names(about["inputs"], repr(str(path)))
        kind = find_kind(about["kind"])
        players: type[CompiledPlayer] = kind.player_class or CompiledPlayer
        return players.restore(
            kind=kind,
            weights=weights,
            sizes=_read_sizes(about["sizes"]),
            interpretation=ActionInterpretation(**about["interpretation"]),
            book=file.get("book"),
            **{key: about[key] for key in ("inputs", "name", "origin")},
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is not a player of this version: {error}") from None


def _read_sizes(sizes: list[Any]) -> I64:
    if len(sizes) > MOST_SIZES:
        raise ValueError(f"sizes must be at most {MOST_SIZES} numbers; got {len(sizes)}")
    return make_sizes(*(whole_number("each of sizes", n, least=0, most=_MOST_SIZE) for n in sizes))
