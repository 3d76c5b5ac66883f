"""Lineages: parallel searches that never mix, one of which is selected.

The result of a search may depend on its start: self-play converges to one of several styles and
cannot change to another. Several short runs find more than one long run does. The lineages are
independent; ``evolve.training.champion_selection`` selects one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evolve.files.names import part, prefixed
from evolve.optimizers.base import CandidateScores, Contest, Optimizer
from nlhe_env.jit.array_types import AnyArray


class Lineages(Optimizer):
    """Optimizers of the same kind of genomes, each with its own candidates.

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
