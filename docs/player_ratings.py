"""Writes the bench's ratings of all players into the table of ``players.md``.

    python docs/player_ratings.py

A test fails when the table is not up to date.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import agents

PAGE = Path(__file__).with_name("players.md")
RATINGS = Path(agents.__file__).parent / "data" / "bench-ratings.json"
SUITES = ("heads-up", "six-max", "limit", "tournament")
ROW = re.compile(r"^(\| `([a-z0-9.-]+)` \|[^|\n]*\|[^|\n]*\|)([^|\n]*\|){4}$", re.MULTILINE)


def with_ratings(page: str) -> str:
    """The page with the ratings as they are now."""
    ratings = json.loads(RATINGS.read_text())["ratings"]

    def row(found: re.Match[str]) -> str:
        measured = [ratings[suite].get(found[2]) for suite in SUITES]
        cells = ["" if each is None else f"{each[0]:.0f} " for each in measured]
        return found[1] + "".join(f" {cell}|" for cell in cells)

    return ROW.sub(row, page)


if __name__ == "__main__":
    PAGE.write_text(with_ratings(PAGE.read_text()))
