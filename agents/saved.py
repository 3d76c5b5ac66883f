"""Players on disk: one ``.npz`` file with weights, input scaling and origin."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from agents.players import NetworkPlayer

_FORMAT = "nlhe-env player 1"


def save_player(path: str | Path, player: NetworkPlayer) -> None:
    """Write a network to a file, in one step: the file is whole or is not there.

    Args:
        path: Ends with ``.npz``.
        player: Its origin must hold plain values (as JSON knows them).
    """
    target = Path(path)
    if target.suffix != ".npz":
        raise ValueError(f"the file of a player must end with .npz; got {str(path)!r}")
    about = {
        "format": _FORMAT,
        "kind": "network",
        "layers": [int(n) for n in player.layers if n > 0],
        "inputs": player.inputs,
        "name": player.name,
        "origin": player.origin,
    }
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), weights=player.weights)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def load_player(path: str | Path) -> NetworkPlayer:
    """Read a network that ``save_player`` wrote.

    Raises:
        ValueError: The file is not there, or no player of this format.
    """
    try:
        with Path(path).open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            about: dict[str, Any] = json.loads(str(file["about"]))
            weights = file["weights"]
    except FileNotFoundError:
        raise ValueError(f"there is no player file {str(path)!r}") from None
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{str(path)!r} is not a player file, or is damaged: {error}") from None
    if about.get("format") != _FORMAT:
        raise ValueError(
            f"{str(path)!r} holds a player of format {about.get('format')!r}; this version reads "
            f"{_FORMAT!r}"
        )
    return NetworkPlayer(
        weights,
        inputs=about["inputs"],
        hidden=about["layers"][1:-1],
        name=about["name"],
        origin=about["origin"],
    )
