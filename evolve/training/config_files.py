"""Configurations on disk: TOML files, and the presets that come with the package.

A file is one flat table. What it leaves out comes from the preset that it ``extends``, or keeps its
default. ``scale`` multiplies population, elites and hall of fame of what is extended, before the
values of the file itself count.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from evolve.training.config import RunConfig

SMALL = "-small"
"""Ending of the name of a published preset at a small size."""


def preset_names() -> list[str]:
    """Names of the presets: the published experiments, each also small, and some more."""
    files = [file.name.removesuffix(".toml") for file in _presets().iterdir()]
    names = sorted(name for name in files if name != "small")
    return names + [name + SMALL for name in names if _is_published(name)]


def load_preset(name: str) -> RunConfig:
    """The configuration of a preset.

    Raises:
        ValueError: There is no such preset.
    """
    names = preset_names()
    if name not in names:
        raise ValueError(f"preset {name!r} does not exist{nearest(name, names)}")
    if name.endswith(SMALL):
        text = f'extends = "{name.removesuffix(SMALL)}"\n{preset_text("small")}'
    else:
        text = preset_text(name)
    return parse_config(text, source=f"preset {name}", name=name)


def preset_text(name: str) -> str:
    """The file of a preset; ``small`` is what turns a published one into its small one."""
    text: str = (_presets() / f"{name}.toml").read_text(encoding="utf-8")
    return text


def describe_preset(name: str) -> str:
    """The first comment of a preset's file."""
    text = preset_text(name.removesuffix(SMALL))
    lines = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
    return lines[0]


def _is_published(name: str) -> bool:
    return name == "baseline" or 'extends = "baseline"' in preset_text(name)


def load_config(path: Path) -> RunConfig:
    """The configuration in a TOML file; without a ``name`` of its own it has the file's.

    Raises:
        ValueError: The file cannot be read or holds a key or value that is not allowed.
    """
    return parse_config(read_text(path), source=str(path), name=path.stem)


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        ValueError: The file cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: cannot be read ({reason})") from error


def parse_config(text: str, *, source: str, name: str) -> RunConfig:
    """The configuration in a TOML text.

    Args:
        text: One flat table.
        source: Where it comes from, for messages.
        name: Name of the experiment where the text gives none.

    Raises:
        ValueError: The text is no TOML, or holds a key or value that is not allowed.

    >>> parse_config("popluation = 50", source="my.toml", name="my")
    Traceback (most recent call last):
    ValueError: my.toml: unknown key 'popluation'; did you mean 'population'?
    """
    return _from_values(parse_table(text, source), source=source, name=name)


def parse_table(text: str, source: str) -> dict[str, Any]:
    """The table in a TOML text.

    Raises:
        ValueError: The text is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error


def to_toml(config: Any) -> str:
    """A dataclass as a TOML text that ``parse_config`` reads back; None is left out.

    >>> parse_config(to_toml(RunConfig()), source="", name="") == RunConfig()
    True
    """
    return "".join(
        f"{key} = {_toml_value(value)}\n"
        for key, value in dataclasses.asdict(config).items()
        if value is not None
    )


def _from_values(values: dict[str, Any], *, source: str, name: str) -> RunConfig:
    check_keys(values, RunConfig, ("extends", "scale"), source=source)
    try:
        base, scale = RunConfig(), values.pop("scale", None)
        if "extends" in values:
            base = load_preset(values.pop("extends"))
        if scale is not None:
            base = base.scaled(scale)
        return dataclasses.replace(base, **{"name": name, **values})
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error


def check_keys(values: dict[str, Any], kind: Any, more: tuple[str, ...], *, source: str) -> None:
    """Checks that a table holds only the fields of a dataclass and some keys more.

    Raises:
        ValueError: It holds another one.
    """
    keys = [field.name for field in dataclasses.fields(kind)]
    for key in values:
        if key not in (*keys, *more):
            raise ValueError(f"{source}: unknown key {key!r}{nearest(key, keys)}")


def _toml_value(value: object) -> str:
    """One value of a flat table, strings as JSON writes them: TOML reads the same."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def nearest(word: str, words: list[str]) -> str:
    """What was meant by a word, or what there is, to stand behind a message."""
    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(words)})"


def _presets() -> Any:
    return resources.files("evolve.training") / "presets"
