"""Configuration files in TOML, and the presets of the package.

A file contains the values of a run with one table per section, or all values without tables.
Missing values are those of the preset that it ``extends``, or the defaults. ``scale`` multiplies
population, elites and hall of fame of the extended preset before the file's own values apply.

There are three kinds of presets: the published experiments, also with other readings of unspecified
details (``NAME-revised``; with a hall also ``NAME-kept``, ``NAME-uniform`` and
``NAME-worst-first``, and each of them as ``NAME-revised-kept`` and so on), and all of these small
(``NAME-small``); further experiments of the same form; and pairs ``GAME-OPTIMIZER`` of a game and
an optimizer with values that suit it. ``GAME`` alone has the optimizer ``cma-es``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any

from evolve.files.regular import read_regular
from evolve.files.text_files import nearest
from evolve.optimizers import OPTIMIZERS, load_optimizer, optimizer_names
from evolve.training.config import CHOICES, Config, kind_of
from nlhe_env.system.python_files import file_label

SMALL = "-small"
"""Ending of the name of a published preset at a small size."""
REVISED = "-revised"
"""Variant of published presets: another reading of the legal actions."""
KEPT, UNIFORM, WORST_FIRST = HALL_VARIANTS = ("-kept", "-uniform", "-worst-first")
"""Variants of published presets with a hall of fame: rules for staying in it."""
VARIANTS = tuple(read + hall for hall in ("", *HALL_VARIANTS) for read in ("", REVISED))
"""Name endings of all variants."""
_ENDINGS = {
    SMALL: ("experiments", "small"),
    REVISED: ("variants", "revised"),
    **{ending: ("variants", ending.removeprefix("-")) for ending in HALL_VARIANTS},
}
DEFAULT_OPTIMIZER = "cma-es"
"""Optimizer of a preset with only the name of a game."""


class ConfigDraft(Config):
    """An incomplete configuration, whose parts need not be compatible yet."""

    def __post_init__(self) -> None:
        """Checks nothing."""

    @classmethod
    def of(cls, config: Config) -> ConfigDraft:
        """A draft with the values of a configuration."""
        return cls(**{one.name: getattr(config, one.name) for one in fields(config)})

    def with_values(self, **values: Any) -> ConfigDraft:
        """The draft with other values, see ``Config.with_values``."""
        return ConfigDraft.of(super().with_values(**values))

    def scaled(self, factor: float) -> ConfigDraft:
        """The draft with other sizes, see ``Config.scaled``."""
        return ConfigDraft.of(super().scaled(factor))

    def checked(self) -> Config:
        """The finished configuration.

        Raises:
            ValueError: A value is impossible, or the parts are incompatible.
        """
        return Config(**{one.name: getattr(self, one.name) for one in fields(self)})

    def unchecked(self) -> Config:
        """The draft as an unchecked ``Config``, which provides the defaults of flags."""
        config = object.__new__(Config)
        for one in fields(self):
            object.__setattr__(config, one.name, getattr(self, one.name))
        return config


def preset_names() -> list[str]:
    """Names of the experiment presets, with all endings of the published ones."""
    names = plain_presets()
    published = [name for name in names if _is_published(name)]
    read = [name + REVISED for name in published]
    halls = [name for name in published if "hall_of_fame" in _text("experiments", name)]
    read += [
        name + ending for name in halls for ending in VARIANTS if ending.endswith(HALL_VARIANTS)
    ]
    return names + read + [name + SMALL for name in [*published, *read]]


def plain_presets() -> list[str]:
    """Names of the experiment presets without endings."""
    return sorted(name for name in _names("experiments") if name != "small")


def preset_games() -> list[str]:
    """Names of the game presets, which take any numeric optimizer."""
    return sorted(_names("games"))


def all_presets() -> list[str]:
    """Names of all presets."""
    pairs = [f"{game}-{name}" for game in preset_games() for name in optimizer_names()]
    return [*preset_names(), *preset_games(), *pairs]


def load_preset(name: str, optimizer: str | None = None) -> Config:
    """Load the configuration of a preset.

    Args:
        name: Name of the preset.
        optimizer: Another optimizer with its default values; only for game presets.

    Raises:
        ValueError: The preset or optimizer is unknown.
    """
    if name not in all_presets():
        raise ValueError(f"preset {name!r} does not exist{nearest(name, all_presets())}")
    source = f"preset {name}"
    if name in preset_names():
        base, ending = _without_ending(name)
        if ending is None:
            text = _text("experiments", name)
        else:
            text = f'extends = "{base}"\n{_text(*_ENDINGS[ending])}'
        config = parse_config(text, source=source, name=name)
        return config if optimizer is None else config.with_values(optimizer=optimizer)
    game = max((game for game in preset_games() if name.startswith(game)), key=len)
    optimizer = optimizer or name.removeprefix(game).removeprefix("-") or DEFAULT_OPTIMIZER
    load_optimizer(optimizer)
    known = optimizer_names()
    if optimizer not in known:
        if optimizer in OPTIMIZERS:
            raise ValueError(
                f"preset {game!r} is for numeric optimizers ({', '.join(known)}); {optimizer!r} "
                'breeds: use it with another preset, such as "quick"'
            )
        raise ValueError(f"optimizer {optimizer!r} does not exist{nearest(optimizer, known)}")
    suiting = _names("optimizers")
    values = parse_table(_text("optimizers", optimizer), source) if optimizer in suiting else {}
    # The game's values for an optimizer override the general values of that optimizer.
    for_all = parse_table(_text("games", game), source)
    special = for_all.pop("with", {}).get(optimizer, {})
    values |= {"optimizer": optimizer, **for_all, **special}
    return _from_values(
        ConfigDraft(), values, source=source, name=f"{game}-{file_label(optimizer)}"
    )


def without_variant(name: str) -> str:
    """Name of a published preset without its variant.

    >>> without_variant("large-hof-revised-kept"), without_variant("quick")
    ('large-hof', 'quick')
    """
    return _without_hall_variant(name).removesuffix(REVISED)


def variant_like(name: str, variant: str) -> str:
    """Name of a published preset with the variant of another, as far as that exists.

    >>> variant_like("baseline", "-revised-kept"), variant_like("large-hof", "-revised-kept")
    ('baseline-revised', 'large-hof-revised-kept')
    """
    known = preset_names()
    return next(
        one
        for one in (name + variant, name + _without_hall_variant(variant), name)
        if one in known or one == name
    )


def _without_hall_variant(name: str) -> str:
    ending = next((ending for ending in HALL_VARIANTS if name.endswith(ending)), "")
    return name.removesuffix(ending)


def describe_preset(name: str) -> str:
    """First comment in the file of a preset without ending."""
    folder = "games" if name in preset_games() else "experiments"
    text = _text(folder, name)
    lines = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
    return lines[0]


def load_config(path: Path) -> Config:
    """Load a TOML configuration file; the default ``name`` is the file name.

    Raises:
        ValueError: The file is unreadable or has an invalid key or value.
    """
    try:
        text = read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: cannot be read ({reason})") from error
    return parse_config(text, source=str(path), name=path.stem)


def parse_config(text: str, *, source: str, name: str) -> Config:
    """Parse a configuration from TOML text.

    Args:
        text: Values of a run, with or without tables for the sections.
        source: Origin of the text, for messages.
        name: Default name of the experiment.

    Raises:
        ValueError: The text is not TOML, or has an invalid key or value.

    >>> parse_config("generation = 50", source="my.toml", name="my")
    Traceback (most recent call last):
    ValueError: my.toml: unknown key 'generation'; did you mean 'generations'?
    """
    values = parse_table(text, source)
    try:
        base, scale = ConfigDraft(), values.pop("scale", None)
        if "extends" in values:
            base = _extended(values.pop("extends"), values.get("optimizer"))
        if scale is not None:
            base = base.scaled(scale)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error
    return _from_values(base, values, source=source, name=name)


def _extended(name: Any, optimizer: Any) -> ConfigDraft:
    """The preset extended by a file, with the file's optimizer, a name or a table."""
    kind = optimizer.get("kind") if isinstance(optimizer, Mapping) else optimizer
    if not isinstance(name, str):
        raise ValueError(f"extends must be the name of a preset; got {name!r}")
    if kind is not None and not isinstance(kind, str):
        raise ValueError(f"optimizer must be a name, or a table with one as its kind; got {kind!r}")
    return start_from_preset(name, {} if kind is None else {"optimizer": kind})


