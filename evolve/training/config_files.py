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
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agents.rooms import find_rooms, installed_rooms
from evolve.files.safe import nearest
from evolve.optimizers import OPTIMIZERS, optimizer_names
from evolve.training.config import CHOICES, Config, UnresolvedPart
from nlhe_env.system.files import read_regular
from nlhe_env.system.part_names import check_names, foreign_names, refusal, shown
from nlhe_env.system.python_files import file_label
from nlhe_env.system.toml_text import parse_toml

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
_FIXED: dict[str, dict[str, tuple[Any, ...]]] = {
    "genomes": {
        "game_cell": (10,),
        "opponent_blocks": (1,),
        "estimator_units": (50,),
        "min_node_visits": (10,),
        "activation": ("sigmoid",),
        "connected": (1.0,),
    },
    "variation": {
        "mutation_half_life": (0.0,),
        "growth_rate": (0.0,),
        "shrink_rate": (0.0,),
        "crossover": (0.75,),
        "stay_disabled": (0.75,),
        "mutate_weights": (0.8,),
        "replace_weight": (0.1,),
        "weight_step": (0.5,),
        "weight_deviation": (0.5,),
        "most_hills": (5,),
        "most_programs": (16,),
        "delete_program": (0.7,),
        "add_program": (0.7,),
        "mutate_program": (0.2,),
        "least_instructions": (5,),
        "most_instructions": (40,),
        "delete_instruction": (0.5,),
        "change_instruction": (1.0,),
        "insert_instruction": (0.5,),
        "swap_instructions": (1.0,),
        "change_action": (0.1,),
        "gene_mutation_rate": (0.25,),
        "gene_mutation_std": (0.5,),
    },
    "optimizer": {
        "neighbours": (10,),
        "bid_retries": (100,),
        "layer_top": (10,),
        "compatibility_threshold": (3.0,),
        "excess_coefficient": (1.0,),
        "disjoint_coefficient": (1.0,),
        "weight_coefficient": (0.4,),
        "survival": (0.2, 0.3),
        "interspecies": (0.001,),
        "active": (True,),
        "mean_learning_rate": (1.0,),
        "final_mutation_rate": (0.05,),
        "lowest": ([0.0, 0.0],),
        "highest": ([1.0, 1.0],),
        "line": (0.2,),
        "reevaluated": (0.25,),
    },
    "opponents": {
        "hof_unique": (False,),
        "hof_early": (10,),
        "recent_candidates": (8,),
        "priority_power": (2.0,),
        "priority_uniform": (0.1,),
        "pool_max_age": (0,),
        "replaced_points": (0.2,),
    },
    "schedule": {"racing_std_errors": (2.0,)},
}
"""Values of version 1.0.0 that are constants now, by section: what runs have that can be read."""
_FIXED_OF_TIERED = {"mutation_rate": (0.25,)}
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
    return sorted(name for name in _files("experiments") if name != "small")


def preset_games() -> list[str]:
    """Names of the game presets, which take any numeric optimizer."""
    return sorted(_files("games"))


def all_presets() -> list[str]:
    """Names of all presets."""
    pairs = [f"{game}-{name}" for game in preset_games() for name in optimizer_names()]
    return [*preset_names(), *preset_games(), *pairs]


def load_preset(name: str, optimizer: str | None = None) -> Config:
    """Load the configuration of a preset.

    Args:
        name: Name of the preset.
        optimizer: Another optimizer: for a game preset with the values that suit it, otherwise with
            its defaults.

    Raises:
        ValueError: The preset or optimizer is unknown.
    """
    source = f"preset {name}"
    if name in preset_names():
        base, ending = _without_ending(name)
        if ending is None:
            text = _text("experiments", name)
        else:
            text = f'extends = "{base}"\n{_text(*_ENDINGS[ending])}'
        config = parse_config(text, source=source, name=name)
        return config if optimizer is None else config.with_values(optimizer=optimizer)
    if name not in all_presets():
        hint = nearest(name, all_presets()) or "; nlhe presets lists all"
        raise ValueError(f"preset {name!r} does not exist{hint}")
    game = max((game for game in preset_games() if name.startswith(game)), key=len)
    optimizer = optimizer or name.removeprefix(game).removeprefix("-") or DEFAULT_OPTIMIZER
    OPTIMIZERS.load(optimizer)
    known = optimizer_names()
    if optimizer not in known:
        if optimizer in OPTIMIZERS:
            raise ValueError(
                f"preset {game!r} is for numeric optimizers ({', '.join(known)}); {optimizer!r} "
                'breeds: use it with another preset, such as "quick"'
            )
        raise ValueError(f"optimizer {optimizer!r} does not exist{nearest(optimizer, known)}")
    suiting = _files("optimizers")
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


def load_config(path: Path, *, for_reading: bool = False) -> Config:
    """Load a TOML configuration file; the default ``name`` is the file name.

    Args:
        path: Path of the file.
        for_reading: See ``parse_config``.

    Raises:
        ValueError: The file is unreadable, has an invalid key or value, or names what a file may
            not choose.
    """
    try:
        text = read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path} cannot be read: {reason}") from error
    return parse_config(text, source=str(path), name=path.stem, for_reading=for_reading)


