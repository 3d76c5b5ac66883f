"""Configuration of a run: common values, and a section for every part.

Every section is a dataclass defined by its part and selected by ``kind``: game, genomes, optimizer,
opponents, schedule and fitness. All value names are unique, so they can be given without their
section on the command line, in ``with_values`` and in files. The defaults are the published
baseline.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeVar

from tyro.conf import OmitArgPrefixes, arg

from agents import VarianceReduction
from agents.variance_reduction.methods import check_variance_reduction
from evolve.files.safe import nearest
from evolve.genomes import GENOMES, GenomeKind, Variation
from evolve.genomes.network_kind import NetworkKind, NetworkVariation
from evolve.opponents import OPPONENTS, OpponentSettings
from evolve.opponents.hall_of_fame import HallSettings
from evolve.opponents.pooled import checked_names
from evolve.optimizers import OPTIMIZERS, OptimizerSettings
from evolve.optimizers.elitist import ElitistSettings
from evolve.parts import Register
from evolve.training.block_schedule import BlockSchedule
from evolve.training.fitness import FITNESS, FitnessSettings, ScoreFitness
from evolve.training.schedules import ScheduleSettings
from evolve.training.table_schedule import TableSchedule
from evolve.training.tournament_schedule import TournamentSchedule
from nlhe_env import Game
from nlhe_env.arguments import LARGEST_NUMBER, number, share, whole_number
from nlhe_env.game.description import CashOptions, Mode, TextOptions
from nlhe_env.system.part_names import allow_in_files, texts_of

SCHEDULES: Register[ScheduleSettings] = Register(
    "schedule",
    "a schedule",
    {
        "tournaments": TournamentSchedule,
        "blocks": BlockSchedule,
        "tables": TableSchedule,
    },
    ScheduleSettings,
)
"""Settings class of every schedule by name."""

_REGISTERS: dict[str, Register[Any]] = {
    "schedule": SCHEDULES,
    "opponents": OPPONENTS,
    "optimizer": OPTIMIZERS,
    "genomes": GENOMES,
    "fitness": FITNESS,
}
"""Registers of parts in the order of their checks."""


@dataclass(frozen=True, eq=False)
class UnresolvedPart:
    """A section as plain values, for reading a run without its code.

    Its values are attributes. Whatever only the part itself could answer raises ``ValueError`` with
    the text that the user can type to allow it.

    Attributes:
        kind: Kind of the section, as the file says.
        values: Other values of the section.
        message: Message of the error.
    """

    kind: str
    values: Mapping[str, Any]
    message: str

    @property
    def n_sub_populations(self) -> int:
        """Number of sub-populations of an optimizer, see ``OptimizerSettings``."""
        count = self.values.get("sub_populations", 1)
        return whole_number("sub_populations", count, least=1, most=_MOST_SUB_POPULATIONS)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self.values:
            return self.values[name]
        raise ValueError(self.message)


_MOST_SUB_POPULATIONS = 10_000


@dataclass(frozen=True, kw_only=True)
class GameSettings(TextOptions):
    """Game settings in a configuration."""

    mode: ClassVar[Mode]

    def __post_init__(self) -> None:
        whole_number("starting_stack", self.starting_stack, least=1)
        self.make()  # checks the values

    def make(self) -> Game:
        """The game."""
        return self._game

    @cached_property
    def _game(self) -> Game:
        game = Game.read(self.mode, **{one.name: getattr(self, one.name) for one in fields(self)})
        # Players who fold to each other would never end a tournament with fixed blinds.
        can_last = game.num_hands is None and len(game.blinds.levels) == 1
        return replace(game, num_hands=_MOST_ROUNDS) if can_last else game


_MOST_ROUNDS = 10_000


@dataclass(frozen=True, kw_only=True)
class TournamentSettings(GameSettings):
    """Tournaments, until one player has all chips; the score is the place.

    With fixed blinds, they end after 10,000 rounds at the latest, with places by chips.
    """

    mode: ClassVar[Mode] = "tournament"

    blinds: str = "pokerstars"
    """The published rising schedule ("pokerstars"), or fixed blinds SB/BB or SB/BB/ANTE."""


@dataclass(frozen=True, kw_only=True)
class CashSettings(CashOptions, GameSettings):
    """Cash-game sessions, with stacks reset before every hand; the score is chips won."""

    mode: ClassVar[Mode] = "cash"

    table_size: int = 2

    starting_stack: int = 10_000
    """Starting stack of every hand, in chips."""

    blinds: str = "50/100"
    """Fixed blinds SB/BB or SB/BB/ANTE."""

    def __post_init__(self) -> None:
        whole_number("num_hands", self.num_hands, least=1)
        super().__post_init__()


PUBLISHED_TOURNAMENTS = TournamentSettings()
"""Tournaments in which the players of other games are compared."""

GAMES: dict[str, type[GameSettings]] = {"tournament": TournamentSettings, "cash": CashSettings}
"""Settings class of every mode by name."""


CHOICES: dict[str, Mapping[str, Any]] = {
    "game": GAMES,
    "genomes": GENOMES,
    "optimizer": OPTIMIZERS,
    "opponents": OPPONENTS,
    "schedule": SCHEDULES,
    "fitness": FITNESS,
}
"""Classes by kind, for every section with several kinds."""

LARGEST_SEED = 2**63 - 1  # the largest integer of a TOML file


def register_schedule(name: str, schedule: type[ScheduleSettings]) -> None:
    """Register a schedule for configurations.

    Raises:
        ValueError: Another schedule has this name.
    """
    SCHEDULES.register(name, schedule)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_Section = TypeVar("_Section")


@dataclass(frozen=True)
class Unvaried(Variation):
    """No variation, for optimizers that sample candidates as numbers."""

    def children(self, parents: Any, n: int, *, rng: Any) -> Any:
        """Never called, because numeric optimizers do not breed.

        Raises:
            RuntimeError: Always.
        """
        raise RuntimeError("this optimizer does not breed")


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """Settings for tests of the recommended player, which give the learning curve."""

    test_every: int = 10
    """Generations between tests of the recommended player, besides the first and the last; 0 for
    the first and the last only. Test hands do not count as training hands."""

    test_blocks: int = 0
    """Duplicate blocks per test, always the same ones, with cards that do not occur in training; 0
    for no tests."""

    test_players: tuple[str, ...] = ()
    """Opponents of the test; default: the players in "named"."""

    test_variance_reduction: VarianceReduction = "none"
    """Variance reduction for tests, with the same choices as for training."""

    def __post_init__(self) -> None:
        whole_number("test_every", self.test_every, least=0)
        if whole_number("test_blocks", self.test_blocks, least=0):
            whole_number("test_blocks", self.test_blocks, least=2)
        object.__setattr__(self, "test_players", checked_names("test_players", self.test_players))


@dataclass(frozen=True, kw_only=True)
class SelectionSettings:
    """Champion selection among several lineages, before tests and at the end."""

    selection_rounds: int = 300
    """Tables played by every lineage's player, with those of other lineages and with opponents."""

    selection_opponents: int = 0
    """Number of opponents that every lineage's player meets one by one, in "selection_rounds"
    blocks each; 0 for tables of several players."""

    selection_worst: float = 1.0
    """Share of these opponents that counts: the ones from which a player wins least. With fitness
    "normalised" or "square_root", players meet all opponents, or that many, and this fitness
    decides."""

    selection_players: tuple[str, ...] = ()
    """Players that every lineage's player meets one by one instead, in "selection_rounds" blocks
    each, so that players unknown in training decide. A win rate of x big blinds per 100 hands
    counts as x / sqrt(1 + (x / 100)²), as on the bench. Only in cash games."""

    def __post_init__(self) -> None:
        players = checked_names("selection_players", self.selection_players)
        object.__setattr__(self, "selection_players", players)
        whole_number("selection_rounds", self.selection_rounds, least=2)
        whole_number("selection_opponents", self.selection_opponents, least=0)
        share("selection_worst", self.selection_worst)


