"""Tables of a run for other programs, as CSV."""

from __future__ import annotations

import csv
import io

from evolve.dashboard.jsonl_tail import Cell, columns


def as_csv(rows: list[dict[str, Cell]]) -> str:
    """Rows as CSV with a heading; a cell that a row does not have is empty.

    >>> print(as_csv([{"generation": 1, "score": 2.5}, {"generation": 2, "error": None}]), end="")
    generation,score,error
    1,2.5,
    2,,
    """
    names = list(columns(rows))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