def parse_config(text: str, *, source: str, name: str, for_reading: bool = False) -> Config:
    """Parse a configuration from TOML text.

    Args:
        text: Values of a run, with or without tables for the sections.
        source: Origin of the text, for messages.
        name: Default name of the experiment.
        for_reading: Accept sections that name code, programs, addresses or other files, and leave
            them unresolved, see ``UnresolvedPart``. The parts' compatibility is then not checked.

    Raises:
        ValueError: The text is not TOML, has an invalid key or value, or names what a file may not
            choose, see ``agents.allow_in_files``.

    >>> parse_config("generation = 50", source="my.toml", name="my")
    Traceback (most recent call last):
    ValueError: my.toml: unknown key 'generation'; did you mean 'generations'?
    """
    values = parse_table(text, source)
    _drop_constants(values, source)
    unresolved = _take_unresolved(values, source) if for_reading else {}
    check_names(values, source)
    try:
        base, scale = ConfigDraft(), values.pop("scale", None)
        if "extends" in values:
            base = _extended(values.pop("extends"), values.get("optimizer"))
        if scale is not None:
            base = base.scaled(scale)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error
    return _from_values(base, values, source=source, name=name, unresolved=unresolved)


def _drop_constants(values: dict[str, Any], source: str) -> None:
    """Removes the values of earlier versions that are constants now from a file's sections.

    Raises:
        ValueError: One of them has another value.
    """
    for section, constants in _FIXED.items():
        table = values.get(section)
        if not isinstance(table, dict):
            continue
        if table.get("kind") == "tiered":
            constants = constants | _FIXED_OF_TIERED
        for key in [key for key in table if key in constants]:
            if table[key] not in constants[key]:
                raise ValueError(
                    f"{source}: [{section}] {key} is always {constants[key][0]!r}; got "
                    f"{table[key]!r}, which only nlhe-env 1.0.0 reads"
                )
            del table[key]


def _take_unresolved(values: dict[str, Any], source: str) -> dict[str, UnresolvedPart]:
    """Removes the sections that name what a file may not choose from a file's values."""
    found = {}
    for section in [*CHOICES, "test"]:
        table = values.get(section)
        if section == "game" or not isinstance(table, dict) or not (names := foreign_names(table)):
            continue
        kind = table.pop("kind", "")
        message = f"{source}: [{section}] names {shown(names)}, {refusal(names)}"
        found[section] = UnresolvedPart(str(kind), table, message)
        del values[section]
    if {"genomes", "optimizer"} & set(found) and isinstance(values.get("variation"), dict):
        message = next(found[each].message for each in ("genomes", "optimizer") if each in found)
        found["variation"] = UnresolvedPart("", values.pop("variation"), message)
    return found


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
        return parse_toml(text)
    except ValueError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error


def to_toml(config: Config) -> str:
    """A configuration as TOML text for ``parse_config``, without None values.

    >>> parse_config(to_toml(Config()), source="", name="") == Config()
    True
    """
    sections = config.sections()
    own = {one.name: getattr(config, one.name) for one in fields(config)}
    text = _toml_lines({name: value for name, value in own.items() if name not in sections})
    for name, values in sections.items():
        lines = _toml_lines(values)
        text += f"\n[{name}]\n{lines}" if lines else ""
    return text


def _toml_lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{k} = {_toml_value(v)}\n" for k, v in values.items() if v is not None)


def _from_values(
    base: ConfigDraft,
    values: dict[str, Any],
    *,
    source: str,
    name: str,
    unresolved: Mapping[str, UnresolvedPart] = MappingProxyType({}),
) -> Config:
    try:
        draft = base.with_values(**{"name": name, **values})
        if not unresolved:
            return draft.checked()
        config = draft.unchecked()
        config.check_own_values()
        for section, part in unresolved.items():
            object.__setattr__(config, section, part)
        return config
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from error


def _toml_value(value: object) -> str:
    """A value in TOML; texts as in JSON, except for a character that TOML does not allow."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return repr(value)


def _without_ending(name: str) -> tuple[str, str | None]:
    """Name of a preset without its last ending, and that ending or None."""
    if name in plain_presets():
        return name, None
    ending = next((one for one in _ENDINGS if name.endswith(one)), None)
    return name.removesuffix(ending or ""), ending


def _is_published(name: str) -> bool:
    return name == "baseline" or 'extends = "baseline"' in _text("experiments", name)


@cache
def _files(folder: str) -> dict[str, Any]:
    """Files of presets by name; rooms have experiments."""
    folders = [resources.files("evolve.training") / "presets" / folder]
    if folder == "experiments":
        rooms = (*find_rooms("evolve.theses"), *installed_rooms())
        folders += [resources.files(room.presets) / "presets" for room in rooms if room.presets]
    return {file.name.removesuffix(".toml"): file for one in folders for file in one.iterdir()}


@cache
def _text(folder: str, name: str) -> str:
    text: str = _files(folder)[name].read_text(encoding="utf-8")
    return text