@dataclass(frozen=True, kw_only=True)
class ProgressSettings:
    """Final tournaments among the champions of all generations, which measure progress."""

    progress_champions: int = 50
    """Number of champions in these tournaments, evenly spread over the generations."""

    progress_tournaments: int = 1000
    """Number of these tournaments; 0 for none."""

    def __post_init__(self) -> None:
        whole_number("progress_champions", self.progress_champions, least=2)
        whole_number("progress_tournaments", self.progress_tournaments, least=0)


@dataclass(frozen=True, kw_only=True)
class Config:
    """Configuration that determines the result of a run.

    Raises:
        ValueError: A value is invalid; the message gives its name and the allowed values.
    """

    name: str = "custom"
    """Name of the experiment; run folders begin with it."""

    seed: int = 1
    """Seed of all random numbers; equal configurations give equal results."""

    generations: int = 500
    """Maximum number of generations; 0 for no limit."""

    hands: int = 0
    """Training hands: the run ends with the generation that reaches this number; 0 for no limit."""

    game: OmitArgPrefixes[GameSettings] = field(default_factory=TournamentSettings)
    genomes: OmitArgPrefixes[GenomeKind] = field(default_factory=NetworkKind)
    variation: OmitArgPrefixes[Variation] = field(default_factory=NetworkVariation)
    optimizer: OmitArgPrefixes[OptimizerSettings] = field(default_factory=ElitistSettings)
    opponents: OmitArgPrefixes[OpponentSettings] = field(default_factory=HallSettings)
    schedule: OmitArgPrefixes[ScheduleSettings] = field(default_factory=TournamentSchedule)
    fitness: OmitArgPrefixes[FitnessSettings] = field(default_factory=ScoreFitness)
    test: OmitArgPrefixes[TrialSettings] = field(default_factory=TrialSettings)
    choice: Annotated[OmitArgPrefixes[SelectionSettings], arg(name="selection")] = field(
        default_factory=SelectionSettings
    )
    progress: OmitArgPrefixes[ProgressSettings] = field(default_factory=ProgressSettings)

    def __post_init__(self) -> None:
        self.check_own_values()
        self._check_parts()
        if self.test.test_blocks and not self.tested_against:
            raise ValueError("test_players must not be empty if named is empty")

    def check_own_values(self) -> None:
        """Checks the values outside the sections.

        Raises:
            ValueError: A value is invalid.
        """
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ValueError(
                "name must consist of letters, digits, dots, dashes and underscores and begin "
                f"with a letter or digit; got {self.name!r}"
            )
        whole_number("seed", self.seed, least=0, most=LARGEST_SEED)
        whole_number("generations", self.generations, least=0)
        whole_number("hands", self.hands, least=0)
        if not self.hands and not self.generations:
            raise ValueError("hands or generations must be above 0, or the run never ends")

    def _check_parts(self) -> None:
        """Checks that the parts are compatible."""
        for section in _REGISTERS:
            getattr(self, section).check_partners(self)
        lucks: tuple[VarianceReduction, ...] = (
            getattr(self.schedule, "variance_reduction", "none"),
            self.test.test_variance_reduction,
        )
        for variance_reduction in lucks:
            check_variance_reduction(variance_reduction, self.make_game(), self.game.table_size)
        if self.choice.selection_players and not self.make_game().is_cash:
            raise ValueError(
                "selection_players must be empty in tournaments, which have no win rates; got "
                f"{self.choice.selection_players}"
            )
        breeds = self.optimizer.breeds
        if breeds != isinstance(self.variation, self.genomes.variation):
            raise ValueError(
                f"optimizer {self.kind('optimizer')!r} "
                + ("needs a variation of these genomes" if breeds else "has no variation")
            )

    def kind(self, section: str) -> str:
        """Name of the kind of a section."""
        part = getattr(self, section)
        if isinstance(part, UnresolvedPart):
            return part.kind
        if section in _REGISTERS:
            return _REGISTERS[section].name_of(type(part))
        return next(name for name, kind in CHOICES[section].items() if kind is type(part))

    def make_game(self) -> Game:
        """The game of the run."""
        return self.game.make()

    @property
    def compared_in(self) -> TournamentSettings:
        """Tournaments for comparing its players: those of the run, or the published ones."""
        return self.game if isinstance(self.game, TournamentSettings) else PUBLISHED_TOURNAMENTS

    @property
    def lineages(self) -> int:
        """Number of parallel searches, one of which is selected."""
        return int(getattr(self.optimizer, "lineages", 1))

    @property
    def tested_against(self) -> tuple[str, ...]:
        """Opponents of the test."""
        return self.test.test_players or tuple(getattr(self.opponents, "named", ()))

    def test_is_due(self, generation: int, hands: int, tested: int | None) -> bool:
        """Whether a test is due after so many generations and hands.

        Args:
            generation: Number of finished generations.
            hands: Hands played.
            tested: Generation of the last test; None for never.
        """
        if not self.test.test_blocks or tested == generation:
            return False
        every = self.test.test_every
        regular = bool(every) and generation % every == 0
        return regular or generation == 0 or not self.goes_on(generation, hands)

    def selection_is_due(self, generation: int, hands: int, tested: int | None) -> bool:
        """Whether a lineage must be selected: before every test, and at the end."""
        ends = not self.goes_on(generation, hands)
        due = ends or self.test_is_due(generation, hands, tested)
        return self.lineages > 1 and generation > 0 and due

    @property
    def keeps_every_champion(self) -> bool:
        """Whether the champions of all generations are kept, not only the tested ones."""
        return self.optimizer.breeds or not self.test.test_blocks

    def goes_on(self, generation: int, hands: int) -> bool:
        """Whether another generation follows after so many generations and hands."""
        return hands < (self.hands or math.inf) and generation < (self.generations or math.inf)

    def with_values(self, **values: Any) -> Config:
        """Configuration with changed values, given by name.

        A section can be given as the name of another kind, or as a mapping of its values. Another
        optimizer brings its partners: what it needs of sections that are not given.

        >>> config = Config().with_values(population=20, elites=4, tournaments=8)
        >>> config.optimizer.population
        20

        Raises:
            ValueError: A value is unknown or invalid.
        """
        allow_in_files(*texts_of(values))
        chosen = {name: values.pop(name) for name in list(values) if name in _SECTIONS}
        parts = {name: getattr(self, name) for name in _SECTIONS}
        changes: dict[str, dict[str, Any]] = {name: {} for name in _SECTIONS}
        for name, given in chosen.items():
            more = dict(given) if isinstance(given, Mapping) else {"kind": given}
            if name in CHOICES and "kind" in more:
                parts[name] = _of_kind(name, more.pop("kind"), parts[name])
            changes[name] = more
        if type(parts["optimizer"]) is not type(self.optimizer):
            for name, needs in parts["optimizer"].partners.items():
                if name not in chosen:
                    more = dict(needs)
                    if "kind" in more:
                        parts[name] = _of_kind(name, more.pop("kind"), parts[name])
                    changes[name] = more
        varied: type = parts["genomes"].variation if parts["optimizer"].breeds else Unvaried
        if type(parts["variation"]) is not varied:
            parts["variation"] = varied()
        own = {}
        for key, value in values.items():
            if key in _OWN:
                own[key] = value
            else:
                changes[_section_of(key, parts)][key] = value
        for name, more in changes.items():
            parts[name] = _changed(name, parts[name], more)
        return replace(self, **own, **parts)

    def values(self) -> dict[str, Any]:
        """All values by name, and the kinds by section."""
        found = {key: getattr(self, key) for key in _OWN}
        for name, values in self.sections().items():
            if "kind" in values:
                found[name] = values.pop("kind")
            found |= values
        return found

    def sections(self) -> dict[str, dict[str, Any]]:
        """The values of every section; the kind of a section with several is its first value."""
        return {
            name: ({"kind": self.kind(name)} if name in CHOICES else {})
            | _values_of(getattr(self, name))
            for name in _SECTIONS
        }

    def scaled(self, factor: float) -> Config:
        """Configuration with population, elites and hall of fame multiplied.

        Raises:
            ValueError: The factor is not positive, or a scaled size is impossible.

        >>> Config().with_values(hall_of_fame=1000).scaled(0.12).opponents.hall_of_fame
        120
        """
        number("scale", factor, least=0.0, above=True)
        number("scale", factor, most=LARGEST_NUMBER)
        optimizer = self.optimizer
        if not isinstance(optimizer, ElitistSettings):
            raise ValueError('scale is for the optimizer "elitist"')
        return replace(
            self,
            optimizer=optimizer.scaled(factor),
            opponents=self.opponents.scaled(lambda size: optimizer.scale(size, factor)),
        )


