"""Pseudo-optimal players: shipped, cached on disk, or solved on first use."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_io import load_player, save_player
from agents.theses.billings.pseudo_optimal.build_book import make_player
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from nlhe_env.system.cache_folders import cache_folder

_SHIPPED = Path(__file__).parents[1] / "data"
_VERSION = 1
"""Version of the cache, raised when the same sizes yield another player."""


def pseudo_optimal_player(number: int, **options: Any) -> CompiledPlayer:
    """PsOpti0, PsOpti1 or PsOpti2.

    Players with the usual sizes are shipped with the package. Others are solved on first use and
    stored in the user's cache folder, with a message on standard error.

    Args:
        number: 0, 1 or 2.
        **options: Fields of ``Sizes``.

    Raises:
        ValueError: An option is invalid.
    """
    usual = Sizes.usual(number)
    sizes = replace(usual, **options)
    if sizes == usual:
        return load_player(_SHIPPED / f"psopti-{number}.npz")
    path = _file(number, sizes)
    if not path.exists():
        _say(f"solving psopti-{number} with these sizes (once, seconds to some minutes)")
        player = make_player(number, sizes, _say)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_player(path, player)
    return load_player(path)


def _file(number: int, sizes: Sizes) -> Path:
    about = json.dumps([_VERSION, number, asdict(sizes)])
    name = hashlib.sha256(about.encode()).hexdigest()[:16]
    return cache_folder() / "players" / f"psopti-{number}-{name}.npz"


def _say(line: str) -> None:
    print(f"nlhe-env: {line}", file=sys.stderr)
