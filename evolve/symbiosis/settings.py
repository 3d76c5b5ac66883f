"""Settings of a run of symbiotic evolution: its model of diversity and its sizes.

Source of all defaults: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis,
Dalhousie University, 2016), tables 4.2, 4.6 to 4.8 and section 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from agents.matches import CATEGORIES, OUTCOME, BettingRule
from evolve.files.text_files import byte_count
from evolve.genomes.team_variation import TeamVariation
from nlhe_env.arguments import one_of, share, whole_number
from nlhe_env.system.cores import memory_size

Measure = Literal["ncd", "hamming", "genotypic", "novelty", "euclidean", "entropy", "sharing"]
Compressor = Literal["bz2", "zlib"]
Size = Literal["smoke", "tiny", "small", "full"]
Group = Literal["opponents", "degrees", "models"]
LayerOf = Literal["all", "top", "hall"]


@dataclass(frozen=True)
class Model:
    """Settings of the selection of survivors.

    Attributes:
        measures: Measures of diversity, one after the other in successive generations; none for
            fitness alone.
        by_fitness: Whether fitness counts, beside them.
        new_bids: Whether children mutate until they act otherwise than all others on a sample
            of inputs.
    """

    measures: tuple[Measure, ...] = ()
    by_fitness: bool = True
    new_bids: bool = False


MODELS = {
    "no_div": Model(),
    "bid": Model(new_bids=True),
    "nov": Model(("novelty",)),
    "only_nov": Model(("novelty",), by_fitness=False),
    "ncd": Model(("ncd",)),
    "ncd_gen": Model(("ncd", "genotypic")),
    "ham": Model(("hamming",)),
    "ham_gen": Model(("hamming", "genotypic")),
    "gen": Model(("genotypic",)),
    "bid_ncd_gen": Model(("ncd", "genotypic"), new_bids=True),
    "euclidean": Model(("euclidean",)),
    "entropy": Model(("entropy",)),
    "sharing": Model(("sharing",)),
}
"""The nine models that the thesis compares, one more of its second group, and three by measures of
the code published with it."""

GROUPS: dict[Group, tuple[str, ...]] = {
    "opponents": ("ncd_gen", "ncd_gen+B"),
    "degrees": ("no_div", "bid", "ncd_gen", "bid_ncd_gen"),
    "models": tuple(MODELS)[:9],
}
"""The models of the three groups of experiments; ``+B`` trains against Bayesian opponents too."""

_STATIC, _HALL_SLOTS = 4, 2


@dataclass(frozen=True, kw_only=True)
class SymbiosisSettings:
    """A run.

    Raises:
        ValueError: A value is impossible; the message names it and what is allowed.
    """

    model: str = "ham_gen"
    """A name of ``MODELS``."""

    seed: int = 1
    """Seed of everything random."""

    generations: int = 300
    """Generations of the run."""

    teams: int = 100
    """Teams of a generation; half of them are kept."""

    points: int = 600
    """Matches of a generation, spread evenly over nine categories and the opponents' slots, less
    what is left over."""

    validation_points: int = 1200
    """Matches at which all teams are compared every ``validate_every`` generations."""

    champion_points: int = 2400
    """Matches that measure how good the best of them is."""

    validate_every: int = 50
    """Generations between validations."""

    replaced_points: float = 0.2
    """Share of the points, the oldest of each category, that a generation replaces."""

    bayesian: int = 0
    """Bayesian opponents beside the four static ones: 0, or 4."""

    hall_size: int = 20
    """Members of the hall of fame."""

    hall_every: int = 100
    """Generations after which one more opponent comes from the hall of fame, up to two."""

    neighbours: int = 10
    """Nearest teams that a distance is averaged over."""

    bid_sample: int = 1200
    """Inputs on which the actions of children are compared."""

    bid_retries: int = 100
    """Mutations of a child at most until it acts in a way of its own."""

    archive_size: int = 100
    """Behaviours that the search for novelty remembers."""

    archive_turnover: int = 10
    """Most novel teams that enter it in a generation."""

    compressor: Compressor = "bz2"
    """Compressor of the normalised compression distance."""

    betting: BettingRule = "two-calls"
    """When a round of betting ends."""

    second_layer: int = 0
    """Generations, the last ones, that evolve teams of teams: their programs bid for teams of the
    first layer, which no longer change and decide when they are chosen."""

    layer_of: LayerOf = "all"
    """Teams that they bid for: all that were kept, those of them that raise the cumulative score
    most, or the hall of fame."""

    layer_top: int = 10
    """Number of those that raise it most, at most."""

    variation: TeamVariation = field(default_factory=TeamVariation)
    """Variation of teams."""

    def __post_init__(self) -> None:
        one_of("model", self.model, tuple(MODELS))
        one_of("compressor", self.compressor, get_args(Compressor))
        one_of("betting", self.betting, get_args(BettingRule))
        one_of("layer_of", self.layer_of, get_args(LayerOf))
        whole_number("seed", self.seed, least=0)
        whole_number("teams", self.teams, least=4)
        for name in (
            "generations",
            "validate_every",
            "hall_size",
            "hall_every",
            "neighbours",
            "bid_sample",
            "bid_retries",
            "archive_size",
            "archive_turnover",
        ):
            whole_number(name, getattr(self, name), least=1)
        whole_number("second_layer", self.second_layer, least=0)
        if self.second_layer and self.first_layer < 2:
            raise ValueError(
                f"second_layer must leave the first two of {self.generations} generations; got "
                f"{self.second_layer}"
            )
        whole_number("layer_top", self.layer_top, least=2)
        share("replaced_points", self.replaced_points)
        whole_number("bayesian", self.bayesian, least=0, most=8)
        for name in ("points", "validation_points", "champion_points"):
            whole_number(name, getattr(self, name), least=CATEGORIES * self.slots)

    def check_memory(self) -> None:
        """Check that the results of the matches of a generation can fit into memory.

        Raises:
            ValueError: It cannot; the message says what it takes at least.
        """
        sizes = {"teams": self.teams, "points": self.points}
        needed, there = self.teams * self.points * OUTCOME.itemsize, memory_size()
        if needed > there:
            key = max(sizes, key=lambda name: sizes[name])
            raise ValueError(
                f"{key} is too much for this machine, which has {byte_count(there)} of memory: "
                f"with {sizes[key]} the run needs at least {byte_count(needed)}"
            )

    @property
    def slots(self) -> int:
        """Opponents of a generation when all are there: static, Bayesian, of the hall of fame."""
        return _STATIC + self.bayesian + _HALL_SLOTS

    @property
    def kept(self) -> int:
        """Teams that are kept."""
        return self.teams // 2

    @property
    def first_layer(self) -> int:
        """Generations that evolve teams of programs for actions."""
        return self.generations - self.second_layer

    def hall_opponents(self, generation: int) -> int:
        """Opponents from the hall of fame in a generation, counted from 1.

        >>> [SymbiosisSettings().hall_opponents(g) for g in (1, 100, 101, 201, 300)]
        [0, 0, 1, 2, 2]
        """
        return min((generation - 1) // self.hall_every, _HALL_SLOTS)

    @classmethod
    def of_size(cls, size: Size, **values: Any) -> SymbiosisSettings:
        """The settings of a size, ``"full"`` being that of the thesis, and some values instead."""
        return cls(**{**_SIZES[one_of("size", size, get_args(Size))], **values})

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> SymbiosisSettings:
        """The settings that ``to_json`` gave; what it did not know yet is as by default."""
        variation = TeamVariation(**values["variation"])
        known = {f.name: values[f.name] for f in fields(cls) if f.name in values}
        return cls(**{**known, "variation": variation})


_SIZES: dict[Size, dict[str, Any]] = {
    "smoke": {
        "generations": 5,
        "teams": 10,
        "points": 90,
        "validation_points": 90,
        "champion_points": 90,
        "validate_every": 5,
        "bid_sample": 100,
    },
    "tiny": {
        "generations": 60,
        "teams": 30,
        "points": 216,
        "validate_every": 30,
        "hall_every": 20,
        "archive_size": 30,
        "archive_turnover": 3,
        "compressor": "zlib",
    },
    "small": {
        "generations": 100,
        "teams": 50,
        "points": 216,
        "validate_every": 50,
        "hall_every": 34,
    },
    "full": {},
}