_SECTIONS = tuple(
    one.name for one in fields(Config) if one.name not in ("name", "seed", "generations", "hands")
)
_OWN = ("name", "seed", "generations", "hands")


def _values_of(part: Any) -> dict[str, Any]:
    """The values of a section by name."""
    if isinstance(part, UnresolvedPart):
        return dict(part.values)
    return {one.name: getattr(part, one.name) for one in fields(part)}


def _of_kind(section: str, kind: Any, present: _Section) -> _Section:
    """Section of a kind with its defaults; the current section if it has this kind already."""
    kinds = CHOICES[section]
    if isinstance(kind, str) and section in _REGISTERS:
        _REGISTERS[section].load(kind)
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"{section} {kind!r} does not exist{nearest(str(kind), list(kinds))}")
    made: _Section = present if type(present) is kinds[kind] else kinds[kind]()
    return made


def _section_of(key: str, parts: Mapping[str, Any]) -> str:
    """Name of the section with a value."""
    names = {name: {one.name for one in fields(part)} for name, part in parts.items()}
    for section, known in names.items():
        if key in known:
            return section
    for section, kinds in CHOICES.items():
        found = [kind for kind, part in kinds.items() if key in part.__dataclass_fields__]
        if found:
            raise ValueError(f"{key} is a key of {section} {' or '.join(map(repr, found))}")
    if any(hasattr(kind.variation, key) for kind in GENOMES.values()):
        raise ValueError(f"{key} is for other genomes, or for optimizers that breed them")
    known = {*_OWN, *_SECTIONS, *(name for section in names.values() for name in section)}
    hint = nearest(key, sorted(known)) or "; nlhe presets PRESET shows the keys"
    raise ValueError(f"unknown key {key!r}{hint}")


def _changed(section: str, part: _Section, values: Mapping[str, Any]) -> _Section:
    """A section with changed values."""
    known = [one.name for one in fields(part)]  # type: ignore[arg-type]
    for key in values:
        if key not in known:
            raise ValueError(f"[{section}] has no key {key!r}{nearest(key, known)}")
    tuples = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    changed: _Section = replace(part, **tuples) if tuples else part  # type: ignore[type-var]
    return changed
