"""Presets of searches: a game, and an optimizer with values that suit it.

Every preset is a pair ``GAME-OPTIMIZER``; ``GAME`` alone has the optimizer ``cma-es``. The values
of the game come from one file, those of the optimizer from another.
"""

from __future__ import annotations

import dataclasses
from importlib import resources
from pathlib import Path
from typing import Any, get_args

from evolve.training.config_files import check_keys, nearest, parse_table, read_text
from evolve.training.search.config import OptimizerName, SearchConfig

OPTIMIZERS: tuple[str, ...] = get_args(OptimizerName)
DEFAULT_OPTIMIZER = "cma-es"


def search_games() -> list[str]:
    """The games that presets are of."""
    return sorted(file.name.removesuffix(".toml") for file in (_files() / "games").iterdir())


def search_preset_names() -> list[str]:
    """All presets: each game alone, and with every optimizer."""
    return [
        name
        for game in search_games()
        for name in (game, *(f"{game}-{optimizer}" for optimizer in OPTIMIZERS))
    ]


def load_search_preset(name: str, optimizer: str | None = None) -> SearchConfig:
    """The configuration of a preset.

    Args:
        name: ``GAME`` or ``GAME-OPTIMIZER``.
        optimizer: Another optimizer, with the values that suit that one.

    Raises:
        ValueError: There is no such preset or optimizer.
    """
    names = search_preset_names()
    if name not in names:
        raise ValueError(f"preset {name!r} does not exist{nearest(name, names)}")
    game = max((game for game in search_games() if name.startswith(game)), key=len)
    optimizer = optimizer or name.removeprefix(game).removeprefix("-") or DEFAULT_OPTIMIZER
    if optimizer not in OPTIMIZERS:
        raise ValueError(f"optimizer must be one of {', '.join(OPTIMIZERS)}; got {optimizer!r}")
    # What the game says about an optimizer counts more than what suits it elsewhere.
    values = _table("optimizers", optimizer)
    for_all = _table("games", game)
    special = for_all.pop("with", {}).get(optimizer, {})
    values |= {"optimizer": optimizer, "name": f"{game}-{optimizer}", **for_all, **special}
    return _from_values(SearchConfig(), values, source=f"preset {name}", name=name)


def describe_search_game(game: str) -> str:
    """The first comment of the file of a game."""
    text: str = (_files() / "games" / f"{game}.toml").read_text(encoding="utf-8")
    lines = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
    return lines[0]


def load_search_config(path: Path) -> SearchConfig:
    """The configuration in a TOML file; without a ``name`` of its own it has the file's.

    What it leaves out comes from the preset that it ``extends``, or keeps its default.

    Raises:
        ValueError: The file cannot be read or holds a key or value that is not allowed.
    """
    return parse_search_config(read_text(path), source=str(path), name=path.stem)


def parse_search_config(text: str, *, source: str, name: str) -> SearchConfig:
    """The configuration in a TOML text.

    Args:
        text: One flat table.
        source: Where it comes from, for messages.
        name: Name of the experiment where the text gives none.

    Raises:
        ValueError: The text is no TOML, or holds a key or value that is not allowed.
    """
    values = parse_table(text, source)
    try:
        base = SearchConfig()
        if "extends" in values:
            base = load_search_preset(values.pop("extends"), values.get("optimizer"))
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
    return _from_values(base, values, source=source, name=name)


def _from_values(
    base: SearchConfig, values: dict[str, Any], *, source: str, name: str
) -> SearchConfig:
    check_keys(values, SearchConfig, ("extends",), source=source)
    try:
        return dataclasses.replace(base, **{"name": name, **values})
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error


def _table(folder: str, name: str) -> dict[str, Any]:
    text = (_files() / folder / f"{name}.toml").read_text(encoding="utf-8")
    return parse_table(text, f"preset {name}")


def _files() -> Any:
    return resources.files("evolve.training.search") / "preset_files"
