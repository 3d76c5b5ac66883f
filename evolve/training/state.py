"""State of a run between generations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evolve.files.names import part, prefixed
from evolve.opponents.policies import OpponentPolicy
from evolve.optimizers import Optimizer
from evolve.training.config import Config
from evolve.training.memory import check_memory
from evolve.training.player_compatibility import check_run
from nlhe_env.jit.array_types import AnyArray


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
            ImportError: The optimizer requires a package that is not installed.
            ValueError: An option is out of range, the population does not fit into memory, the
                initial player is missing, or a player does not support the game.
        """
        check_memory(config)
        config.genomes.check_init()
        optimizer = config.optimizer.make(config.genomes, config.variation, config.seed)
        check_run(config, optimizer)
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
