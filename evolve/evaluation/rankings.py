"""Rankings of recorded sessions and of printed tables, and their files."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import agents
from agents.statistics.ranking import rank_means
from evolve.evaluation.aivat_report import AIVAT, ALL_IN, MONEY, PlayerResults
from evolve.files import safe as files
from nlhe_env.jit.array_types import F64

PLACE = "place"
"""Measure of tournaments: the place of every player, 1 for the best."""
COLUMNS = ("name", "bb_per_100", "hands", "standard_error")
"""Columns of a printed table; the last is optional."""


def rank_sessions(
    players: Sequence[PlayerResults],
    names: Mapping[str, str] | None = None,
    *,
    places: bool = False,
) -> dict[str, agents.Ranking]:
    """Rankings of players by recorded sessions: the hands of an event.

    A session's result is the sum of big blinds won in its hands, or the place. The places of an
    event follow from the last hand of every player, and then from the chips after and before it.

    Args:
        players: Results of ``reduce_variance``.
        names: Common name of players with several names; their results in a session are added.
        places: Rank by places first.

    Returns:
        A ranking by measure: places if wanted, money, all-in equity, and AIVAT where it is known.

    Raises:
        ValueError: The hands name no event, or there are fewer than two sessions or players.
    """
    joined: dict[str, PlayerResults] = {}
    for player in players:
        name = (names or {}).get(player.name, player.name)
        own = joined.setdefault(name, PlayerResults(name))
        own.events += player.events
        own.chips += player.chips
        for measure, values in player.values.items():
            own.values[measure] += values
    events = list(dict.fromkeys(event for player in players for event in player.events))
    if events == [""]:
        raise ValueError("the hands name no event; rank them by file")
    if len(events) < 2 or len(joined) < 2:
        raise ValueError(
            "a ranking needs at least 2 sessions and 2 players; the hands have "
            f"{len(events)} and {len(joined)}"
        )
    numbers = {event: i for i, event in enumerate(events)}
    found = {}
    if places:
        found[PLACE] = agents.rank(_places(joined, numbers), list(joined), lower_is_better=True)
    for measure in (MONEY, ALL_IN, AIVAT):
        won = np.full((len(events), len(joined)), np.nan)
        for column, player in zip(won.T, joined.values(), strict=True):
            sessions = np.array([numbers[event] for event in player.events])
            sums = np.bincount(sessions, player.values[measure], minlength=len(events))
            np.copyto(column, sums, where=np.bincount(sessions, minlength=len(events)) > 0)
        if not np.isnan(won).all():
            found[measure] = agents.rank(won, list(joined))
    return found


def _places(players: Mapping[str, PlayerResults], numbers: Mapping[str, int]) -> F64:
    """``(sessions, players)`` places; nan for a player without a hand."""
    places = np.full((len(numbers), len(players)), np.nan)
    ends: list[dict[int, tuple[int, int, int]]] = [{} for _ in numbers]
    for column, player in enumerate(players.values()):
        for event, (hand, before, after) in zip(player.events, player.chips, strict=True):
            own = ends[numbers[event]]
            own[column] = max(own.get(column, (0, 0, 0)), (hand, after, before))
    for row, own in zip(places, ends, strict=True):
        best_first = sorted(set(own.values()), reverse=True)
        row[list(own)] = stats.rankdata([best_first.index(end) for end in own.values()])
    return places


def load_names(path: Path) -> dict[str, str]:
    """Common names by names in the hands, from a CSV file with these two columns, no header.

    Raises:
        ValueError: A line has another number of columns.
    """
    names = {}
    for line, row in enumerate(csv.reader(path.read_text("utf-8-sig").splitlines()), 1):
        if len(row) != 2:
            raise ValueError(
                f"{path}, line {line}: a line must be a name in the hands and the common name; "
                f"got {len(row)} columns"
            )
        names[row[0].strip()] = row[1].strip()
    return names


def rank_table(path: Path, *, sd: float, table_size: int | None = None) -> agents.Ranking:
    """Rank the players of a published table; see ``rank_means``.

    Args:
        path: CSV file with the columns ``name``, ``bb_per_100`` and ``hands``, one line per player;
            a column ``standard_error`` with the printed errors, in bb/100, replaces ``sd``.
        sd: Standard deviation of a hand in big blinds.
        table_size: Seats of the tables at which the players met; None if they did not meet.

    Raises:
        ValueError: The file has other columns, or a number is out of range.
    """
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines(), skipinitialspace=True))
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


def save_rankings(rankings: Mapping[str, agents.Ranking], folder: Path) -> list[Path]:
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
