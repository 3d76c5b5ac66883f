"""Duplicate tables: a few players compared with most of the luck of the cards taken out.

In one revolution the same sequence of cards is played as many times as there are players, each
time with everyone one seat further, so that every player once holds every seat's cards (Nicolai,
MSc thesis, University of Regina, 2008, section 4.3). The place of a player in a revolution is the
mean of those places; all players together average exactly the middle place. What is called a place
here is called a rank there. Unlike there, the order around the table is drawn anew for every
revolution, unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np

import agents
from evolve.evaluation.statistics import Comparison, PairedSums, t_interval
from evolve.workers import Workers
from evolve.workers.chunks import run_chunks
from nlhe_env import Game
from nlhe_env.machine.array_types import F64, I64

MOST_PLAYERS = 10
BLOCK = 1000
"""Revolutions after which it is looked whether the wanted standard error is reached."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Places in duplicate tables; the first player is the one to be judged.

    Attributes:
        names: Names of the players, all different.
        sums: Exact sums of the mean places of the revolutions.
        hands: Hands played.
        decisions: Decisions taken.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what ``agents.play.style`` makes measures of.
    """

    names: tuple[str, ...]
    sums: PairedSums
    hands: int
    decisions: int
    style_counts: I64

    def __add__(self, other: Evaluation) -> Evaluation:
        if self.names != other.names:
            raise ValueError(f"evaluations differ in players: {self.names} and {other.names}")
        return Evaluation(
            self.names,
            self.sums + other.sums,
            self.hands + other.hands,
            self.decisions + other.decisions,
            self.style_counts + other.style_counts,
        )

    @property
    def judged(self) -> str:
        """Name of the player to be judged."""
        return self.names[0]

    @property
    def revolutions(self) -> int:
        """Revolutions played."""
        return self.sums.count

    @property
    def means(self) -> F64:
        """``(n_players,)`` mean place."""
        return self.sums.means

    @property
    def errors(self) -> F64:
        """``(n_players,)`` standard error of the mean place."""
        return self.sums.errors

    def comparisons(self) -> dict[str, Comparison]:
        """The judged player against each other one, by the paired t-test."""
        return {name: self.sums.compare(0, i) for i, name in enumerate(self.names) if i > 0}

    def pairs(self) -> list[dict[str, Any]]:
        """One row per pair of players, in the order of their places, with the paired t-test."""
        order = [int(i) for i in np.argsort(self.means, kind="stable")]
        return [
            {"first": self.names[i], "second": self.names[j], **_test_row(self.sums.compare(i, j))}
            for rank, i in enumerate(order)
            for j in order[rank + 1 :]
        ]

    def spread(self) -> dict[str, float]:
        """The best, the median and the worst of the mean places, as the thesis reports them."""
        return {
            "best": float(self.means.min()),
            "median": float(np.median(self.means)),
            "worst": float(self.means.max()),
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, best first: place, style, and the test of the judged against it."""
        means, errors, deviations = self.means, self.errors, self.sums.deviations
        rows = []
        for i in np.argsort(means, kind="stable"):
            low, high = t_interval(float(means[i]), float(errors[i]), self.revolutions - 1)
            row: dict[str, Any] = {
                "player": self.names[i],
                "judged": bool(i == 0),
                "mean_place": float(means[i]),
                "standard_error": float(errors[i]),
                "low": low,
                "high": high,
                "deviation": float(deviations[i]),
                **agents.Style.of(self.style_counts[i]).as_dict(),
            }
            if i > 0:
                row |= _test_row(self.sums.compare(0, int(i)))
            rows.append(row)
        return rows


@dataclass(frozen=True, eq=False)
class Revolutions:
    """Revolutions of duplicate tables, as a task for workers.

    Attributes:
        field: The players, the one to be judged first.
        names: Their names.
        game: Stack and blinds.
        seed: Of cards and decisions.
        circle: Order of the players around the table.
        start: Number of the first revolution.
    """

    field: agents.Field
    names: tuple[str, ...]
    game: Game
    seed: int
    circle: agents.Circle
    start: int = 0

    def __call__(self, first: int, count: int) -> Evaluation:
        """What these revolutions say."""
        results = agents.play_revolutions(
            self.field,
            game=self.game,
            seed=self.seed,
            first=self.start + first,
            count=count,
            circle=self.circle,
        )
        # The place in a revolution is the mean of n places, each a multiple of one half.
        sums = PairedSums.of(results.places, unit=0.5 / len(self.names))
        return Evaluation(self.names, sums, results.hands, results.decisions, results.style_counts)


