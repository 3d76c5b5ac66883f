"""Rankings: what the results of some sessions tell about the order of the players.

All comparisons follow from the means of the players and the covariance of these means, which common
sessions give them: with complete sessions the test of a pair is the paired t-test, without a common
session it has Welch's statistic. Holm's method corrects the tests of all pairs for their number.

Chances are those of the true means, given the results and no other knowledge (a flat prior): of two
players that of the better result is one minus half the p-value of their test. The best of many
equal players looks good by selection, so the chance of a first place says how far the results
decide, not how good the first is.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from agents.statistics.estimates import CONFIDENCE, TTest, holm, t_interval
from nlhe_env.arguments import array, number, whole_number
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.jit.array_types import F64, I64

COLUMNS = ("name", "bb_per_100", "hands", "standard_error")
"""Columns of a printed table; the last is optional."""
_DRAWS = 50_000
_SEED = 1
_MANY = 1e9
"""Degrees of freedom with which the t-distribution is normal."""
_NO_SPREAD = 1e-12
"""Variance of a difference, as a share of the players' own, that is only rounding."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Means of some players, and what they tell about their order.

    Attributes:
        names: Names of the players.
        means: ``(n,)`` mean result of each player; nan without sessions.
        covariance: ``(n, n)`` covariance of the means; nan for players with fewer than 2 sessions.
        counts: ``(n,)`` number of sessions, or hands, of each player.
        degrees: ``(n,)`` degrees of freedom of the variance of each mean; a difference has the
            smaller ones of both, which is exact for complete sessions and cautious otherwise.
        lower_is_better: Whether lower results are better, as with places.
    """

    names: tuple[str, ...]
    means: F64
    covariance: F64
    counts: F64
    degrees: F64
    lower_is_better: bool = False

    @property
    def errors(self) -> F64:
        """``(n,)`` standard error of each mean."""
        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def order(self) -> list[int]:
        """Indices of the players, best first."""
        return [int(i) for i in np.argsort(-self._signed, kind="stable")]  # nan is last

    @property
    def first(self) -> F64:
        """``(n,)`` chance of each player to be the best; nan without a standard error.

        All are nan if two players differ by the same in too few sessions: these do not say how far
        differences usually spread.
        """
        return self._chances[0]

    @property
    def whole_order(self) -> float:
        """Chance that the whole order is right."""
        return self._chances[1]

    @property
    def sessions_needed(self) -> float:
        """Sessions of each player until the best comes first with 95%, if these means are true."""
        return self.pairs[0]["sessions_needed"] if len(self.names) == 2 else self._chances[2]

    def interval(self, player: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of a player's mean, by the t-distribution."""
        mean, error = float(self.means[player]), float(self.errors[player])
        return t_interval(mean, error, float(self.degrees[player]), confidence)

    def compare(self, first: int, second: int) -> TTest:
        """Test of one player's mean against another's."""
        own = self.covariance[first, first] + self.covariance[second, second]
        variance = own - 2.0 * self.covariance[first, second]
        if variance < _NO_SPREAD * own:
            variance = 0.0
        return TTest(
            float(self.means[first] - self.means[second]),
            float(np.sqrt(variance)),
            float(min(self.degrees[first], self.degrees[second])),
            self.lower_is_better,
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, best first: mean, standard error, 95% interval, chance of first."""
        return [
            {
                "rank": rank,
                "player": self.names[i],
                "count": int(self.counts[i]),
                "mean": float(self.means[i]),
                "standard_error": float(self.errors[i]),
                "low": self.interval(i)[0],
                "high": self.interval(i)[1],
                "first": float(self.first[i]),
            }
            for rank, i in enumerate(self.order, 1)
        ]

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """One row per pair, the better player first.

        ``p_holm`` is ``p`` corrected for the number of pairs, and ``differ`` whether it is below
        5%. ``sessions_needed`` are the sessions of each player until these two are in the right
        order with 95%, if their difference is true.
        """
        pairs = [(i, j) for k, i in enumerate(self.order) for j in self.order[k + 1 :]]
        tests = [self.compare(i, j) for i, j in pairs]
        rows = []
        for (i, j), test, p_holm in zip(pairs, tests, holm([t.p for t in tests]), strict=True):
            low, high = test.interval()
            needed = np.divide(special.ndtri(CONFIDENCE), test.t) ** 2 if test.t else np.inf
            if np.isnan(low):  # equal differences in too few sessions
                needed = np.nan
            rows.append(
                {
                    "first": self.names[i],
                    "second": self.names[j],
                    "difference": test.difference,
                    "standard_error": test.error,
                    "low": low,
                    "high": high,
                    "p": test.p,
                    "p_holm": p_holm,
                    "differ": p_holm < 1.0 - CONFIDENCE,
                    "sessions_needed": float(needed * (self.counts[i] + self.counts[j]) / 2.0),
                }
            )
        return rows

    @property
    def decided(self) -> int:
        """Number of pairs that differ at 5%, by Holm's method."""
        return sum(row["differ"] for row in self.pairs)

    @property
    def _signed(self) -> F64:
        return -self.means if self.lower_is_better else self.means

    @cached_property
    def _chances(self) -> tuple[F64, float, float]:
        """Chances to be the best, chance of the whole order, sessions for 95% of the best first."""
        first = np.full(len(self.names), np.nan)
        known = np.array([i for i in self.order if np.isfinite(self.errors[i])], np.int64)
        tests = [self.compare(i, j) for k, i in enumerate(known) for j in known[k + 1 :]]
        if not tests or any(np.isnan(test.interval()[0]) for test in tests):
            return first, np.nan, np.nan
        means, degrees = self._signed[known], self.degrees[known]
        rng = np.random.default_rng(_SEED)
        noise = rng.standard_normal((_DRAWS, len(known))) @ _root(self.covariance, known).T
        different, which = np.unique(np.minimum(degrees, _MANY), return_inverse=True)
        chi_squares = special.chdtri(different, rng.random((_DRAWS, 1)))
        drawn = means + noise * np.sqrt(different / chi_squares)[:, which]
        best = np.bincount(drawn.argmax(axis=1), minlength=len(known))
        first[known] = best / _DRAWS
        in_order = float(np.all(np.diff(drawn) < 0.0, axis=1).mean())
        whole_order = in_order if len(known) == len(self.names) else np.nan
        # In a draw, the best comes first from the smallest count on at which the noise, which falls
        # with the root of the count, closes none of its gaps to the others.
        gaps = means[0] - means[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            roots = np.max((noise[:, 1:] - noise[:, :1]) / gaps, axis=1)
        needed = max(float(np.quantile(roots, CONFIDENCE)), 0.0) ** 2 if gaps.all() else np.inf
        return first, whole_order, float(needed * self.counts[known].mean())


def _root(covariance: F64, chosen: I64) -> F64:
    """Lower triangular root of a part of a covariance matrix, which may be singular."""
    part = covariance[np.ix_(chosen, chosen)]
    tiny = _NO_SPREAD * max(float(np.trace(part)), _NO_SPREAD)
    return np.asarray(np.linalg.cholesky(part + tiny * np.eye(len(part))))


def rank(
    results: npt.ArrayLike,
    names: Sequence[str] | None = None,
    *,
    lower_is_better: bool = False,
) -> Ranking:
    """Rank players by the results of independent sessions.

    Args:
        results: ``(sessions, players)`` result of every player in every session, in any unit; nan
            where a player did not take part.
        names: Name of each player; default: ``"player_0"`` and so on.
        lower_is_better: Whether lower results are better, as with places.

    Returns:
        Means with intervals, tests of all pairs with Holm's correction, the chance of each player
        to be the best and that the whole order is right, and sessions needed.

    Raises:
        ValueError: There are fewer than 2 sessions or players, a result is infinite, or the names
            are not one for each player.

    >>> import agents
    >>> ranking = agents.rank([[3.0, -3.0], [1.0, -1.0], [4.0, -4.0], [-1.0, 1.0]], ["ann", "bob"])
    >>> [(row["player"], round(row["mean"], 2), round(row["first"], 2)) for row in ranking.rows()]
    [('ann', 1.75, 0.89), ('bob', -1.75, 0.11)]
    >>> round(ranking.pairs[0]["p"], 2)
    0.21
    """
    given = np.asarray(results, np.float64)
    missing = np.isnan(given)
    values = array("results", np.where(missing, 0.0, given), (None, None))
    n_sessions, n = values.shape
    if n_sessions < 2 or n < 2:
        raise ValueError(
            "results must have at least 2 sessions (rows) and 2 players (columns); got shape "
            f"{values.shape}"
        )
    named = tuple(names) if names is not None else tuple(f"player_{i}" for i in range(n))
    if len(named) != n or len(set(named)) != n:
        raise ValueError(f"names must be {n} different names, one for each player; got {named!r}")
    present = (~missing).astype(np.float64)
    counts = present.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = values.sum(axis=0) / counts
        scaled = np.where(missing, 0.0, values - means) / np.sqrt(counts * (counts - 1.0))
    return Ranking(named, means, scaled.T @ scaled, counts, counts - 1.0, lower_is_better)


def rank_means(
    names: Sequence[str],
    means: npt.ArrayLike,
    hands: npt.ArrayLike,
    *,
    errors: npt.ArrayLike | None = None,
    sd: float = 9.0,
    table_size: int | None = None,
) -> Ranking:
    """Rank players by their means alone, with an assumed standard deviation of a hand.

    A mean has the standard error 100 sd / sqrt(hands). At a table of k seats the players together
    win nothing, so the results of two of them in a hand have the correlation -1 / (k - 1), and
    their difference sqrt(2 k / (k - 1)) times the error of a mean. Of more players than seats, only
    some meet in a hand. Those with fewer hands are taken to have played all of them against the
    others.

    Args:
        names: Name of each player.
        means: ``(n,)`` big blinds won in 100 hands.
        hands: ``(n,)`` hands of each player.
        errors: ``(n,)`` standard errors of the means, in place of ``sd``.
        sd: Standard deviation of a hand in big blinds.
        table_size: Seats of the tables; None if the players did not meet.

    >>> ranking = rank_means(["one", "other"], [10.0, 0.0], [1000, 1000], sd=9.0, table_size=6)
    >>> round(ranking.pairs[0]["sessions_needed"])
    52596
    """
    n = len(names)
    counts = array("hands", hands, (n,), least=1.0)
    number("sd", sd, least=0.0)
    own = 100.0 * sd / np.sqrt(counts) if errors is None else array("errors", errors, (n,), least=0)
    correlations = np.eye(n)
    if table_size is not None:
        whole_number("table_size", table_size, least=MIN_SEATS, most=MAX_SEATS)
        shared = np.sqrt(np.minimum.outer(counts, counts) / np.maximum.outer(counts, counts))
        correlations = -shared / (max(table_size, n) - 1)
        np.fill_diagonal(correlations, 1.0)
    covariance = np.outer(own, own) * correlations
    known = array("means", means, (n,))
    return Ranking(tuple(names), known, covariance, counts, np.full(n, np.inf))


def rank_table(path: Path, *, sd: float, table_size: int | None = None) -> Ranking:
    """Rank the players of a published table; see ``rank_means``.

    Args:
        path: CSV file with the columns ``name``, ``bb_per_100`` and ``hands``, one line per player;
            a column ``standard_error`` with the printed errors, in bb/100, replaces ``sd``.
        sd: Standard deviation of a hand in big blinds.
        table_size: Seats of the tables at which the players met; None if they did not meet.

    Raises:
        ValueError: The file is not CSV in UTF-8, has other columns, or has a number that is out of
            range.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
        rows = list(csv.DictReader(lines, skipinitialspace=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must be CSV in UTF-8: {error}") from None
    given = set(rows[0]) if rows else set()
    if len(rows) < 2 or not {*COLUMNS[:3]} <= given <= {*COLUMNS}:
        raise ValueError(
            f"{path} must have at least 2 lines and the columns {', '.join(COLUMNS)}, the last of "
            f"which is optional; got {len(rows)} lines with {', '.join(map(str, rows[:1]))}"
        )
    try:
        numbers = {name: [float(row[name] or "") for row in rows] for name in given - {"name"}}
        return rank_means(
            [row["name"] for row in rows],
            numbers["bb_per_100"],
            numbers["hands"],
            errors=numbers.get("standard_error"),
            sd=sd,
            table_size=table_size,
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
