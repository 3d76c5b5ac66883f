"""Files of evaluations, leagues and rankings, and changes between evaluations."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.measure.duplicate import Evaluation
from agents.measure.leagues.league_table import LeagueTable
from agents.statistics.estimates import Interval
from agents.statistics.ranking import Ranking
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError

ALIKE = "-alike"
"""File ending of evaluations with opponents that interpret actions as the champion does."""


@dataclass(frozen=True)
class MeanPlaces:
    """Mean places from a file.

    Attributes:
        evaluated: Name of the evaluated player.
        means: Mean place of each player.
        errors: Standard error of each mean place.
    """

    evaluated: str
    means: dict[str, float]
    errors: dict[str, float]


def file_stem(sub_population: int = 0, n_sub_populations: int = 1) -> str:
    """File name of an evaluation, without its ending.

    >>> file_stem(), file_stem(1, 2)
    ('evaluation', 'evaluation-2')
    """
    return "evaluation" if n_sub_populations == 1 else f"evaluation-{sub_population + 1}"


def evaluation_stems(sub_population: int, n_sub_populations: int, *, alike: bool) -> list[str]:
    """File names of the evaluations of one champion, without endings.

    Args:
        sub_population: Index of its sub-population.
        n_sub_populations: Number of sub-populations.
        alike: Whether there is a second evaluation, with opponents that interpret illegal actions
            as the champion does.

    >>> evaluation_stems(0, 1, alike=True)
    ['evaluation', 'evaluation-alike']
    """
    stem = file_stem(sub_population, n_sub_populations)
    return [stem, stem + ALIKE] if alike else [stem]


def save_evaluation(
    evaluation: Evaluation,
    folder: Path,
    *,
    stem: str = "evaluation",
    about: Mapping[str, Any] | None = None,
    baseline: MeanPlaces | None = None,
) -> list[Path]:
    """Writes an evaluation and returns the paths.

    ``<stem>.json`` holds everything, ``<stem>.csv`` the players, ``<stem>-pairs.csv`` the paired
    t-tests of all pairs.

    Args:
        evaluation: Evaluation to write.
        folder: Folder of the files, created if needed.
        stem: File name without its ending.
        about: More entries for the JSON file, such as the seed.
        baseline: An earlier evaluation, for the change in percent.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows, pairs = rows_with_changes(evaluation, baseline), evaluation.pairs()
    json_file = folder / f"{stem}.json"
    csv_file, pairs_file = folder / f"{stem}.csv", folder / f"{stem}-pairs.csv"
    files.write_csv(csv_file, rows)
    files.write_csv(pairs_file, pairs)
    content = {
        "evaluated": evaluation.evaluated,
        "blocks": evaluation.blocks,
        **(about or {}),
        "hands": evaluation.tally.hands,
        "decisions": evaluation.tally.decisions,
        **{f"{key}_{evaluation.score}": value for key, value in evaluation.spread().items()},
        "players": rows,
        "pairs": pairs,
    }
    files.write_json(json_file, files.without_infinities(content))
    return [json_file, csv_file, pairs_file]


