"""Rankings of recorded sessions and of printed tables, and their files."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import agents
from agents.statistics.ranking import covariance_at_tables
from evolve.evaluation.aivat_report import AIVAT, ALL_IN, MONEY, PlayerResults
from evolve.files import safe as files
from nlhe_env.arguments import number, whole_number
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
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
        names: Common name of players with several names; their results in a session are averaged.
        places: Rank by places first.

    Returns:
        A ranking by measure: places if wanted, money, all-in equity, and AIVAT where it is known.

    Raises:
        ValueError: The hands name no event, or there are fewer than two sessions or players.

    """
    events = list(dict.fromkeys(event for player in players for event in player.events))
    if events == [""]:
        raise ValueError("the hands name no event; rank them by file")
    if len(events) < 2:
        raise ValueError(f"a ranking needs at least 2 sessions; the hands have one, {events[0]}")
    numbers = {event: i for i, event in enumerate(events)}
    sessions = {player.name: np.array([numbers[e] for e in player.events]) for player in players}

    def won(measure: str) -> Callable[[PlayerResults], F64]:
        def of(player: PlayerResults) -> F64:
            which, values = sessions[player.name], player.values[measure]
            sums = np.bincount(which, values, minlength=len(events))
            return np.where(np.bincount(which, minlength=len(events)) > 0, sums, np.nan)

        return of

    shown = {player.name: (names or {}).get(player.name, player.name) for player in players}
    common = list(dict.fromkeys(shown.values()))
    if len(common) < 2:
        raise ValueError(f"a ranking needs at least 2 players; the hands have {common[0]} alone")

    def ranked(values_of: Callable[[PlayerResults], F64], lower: bool = False) -> agents.Ranking:
        sums, counts = np.zeros((2, len(events), len(common)))
        for player in players:
            values = values_of(player)
            column = common.index(shown[player.name])
            sums[:, column] += np.nan_to_num(values)
            counts[:, column] += ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            return agents.rank(sums / counts, common, lower_is_better=lower)

    found = {}
    if places:
        by_player = _places(players, sessions, len(events))
        found[PLACE] = ranked(lambda player: by_player[player.name], lower=True)
    found |= {measure: ranked(won(measure)) for measure in (MONEY, ALL_IN, AIVAT)}
    return {name: one for name, one in found.items() if not np.isnan(one.errors).all()}


def _places(
    players: Sequence[PlayerResults], sessions: Mapping[str, Any], n_sessions: int
) -> dict[str, F64]:
    """``(n_sessions,)`` place of every player in every session; nan without a hand."""
    last: list[dict[str, tuple[int, int, int]]] = [{} for _ in range(n_sessions)]
    for player in players:
        for session, (hand, before, after) in zip(
            sessions[player.name].tolist(), player.chips, strict=True
        ):
            last[session][player.name] = (hand, after, before)
    found = {player.name: np.full(n_sessions, np.nan) for player in players}
    for session, ends in enumerate(last):
        worst_first = sorted(set(ends.values()))
        levels = [-worst_first.index(end) for end in ends.values()]
        for name, place in zip(ends, stats.rankdata(levels), strict=True):
            found[name][session] = place
    return found


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
    """Judge a printed table by an assumed standard deviation of a hand.

    At tables of k seats one player's win is the others' loss: the results of two players have the
    correlation -1 / (k - 1), so that their difference spreads more than that of independent ones.

    Args:
        path: CSV file with the columns ``name``, ``bb_per_100`` and ``hands``, one line per player;
            a column ``standard_error`` with the printed errors, in bb/100, replaces ``sd``.
        sd: Standard deviation of a hand in big blinds.
        table_size: Seats of the tables at which the players met; None if they did not meet.

    Raises:
        ValueError: The file has other columns, or a number is out of range.

    """
    number("sd", sd, least=0.0)
    if table_size is not None:
        whole_number("table_size", table_size, least=MIN_SEATS, most=MAX_SEATS)
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines(), skipinitialspace=True))
    if len(rows) < 2 or not {*COLUMNS[:3]} <= {*rows[0]} <= {*COLUMNS}:
        raise ValueError(
            f"{path} must have at least 2 lines and the columns {', '.join(COLUMNS)} (the last is "
            f"optional); got {', '.join(map(str, rows[0])) if rows else 'none'}"
        )

    def column(name: str, least: float = -math.inf) -> F64:
        values = []
        for line, row in enumerate(rows, 2):
            try:
                values.append(number(name, float(row[name] or ""), least=least))
            except ValueError as error:
                raise ValueError(f"{path}, line {line}: {error}") from None
        return np.array(values)

    hands = column("hands", least=1.0)
    has_errors = "standard_error" in rows[0]
    errors = column("standard_error", least=0.0) if has_errors else 100.0 * sd / np.sqrt(hands)
    covariance = covariance_at_tables(errors, hands, table_size)
    names = tuple(row["name"] for row in rows)
    degrees = np.full(covariance.shape, np.inf)
    return agents.Ranking(names, column("bb_per_100"), covariance, hands, degrees)


def save_rankings(rankings: Mapping[str, agents.Ranking], folder: Path) -> list[Path]:
    """Writes ``ranking.json``, ``ranking.csv`` and ``ranking-pairs.csv``; returns the paths.

    Args:
        rankings: Ranking by measure.
        folder: Folder of the files, created if needed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in ("ranking.json", "ranking.csv", "ranking-pairs.csv")]
    content = {
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
