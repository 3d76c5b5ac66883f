"""Settings of optimizers, as sections of configurations."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache
from numbers import Integral
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin, get_type_hints

import docstring_parser
import numpy as np
import tyro

from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes import GENOMES
from evolve.genomes.base import GenomeKind, Variation
from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import CandidateScores, Contest, NumberOptimizer, Optimizer
from evolve.parts import Part
from nlhe_env.arguments import number, whole_number
from nlhe_env.jit.array_types import AnyArray

COMMON = ("init", "population", "sigma", "seed")
"""Common arguments of all numeric optimizers."""

_MOST_LINEAGES = 100
_USUAL = {"population": 64, "sigma": 0.1}


@dataclass(frozen=True, kw_only=True)
class OptimizerSettings(Part):
    """Settings of an optimizer.

    Attributes:
        breeds: Whether it varies genomes by the variation of their kind; otherwise genomes must be
            rows of numbers.
        racing: Whether a selection threshold separates its candidates.
        compared_by: ``"module:function"`` that ``nlhe study compare`` calls for runs with it, in
            place of comparing optimizers by learning curves.
        population: Candidates of a generation.
    """

    section = "optimizer"
    breeds: ClassVar[bool] = False
    racing: ClassVar[bool] = True
    compared_by: ClassVar[str] = ""

    population: int

    def check_partners(self, config: Any) -> None:
        """Check that genomes are rows of numbers if they are not bred."""
        super().check_partners(config)
        if not self.breeds and not config.genomes.is_numeric():
            numeric = [name for name, kind in GENOMES.items() if kind.is_numeric()]
            raise ValueError(
                f'optimizer "{config.kind("optimizer")}" needs genomes of numbers '
                f'({", ".join(numeric)}); got {config.kind("genomes")!r}, which "elitist" breeds'
            )

    @abstractmethod
    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Optimizer:
        """The optimizer before the first generation.

        Raises:
            ValueError: A value is out of its range.
        """

    @property
    def n_sub_populations(self) -> int:
        """Number of sub-populations, which breed apart."""
        return int(getattr(self, "sub_populations", 1))


@dataclass(frozen=True, kw_only=True)
class NumberSettings(OptimizerSettings):
    """Settings of a numeric optimizer.

    Attributes:
        optimizer: Its class.
        fixed: Values of its arguments that are no options.
    """

    optimizer: ClassVar[type[AskTell]]
    fixed: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    lineages: int = 1
    """Number of parallel searches, each with its own starting point and population; the one that
    does best at tables with opponents is selected."""

    def __post_init__(self) -> None:
        whole_number("lineages", self.lineages, least=1, most=_MOST_LINEAGES)
        whole_number("population", self.population, least=2)
        self.check_types({one.name: getattr(self, one.name) for one in fields(self)})
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))

    def check_partners(self, config: Any) -> None:
        """Check that lineages can play apart."""
        super().check_partners(config)
        if self.lineages > 1 and config.schedule.whole_field:
            raise ValueError(
                'lineages must be 1 unless the schedule is "tables" or "blocks"; got '
                f'{self.lineages} with schedule "{config.kind("schedule")}"'
            )

    @classmethod
    def check_types(cls, values: Mapping[str, Any]) -> None:
        """Check that values have the types of their fields.

        Optimizers may otherwise accept a string as True.

        Raises:
            ValueError: A value has another type; the message says what is allowed.
        """
        for name, value in values.items():
            _check_type(name, value, _hints(cls)[name])

    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Optimizer:
        """The optimizer before the first generation."""
        if self.lineages == 1:
            return self._search(kind, seed)
        more_seeds = [seeds.stream_seed(seed, seeds.LINEAGES, i) for i in range(1, self.lineages)]
        return Lineages([self._search(kind, one) for one in (seed, *more_seeds)])

    def _search(self, kind: GenomeKind, seed: int) -> NumberOptimizer:
        """A single search."""
        given = {
            one.name: getattr(self, one.name) for one in fields(self) if one.name != "lineages"
        }
        values = {**self.fixed, **given}
        values = {key: value for key, value in values.items() if value is not None}
        return NumberOptimizer(self.optimizer(kind.first_numbers(seed), seed=seed, **values), kind)


@cache
def _hints(settings: type[NumberSettings]) -> dict[str, Any]:
    return get_type_hints(settings.optimizer.__init__) | get_type_hints(settings)


def _check_type(name: str, value: Any, hint: Any) -> None:
    """Check a value against a type; unknown types are left to the optimizer.

    Raises:
        ValueError: The value is of another type.
    """
    inner = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        allowed = [each for each in inner if each is not NoneType]
        if value is not None and len(allowed) == 1:
            _check_type(name, value, allowed[0])
    elif get_origin(hint) in (Sequence, list, tuple):
        if isinstance(value, str) or not isinstance(value, (Sequence, np.ndarray)):
            raise ValueError(f"{name} must be a list; got {value!r}")
        for each in value:
            _check_type(f"every one of {name}", each, inner[0])
    elif hint is bool and not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false; got {value!r}")
    elif hint is int and (isinstance(value, bool) or not isinstance(value, Integral)):
        raise ValueError(f"{name} must be a whole number; got {value!r}")
    elif hint is float:
        number(name, value)


@cache
def settings_of(optimizer: type[AskTell], **fixed: Any) -> type[NumberSettings]:
    """Dataclass with the arguments of a numeric optimizer, their defaults and help texts.

    Args:
        optimizer: The optimizer.
        **fixed: Values of arguments that are no options.
    """
    hints = get_type_hints(AskTell.__init__) | get_type_hints(optimizer.__init__)
    parsed = docstring_parser.parse(inspect.getdoc(optimizer) or "")
    helps = {one.arg_name: one.description or "" for one in parsed.params}
    found: list[Any] = []
    for name, argument in inspect.signature(optimizer).parameters.items():
        if name in ("init", "seed", *optimizer.constants, *fixed):
            continue
        default = _USUAL.get(name, argument.default)
        hint: Any = Annotated[
            hints[name], tyro.conf.arg(help=" ".join(helps.get(name, "").split()))
        ]
        found.append((name, hint, field(default=default)))
    return make_dataclass(
        f"{optimizer.__name__}Settings",
        found,
        bases=(NumberSettings,),
        namespace={
            "optimizer": optimizer,
            "fixed": MappingProxyType(fixed),
            "racing": optimizer.racing,
            "__doc__": parsed.short_description,
            "__module__": __name__,
        },
        frozen=True,
        kw_only=True,
    )


class Lineages(Optimizer):
    """Lineages: parallel optimizers that never mix, one of which is selected.

    The result of a search may depend on its start: self-play converges to one of several styles and
    cannot change to another. Several short runs find more than one long run does.
    ``evolve.training.champion_selection`` selects one of them.

    Args:
        parts: Optimizer of each lineage, without sub-populations.
    """

    groups_are = "lineages"

    def __init__(self, parts: Sequence[Optimizer]) -> None:
        self._parts = tuple(parts)
        each = parts[0].population
        self.population = each * len(parts)
        self.groups = [slice(i * each, (i + 1) * each) for i in range(len(parts))]
        self.n_elites, self.n_selected = parts[0].n_elites, parts[0].n_selected

    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> Any:
        """The candidates of all lineages, one after another."""
        asked = [one.ask() for one in self._parts]
        return type(asked[0]).join(*asked)

    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Updates every lineage with the scores of its candidates."""
        return [
            lines
            for one, rows in zip(self._parts, self.groups, strict=True)
            for lines in one.tell(
                CandidateScores(candidate_scores.fitness[rows], candidate_scores.behaviour[rows])
            )
        ]

    def elites(self, group: int) -> Any:
        """The best candidates of a lineage in the generation evaluated last."""
        return self._parts[group].elites(0)

    def recommend(self, group: int = 0) -> Any:
        """The recommended genome of a lineage."""
        return self._parts[group].recommend()

    def initial_candidate(self, group: int = 0) -> Any:
        """The initial genome of a lineage."""
        return self._parts[group].initial_candidate()

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        arrays: dict[str, AnyArray] = {}
        for i, one in enumerate(self._parts, 1):
            arrays |= prefixed(str(i), one.state())
        return arrays

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        for i, one in enumerate(self._parts, 1):
            one.restore(part(str(i), state))
