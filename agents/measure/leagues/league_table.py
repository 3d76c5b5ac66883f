"""Results of a league: scores with intervals, tests between players, ratings, and a picture.

Rounds of a match are independent of each other, and so are matches. At common tables two players
are compared round by round. Heads-up, the score of a player is the mean over its opponents with
equal weights, and its error follows from the errors of its matches.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.match.tally import Tally, compare
from agents.measure.figures import BLUE, GREY, new_figure, save_figure
from agents.measure.leagues.league_matches import LeagueSettings, Match, matches_of
from agents.measure.leagues.league_store import LeagueStore
from agents.statistics.estimates import LEVEL, TTest, holm
from agents.statistics.ranking import Ranking
from nlhe_env.jit.array_types import F64

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEAN_RATING = 1500.0
ELO = 400.0 / math.log(10.0)
"""Points of the Elo scale for one unit of log odds: 400 points are odds of 10 to 1."""
PRIOR_WINS = 0.5
"""Added to the wins of both players of every pair, so that all ratings are finite."""
_MOST_ITERATIONS = 100_000
_MOST_ANNOTATED = 16
"""Largest number of players whose numbers fit into the cells of the picture."""


@dataclass(frozen=True, eq=False)
class LeagueTable:
    """Results of some players of a league.

    Attributes:
        settings: Settings of the league.
        names: Names of the players, in the order of the arrays.
        results: Tallies of all matches of the players.
    """

    settings: LeagueSettings
    names: tuple[str, ...]
    results: Mapping[Match, Tally]

    @classmethod
    def of(cls, names: Sequence[str], store: LeagueStore) -> LeagueTable:
        """Results of these players in a store."""
        results = {match: store.tally(match) for match in matches_of(names, store.settings)}
        return cls(store.settings, tuple(sorted(names)), results)

    @cached_property
    def plain(self) -> LeagueTable | None:
        """Table of the unreduced results; None without variance reduction."""
        results = {
            match: tally.plain for match, tally in self.results.items() if tally.plain is not None
        }
        return replace(self, results=results) if results else None

    @property
    def hands(self) -> int:
        """Hands dealt in all matches."""
        return sum(tally.hands for tally in self.results.values())

    @property
    def rake(self) -> int:
        """Chips taken as rake in all matches."""
        return sum(tally.rake for tally in self.results.values())

    @property
    def rake_bb_per_100(self) -> float:
        """The rake in big blinds per 100 hands dealt."""
        return 100 * self.rake / (self.settings.make_game().big_blind * max(self.hands, 1))

    @property
    def games(self) -> int:
        """Number of hands of cash games, otherwise of tournaments."""
        return sum(tally.count * match.games for match, tally in self.results.items())

    def games_of(self, player: int) -> int:
        """Number of games in which a player took part."""
        return sum(
            tally.count * match.games_of_player
            for match, tally in self.results.items()
            if self.names[player] in match.names
        )

    @cached_property
    def ahead(self) -> F64:
        """``(n, n)`` share of the common duplicate tables at which one player beat another.

        Ties count half; nan where two players never met.
        """
        wins = self._wins()
        met = wins + wins.T
        return np.divide(wins, met, out=np.full_like(wins, np.nan), where=met > 0)

    def score(self, player: int) -> TTest:
        """The score of a player, tested against 0: big blinds per 100 hands, or the mean place."""
        if self.settings.format == "table":
            (tally,) = self.results.values()
            return self._against_zero(tally, player)
        pairs = [self.pair(player, k) for k in range(len(self.names)) if k != player]
        return _sum_of([(1.0 / len(pairs), pair) for pair in pairs])

    def pair(self, first: int, second: int) -> TTest:
        """The score of one player against another.

        Heads-up, it is the score of the first in their match, tested against 0. At common tables,
        it is the score of the first minus that of the second. It is nan for a player and itself.
        """
        if first == second:
            return self._unknown
        if self.settings.format == "table":
            (tally,) = self.results.values()
            return compare(tally, first, second) if tally.count else self._unknown
        match = Match(tuple(sorted((self.names[first], self.names[second]))), self.settings)
        return self._against_zero(self.results[match], match.names.index(self.names[first]))

    def compare(self, first: int, second: int) -> TTest:
        """The score of one player in the league minus that of another."""
        if self.settings.format == "table":
            return self.pair(first, second)
        weight = 1.0 / (len(self.names) - 1)
        if self.settings.rake:
            match = Match(tuple(sorted((self.names[first], self.names[second]))), self.settings)
            tally = self.results[match]
            if not tally.count:
                return self._unknown
            places = [match.names.index(self.names[i]) for i in (first, second)]
            parts = [(weight, compare(tally, *places))]
        else:
            # In their own match one wins the other's loss, so it counts twice.
            own, middle = self.pair(first, second), self.middle
            parts = [(2.0 * weight, replace(own, difference=own.difference - middle))]
        for k in range(len(self.names)):
            if k not in (first, second):
                parts += [(weight, self.pair(first, k)), (-weight, self.pair(second, k))]
        return _sum_of(parts)

    @cached_property
    def ratings(self) -> F64:
        """``(n,)`` ratings on the Elo scale, with mean 1500.

        Maximum-likelihood strengths of the Bradley-Terry model ("Rank Analysis of Incomplete Block
        Designs", Biometrika 39, 1952) for the outcomes of all duplicate tables. The player with the
        better result over all rotations wins a table. The ratings do not depend on the order of the
        games.
        """
        import choix  # with networkx, which is slow to import

        wins = self._wins() + PRIOR_WINS * (1.0 - np.eye(len(self.names)))
        strengths = choix.ilsr_pairwise_dense(wins, max_iter=_MOST_ITERATIONS)
        return np.asarray(MEAN_RATING + ELO * (strengths - strengths.mean()), np.float64)

    @cached_property
    def ranking(self) -> Ranking:
        """Scores of the players with their covariance, for the chances to be the best."""
        n = len(self.names)
        weight = 1.0 if self.settings.format == "table" else 1.0 / (n - 1)
        covariance = np.zeros((n, n))
        for match, tally in self.results.items():
            places = [self.names.index(name) for name in match.names]
            covariance[np.ix_(places, places)] += weight**2 * tally.covariance
        scores = [self.score(i) for i in range(n)]
        return Ranking(
            self.names,
            np.array([score.difference for score in scores]),
            covariance,
            np.array([float(self.games_of(i)) for i in range(n)]),
            np.array([score.degrees for score in scores]),
            not self.settings.cash,
        )

    @cached_property
    def order(self) -> list[int]:
        """Indices of the players, best first."""
        scores = [self.score(i).difference for i in range(len(self.names))]
        if self.settings.cash:
            scores = [-score for score in scores]
        return sorted(range(len(scores)), key=lambda i: (math.isnan(scores[i]), scores[i]))

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, best first, with the test against the next player.

        With variance reduction, a row also has the unreduced score, and ``hands_needed``: the share
        of hands needed for the same standard error.
        """
        rows = []
        key, games = (
            ("bb_per_100", "hands") if self.settings.cash else ("mean_place", "tournaments")
        )
        tests = {(row["first"], row["second"]): row for row in self.pairs()}
        for rank, i in enumerate(self.order):
            score = self.score(i)
            low, high = score.interval()
            row: dict[str, Any] = {
                "rank": rank + 1,
                "player": self.names[i],
                games: self.games_of(i),
                key: score.difference,
                "standard_error": score.error,
                "low": low,
                "high": high,
                "first": float(self.ranking.first[i]),
                "rating": float(self.ratings[i]),
            }
            if self.plain is not None:
                money = self.plain.score(i)
                plain_low, plain_high = money.interval()
                row |= {
                    f"plain_{key}": money.difference,
                    "plain_standard_error": money.error,
                    "plain_low": plain_low,
                    "plain_high": plain_high,
                    "hands_needed": (score.error / money.error) ** 2 if money.error else math.nan,
                }
            if rank + 1 < len(self.order):
                test = tests[self.names[i], self.names[self.order[rank + 1]]]
                row |= {"ahead_of_next_p": test["p"], "ahead_of_next_p_holm": test["p_holm"]}
            rows.append(row)
        return rows

    def pairs(self) -> list[dict[str, Any]]:
        """One row per pair, the better player first.

        ``pair`` is the score of the first against the second, as the method ``pair`` returns it.
        ``difference`` is the difference of their scores in the league, with the p-value ``p`` of
        its t-test, and ``p_holm`` corrected for the number of pairs by Holm's method.
        """
        ordered = [(i, j) for k, i in enumerate(self.order) for j in self.order[k + 1 :]]
        tests = [self.compare(i, j) for i, j in ordered]
        corrected = holm([test.p for test in tests])
        rows = []
        for (i, j), test, p_holm in zip(ordered, tests, corrected, strict=True):
            direct = self.pair(i, j)
            low, high = direct.interval()
            rows.append(
                {
                    "first": self.names[i],
                    "second": self.names[j],
                    "pair": direct.difference,
                    "pair_error": direct.error,
                    "pair_low": low,
                    "pair_high": high,
                    "ahead": float(self.ahead[i, j]),
                    "difference": test.difference,
                    "difference_error": test.error,
                    "p": test.p,
                    "p_holm": p_holm,
                    "differ": bool(p_holm < LEVEL),
                }
            )
        return rows

    @property
    def middle(self) -> float:
        """The value of ``pair`` between equal players."""
        return 1.5 if self.settings.format == "heads-up" and not self.settings.cash else 0.0

    @property
    def _unknown(self) -> TTest:
        return TTest(math.nan, math.nan, math.nan, lower_is_better=not self.settings.cash)

    def _against_zero(self, tally: Tally, player: int) -> TTest:
        """The score of a player in a match, tested against 0."""
        if not tally.count:
            return self._unknown
        mean, error = float(tally.scores[player]), float(tally.errors[player])
        return replace(self._unknown, difference=mean, error=error, degrees=tally.count - 1)

    def _wins(self) -> F64:
        """``(n, n)`` number of duplicate tables at which one player beat another, ties half."""
        wins = np.zeros((len(self.names),) * 2)
        for match, tally in self.results.items():
            places = [self.names.index(name) for name in match.names]
            assert tally.ahead is not None
            wins[np.ix_(places, places)] += tally.ahead.astype(np.float64) / 2.0
        return wins


def _sum_of(parts: Sequence[tuple[float, TTest]]) -> TTest:
    """The weighted sum of independent estimates; degrees of freedom by Satterthwaite."""
    mean = math.fsum(weight * part.difference for weight, part in parts)
    variances = [(weight * part.error) ** 2 for weight, part in parts]
    variance = math.fsum(variances)
    if variance > 0.0:
        spread = math.fsum(
            v**2 / part.degrees for v, (_, part) in zip(variances, parts, strict=True)
        )
        error, degrees = math.sqrt(variance), variance**2 / spread
    else:  # no variance, or an unknown one
        error, degrees = variance, math.fsum(part.degrees for _, part in parts)
    return replace(parts[0][1], difference=mean, error=error, degrees=degrees)


def draw_league(table: LeagueTable, path: Path) -> Path:
    """Draws the scores with 95% intervals beside the matrix of all pairs; returns the path.

    Args:
        table: The results.
        path: Path of the PNG to write.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    n = len(table.names)
    size = max(2.6, 0.62 * min(n, _MOST_ANNOTATED) + 0.12 * max(0, n - _MOST_ANNOTATED))
    figure = new_figure(3.6 + 1.35 * size, 1.6 + size)
    left, right = figure.subplots(1, 2, width_ratios=(2.4, 1.35 * size))
    _draw_scores(table, left)
    _draw_matrix(table, right)
    kind = "heads-up" if table.settings.format == "heads-up" else "at common tables"
    figure.suptitle(
        f"{table.settings.mode} {kind}, {n} players, {table.hands:,} hands", fontsize=10
    )
    return save_figure(figure, path)


def _draw_scores(table: LeagueTable, axes: Axes) -> None:
    scores = [table.score(i) for i in table.order]
    means = np.array([score.difference for score in scores])
    lows = np.array([score.interval()[0] for score in scores])
    positions = np.arange(len(means))
    middle = 0.0 if table.settings.cash else float(np.mean(means))
    axes.axvline(middle, color=GREY, linewidth=0.8, linestyle=":")
    axes.errorbar(
        means,
        positions,
        xerr=np.nan_to_num(means - lows),
        fmt="o",
        color=BLUE,
        markersize=4,
        elinewidth=1,
        capsize=3,
    )
    axes.set_yticks(positions, [table.names[i] for i in table.order], fontsize=8)
    axes.set_ylim(len(means) - 0.5, -0.5)
    if table.settings.cash:
        axes.set_xlabel("big blinds won in 100 hands", fontsize=8)
    else:
        axes.set_xlabel("mean place (1 is best)", fontsize=8)
        axes.invert_xaxis()
    axes.tick_params(axis="x", labelsize=8)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_matrix(table: LeagueTable, axes: Axes) -> None:
    order, n = table.order, len(table.order)
    values = np.full((n, n), np.nan)
    reaches = np.full((n, n), np.nan)
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            if i != j:
                test = table.pair(i, j)
                values[row, column] = test.difference
                reaches[row, column] = test.difference - test.interval()[0]
    middle = 1.5 if not table.settings.cash and table.settings.format == "heads-up" else 0.0
    # Blue is good for the row player. The limit is a quantile, so that a few extreme pairs do not
    # make all others pale.
    gains = (values - middle) * (1.0 if table.settings.cash else -1.0)
    finite = np.abs(gains[np.isfinite(gains)])
    limit = float(np.quantile(finite, 0.8)) if finite.size else 1.0
    axes.imshow(gains, cmap="RdBu", vmin=-(limit or 1.0), vmax=limit or 1.0, aspect="auto")
    if n <= _MOST_ANNOTATED:
        digits = 0 if table.settings.cash else 2
        for row in range(n):
            for column in range(n):
                if not math.isnan(values[row, column]):
                    light = abs(gains[row, column]) > 0.7 * limit
                    text, reach = f"{values[row, column]:+z.{digits}f}", reaches[row, column]
                    if math.isfinite(reach):
                        text += f"\n±{reach:.{digits}f}"
                    axes.text(
                        column,
                        row,
                        text,
                        ha="center",
                        va="center",
                        fontsize=6.5,
                        color="white" if light else "black",
                    )
    names = [table.names[i] for i in order]
    axes.set_xticks(range(n), names, rotation=35, ha="right", fontsize=8)
    axes.set_yticks(range(n), names, fontsize=8)
    what = "big blinds in 100 hands" if table.settings.cash else "place"
    axes.set_title(
        f"{what}, row against column, ± 95% interval"
        if table.settings.format == "heads-up"
        else f"{what}: row minus column, ± 95% interval",
        fontsize=8,
    )
