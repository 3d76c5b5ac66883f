"""Duplicate tables: comparison of a few players with reduced card variance.

A block (a "revolution" in the thesis) plays the same cards once per player, and all players move
one seat each time, so every player gets every seat's cards (Nicolai, MSc thesis, University of
Regina, 2008, section 4.3). A player's place in a block is the mean of these places (ranks in the
thesis). Unlike in the thesis, the default seating order is random for every block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import nlhe_env
from agents.match.playing import PlayedPart, PlayTask, play, play_all
from agents.match.schedules import Blocks, SeatingOrder
from agents.match.style import Style
from agents.match.tally import Tally, compare
from agents.match.workers.base import Workers
from agents.measure.figures import BLUE, GREY, ORANGE, new_figure, save_figure, without_frame
from agents.policy.compiled_player import Player
from agents.statistics.estimates import TTest, holm, t_interval
from agents.statistics.stop_rules import StopRule
from agents.variance_reduction.methods import VarianceReduction

MOST_PLAYERS = 10
STEP = 1000
"""Blocks between checks of the target standard error."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores in duplicate blocks; the first player is the evaluated one.

    Attributes:
        names: Names of the players, all different.
        tally: Their results.
        unit: Unit of scores: ``"place"``, ``"chips"`` or ``"big blinds"``.
    """

    names: tuple[str, ...]
    tally: Tally
    unit: str = "place"

    @property
    def evaluated(self) -> str:
        """Name of the evaluated player."""
        return self.names[0]

    @property
    def blocks(self) -> int:
        """Blocks played."""
        return self.tally.count

    @property
    def score(self) -> str:
        """Name of the mean score in tables, such as ``"mean_place"``."""
        return f"mean_{self.unit.replace(' ', '_')}"

    @property
    def order(self) -> list[int]:
        """The players, best first."""
        scores = self.tally.scores
        ranked = np.argsort(scores if self.tally.lower_is_better else -scores, kind="stable")
        return [int(i) for i in ranked]

    def tests(self) -> dict[str, TTest]:
        """Paired t-tests of the evaluated player against every other player."""
        return {name: compare(self.tally, 0, i) for i, name in enumerate(self.names) if i > 0}

    def pairs(self) -> list[dict[str, Any]]:
        """One row per pair of players, in their order, with the paired t-test.

        ``p_holm`` is ``p`` corrected for the number of pairs by Holm's method; ``verdict`` is not.
        """
        pairs = [(i, j) for rank, i in enumerate(self.order) for j in self.order[rank + 1 :]]
        tests = [compare(self.tally, i, j) for i, j in pairs]
        return [
            {
                "first": self.names[i],
                "second": self.names[j],
                **_test_row(test),
                "p_holm": p_holm,
            }
            for (i, j), test, p_holm in zip(pairs, tests, holm([t.p for t in tests]), strict=True)
        ]

    def spread(self) -> dict[str, float]:
        """Best, median and worst mean scores, as in the thesis."""
        scores, order = self.tally.scores, self.order
        return {
            "best": float(scores[order[0]]),
            "median": float(np.median(scores)),
            "worst": float(scores[order[-1]]),
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, best first: score, style, and the t-test against it.

        With variance reduction also the plain score, its deviation, and ``hands_needed``: the share
        of hands needed for the same standard error.
        """
        tally = self.tally
        means, errors, deviations = tally.scores, tally.errors, tally.deviations
        rows = []
        for i in self.order:
            low, high = t_interval(float(means[i]), float(errors[i]), self.blocks - 1)
            row: dict[str, Any] = {
                "player": self.names[i],
                "evaluated": i == 0,
                self.score: float(means[i]),
                "standard_error": float(errors[i]),
                "low": low,
                "high": high,
                "deviation": float(deviations[i]),
                **Style.of(tally.style_counts[i]).as_dict(),
            }
            if tally.plain is not None:
                plain = float(tally.plain.deviations[i])
                row |= {
                    f"plain_{self.score}": float(tally.plain.scores[i]),
                    "plain_deviation": plain,
                    "hands_needed": (row["deviation"] / plain) ** 2 if plain else math.nan,
                }
            if i > 0:
                row |= _test_row(compare(tally, 0, i))
            rows.append(row)
        return rows


