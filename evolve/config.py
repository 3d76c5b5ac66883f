"""The configuration of a run: values, presets and TOML files.

The defaults are those of the published baseline. A TOML file is one flat table; what it leaves out
keeps its default.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

import agents
from nlhe_env import BlindSchedule

Inputs = Literal["features", "features_scaled"]
Initialisation = Literal["normal", "uniform"]
HallReplacement = Literal["block", "worst_first"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BLINDS = re.compile(r"(\d+)/(\d+)(?:/(\d+))?")
_LARGEST_SEED = 2**63 - 1  # the largest integer of a TOML file


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Everything that decides the result of a run.

    Raises:
        ValueError: A value is impossible; the message names it and what is allowed.
    """

    name: str = "custom"
    """Name of the experiment; run folders begin with it."""

    seed: int = 1
    """Seed of everything random; the same configuration gives the same result."""

    generations: int = 500
    """Number of generations."""

    population: int = 1000
    """Networks in the population."""

    elites: int = 100
    """Best networks of a generation, which survive unchanged and are the parents of the next."""

    tournaments: int = 500
    """Tournaments of a generation; everyone plays in all of them."""

    table_size: int = 10
    """Seats at a table, 2 to 10."""

    starting_stack: int = 1000
    """Chips of a player at the start of a tournament."""

    blinds: str = "pokerstars"
    """The published rising schedule ("pokerstars"), or fixed blinds SB/BB or SB/BB/ANTE."""

    inputs: Inputs = "features"
    """The 35 inputs of a network: raw chips as published, or the same numbers scaled."""

    initialisation: Initialisation = "normal"
    """First weights: normal with deviation 0.5 (the thesis), or uniform in -1..1 (the paper)."""

    parents_mean: float = 1.5
    """A child has 1 + round(X) parents, X exponential with this mean."""

    mutation_likelihood: float = 0.1
    """Chance of each weight of a child to change."""

    mutation_deviation: float = 0.1
    """Standard deviation of such a change."""

    hall_of_fame: int = 0
    """Most members of the hall of fame; 0 for none."""

    hof_replace: HallReplacement = "block"
    """Replacement in a full hall: worst block against the elites (the paper) or worst member first
    (the thesis)."""

    hof_unique: bool = False
    """Leave out an elite whose network is in the hall already."""

    progress_champions: int = 50
    """Champions, evenly spread over the generations, that meet after the last generation."""

    progress_tournaments: int = 1000
    """Tournaments of that meeting, which measures the progress; 0 leaves it out."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ValueError(
                "name must consist of letters, digits, dots, dashes and underscores and begin "
                f"with a letter or digit; got {self.name!r}"
            )
        self._whole("seed", 0, _LARGEST_SEED)
        self._whole("generations", 1)
        self._whole("population", 2)
        self._whole("elites", 1)
        if self.elites > self.population:
            raise ValueError(
                f"elites must not exceed the population ({self.population}); got {self.elites}"
            )
        self._whole("tournaments", 1)
        self._whole("table_size", 2, 10)
        self._whole("starting_stack", 1)
        self.structure()  # checks the blinds, and that the stack can be played with
        self._one_of("inputs", Inputs)
        self._one_of("initialisation", Initialisation)
        self._number("parents_mean", 0.0)
        self._number("mutation_likelihood", 0.0, 1.0)
        self._number("mutation_deviation", 0.0)
        self._whole("hall_of_fame", 0)
        if 0 < self.hall_of_fame < self.elites:
            raise ValueError(
                f"hall_of_fame must be 0 (none) or have room for the elites ({self.elites}); "
                f"got {self.hall_of_fame}"
            )
        self._one_of("hof_replace", HallReplacement)
        if not isinstance(self.hof_unique, bool):
            raise ValueError(f"hof_unique must be true or false; got {self.hof_unique!r}")
        self._whole("progress_champions", 2)
        self._whole("progress_tournaments", 0)

    def structure(self) -> agents.Structure:
        """The form of the tournaments."""
        return agents.Structure(
            table_size=self.table_size,
            starting_stack=self.starting_stack,
            blinds=blind_schedule(self.blinds),
        )

    def _whole(self, key: str, least: int, most: int | None = None) -> None:
        value = getattr(self, key)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least or (most is not None and value > most):
            allowed = f"of at least {least}" if most is None else f"in {least}..{most}"
            raise ValueError(f"{key} must be a whole number {allowed}; got {value!r}")

    def _number(self, key: str, least: float, most: float = math.inf) -> None:
        value = getattr(self, key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not least <= value <= most or math.isinf(value):
            allowed = f"of at least {least:g}" if math.isinf(most) else f"in {least:g}..{most:g}"
            raise ValueError(f"{key} must be a number {allowed}; got {value!r}")

    def _one_of(self, key: str, choices: Any) -> None:
        value, allowed = getattr(self, key), get_args(choices)
        if value not in allowed:
            listed = " or ".join(map(repr, allowed))
            raise ValueError(f"{key} must be {listed}; got {value!r}")


def blind_schedule(text: str) -> BlindSchedule:
    """The blinds that a configuration names.

    Raises:
        ValueError: ``text`` is neither ``"pokerstars"`` nor ``"SB/BB"`` nor ``"SB/BB/ANTE"``.
    """
    if text == "pokerstars":
        return BlindSchedule.pokerstars()
    amounts = _BLINDS.fullmatch(text) if isinstance(text, str) else None
    if amounts is None:
        raise ValueError(
            'blinds must be "pokerstars", or fixed blinds as "SB/BB" or "SB/BB/ANTE" in chips; '
            f"got {text!r}"
        )
    try:
        return BlindSchedule.of(tuple(int(amount) for amount in amounts.groups() if amount))
    except ValueError as error:
        raise ValueError(f"blinds {text!r}: {error}") from error


def preset_names() -> list[str]:
    """Names of the presets that come with the package."""
    return sorted(
        file.name.removesuffix(".toml")
        for file in _presets().iterdir()
        if file.name.endswith(".toml")
    )


def load_preset(name: str) -> RunConfig:
    """The configuration of a preset.

    Raises:
        ValueError: There is no such preset.
    """
    names = preset_names()
    if name not in names:
        raise ValueError(f"preset {name!r} does not exist{_nearest(name, names)}")
    text = (_presets() / f"{name}.toml").read_text(encoding="utf-8")
    return parse_config(text, source=f"preset {name}", name=name)


def load_config(path: Path) -> RunConfig:
    """The configuration in a TOML file; without a ``name`` of its own it has the file's.

    Raises:
        ValueError: The file cannot be read or holds a key or value that is not allowed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: cannot be read ({reason})") from error
    return parse_config(text, source=str(path), name=path.stem)


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
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error
    return _from_values(values, source=source, name=name)


def to_toml(config: RunConfig) -> str:
    """The configuration as a TOML text that ``parse_config`` reads back.

    >>> parse_config(to_toml(RunConfig()), source="", name="") == RunConfig()
    True
    """
    return "".join(
        f"{key} = {_toml_value(value)}\n" for key, value in dataclasses.asdict(config).items()
    )


def _from_values(values: Mapping[str, Any], *, source: str, name: str) -> RunConfig:
    keys = [field.name for field in dataclasses.fields(RunConfig)]
    for key in values:
        if key not in keys:
            raise ValueError(f"{source}: unknown key {key!r}{_nearest(key, keys)}")
    try:
        return RunConfig(**{"name": name, **values})
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error


def _toml_value(value: object) -> str:
    """One value of a flat table: our strings hold nothing that TOML would have escaped."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _nearest(word: str, words: list[str]) -> str:
    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(words)})"


def _presets() -> Any:
    return resources.files("evolve") / "presets"