def save_league(
    table: LeagueTable, folder: Path, sure: Mapping[tuple[str, str], Interval] | None = None
) -> list[Path]:
    """Writes ``league.csv``, one row per player, and ``league-pairs.csv``; returns the paths.

    Args:
        table: The results.
        folder: Folder of the files.
        sure: Bounds of ``confidence_sequences`` by pair, valid at any number of looks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / "league.csv", folder / "league-pairs.csv"]
    files.write_csv(written[0], table.rows())
    files.write_csv(
        written[1], [row | _sure_of(row, table.middle, sure or {}) for row in table.pairs()]
    )
    return written


def _sure_of(
    row: Mapping[str, Any], middle: float, sure: Mapping[tuple[str, str], Interval]
) -> dict[str, float]:
    """Bounds of the score of the first of a pair against the second."""
    names = row["first"], row["second"]
    if names in sure:
        low, high = sure[names]
    elif names[::-1] in sure:
        low, high = (-bound for bound in sure[names[::-1]][::-1])
    else:
        return {}
    return {"sure_low": middle + low, "sure_high": middle + high}


def save_rankings(rankings: Mapping[str, Ranking], folder: Path) -> list[Path]:
    """Writes ``ranking.json``, ``ranking.csv`` and ``ranking-pairs.csv``; returns the paths.

    Args:
        rankings: Ranking by measure.
        folder: Folder of the files, created if needed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in ("ranking.json", "ranking.csv", "ranking-pairs.csv")]
    content: dict[str, dict[str, Any]] = {
        measure: {
            "players": ranking.rows(),
            "pairs": ranking.pairs,
            "decided": ranking.decided,
            "whole_order": ranking.whole_order,
            "sessions_needed": ranking.sessions_needed,
        }
        for measure, ranking in rankings.items()
    }
    files.write_json(paths[0], files.without_infinities(content))
    for path, key in zip(paths[1:], ("players", "pairs"), strict=True):
        rows = [(measure, row) for measure, one in content.items() for row in one[key]]
        files.write_csv(path, [{"measure": measure, **row} for measure, row in rows])
    return paths


def load_places(path: Path, stem: str = "evaluation") -> MeanPlaces:
    """Mean places from a run folder, an ``evaluation.json`` or an ``evaluation.csv``.

    Args:
        path: The folder or file.
        stem: File name of the evaluation in a folder, without its ending; without such a file, the
            folder's first evaluation.

    Raises:
        ValueError: The file does not exist or is not an evaluation.
    """
    file = path
    if path.is_dir():
        found = [path / f"{name}.json" for name in (stem, file_stem(), file_stem(0, 2))]
        file = next((one for one in found if one.exists()), found[-1])
    if not file.is_file():
        raise ValueError(f"{path} contains no evaluation; make one with: evaluate")
    try:
        if file.suffix == ".csv":
            with file.open(encoding="utf-8", newline="") as lines:
                rows: list[dict[str, Any]] = list(csv.DictReader(lines))
        else:
            rows = files.read_json(file)["players"]
        return MeanPlaces(
            evaluated=next(row["player"] for row in rows if row["evaluated"] in (True, "True")),
            means={row["player"]: float(row["mean_place"]) for row in rows},
            errors={row["player"]: _number(row["standard_error"]) for row in rows},
        )
    except (
        DamagedFileError,
        csv.Error,
        LookupError,
        TypeError,
        ValueError,
        StopIteration,
    ) as error:
        raise ValueError(f"{file} is not an evaluation: {error!r}") from error


def rows_with_changes(evaluation: Evaluation, baseline: MeanPlaces | None) -> list[dict[str, Any]]:
    """Rows of an evaluation, with the changes from an earlier evaluation.

    Changes are in percent of the earlier place; negative is better. The evaluated player is
    compared with the earlier evaluated player, every other player with its namesake. The error of
    the change assumes independent evaluations.
    """
    rows = evaluation.rows()
    if baseline is None:
        return rows
    for row in rows:
        name = baseline.evaluated if row["evaluated"] else row["player"]
        if name in baseline.means:
            row["change_percent"], row["change_error"] = change(
                row["mean_place"],
                row["standard_error"],
                baseline.means[name],
                baseline.errors[name],
            )
    return rows


def change(now: float, now_error: float, then: float, then_error: float) -> tuple[float, float]:
    """Change in percent of the earlier place, and its standard error.

    >>> [round(value, 1) for value in change(2.85, 0.0, 4.73, 0.0)]
    [-39.7, 0.0]
    """
    ratio = now / then
    # First-order error of a quotient.
    error = ratio * math.hypot(now_error / now, then_error / then)
    return 100.0 * (ratio - 1.0), 100.0 * error


def _number(value: float | str | None) -> float:
    return math.nan if value in (None, "") else float(value)
