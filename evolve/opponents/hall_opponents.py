"""Halls of fame as opponents: ranked with the population, one for every sub-population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import agents
from evolve.files.names import part, prefixed
from evolve.genomes.base import GenomeKind
from evolve.opponents.hall_of_fame import HallOfFame, HallRetention
from evolve.opponents.opponent_sampling import Opponents
from evolve.opponents.policies import OpponentPolicy, OpponentResults, OpponentSettings
from evolve.optimizers.base import Optimizer
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import AnyArray

HallReplacement = Literal["block", "worst_first"]


@dataclass(frozen=True, kw_only=True)
class HallSettings(OpponentSettings):
    """The candidates themselves, and halls of fame that are ranked with them."""

    ranked = True

    hall_of_fame: int = 0
    """Total capacity of the halls of fame of all sub-populations; 0 for none."""

    hof_replace: HallReplacement = "block"
    """Replacement in a full hall: worst block against the elites (the paper) or worst member first
    (the thesis)."""

    hof_retention: HallRetention = "verbatim"
    """Members that stay in a full hall: "verbatim", those that the replacement leaves;
    "keep-early", the members from the first generations; "uniform", equally many from every
    generation so far; "all", every member: hall_of_fame is then no limit, and the hall grows by the
    elites of every generation, which play in all tournaments (the published network takes 3.3 kB;
    metrics include hall_bytes)."""

    hof_early: ClassVar[int] = 10
    """Number of first generations for "keep-early"; with a hall of ten times the elites, those that
    fill it."""

    def __post_init__(self) -> None:
        one_of("hof_retention", self.hof_retention, get_args(HallRetention))
        whole_number("hall_of_fame", self.hall_of_fame, least=0)
        one_of("hof_replace", self.hof_replace, get_args(HallReplacement))

    def check_partners(self, config: Any) -> None:
        """Check that the halls have room for the elites."""
        super().check_partners(config)
        elites = getattr(config.optimizer, "elites", None) or 1
        if 0 < self.hall_of_fame < elites:
            raise ValueError(
                f"hall_of_fame must be 0 (none) or have room for the elites ({elites}); got "
                f"{self.hall_of_fame}"
            )

    def scaled(self, scale: Any) -> HallSettings:
        """Settings with smaller or larger halls."""
        return replace(self, hall_of_fame=scale(self.hall_of_fame))

    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> Halls:
        """Empty halls."""
        return Halls(self, kind, n_groups)


class Halls(OpponentPolicy):
    """A hall of fame for every sub-population; see ``evolve.opponents.hall_of_fame``."""

    def __init__(self, settings: HallSettings, kind: GenomeKind, n_groups: int) -> None:
        self._settings, self._kind = settings, kind
        self.members = (HallOfFame.empty(kind.none()),) * n_groups

    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> Opponents | None:
        """All members; None while the halls are empty."""
        fields = [hall.genomes.pack() for hall in self.members if len(hall)]
        return Opponents.all_players(agents.concat(*fields)) if fields else None

    def learn(self, results: OpponentResults, optimizer: Optimizer, generation: int) -> None:
        """Updates the halls with the elites."""
        if not self._settings.hall_of_fame:
            return
        self.members = tuple(
            hall.after_generation(
                generation,
                costs=-results.candidate_scores.halls[i],
                elites=(elites := optimizer.elites(i)),
                elite_costs=-results.candidate_scores.fitness[
                    results.candidate_scores.ranking(optimizer.groups[i])[: len(elites)]
                ],
                capacity=self._settings.hall_of_fame // len(self.members),
                replace=self._settings.hof_replace,
                retention=self._settings.hof_retention,
                early=self._settings.hof_early,
            )
            for i, hall in enumerate(self.members)
        )

    def halls(self) -> list[Any]:
        """Members of the hall of every sub-population."""
        return [hall.genomes for hall in self.members]

    def entered(self, generation: int) -> list[int]:
        """Number of players that entered each hall after a generation."""
        return [int((hall.entered == generation).sum()) for hall in self.members]

    def describe(self) -> dict[str, Any]:
        """Memory of halls without limit."""
        if self._settings.hof_retention != "all":
            return {}
        arrays = [array for hall in self.members for array in hall.genomes.to_arrays().values()]
        return {"hall_bytes": sum(array.nbytes for array in arrays)}

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        arrays: dict[str, AnyArray] = {}
        for i, hall in enumerate(self.members, 1):
            arrays |= prefixed(str(i), hall.genomes.to_arrays()) | {f"{i}_entered": hall.entered}
        return arrays

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.members = tuple(
            HallOfFame(self._kind.from_arrays(part(str(i), state)), state[f"{i}_entered"])
            for i in range(1, len(self.members) + 1)
        )

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """The members of the halls, if there are any."""
        return {"hall_of_fame.npz": self.state()} if self._settings.hall_of_fame else {}