class EvaluationInterruptedError(KeyboardInterrupt):
    """Ctrl-C during an evaluation.

    Attributes:
        evaluation: The revolutions finished so far, from the first without a gap.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self.evaluation = evaluation


def evaluate(
    players: Sequence[agents.Agent],
    names: Sequence[str],
    *,
    game: Game,
    revolutions: int,
    seed: int,
    workers: Workers,
    standard_error: float | None = None,
    circle: agents.Circle = "drawn",
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Plays duplicate tables of the given players.

    Args:
        players: 2 to 10 players, the one to be judged first.
        names: Their names, all different.
        game: Stack and blinds of the tournaments; its table size does not matter.
        revolutions: How many sequences of cards, at least 2; each is played once per player.
        seed: 64-bit seed of cards and decisions.
        workers: Who plays; their number does not change the result.
        standard_error: Ends the evaluation as soon as the mean place of the judged player is known
            this well; looked at after every thousand revolutions.
        circle: Order of the players around the table, see ``agents.play_revolutions``.
        on_progress: Called with the number of revolutions that a chunk has finished.

    Raises:
        ValueError: The number of players or revolutions, the names or the wanted error are not as
            described.
        EvaluationInterruptedError: On Ctrl-C, once two revolutions are finished.
    """
    check_evaluation(names, revolutions, standard_error)
    if len(names) != len(players):
        raise ValueError(f"{len(players)} players need as many names; got {len(names)}")
    task = Revolutions(agents.pack(players), tuple(names), game, seed, circle)
    finished: dict[int, Evaluation] = {}
    played = 0
    block = revolutions if standard_error is None else BLOCK
    while played < revolutions:
        count = min(block, revolutions - played)
        try:
            run_chunks(
                replace(task, start=played),
                count,
                workers=workers,
                on_progress=on_progress,
                on_part=partial(_note, finished, played),
            )
        except KeyboardInterrupt as interrupt:
            so_far = _without_gap(finished)
            if so_far is None or so_far.revolutions < 2:
                raise
            raise EvaluationInterruptedError(so_far) from interrupt
        played += count
        evaluation = reduce(Evaluation.__add__, finished.values())
        finished = {0: evaluation}
        if standard_error is not None and evaluation.errors[0] <= standard_error:
            break
    return evaluation


def _note(finished: dict[int, Evaluation], start: int, first: int, part: Evaluation) -> None:
    finished[start + first] = part


def _without_gap(finished: dict[int, Evaluation]) -> Evaluation | None:
    """The evaluation of all revolutions before the first that is missing."""
    evaluation: Evaluation | None = None
    while part := finished.get(evaluation.revolutions if evaluation else 0):
        evaluation = evaluation + part if evaluation else part
    return evaluation


def check_evaluation(
    names: Sequence[str], revolutions: int, standard_error: float | None = None
) -> None:
    """Checks what ``evaluate`` is asked for, before anything is played.

    Raises:
        ValueError: See ``evaluate``.
    """
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise ValueError(f"an evaluation needs 2 to {MOST_PLAYERS} players; got {len(names)}")
    doubled = {name for name in names if list(names).count(name) > 1}
    if doubled:
        raise ValueError(f"players must have different names; more than once: {sorted(doubled)}")
    if revolutions < 2:
        raise ValueError(f"revolutions must be at least 2; got {revolutions}")
    if standard_error is not None and not standard_error > 0.0:
        raise ValueError(f"standard_error must be above 0 places; got {standard_error}")


def _test_row(test: Comparison) -> dict[str, Any]:
    return {
        "difference": test.difference,
        "difference_error": test.error,
        "t": test.t,
        "p": test.p,
        "verdict": test.verdict,
    }
