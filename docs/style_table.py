"""Measures the playing styles of all compiled players, for ``styles-and-diversity.md``.

    python docs/style_table.py            # prints the table
    python docs/style_table.py --write    # puts it into the page

The table stands between two marks in the page; a test fails when it is not up to date.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import agents
import nlhe_env
from agents import style_stats
from agents.match.style import STYLE_STATS

PAGE = Path(__file__).with_name("styles-and-diversity.md")
START, END = "<!-- styles -->", "<!-- end of styles -->"
TOURNAMENTS, SEED = 500, 1
HEADINGS = ("hands", "VPIP", "PFR", "aggression", "fold to raise", "WTSD", "bet over pot")


def table() -> str:
    """All compiled players in one field of multi-table tournaments, in the order of their names."""
    names = agents.names(compiled=True)
    players = [agents.make(name) for name in names]
    tournaments = agents.Tournaments(TOURNAMENTS)
    played = agents.play(players, tournaments, nlhe_env.Game.tournament(), seed=SEED)
    rows = [f"| player | {' | '.join(HEADINGS)} |", "| --- |" + " ---: |" * len(HEADINGS)]
    found = style_stats(played.style_counts)
    for name, counts, values in zip(names, played.style_counts, found, strict=True):
        cells = [f"{counts[0]:,}"]
        cells += [_cell(*pair) for pair in zip(STYLE_STATS, values.tolist(), strict=True)]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(measure: str, value: float) -> str:
    if value != value:  # no occasion
        return "-"
    return f"{value:.2f}" if measure == "bet_over_pot" else f"{100 * value:.1f}%"


def with_table(page: str) -> str:
    """The page with the table as it is now."""
    before, rest = page.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put it into the page")
    if parser.parse_args().write:
        PAGE.write_text(with_table(PAGE.read_text()))
    else:
        print(table())