def start_from_preset(name: str, kinds: Mapping[str, str]) -> ConfigDraft:
    """Draft of a preset with other kinds of sections.

    Args:
        name: Name of the preset.
        kinds: Kinds by section. For game presets an optimizer has its suitable values.

    Raises:
        ValueError: There is no such preset or kind.
    """
    remaining = dict(kinds)
    suiting = None if name in preset_names() else remaining.pop("optimizer", None)
    return ConfigDraft.of(load_preset(name, suiting)).with_values(**remaining)


def parse_table(text: str, source: str) -> dict[str, Any]:
    """The table in a TOML text.

    Raises:
        ValueError: The text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error


def to_toml(config: Config) -> str:
    """A configuration as TOML text for ``parse_config``, without None values.

    >>> parse_config(to_toml(Config()), source="", name="") == Config()
    True
    """
    lines, sections = [], []
    for one in fields(config):
        value = getattr(config, one.name)
        if not hasattr(value, "__dataclass_fields__"):
            lines.append(f"{one.name} = {_toml_value(value)}\n")
            continue
        section = [f'kind = "{kind_of(config, one.name)}"\n'] if one.name in CHOICES else []
        values = {key.name: getattr(value, key.name) for key in fields(value)}
        section += [f"{k} = {_toml_value(v)}\n" for k, v in values.items() if v is not None]
        if section:
            sections += [f"\n[{one.name}]\n", *section]
    return "".join([*lines, *sections])


def _from_values(base: ConfigDraft, values: dict[str, Any], *, source: str, name: str) -> Config:
    try:
        return base.with_values(**{"name": name, **values}).checked()
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error


def _toml_value(value: object) -> str:
    """A value in TOML. Strings are written as JSON, which is valid TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _without_ending(name: str) -> tuple[str, str | None]:
    """Name of a preset without its last ending, and that ending or None."""
    if name in plain_presets():
        return name, None
    ending = next((one for one in _ENDINGS if name.endswith(one)), None)
    return name.removesuffix(ending or ""), ending


def _is_published(name: str) -> bool:
    return name == "baseline" or 'extends = "baseline"' in _text("experiments", name)


def _names(folder: str) -> list[str]:
    return [file.name.removesuffix(".toml") for file in (_presets() / folder).iterdir()]


def _text(folder: str, name: str) -> str:
    text: str = (_presets() / folder / f"{name}.toml").read_text(encoding="utf-8")
    return text


def _presets() -> Any:
    return resources.files("evolve.training") / "presets"
