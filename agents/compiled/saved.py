"""Players on disk: one ``.npz`` file with weights, input scaling and origin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from agents.compiled import topography
from agents.compiled.players import NetworkPlayer
from agents.compiled.topography_players import TopographyPlayer
from nlhe_env.machine.files import load_npz, replacing

_FORMAT = "nlhe-env player 1"
_GRID = list(topography.SHAPE)


def save_player(path: str | Path, player: NetworkPlayer | TopographyPlayer) -> None:
    """Write a player to a file, in one step: the file is whole or is not there.

    Args:
        path: Ends with ``.npz``.
        player: Its origin must hold plain values (as JSON knows them).
    """
    target = Path(path)
    if target.suffix != ".npz":
        raise ValueError(f"the file of a player must end with .npz; got {str(path)!r}")
    if isinstance(player, TopographyPlayer):
        form: dict[str, Any] = {"kind": "topography", "grid": _GRID}
    else:
        form = {"kind": "network", "layers": [int(n) for n in player.layers if n > 0]}
    about = {
        "format": _FORMAT,
        **form,
        "inputs": player.inputs,
        "name": player.name,
        "origin": player.origin,
    }
    with replacing(target) as file:
        np.savez(file, about=np.array(json.dumps(about)), weights=player.weights)


def load_player(path: str | Path) -> NetworkPlayer | TopographyPlayer:
    """Read a player that ``save_player`` wrote.

    Raises:
        ValueError: The file is not there, or no player of this format.
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
            f"{str(path)!r} holds a player of format {about.get('format')!r}; this version reads "
            f"{_FORMAT!r}"
        )
    traits = {key: about[key] for key in ("inputs", "name", "origin")}
    if about["kind"] == "network":
        return NetworkPlayer(weights, hidden=about["layers"][1:-1], **traits)
    if (about["kind"], about.get("grid")) == ("topography", _GRID):
        return TopographyPlayer(weights, **traits)
    raise ValueError(
        f"{str(path)!r} holds a player of kind {about['kind']!r}, grid {about.get('grid')}; this "
        f"version reads networks, and topographies with grid {_GRID}"
    )
