"""The values of optimizers, as sections of configurations."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, get_type_hints

import docstring_parser
import tyro

from evolve import seeds
from evolve.genomes.base import GenomeKind, Variation
from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import NumberOptimizer, Optimizer
from evolve.optimizers.lineages import Lineages
from nlhe_env.arguments import number, whole_number

COMMON = ("start", "population", "step", "seed")
"""Arguments that all optimizers of numbers have."""

_MOST_LINEAGES = 100
_USUAL = {"population": 64, "step": 0.1}


@dataclass(frozen=True, kw_only=True)
class OptimizerSettings(ABC):
    """The values of an optimizer.

    Attributes:
        breeds: Whether it varies genomes by the variation of their kind; otherwise genomes are rows
            of numbers to it.
        population: Candidates of a generation.
    """

    breeds: ClassVar[bool] = False
    racing: ClassVar[bool] = True

    population: int

    @abstractmethod
    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Optimizer:
        """The optimizer before the first generation.

        Raises:
            ValueError: A value is out of its range.
        """

    @property
    def n_sub_populations(self) -> int:
        """Sub-populations that breed apart."""
        return int(getattr(self, "sub_populations", 1))


@dataclass(frozen=True, kw_only=True)
class NumberSettings(OptimizerSettings):
    """The values of an optimizer of numbers."""

    optimizer: ClassVar[type[AskTell]]

    lineages: int = 1
    """Searches side by side, each from a start and with a population of its own; the one that does
    best at tables with opponents is chosen."""

    def __post_init__(self) -> None:
        whole_number("lineages", self.lineages, least=1, most=_MOST_LINEAGES)
        whole_number("population", self.population, least=2)
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))
            if isinstance(one.default, bool) and not isinstance(value, bool):
                raise ValueError(f"{one.name} must be true or false; got {value!r}")
            if isinstance(value, float):
                number(one.name, value)

    def make(self, kind: GenomeKind, variation: Variation, seed: int) -> Optimizer:
        """The optimizer before the first generation."""
        if self.lineages == 1:
            return self._search(kind, seed)
        others = [seeds.stream_seed(seed, seeds.LINEAGES, i) for i in range(1, self.lineages)]
        return Lineages([self._search(kind, one) for one in (seed, *others)])

    def _search(self, kind: GenomeKind, seed: int) -> NumberOptimizer:
        """A single search."""
        given = {
            one.name: getattr(self, one.name) for one in fields(self) if one.name != "lineages"
        }
        values = {key: value for key, value in given.items() if value is not None}
        return NumberOptimizer(self.optimizer(kind.first_numbers(seed), seed=seed, **values), kind)


@cache
def settings_of(optimizer: type[AskTell]) -> type[NumberSettings]:
    """A dataclass with the arguments of an optimizer of numbers, their defaults and their help."""
    hints = get_type_hints(AskTell.__init__) | get_type_hints(optimizer.__init__)
    parsed = docstring_parser.parse(inspect.getdoc(optimizer) or "")
    helps = {one.arg_name: one.description or "" for one in parsed.params}
    found: list[Any] = []
    for name, argument in inspect.signature(optimizer).parameters.items():
        if name in ("start", "seed"):
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
            "racing": optimizer.racing,
            "__doc__": parsed.short_description,
            "__module__": __name__,
        },
        frozen=True,
        kw_only=True,
    )
