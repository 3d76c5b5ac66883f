"""Duplicate tables: a few players compared with most of the luck of the cards taken out.

In one revolution the same sequence of cards is played as many times as there are players, each
time with everyone one seat further, so that every player once holds every seat's cards (Nicolai's
thesis, 2008). The place of a player in a revolution is the mean of those places; all players
together average exactly the middle place.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import agents
from evolve import files
from evolve.chunks import Workers, run_chunks
from evolve.statistics import Comparison, compare_paired, standard_errors
from nlhe_env._types import F64
from nlhe_env.equity import StrengthTables

MOST_PLAYERS = 10


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Places in duplicate tables; the first player is the one to be judged.

    Attributes:
        names: Names of the players, all different.
        places: ``(revolutions, n_players)`` mean place of each player in each revolution.
        hands: Hands played.
        decisions: Decisions taken.
    """

    names: tuple[str, ...]
    places: F64
    hands: int
    decisions: int

    @property
    def means(self) -> F64:
        """``(n_players,)`` mean place."""
        means: F64 = self.places.mean(axis=0)
        return means

    @property
    def errors(self) -> F64:
        """``(n_players,)`` standard error of the mean place."""
        return standard_errors(self.places)

    def comparisons(self) -> dict[str, Comparison]:
        """The first player against each other one."""
        return {
            name: compare_paired(self.places[:, 0], self.places[:, i])
            for i, name in enumerate(self.names)
            if i > 0
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, best first, with the test of the judged player against it."""
        comparisons = self.comparisons()
        rows = []
        for i in np.argsort(self.means, kind="stable"):
            name = self.names[i]
            row: dict[str, Any] = {
                "player": name,
                "mean_place": float(self.means[i]),
                "standard_error": float(self.errors[i]),
                "deviation": float(self.places[:, i].std(ddof=1)),
            }
            if name in comparisons:
                test = comparisons[name]
                row |= dataclasses.asdict(test) | {"verdict": test.verdict}
            rows.append(row)
        return rows


def evaluate(
    players: Sequence[agents.CompiledPlayer],
    names: Sequence[str],
    *,
    structure: agents.Structure,
    revolutions: int,
    seed: int,
    tables: StrengthTables,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Plays duplicate tables of the given players.

    Args:
        players: 2 to 10 players, the one to be judged first.
        names: Their names, all different.
        structure: Stack and blinds of the tournaments; its table size does not matter.
        revolutions: How many sequences of cards, at least 2; each is played once per player.
        seed: 64-bit seed of cards and decisions.
        tables: Strength tables.
        workers: Who plays.
        on_progress: Called with the number of revolutions that a chunk has finished.

    Raises:
        ValueError: The number of players or revolutions, or the names, are not as described.
    """
    check_evaluation(names, revolutions)
    if len(names) != len(players):
        raise ValueError(f"{len(players)} players need as many names; got {len(names)}")
    field = agents.pack(players)

    def play(first: int, count: int) -> agents.TournamentResults:
        return agents.play_revolutions(
            field, structure=structure, seed=seed, first=first, count=count, tables=tables
        )

    parts = run_chunks(play, revolutions, workers=workers, on_progress=on_progress)
    return Evaluation(
        names=tuple(names),
        places=np.concatenate([part.places for part in parts]),
        hands=sum(int(part.hands) for part in parts),
        decisions=sum(int(part.decisions) for part in parts),
    )


def check_evaluation(names: Sequence[str], revolutions: int) -> None:
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


def save_evaluation(evaluation: Evaluation, folder: Path, *, seed: int) -> tuple[Path, Path]:
    """Writes ``evaluation.json`` and ``evaluation.csv`` and returns their paths."""
    rows = evaluation.rows()
    json_file, csv_file = folder / "evaluation.json", folder / "evaluation.csv"
    files.write_json(
        json_file,
        {
            "judged": evaluation.names[0],
            "revolutions": len(evaluation.places),
            "seed": seed,
            "hands": evaluation.hands,
            "decisions": evaluation.decisions,
            "players": [_without_infinities(row) for row in rows],
        },
    )
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files.write_whole(csv_file, text.getvalue().encode())
    return json_file, csv_file


def _without_infinities(row: dict[str, Any]) -> dict[str, Any]:
    """The row with None for a number that JSON does not have."""
    return {
        key: None if isinstance(value, float) and not np.isfinite(value) else value
        for key, value in row.items()
    }
