"""Scores of candidates from games on the same cards, and which selection cannot separate yet.

Races of this kind, for choosing among candidates whose evaluation is noise: O. Maron and A. Moore,
"Hoeffding Races" (NIPS 6, 1993); V. Heidrich-Meisner and C. Igel, "Hoeffding and Bernstein Races
for Selecting Policies in Evolutionary Direct Policy Search" (ICML 2009). Theirs compare each
candidate's own interval. Here candidates have the same cards, and differences are compared, which
vary less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlhe_env.jit.array_types import F64, I64, Bool


@dataclass(frozen=True, eq=False)
class RaceStanding:
    """The results of candidates so far; larger is better.

    Attributes:
        scores: ``(n_candidates, n_blocks)`` nan where a candidate has not played a block.
        means: ``(n_candidates,)`` mean score. Blocks that only some have played count as if they
            had been as hard for these as the blocks before, so that none gains by its cards.
        racers: ``(n,)`` who has played all blocks.
        groups: Candidates of each lineage or sub-population: each has a border of selection of its
            own, and a lineage may meet opponents of its own.
    """

    scores: F64
    means: F64
    racers: I64
    groups: tuple[slice, ...]

    @classmethod
    def of(cls, scores: F64, groups: Sequence[slice] = ()) -> RaceStanding:
        """The standing after blocks that all have played.

        Args:
            scores: ``(n_candidates, n_blocks)``.
            groups: See ``RaceStanding``; without any, all candidates are one.
        """
        n = len(scores)
        return cls(scores, scores.mean(axis=1), np.arange(n), tuple(groups) or (slice(0, n),))

    def after_round(self, racers: I64, scores: F64) -> RaceStanding:
        """The standing after blocks that some have played.

        Args:
            racers: ``(n,)`` who, among those who have played all blocks.
            scores: ``(n, n_blocks)`` theirs.
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
        """``(n_candidates,)`` standard errors: of what is not common to all who held the cards."""
        residuals = self.scores - np.nanmean(self.scores, axis=0)
        counts = np.isfinite(residuals).sum(axis=1)
        errors: F64 = np.nanstd(residuals, axis=1, ddof=1) / np.sqrt(counts)
        return errors

    def undecided(self, n_selected: int, errors: float) -> I64:
        """Candidates that may be on the wrong side of the border of selection.

        Args:
            n_selected: Candidates of each group to be selected, the best ones.
            errors: Standard errors of the paired difference to the next candidate on the other
                side within which a candidate is undecided.

        Returns:
            Their numbers in order, of each group the two at the border among them; none of it if
            all are decided, as where all are selected.
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
    """Undecided candidates of one group, as numbers in it."""
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
        # Who left the race is decided; the others need one to be compared with.
        close |= racing & np.isin(np.arange(len(order)), (worst_in, best_out))
    found = np.flatnonzero(close)
    return found if len(found) > 1 else found[:0]
