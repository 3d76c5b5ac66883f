"""Statements about hands of language models, registered before these hands were looked at.

docs/results/rankings.md found its regularities in six tables. Three sources of public hands were
left out there, and had been seen by their file names and field names alone when these statements
were committed:

- LivePokerBench, ``logs-opensource``: three earlier tournaments of six seats;
- pokerbench, ``runs/12-31-25``: five games that its organisers withdrew (they stand in the
  history, at 8657962~1);
- llm-poker-arena, three sessions of six seats, about 160 hands, whose stacks are reset before
  every hand, so that a hand is a session. Its README ranks the six models after each session.

Statements:

1. At least 95% of the hands of each source can be read and agree with their results.
2. No order of two models is significant (Holm within a table, one in twenty) by money, all-in
   equity or AIVAT, in any of the five tables.
3. The standard deviation of a hand by money, all players of a source together, lies between 4 and
   15 big blinds.
4. AIVAT needs 39% to 62% of the hands for the same error, all players of a source together.
5. AIVAT does not bend results: of the differences of money and AIVAT of all players, divided by
   their standard errors, at most one in five is beyond 2.
6. By AIVAT, the published first of each session of llm-poker-arena is the best with less than 80%.

Usage: python registered.py SOURCES
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import live_poker_bench
import llm_poker_arena
import numpy as np
import phh_text
import pokerbench
import study

import agents

DEMOS = "llm-poker-arena/web/public/data"
SOURCES = {
    "LivePokerBench, earlier": [
        (live_poker_bench.convert, "live-poker-bench/logs-opensource"),
    ],
    "pokerbench, withdrawn": [(pokerbench.convert, "pokerbench/runs/12-31-25")],
    "llm-poker-arena": [
        (llm_poker_arena.convert, f"{DEMOS}/{session}")
        for session in ("demo-6llm", "demo-6llm-flagship", "pilot-flagship-30h")
    ],
}
"""Converters and places of the tables of a source."""


def rank_recorded(folder: Path) -> agents.Ranking:
    """The ranking of a session of llm-poker-arena by money, also in hands that cannot be read."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    seats, big_blind = meta["seat_assignment"], meta["session_config"]["bb"]
    lines = (folder / "canonical_private.jsonl").read_text(encoding="utf-8").splitlines()
    gains = [json.loads(line)["result"]["net_pnl"] for line in lines]
    won = np.array([[each[seat] for seat in seats] for each in gains]) / big_blind
    return agents.rank(won, list(seats.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description="Print what the registered statements met.")
    parser.add_argument("sources", type=Path)
    sources = parser.parse_args().sources
    rows, bends = [], []
    for name, tables in SOURCES.items():
        hands, skipped, all_players = 0, 0, []
        for convert, source in tables:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "hands.phhs")
                hands += phh_text.write(convert(sources / source), path)
                players, unread = study.evaluate(path)
            skipped += unread
            all_players += players
            rankings = study.rank_sessions(players)
            if convert is llm_poker_arena.convert:
                rankings = {"money, all hands": rank_recorded(sources / source), **rankings}
            study.print_players(Path(source).name, rankings)
        for player in all_players:
            bend = player.array("money") - player.array("AIVAT")
            bends.append(bend.mean() / (bend.std(ddof=1) / np.sqrt(len(bend))))
        rows.append([name, f"{hands - skipped} of {hands}", *study.deviations(all_players)])
    heads = ["source", "hands read", "hands of players", *study.MEASURES, "hands that AIVAT needs"]
    study.print_table(heads, rows)
    beyond = int((np.abs(bends) > 2).sum())
    print(f"\nmoney and AIVAT differ by more than 2 standard errors: {beyond} of {len(bends)}")


if __name__ == "__main__":
    main()
