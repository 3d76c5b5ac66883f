"""Opponents from a pool of earlier players, the best of the last generation, and by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, get_args

import numpy as np

import agents
from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind
from evolve.opponents.behaviour_probes import BehaviourProbes
from evolve.opponents.opponent_sampling import OpponentMix, Opponents
from evolve.opponents.policies import OpponentPolicy, OpponentResults, OpponentSettings
from evolve.opponents.pool import OpponentPool, PoolConfig, Priority
from evolve.optimizers.base import Optimizer
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.jit.array_types import AnyArray


@dataclass(frozen=True, kw_only=True)
class PoolSettings(OpponentSettings):
    """Players by name, earlier ones from a pool, and the best of the generation before."""

    ranked = False
    drawing = ("priority",)

    pool_share: float = 0.0
    """Share of the seats for the pool of players that this run has deployed earlier. With schedule
    "tournaments", every player with a share above 0 plays all tournaments."""

    population_share: float = 0.0
    """Share of the seats for the best candidates of the previous generation."""

    named_share: float = 1.0
    """Share of the seats for the players in "named"."""

    named: tuple[str, ...] = ("caller",)
    """Built-in players and player files (.npz) that are opponents."""

    named_generations: int = 0
    """Generation after which "named_later" replaces "named", for a curriculum from easy to hard
    opponents; 0 for never."""

    named_later: tuple[str, ...] = ()
    """Named opponents from then on."""

    recent_candidates: ClassVar[int] = 8
    """Number of best candidates of a generation that are opponents in the next one."""

    priority: Priority = "uniform"
    """Pool and named players to meet more often: those that candidates do not beat ("hard"), those
    that they beat half of the time ("even"), or none ("uniform"). Ignored by schedule
    "tournaments", where all opponents play all tournaments."""

    pool_capacity: int = 50
    """Maximum number of players in the pool; beyond it, the older of the two most similar players
    leaves."""

    pool_every: int = 10
    """Generations between additions of the current player to the pool."""

    def __post_init__(self) -> None:
        for key in ("named", "named_later"):
            object.__setattr__(self, key, checked_names(key, getattr(self, key)))
        whole_number("named_generations", self.named_generations, least=0)
        if bool(self.named_generations) != bool(self.named_later):
            raise ValueError(
                "named_generations must be above 0 if named_later has players, and 0 otherwise; "
                f"got {self.named_generations} and {self.named_later}"
            )
        whole_number("pool_every", self.pool_every, least=1)
        for key in ("pool_share", "population_share", "named_share"):
            number(key, getattr(self, key), least=0.0)
        one_of("priority", self.priority, get_args(Priority))
        self.mix()
        self.limits()
        if self.named_share and not self.named:
            raise ValueError("named must not be empty if named_share is above 0")

    def check_partners(self, config: Any) -> None:
        """Check that the first generation has an opponent."""
        super().check_partners(config)
        if config.optimizer.breeds and not self.named_share:
            raise ValueError(
                f'named_share must be above 0 with optimizer "{config.kind("optimizer")}": it '
                "starts from no player, so candidates of the first generation can only meet named "
                "players"
            )

    def mix(self) -> OpponentMix:
        """Shares of the sources of opponents."""
        return OpponentMix(
            pool=self.pool_share,
            population=self.population_share,
            named=self.named_share,
            priority=self.priority,
        )

    def limits(self) -> PoolConfig:
        """Limits on the members of the pool."""
        return PoolConfig(capacity=self.pool_capacity)

    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> PooledOpponents:
        """Creates a pool with only the named players."""
        return PooledOpponents(self, kind, seats=seats, seed=seed)


class PooledOpponents(OpponentPolicy):
    """Opponents from several sources; see ``evolve.opponents.opponent_sampling``."""

    def __init__(self, settings: PoolSettings, kind: GenomeKind, *, seats: int, seed: int) -> None:
        self._settings, self._kind = settings, kind
        named = settings.named if settings.named_share else ()
        self.pool = self._next = OpponentPool.empty(kind.none(), named=named)
        self.recent_candidates: Any = kind.none()
        self._probes: BehaviourProbes | None = None
        if settings.pool_share:
            rng = seeds.generator(seed, seeds.SEARCH_PROBES)
            self._probes = BehaviourProbes.draw(
                getattr(kind, "inputs", "features"), rng, players=seats
            )

    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> Opponents:
        """The opponents of a generation, after the current player has entered if due."""
        self._next = self.pool
        if generation == self._settings.named_generations + 1 and self._settings.named_later:
            self._next = self.pool.with_named(self._settings.named_later)
        if self._probes is not None and (generation - 1) % self._settings.pool_every == 0:
            self._next = self._with_present(optimizer, generation - 1)
        recent_candidates = self.recent_candidates
        if not len(recent_candidates) and generation == 1:  # none has been ranked yet
            recent_candidates = optimizer.initial_candidate()
        newest = recent_candidates if self._settings.population_share else recent_candidates[:0]
        mix = self._settings.mix()
        try:
            return Opponents.gather(self._next, newest, mix, candidates=candidates)
        except ValueError:  # the only opponents are candidates again, such as surviving elites
            return Opponents.gather(self._next, newest, mix)

    def learn(self, results: OpponentResults, optimizer: Optimizer, generation: int) -> None:
        """Counts wins, and stores the best candidates."""
        self.pool = self._next.after_games(results.wins, results.games)
        best = results.candidate_scores.ranking(slice(0, len(results.candidates)))
        self.recent_candidates = results.candidates[best[: self._settings.recent_candidates]]

    def _with_present(self, optimizer: Optimizer, generation: int) -> OpponentPool:
        """The pool with the current player, or that of every lineage, added."""
        if self._probes is None:
            raise RuntimeError("players cannot be compared without probes")
        of_group = optimizer.initial_candidate if generation == 0 else optimizer.recommend
        lineages = len(optimizer.groups) if optimizer.groups_are == "lineages" else 1
        players = [of_group(i) for i in range(lineages)]
        present = type(players[0]).join(*players)
        # Distances of these are in 0..1.
        behaviour = self._probes.behaviour(present) / np.sqrt(2.0 * len(self._probes.masks))
        return self._next.enter(generation, present, behaviour, limits=self._settings.limits())

    def describe(self) -> dict[str, Any]:
        """Number of players in the pool, and the lowest win rate against one."""
        if not self._settings.pool_share:
            return {}
        rates = self.pool.win_rates[: len(self.pool.genomes)]
        return {"pool": len(rates), "pool_hardest": float(rates.min(initial=1.0))}

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        recent_candidates = self.recent_candidates.to_arrays()
        if self._settings.population_share:  # they play again, as they played before
            recent_candidates |= self.recent_candidates.prepared_arrays()
        return prefixed("pool", self.pool.to_arrays()) | prefixed(
            "recent_candidates", recent_candidates
        )

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.pool = OpponentPool.from_arrays(part("pool", state), self._kind)
        self.recent_candidates = self._kind.from_arrays(part("recent_candidates", state))

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """The players of the pool and the results against them, if there is a pool."""
        return {"pool.npz": self.pool.to_arrays()} if self._settings.pool_share else {}


def checked_names(key: str, names: Any) -> tuple[str, ...]:
    """Distinct names of compiled players, with absolute paths for files.

    Raises:
        ValueError: A player does not exist, is not compiled, or is named twice.
    """
    is_list = isinstance(names, Sequence) and not isinstance(names, str)
    if not is_list or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{key} must be a list of names; got {names!r}")
    for name in names:
        agents.make_compiled(name)
    settled = tuple(_whole_path(name) for name in names)
    if len(set(settled)) < len(settled):
        raise ValueError(f"{key} must not name a player twice; got {names!r}")
    return settled


def _whole_path(name: str) -> str:
    """Absolute path of a player file; the name of any other player."""
    file = Path(name)
    return str(file.absolute()) if file.suffix == ".npz" and file.is_file() else name
