"""The meta-game: a game whose strategies are the players of a run.

Unlike mean places, the results between champions of all generations show whether later champions
beat earlier ones, or whether the run is cyclic and forgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components, shortest_path

from evolve.evaluation.metagames.equilibria import alpha_rank, nash_weights
from evolve.evaluation.statistics.samples import LEVEL, TTest, holm
from evolve.files.safe import without_infinities
from nlhe_env.jit.array_types import F64, Bool


@dataclass(frozen=True, eq=False)
class MetaGame:
    """Payoffs of players against each other.

    Attributes:
        names: Names of the players, in the order of time.
        payoffs: ``(n, n)`` mean payoff of the row player against the column player; antisymmetric.
        errors: ``(n, n)`` standard errors of the payoffs; symmetric, 0 on the diagonal.
        observations: Independent observations behind each payoff.
    """

    names: tuple[str, ...]
    payoffs: F64
    errors: F64
    observations: int

    def __post_init__(self) -> None:
        n = len(self.names)
        if n < 2 or self.payoffs.shape != (n, n) or self.errors.shape != (n, n):
            raise ValueError(
                "a meta-game needs at least 2 players, and payoffs and errors of every pair; got "
                f"{n} players and shapes {self.payoffs.shape} and {self.errors.shape}"
            )
        if not np.array_equal(self.payoffs, -self.payoffs.T):
            raise ValueError("payoffs must be antisymmetric: what one wins the other loses")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def beats(self) -> Bool:
        """``(n, n)`` whether the row player beats the column player.

        A difference must be significant at the 99% level with Holm correction for all pairs, since
        a single wrong pair could create a false cycle.
        """
        rows, columns = np.triu_indices(len(self), 1)
        tests = [
            TTest(
                float(self.payoffs[i, j]),
                float(self.errors[i, j]),
                self.observations - 1,
                lower_is_better=False,
            )
            for i, j in zip(rows, columns, strict=True)
        ]
        shown = np.zeros(self.payoffs.shape, np.bool_)
        shown[rows, columns] = np.array(holm([test.p for test in tests])) < LEVEL
        shown |= shown.T
        return shown & (self.payoffs > 0.0)

    @cached_property
    def nash(self) -> F64:
        """``(n,)`` weights of the Nash equilibrium with the largest entropy."""
        return nash_weights(self.payoffs)

    @property
    def against_nash(self) -> F64:
        """``(n,)`` payoff of every player against the equilibrium: 0 inside, at most 0 outside."""
        return np.asarray(self.payoffs @ self.nash, np.float64)

    @cached_property
    def alpha_rank(self) -> F64:
        """``(n,)`` alpha-rank shares in the limit of alpha.

        This limit depends only on the signs of differences, so pairs without a significant
        difference count as equal; otherwise noise would decide.
        """
        return alpha_rank(self.beats.astype(np.float64))

    @property
    def transitive_share(self) -> float:
        """Share of the squared payoffs explained by one strength per player, 0 to 1.

        With mean payoffs r, the payoff of i and j is r_i - r_j plus a cyclic rest (Balduzzi et al.
        2018, section 3). Errors of the payoffs count as cyclic; 1 if there are no payoffs.
        """
        strength = self.payoffs.mean(axis=1)
        explained = strength[:, np.newaxis] - strength
        total = float((self.payoffs**2).sum())
        return float((explained**2).sum()) / total if total > 0.0 else 1.0

    @property
    def cycles(self) -> list[Cycle]:
        """Groups of players in which each beats every other, directly or indirectly."""
        n_groups, group = connected_components(self.beats, directed=True, connection="strong")
        members = [np.flatnonzero(group == i) for i in range(n_groups)]
        groups = sorted((rows.tolist() for rows in members if len(rows) > 1), key=min)
        return [Cycle(tuple(rows), self._shortest(rows)) for rows in groups]

    def _shortest(self, rows: list[int]) -> tuple[int, ...]:
        """A shortest cycle in a group whose players all beat each other, directly or indirectly."""
        beats = self.beats[np.ix_(rows, rows)]
        steps, before = shortest_path(
            beats.astype(np.float64), unweighted=True, return_predecessors=True
        )
        # Back from the loser to the winner, then the win itself.
        lengths = np.where(beats, steps.T, np.inf)
        winner, loser = np.unravel_index(int(np.argmin(lengths)), lengths.shape)
        path = [int(winner)]
        while path[-1] != loser:
            path.append(int(before[loser, path[-1]]))
        # The path is backwards: winner, the player that beats it, ..., the loser.
        ordered = path[:1] + path[:0:-1]
        return tuple(rows[i] for i in ordered)

    @property
    def later_beat_earlier(self) -> tuple[int, int, int]:
        """Numbers of pairs in which the later player wins, the earlier one wins, and neither."""
        upper, lower = np.triu(self.beats).sum(), np.tril(self.beats).sum()
        n_pairs = len(self) * (len(self) - 1) // 2
        return int(lower), int(upper), int(n_pairs - lower - upper)

    def as_dict(self) -> dict[str, Any]:
        """All results as plain values for JSON; None if unknown."""
        later, earlier, neither = self.later_beat_earlier
        values: dict[str, Any] = {
            "players": list(self.names),
            "observations": self.observations,
            "payoffs": self.payoffs.tolist(),
            "errors": self.errors.tolist(),
            "beats": self.beats.tolist(),
            "nash": self.nash.tolist(),
            "against_nash": self.against_nash.tolist(),
            "alpha_rank": self.alpha_rank.tolist(),
            "transitive_share": self.transitive_share,
            "later_beats_earlier": later,
            "earlier_beats_later": earlier,
            "neither_shown": neither,
            "cycles": [
                {
                    "players": [self.names[i] for i in cycle.members],
                    "shortest": [self.names[i] for i in cycle.shortest],
                }
                for cycle in self.cycles
            ],
        }
        plain: dict[str, Any] = without_infinities(values)
        return plain

    def describe(self, unit: str) -> list[str]:
        """Findings of the meta-game as lines of text.

        Args:
            unit: Unit of the payoffs.
        """
        later, earlier, neither = self.later_beat_earlier
        error = float(np.median(self.errors[np.triu_indices(len(self), 1)]))
        lines = [
            f"{len(self)} players, {self.observations:,} rounds; payoffs in {unit}, median "
            f"standard error {error:.3g}",
            f"later beats earlier in {later} pairs, earlier beats later in {earlier}, neither "
            f"shown in {neither}; a strength of each player explains "
            f"{100 * self.transitive_share:.0f}% of the payoffs",
            f"Nash weights: {self._weights(self.nash)}",
            f"alpha-rank: {self._weights(self.alpha_rank)}",
        ]
        for cycle in self.cycles:
            around = (*cycle.shortest, cycle.shortest[0])
            lines += [
                f"cycle of {len(cycle.members)} players: {self._listed(cycle.members)}; such as "
                + " beats ".join(self.names[i] for i in around)
            ]
        if not self.cycles:
            lines.append("no cycle shown")
        return lines

    def _weights(self, weights: F64, most: int = 6) -> str:
        """Text with the largest weights."""
        order = np.argsort(-weights, kind="stable")
        used = [i for i in order if weights[i] >= 0.005]
        shown = ", ".join(f"{self.names[i]} {100 * weights[i]:.0f}%" for i in used[:most])
        remaining = len(used) - most
        return shown + (f" and {remaining} more" if remaining > 0 else "")

    def _listed(self, members: Sequence[int]) -> str:
        return ", ".join(self.names[i] for i in members)


@dataclass(frozen=True)
class Cycle:
    """A cycle of players without a best one.

    Attributes:
        members: Indices of the players; each beats every other directly or indirectly.
        shortest: A shortest cycle: each player beats the next, and the last beats the first.
    """

    members: tuple[int, ...]
    shortest: tuple[int, ...]