class EvaluationInterruptedError(KeyboardInterrupt):
    """Ctrl-C during an evaluation.

    Attributes:
        evaluation: The blocks finished so far, from the first without a gap.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self.evaluation = evaluation


def evaluate(
    players: Sequence[Player],
    names: Sequence[str],
    *,
    game: nlhe_env.Game,
    blocks: int,
    seed: int,
    workers: Workers,
    standard_error: float | None = None,
    seating_order: SeatingOrder = "random",
    variance_reduction: VarianceReduction = "none",
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Evaluate a player against others in duplicate blocks.

    Args:
        players: 2 to 10 players; the first is evaluated.
        names: Their names, all different.
        game: The game; its table size is ignored.
        blocks: Number of blocks, at least 2; each is played once per player.
        seed: 64-bit seed of cards and decisions.
        workers: Workers, whose number does not affect the result. With Python players, one thread
            of this process plays instead.
        standard_error: Target standard error of the evaluated player's mean score, above 0, checked
            after every thousand blocks.
        seating_order: Order of the players around the table, see ``agents.Blocks``.
        variance_reduction: Method for scores other than places, see ``agents.play``.
        on_progress: Callback with the number of finished blocks of a chunk.

    Raises:
        EvaluationInterruptedError: Ctrl-C after at least two finished blocks.
    """
    check_evaluation(names, blocks, standard_error)
    if len(names) != len(players):
        raise ValueError(f"names must be one for each of {len(players)} players; got {len(names)}")
    made = partial(Evaluation, tuple(names), unit=game.unit)
    rule = StopRule(most=blocks, standard_error=standard_error)
    step = blocks if standard_error is None else STEP
    tally = play(players, Blocks(0), game, seed=seed, variance_reduction=variance_reduction)
    while tally.count < 2 or not rule.ends(tally.estimate(0)):
        schedule = Blocks(min(step, blocks - tally.count), tally.count, seating_order)
        finished: dict[int, Tally] = {}
        try:
            play_all(
                workers,
                [PlayTask(players, schedule, game, seed, variance_reduction=variance_reduction)],
                on_progress=on_progress,
                on_parts=partial(_note, finished),
            )
        except KeyboardInterrupt as interrupt:
            so_far = _without_gap(tally, finished)
            if so_far.count < 2:
                raise
            raise EvaluationInterruptedError(made(so_far)) from interrupt
        tally = _without_gap(tally, finished)
    return made(tally)


def _note(finished: dict[int, Tally], parts: list[PlayedPart]) -> None:
    finished.update((part.first, part.tally) for part in parts)


def _without_gap(before: Tally, finished: Mapping[int, Tally]) -> Tally:
    """Tally of all blocks before the first missing one.

    Args:
        before: Tally of earlier blocks.
        finished: Tallies of later blocks, by the number of the first block.
    """
    tally, count = before, 0
    while part := finished.get(count):
        tally, count = tally + part, count + part.count
    return tally


def check_evaluation(
    names: Sequence[str], blocks: int, standard_error: float | None = None
) -> None:
    """Check the arguments of ``evaluate`` before playing.

    Raises:
        ValueError: They are not as ``evaluate`` describes them.
    """
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise ValueError(f"an evaluation needs 2 to {MOST_PLAYERS} players; got {len(names)}")
    doubled = {name for name in names if list(names).count(name) > 1}
    if doubled:
        raise ValueError(
            f"players must have different names; more than once: {', '.join(sorted(doubled))}. "
            "On the command line, NAME=PLAYER names one"
        )
    if blocks < 2:
        raise ValueError(f"blocks must be at least 2; got {blocks}")
    if standard_error is not None and not standard_error > 0.0:
        raise ValueError(f"standard_error must be above 0 places; got {standard_error}")


def _test_row(test: TTest) -> dict[str, Any]:
    return {
        "difference": test.difference,
        "difference_error": test.error,
        "t": test.t,
        "p": test.p,
        "verdict": test.verdict,
    }


def draw_evaluation(rows: Sequence[dict[str, Any]], path: Path, *, title: str) -> Path:
    """Draws the mean places of an evaluation with 95% intervals, best first.

    Args:
        rows: Rows of ``Evaluation.rows``.
        path: The PNG to write.
        title: Title of the figure.
    """
    figure = new_figure(1.6 + 0.75 * len(rows), 3.8)
    axes = figure.subplots()
    positions = np.arange(len(rows))
    places = np.array([row["mean_place"] for row in rows])
    reaches = np.array([row["high"] - row["mean_place"] for row in rows])
    colours = [ORANGE if row["evaluated"] else BLUE for row in rows]
    axes.vlines(positions, places - reaches, places + reaches, colors=colours, linewidth=2)
    axes.scatter(positions, places, color=colours, s=36, zorder=3)
    for position, place, reach in zip(positions, places, np.nan_to_num(reaches), strict=True):
        axes.annotate(
            f"{place:.2f}",
            (position, place - reach),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.axhline((len(rows) + 1) / 2, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xticks(positions, [row["player"] for row in rows], rotation=35, ha="right")
    axes.get_xticklabels()[[bool(row["evaluated"]) for row in rows].index(True)].set_fontweight(
        "bold"
    )
    low, high = min(places - np.nan_to_num(reaches)), max(places + np.nan_to_num(reaches))
    margin = 0.12 * max(high - low, 0.5)
    axes.set_ylim(high + margin, low - 1.6 * margin)
    axes.set_ylabel("mean place (up is better)")
    axes.set_title(title, fontsize=9)
    without_frame(axes)
    return save_figure(figure, path)
