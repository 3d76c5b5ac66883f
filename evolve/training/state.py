"""State of a run between generations.

The memory of a run is checked before anything is allocated. A size with too many zeros would
otherwise fill it until the system kills the process or the machine stalls. The check counts the
minimum for arrays; a run that passes may still need more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import agents
from evolve.compatibility import check_players
from evolve.files.safe import byte_count, part, prefixed
from evolve.opponents.policies import OpponentPolicy
from evolve.optimizers import Optimizer
from evolve.training.config import Config
from nlhe_env.jit.array_types import AnyArray
from nlhe_env.system.cores import memory_size

_FLOAT = 8
"""Bytes of a result, and of a player number in a lineup."""
_MATRICES = 3.5
"""Matrices of CMA-ES in memory before its first generation, measured."""


def check_memory(config: Config, values: Mapping[str, Any]) -> None:
    """Check that a run can fit into the memory of this machine.

    Raises:
        ValueError: The run is too large; the message names the largest value and the total.
    """
    needs = dict(_needs(config, values))
    total, there = sum(needs.values()), memory_size()
    if total <= there:
        return
    key = max(needs, key=lambda name: needs[name])
    raise ValueError(
        f"{key} is too large for this machine, which has {byte_count(there)} of memory: with "
        f"{values[key]!r} the run needs at least {byte_count(total)}"
    )


def _needs(config: Config, values: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Names of configuration values, with the minimum number of bytes for each."""
    seats, lineages = config.game.table_size, config.lineages
    genome = config.genomes.genome_bytes(config.variation)
    n_candidates = config.optimizer.population * lineages
    yield "population", n_candidates * (genome + _FLOAT)
    if "hall_of_fame" in values:  # filled with elites
        most = values["hall_of_fame"]
        if config.generations:
            most = min(most, config.generations * (values.get("elites") or 1))
        yield "hall_of_fame", most * genome
    if values["optimizer"] == "cma-es":  # matrices with a row and a column for each number
        yield "optimizer", round(_MATRICES * lineages * (genome // 4) ** 2 * _FLOAT)
    for key in ("random_players", "biased_players", "recent_candidates"):
        if key in values:
            yield key, values[key] * genome
    # Tournaments are summed as they are played, unless the fitness needs each result.
    keeps_each = config.fitness.needs_rows or not config.opponents.ranked
    results = {
        "tournaments": n_candidates if keeps_each else 0,
        "rounds": n_candidates,
        "blocks": n_candidates,
        "points": n_candidates,
        "test_blocks": seats - 1,
    }
    for key, of_one in results.items():
        yield key, values.get(key, 0) * of_one * _FLOAT
    if lineages > 1:
        choice = config.choice
        opponents = max(choice.selection_opponents, len(choice.selection_players), 1)
        met = lineages * opponents
        larger = max(("selection_opponents", "selection_rounds"), key=lambda name: values[name])
        yield larger, met * choice.selection_rounds * _FLOAT


@dataclass(eq=False)
class State:
    """State of a run after a generation, which with the configuration determines the next one.

    It changes in place.

    Attributes:
        optimizer: The optimizer, after the ``tell`` of this generation.
        opponents: Opponents of the next generation.
        champions: Stored champions of every sub-population in order, as genomes: of all
            generations, or of the tested ones.
        kept: Generations of these champions; 0 is before training.
        tests: Generations after which the recommended player was tested.
        generation: Number of finished generations.
        hands: Hands played for training.
        best: Index of the sub-population with the best champion.
        metrics: Metrics of the last generation; initially empty.
    """

    optimizer: Optimizer
    opponents: OpponentPolicy
    champions: list[Any]
    kept: list[int] = field(default_factory=list)
    tests: list[int] = field(default_factory=list)
    generation: int = 0
    hands: int = 0
    best: int = 0
    metrics: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def initial_state(cls, config: Config) -> State:
        """Initial state of a run.

        Raises:
            MissingExtraError: The optimizer requires a package that is not installed.
            ValueError: An option is out of range, the population does not fit into memory, the
                initial player is missing, or a player does not support the game.
        """
        values = config.values()
        check_memory(config, values)
        config.genomes.check_init()
        optimizer = config.optimizer.make(config.genomes, config.variation, config.seed)
        _check_game(config, values, optimizer)
        n, seats = len(optimizer.groups), config.game.table_size
        opponents = config.opponents.make(config.genomes, n, seats=seats, seed=config.seed)
        return cls(optimizer, opponents, [config.genomes.none()] * n)

    def keep_champions(self) -> None:
        """Adds the current champions to the stored ones."""
        found = [self.present(i) for i in range(len(self.champions))]
        self.champions = [
            type(new).join(kept, new) for kept, new in zip(self.champions, found, strict=True)
        ]
        self.kept.append(self.generation)

    @property
    def tested(self) -> int | None:
        """Generation of the last test; None for never."""
        return self.tests[-1] if self.tests else None

    @property
    def champion(self) -> Any:
        """Current deployable genome, a batch of one; empty before the first population."""
        return self.present(self.best)

    def present(self, group: int) -> Any:
        """Current deployable genome of a sub-population; see ``champion``."""
        return (
            self.optimizer.recommend(group)
            if self.generation
            else self.optimizer.initial_candidate(group)
        )

    def to_arrays(self) -> dict[str, AnyArray]:
        """The state as named arrays."""
        arrays: dict[str, AnyArray] = {
            "generation": np.array(self.generation),
            "hands": np.array(self.hands),
            "best": np.array(self.best),
            "tests": np.array(self.tests, np.int64),
        }
        arrays |= prefixed("optimizer", self.optimizer.state())
        arrays |= prefixed("opponents", self.opponents.state())
        return arrays | prefixed("champions", self.champion_arrays())

    def champion_arrays(self, groups: Sequence[int] | None = None) -> dict[str, AnyArray]:
        """Stored champions of some or all sub-populations, and their generations."""
        arrays: dict[str, AnyArray] = {"generations": np.array(self.kept, np.int64)}
        of = range(len(self.champions)) if groups is None else groups
        for i, group in enumerate(of, 1):
            arrays |= prefixed(str(i), self.champions[group].to_arrays())
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], config: Config) -> State:
        """State from the arrays of ``to_arrays``, from a run with the same configuration.

        Raises:
            KeyError: An array is missing.
            ValueError: The arrays do not match the optimizer.
        """
        state = cls.initial_state(config)
        champions = part("champions", arrays)
        state.champions = [
            config.genomes.from_arrays(part(str(i), champions))
            for i in range(1, len(state.champions) + 1)
        ]
        state.kept = champions["generations"].tolist()
        state.generation, state.hands = int(arrays["generation"]), int(arrays["hands"])
        state.best, state.tests = int(arrays["best"]), arrays["tests"].tolist()
        state.optimizer.restore(part("optimizer", arrays))
        state.opponents.restore(part("opponents", arrays))
        return state


def _check_game(config: Config, values: Mapping[str, Any], optimizer: Optimizer) -> None:
    """Check that named players and candidates support the game.

    Raises:
        ValueError: A player does not support it; the message says which one, why, and the value
            naming it.
    """
    kind = config.genomes
    players = {
        f"{key}: {name}": agents.make_compiled(name)
        for key in ("named", "named_later", "test_players", "selection_players")
        for name in values.get(key, ())
    }
    check_players(players, config.make_game(), seats=config.game.table_size)
    first = optimizer.initial_candidate()
    if not len(first):  # it starts from a population
        first = kind.first(1, config.variation, rng=np.random.default_rng(config.seed))
    kind.check_players(kind.unprepared(first).pack(), config)
