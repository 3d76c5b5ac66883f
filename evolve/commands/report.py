"""Output of a running command: a progress bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table

from agents import Ranking
from agents.match.style import STYLE_STATS
from agents.measure.duplicate import Evaluation
from nlhe_env.arguments import printable

_FEW = 10
"""Means below this are shown with two digits."""
_NAMED = 3
"""Largest number of pairs to name."""
_WIDTH_OF_FILES = 110
"""Width of tables without a terminal, in characters."""


class Reporter:
    """Prints lines and tables, and a progress bar on a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        # Players' names may contain [brackets] and :colons:.
        self.console = console or Console(markup=False, emoji=False)
        if console is None and not self.console.is_terminal:
            self.console = Console(width=_WIDTH_OF_FILES, markup=False, emoji=False)
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        """Prints a line without wrapping, and without control characters."""
        self.console.print(printable(text, keep="\n"), highlight=False, soft_wrap=True)

    @contextmanager
    def bar(self, title: str, total: int) -> Iterator[None]:
        """Shows a progress bar on a terminal, for ``advance``."""
        if not self.console.is_terminal:
            yield
            return
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
        )
        with Progress(*columns, console=self.console, transient=True) as bar:
            self._bar, self._task = bar, bar.add_task(title, total=total)
            try:
                yield
            finally:
                self._bar = self._task = None

    def advance(self, count: int) -> None:
        """Advances the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, count)

    def start_again(self) -> None:
        """Resets the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.reset(self._task)

    def show_evaluation(self, evaluation: Evaluation, rows: Sequence[Mapping[str, Any]]) -> None:
        """Prints the table of an evaluation.

        Args:
            evaluation: Evaluation to show.
            rows: Its rows, with or without changes against an earlier evaluation.
        """
        evaluated, n_players = evaluation.evaluated, len(evaluation.names)
        self.say(
            f"Duplicate tables: {evaluation.blocks:,} blocks of {n_players} tournaments "
            f"between {n_players} players, middle place {(n_players + 1) / 2:g}"
        )
        changed = any("change_percent" in row for row in rows)
        table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        table.add_column("player", no_wrap=True)
        for heading in ("place", "±", "s.d.", "diff.", "t", "p"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("test", no_wrap=True)
        if changed:
            table.add_column("change", justify="right", no_wrap=True)
        for row in rows:
            test = ("", "", "", "")
            if "verdict" in row:
                decided = row["verdict"] if row["verdict"] in ("better", "worse") else "-"
                test = (f"{row['difference']:+z.3f}", f"{row['t']:.1f}", small(row["p"]), decided)
            change = ""
            if "change_percent" in row:
                change = f"{row['change_percent']:+z.1f}% ± {row['change_error']:.1f}"
            numbers = (row["mean_place"], row["high"] - row["mean_place"], row["deviation"])
            cells = [printable(row["player"]), *(f"{number:.3f}" for number in numbers), *test]
            style = "bold" if row["evaluated"] else None
            table.add_row(*cells, *((change,) if changed else ()), style=style)
        self.console.print(table, highlight=False)
        spread = evaluation.spread()
        self.say(
            f"best {spread['best']:.2f}, median {spread['median']:.2f}, worst "
            f"{spread['worst']:.2f}; place: mean place, 1 is best; ±: half-width of its 95% "
            f"interval; s.d.: standard deviation of blocks; diff.: place of the {evaluated} minus "
            f"the player's; test: how the {evaluated} differs by a two-tailed paired t-test at "
            "99%, - for no significant difference"
            + ("; change: against the baseline, ± s.e." if changed else "")
        )

    def show_styles(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Prints the playing styles of an evaluation.

        Args:
            rows: Its rows.
        """

        def cell(value: float | None) -> str:
            return "-" if value is None else f"{value:.3f}"

        table = [[row["player"], *(cell(row[name]) for name in STYLE_STATS)] for row in rows]
        self.show_table(["player", *(name.replace("_", " ") for name in STYLE_STATS)], table)
        self.say(
            "shares of opportunities: hands entered and raised before the flop; bets and raises "
            "among these and calls after it; folds against bets; showdowns of hands that saw the "
            "flop. Bet over pot: mean size in pots. -: no opportunity"
        )

    def show_table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Prints a table with a text column first and right-aligned columns after it."""
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for i, heading in enumerate(headings):
            table.add_column(heading, justify="right" if i else "left", no_wrap=True)
        for row in rows:
            table.add_row(*map(printable, row))
        self.console.print(table, highlight=False)


def show_rankings(
    rankings: Mapping[str, Ranking], reporter: Reporter, *, unit: str, games: str
) -> None:
    """Prints rankings of the same players by several measures side by side.

    Args:
        rankings: Ranking by measure; the first one orders the players.
        reporter: Reporter for the table.
        unit: Unit of the means.
        games: Noun of the counted units, such as ``"sessions"``.
    """
    ranked, sentences = next(iter(rankings.values())), []
    rows = [
        [f"{rank:2} {ranked.names[i]}", f"{ranked.counts[i]:,.0f}"]
        for rank, i in enumerate(ranked.order, 1)
    ]
    for measure, ranking in rankings.items():
        sign = "" if ranking.lower_is_better else "+"
        digits = 2 if np.nanmax(np.abs(ranking.means)) < _FEW else 1
        for row, i in zip(rows, ranked.order, strict=True):
            mean, high = ranking.means[i], ranking.interval(i)[1]
            reach = "" if math.isnan(high) else f" ± {high - mean:.{digits}f}"
            chance = "" if math.isnan(ranking.first[i]) else f"{ranking.first[i]:.0%}"
            row += ["" if math.isnan(mean) else f"{mean:{sign}z.{digits}f}{reach}", chance]
        notes = [f"{one['first']} > {one['second']}" for one in ranking.pairs if one["differ"]]
        named = f" ({', '.join([*notes[:_NAMED], *['...'] * (len(notes) > _NAMED)])})"
        text = (
            f"{measure}: {len(notes)} of {len(ranking.pairs)} pairs differ at 5%"
            f"{named if notes else ''}"
        )
        if math.isfinite(ranking.whole_order):
            text += f"; the whole order is right with {ranking.whole_order:.0%}"
        if math.isfinite(ranking.sessions_needed):
            needed = f"{math.ceil(ranking.sessions_needed):,} {games}"
            text += f"; if these means are true, {needed} of each name the best with 95%"
        sentences.append(text)
    headings = [cell for measure in rankings for cell in (measure, "first")]
    reporter.show_table(["player", games, *headings], rows)
    for text in sentences:
        reporter.say(text)
    reporter.say(
        f"{unit}; ±: half-width of the 95% interval; first: chance to be the best, given these "
        "results alone; pairs: t-tests, Holm-corrected"
    )


def small(p: float) -> str:
    """A probability as short text; very small ones are shown as a bound.

    >>> small(0.0123), small(1e-80)
    ('0.012', '<1e-9')
    """
    return "<1e-9" if p < 1e-9 else f"{p:.2g}"
