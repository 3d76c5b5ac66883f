"""What rankings of language models can tell: the tables of docs/results/rankings.md.

The folder SOURCES holds clones of the repositories that the page names. Hands are converted,
checked by the rules and ranked by session. Usage: python study.py SOURCES
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import live_poker_bench
import numpy as np
import phh_text
import poker_llm
import pokerbench
from scipy.stats import rankdata

import agents
import evolve
from nlhe_env.hand_history import stream_files

MEASURES = ("money", "all-in equity", "AIVAT")
PLACE = "place"
Rankings = dict[str, agents.Ranking]
Results = list[Any]  # of evolve.reduce_variance, by player


ARENAS = {
    "pokerbench, heads-up": (
        pokerbench.convert, "pokerbench/runs/Gemini_3_Flash_and_Pro_Heads_Up",
    ),
    "pokerbench, three Gemini": (pokerbench.convert, "pokerbench/runs/Gemini_Models"),
    "pokerbench, large": (pokerbench.convert, "pokerbench/runs/Large_Models"),
    "pokerbench, small": (pokerbench.convert, "pokerbench/runs/Small_Models"),
    "LivePokerBench": (live_poker_bench.convert, "live-poker-bench/replay-t3/data"),
    "PokerLLM": (poker_llm.convert, "PokerLLM/benchmark/results.db"),
}  # fmt: skip
"""Published tables with public hands: the converter, and where the hands are."""


def evaluate(path: Path) -> tuple[Results, int]:
    """Results of all hands that can be read and are complete, and the number of the others."""
    problems: list[ValueError] = []
    options = {"divat": False, "aivat": agents.AivatEvaluator(), "skip_hidden": True}
    players = evolve.reduce_variance(stream_files([path]), on_problem=problems.append, **options)
    return players, len(problems)


def rank_sessions(players: Results) -> Rankings:
    """Rankings by the big blinds won in an event; ``nlhe evaluate hands --by event`` has them."""
    events = list(dict.fromkeys(event for player in players for event in player.events))
    rankings = {}
    for measure in MEASURES:
        won = np.full((len(events), len(players)), np.nan)
        for column, player in zip(won.T, players, strict=True):
            rows = np.array([events.index(event) for event in player.events])
            sums = np.bincount(rows, player.values[measure], len(events))
            column[rows] = sums[rows]  # others did not play in the event
        rankings[measure] = agents.rank(won, [player.name for player in players])
    return rankings


def print_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A Markdown table; all columns but the first are numbers."""
    print("\n| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


def with_interval(ranking: agents.Ranking, i: int, digits: int = 1) -> str:
    """A mean with the half-width of its 95% interval."""
    low, high = ranking.interval(i)
    sign = "" if ranking.lower_is_better else "+"
    return f"{ranking.means[i]:{sign}z.{digits}f} ± {(high - low) / 2:.{digits}f}"


def percent(*chances: float) -> str:
    """Chances as percentages."""
    return " / ".join(f"{100 * chance:.0f}%" for chance in chances)


def published_places(source: Path) -> agents.Ranking:
    """Ranking by the places that LivePokerBench published; tied players share them."""
    files = sorted(source.glob("*/results.json"))
    placed = [json.loads(path.read_text(encoding="utf-8"))["placements"] for path in files]
    names = list(placed[0])
    places = [rankdata([one[name] for name in names]) for one in placed]
    return agents.rank(places, names, lower_is_better=True)


def arenas(sources: Path) -> Iterator[tuple[str, Rankings, Results, tuple[int, int]]]:
    """Rankings, results, and numbers of hands read and skipped of every arena."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (convert, source) in ARENAS.items():
            path = Path(folder, "hands.phhs")
            count = phh_text.write(convert(sources / source), path)
            players, skipped = evaluate(path)
            rankings = rank_sessions(players)
            if name == "LivePokerBench":
                rankings = {PLACE: published_places(sources / source), **rankings}
            yield name, rankings, players, (count - skipped, count)


def chance_of_equals(ranking: agents.Ranking, draws: int = 100_000) -> float:
    """Chance that the best of equal players has a mean place at least as good."""
    n, sessions = len(ranking.names), int(ranking.counts[0])
    rng = np.random.default_rng(1)
    places = rng.permuted(np.tile(np.arange(1.0, n + 1.0), (draws, sessions, 1)), axis=2)
    return float((places.mean(axis=1).min(axis=1) <= ranking.means.min() + 1e-9).mean())


def row_of(name: str, rankings: Rankings, hands: tuple[int, int]) -> list[str]:
    """What a published table tells, in one row."""
    shown = published, _ = next(iter(rankings.values())), rankings["AIVAT"]
    best = published.names[published.order[0]]
    return [
        name,
        f"{int(published.counts.max()):,}",
        f"{hands[0]:,} of {hands[1]:,}",
        str(len(published.pairs)),
        *(str(rankings[measure].decided) for measure in MEASURES),
        best,
        percent(*(one.first[one.names.index(best)] for one in shown)),
        percent(*(one.whole_order for one in shown)),
        f"{published.sessions_needed:,.0f}",
    ]


def print_arenas(sources: Path) -> list[tuple[str, Results]]:
    """Print what the public arenas tell; returns the results by arena."""
    start = time.process_time()
    found = list(arenas(sources))
    rows = [row_of(name, rankings, hands) for name, rankings, _, hands in found]
    total = [str(sum(int(row[k]) for row in rows)) for k in range(3, 7)]
    rows.append(["all", "", "", *total, "", "", "", ""])
    heads = ["arena", "sessions", "hands read", "orders", *MEASURES, "published first"]
    print_table([*heads, "is first", "whole order", "sessions needed"], rows)
    print(f"\n{time.process_time() - start:.0f} CPU seconds")
    for name, rankings, *_ in found:
        print_players(name, rankings)
    return [(name, players) for name, _, players, _ in found]


def print_players(name: str, rankings: Rankings) -> None:
    """Print the players of an arena, and the orders that its sessions decide."""
    print(f"\n### {name}")
    first = next(iter(rankings.values()))
    table = []
    for i in first.order:
        own = [(one, one.names.index(first.names[i])) for one in rankings.values()]
        cells = [with_interval(one, j, 2 if one.lower_is_better else 1) for one, j in own]
        chances = [percent(one.first[j]) for one, j in (own[0], own[-1])]
        table.append([first.names[i], int(first.counts[i]), *cells, *chances])
    chance_heads = [f"best by {key}" for key in (next(iter(rankings)), "AIVAT")]
    print_table(["player", "sessions", *rankings, *chance_heads], table)
    for measure, ranking in rankings.items():
        decided = [f"{one['first']} > {one['second']}" for one in ranking.pairs if one["differ"]]
        print(f"\n{measure}: {', '.join(decided) or 'none'}")
    if PLACE in rankings:
        print(f"\nas good as the best of equals: {percent(chance_of_equals(rankings[PLACE]))}")


def print_deviations(found: Sequence[tuple[str, Results]], sources: Path) -> None:
    """Print the standard deviation of a hand, and the share of hands that AIVAT needs."""
    rows = []
    players, _ = evaluate(sources / "phh-dataset/data/pluribus")
    for name, its in (("Pluribus", True), ("its human opponents", False)):
        own = [one for one in players if (one.name == "Pluribus") == its]
        rows.append(["Pluribus and people", name, *deviations(own)])
    for arena, players in found:
        parts = {"all": players} if arena == "PokerLLM" else {one.name: [one] for one in players}
        rows += [[arena, name, *deviations(own)] for name, own in parts.items()]
    print_table(["arena", "player", "hands", *MEASURES, "hands that AIVAT needs"], rows)


def deviations(players: Results) -> list[str]:
    """Hands, deviations of a hand by measure, and the share of hands that AIVAT needs."""
    values = [np.concatenate([one.array(measure) for one in players]) for measure in MEASURES]
    spread = [float(array.std(ddof=1)) for array in values]
    shown = [f"{len(values[0]):,}", *(f"{each:.1f}" for each in spread)]
    return [*shown, percent((spread[2] / spread[0]) ** 2)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Print what public rankings can tell.")
    parser.add_argument("sources", type=Path)
    given = parser.parse_args()
    print_deviations(print_arenas(given.sources), given.sources)


if __name__ == "__main__":
    main()
