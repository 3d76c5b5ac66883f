"""Writes the observation tables of ``observations.md`` from their definitions in the code.

    python docs/observation_tables.py

The tables stand between two marks in the page; a test fails when they are not up to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nlhe_env
from nlhe_env import (
    CASH_FEATURES,
    CORE_FEATURES,
    FEATURES,
    OPPONENT_FEATURES,
    UNIT_FEATURES,
)

PAGE = Path(__file__).with_name("observations.md")
SEATS = 6


def cards_table(seats: int) -> str:
    """The ``"cards"`` observation index by index, at a table of so many seats."""
    rows = ["| index | name | content |", "| --- | --- | --- |"]
    rows += [
        f"| {_span(part.start, part.size)} | `{part.name}` | {part.meaning} |"
        for part in nlhe_env.raw_env(seats).parts
    ]
    return "\n".join(rows)


def features_table() -> str:
    """The 35 inputs index by index."""
    rows = [
        '| index | name | `"features"` | `"features_scaled"` |',
        "| --- | --- | --- | --- |",
    ]
    for feature in FEATURES:
        span = _span(feature.start, feature.size)
        rows.append(f"| {span} | `{feature.name}` | {feature.raw} | {feature.scaled} |")
    return "\n".join(rows)


def opponents_table() -> str:
    """What follows them in ``"features_opponents"``."""
    rows = ["| index | name | content |", "| --- | --- | --- |"]
    for feature in OPPONENT_FEATURES:
        span = _span(feature.start, feature.size)
        rows.append(f"| {span} | `{feature.name}` | {feature.scaled} |")
    return "\n".join(rows)


def bounded_table(numbers: Sequence[Any]) -> str:
    """The numbers of ``"features_unit"`` and the like index by index."""
    rows = ["| index | name | from | to | content |", "| --- | --- | --- | --- | --- |"]
    for one in numbers:
        span = _span(one.start, one.size)
        rows.append(f"| {span} | `{one.name}` | {one.lowest} | {one.highest} | {one.meaning} |")
    return "\n".join(rows)


def _span(start: int, size: int) -> str:
    return str(start) if size == 1 else f"{start}..{start + size - 1}"


def with_tables(page: str) -> str:
    """The page with all tables as they are now."""
    tables = {
        "cards": cards_table(SEATS),
        "features": features_table(),
        "opponents": opponents_table(),
        "unit": bounded_table(UNIT_FEATURES),
        "core": bounded_table(CORE_FEATURES),
        "cash": bounded_table(CASH_FEATURES),
    }
    for name, table in tables.items():
        start, end = f"<!-- {name} table -->", f"<!-- end of {name} table -->"
        before, rest = page.split(start)
        _, after = rest.split(end)
        page = f"{before}{start}\n{table}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
