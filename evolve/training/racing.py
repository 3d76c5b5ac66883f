"""Scores of candidates on common cards, and the candidates that selection cannot separate yet.

Sources of racing, for selection among candidates with noisy evaluations: O. Maron and A. Moore,
"Hoeffding Races" (NIPS 6, 1993); V. Heidrich-Meisner and C. Igel, "Hoeffding and Bernstein Races
for Selecting Policies in Evolutionary Direct Policy Search" (ICML 2009). They compare the
candidates' own intervals. Here candidates have the same cards, so paired differences are compared,
which vary less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlhe_env.jit.array_types import F64, I64, Bool


@dataclass(frozen=True, eq=False)
class RaceStanding:
    """Results of candidates so far; larger is better.

    Attributes:
        scores: ``(n_candidates, n_blocks)`` scores; nan where a candidate has not played the block.
        means: ``(n_candidates,)`` mean score. Blocks that only some have played are adjusted to the
            difficulty of the earlier blocks, so that none gains by its cards.
        racers: ``(n,)`` indices of the candidates that have played all blocks.
        groups: Candidates of each lineage or sub-population. Each has its own selection threshold,
            and a lineage may have its own opponents.
    """

    scores: F64
    means: F64
    racers: I64
    groups: tuple[slice, ...]

    @classmethod
    def of(cls, scores: F64, groups: Sequence[slice] = ()) -> RaceStanding:
        """The standing after blocks of all candidates.

        Args:
            scores: ``(n_candidates, n_blocks)``.
            groups: See ``RaceStanding``; by default all candidates are one group.
        """
        n = len(scores)
        return cls(scores, scores.mean(axis=1), np.arange(n), tuple(groups) or (slice(0, n),))

    def after_round(self, racers: I64, scores: F64) -> RaceStanding:
        """The standing after another round of some candidates.

        Args:
            racers: ``(n,)`` candidates of the round, all of them among the previous ``racers``.
            scores: ``(n, n_blocks)`` scores of these candidates.
        """
        all_scores = np.full((len(self.means), scores.shape[1]), np.nan)
        all_scores[racers] = scores
        before, now = self.means[racers], scores.mean(axis=1)
        adjusted = now.copy()
        for rows in self.groups:
            own = (rows.start <= racers) & (racers < rows.stop)
            if own.any():
                adjusted[own] = now[own] - now[own].mean() + before[own].mean()
        share = scores.shape[1] / (self.scores.shape[1] + scores.shape[1])
        means = self.means.copy()
        means[racers] = (1.0 - share) * before + share * adjusted
        scores = np.concatenate([self.scores, all_scores], axis=1)
        return RaceStanding(scores, means, racers, self.groups)

    @property
    def errors(self) -> F64:
        """``(n_candidates,)`` standard errors, without the variance common to the same cards."""
        residuals = self.scores - np.nanmean(self.scores, axis=0)
        counts = np.isfinite(residuals).sum(axis=1)
        errors: F64 = np.nanstd(residuals, axis=1, ddof=1) / np.sqrt(counts)
        return errors

    def undecided(self, n_selected: int, errors: float) -> I64:
        """Candidates that may be on the wrong side of the selection threshold.

        Args:
            n_selected: Number of candidates to select from each group.
            errors: Standard errors of the paired difference to the next candidate on the other
                side within which a candidate is undecided.

        Returns:
            Sorted indices. They include the two candidates at the threshold of each group, but none
            of a group in which all are decided or selected.
        """
        racing = np.zeros(len(self.means), np.bool_)
        racing[self.racers] = True
        found = [
            rows.start
            + _undecided(self.scores[rows], self.means[rows], racing[rows], n_selected, errors)
            for rows in self.groups
        ]
        return np.concatenate(found)


def _undecided(scores: F64, means: F64, racing: Bool, n_selected: int, errors: float) -> I64:
    """Indices within one group of its undecided candidates."""
    if n_selected >= len(means):
        return np.empty(0, np.int64)
    order = np.argsort(-means, kind="stable")
    worst_in, best_out = order[n_selected - 1], order[n_selected]
    recent_candidates = np.full(len(order), worst_in)
    recent_candidates[order[:n_selected]] = best_out
    differences = scores - scores[recent_candidates]
    counts = np.isfinite(differences).sum(axis=1)
    deviations = np.nanstd(differences, axis=1, ddof=1) / np.sqrt(counts)
    close = np.abs(np.nanmean(differences, axis=1)) < errors * deviations
    close &= racing
    if close.any():
        # Candidates that left the race are decided; the others need one for comparison.
        close |= racing & np.isin(np.arange(len(order)), (worst_in, best_out))
    found = np.flatnonzero(close)
    return found if len(found) > 1 else found[:0]
