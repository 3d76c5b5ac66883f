"""What rankings of language models can tell: the tables of docs/results/rankings.md.

The folder SOURCES holds clones of the repositories that the page names. Hands are converted,
checked by the rules and ranked by session. The script prints Markdown, and does not take more than
minutes; --husky-tables plays the bots of Husky Hold'em, which runs their code.

Usage: python study.py SOURCES [--husky-tables 600]
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import live_poker_bench
import numpy as np
import phh_text
import poker_llm
import pokerbench
from husky_bot import HuskyBot
from scipy.stats import rankdata

import agents
import evolve
import nlhe_env
from evolve.evaluation.aivat_report import AIVAT, ALL_IN, MONEY, PlayerResults
from evolve.evaluation.rankings import PLACE, rank_sessions, rank_table
from nlhe_env.hand_history import stream_files

MEASURES = (MONEY, ALL_IN, AIVAT)
Rankings = dict[str, agents.Ranking]


class Arena(NamedTuple):
    """A published table with public hands."""

    name: str
    convert: Callable[[Path], phh_text.Hands]
    source: str


ARENAS = (
    Arena("pokerbench, heads-up", pokerbench.convert,
          "pokerbench/runs/Gemini_3_Flash_and_Pro_Heads_Up"),
    Arena("pokerbench, three Gemini", pokerbench.convert, "pokerbench/runs/Gemini_Models"),
    Arena("pokerbench, large", pokerbench.convert, "pokerbench/runs/Large_Models"),
    Arena("pokerbench, small", pokerbench.convert, "pokerbench/runs/Small_Models"),
    Arena("LivePokerBench", live_poker_bench.convert, "live-poker-bench/replay-t3/data"),
    Arena("PokerLLM", poker_llm.convert, "PokerLLM/benchmark/results.db"),
)  # fmt: skip
PLURIBUS = "phh-dataset/data/pluribus"
HUSKY = "huskyholdem-bench/generated/bot"
PRINTED = Path(__file__).with_name("printed")
"""Printed tables, and the number of seats at which their players met."""
PRINTED_TABLES = {"pokerbattle": 9, "poker_eval": None, "gto_wizard": None}


def evaluate(paths: Sequence[Path]) -> tuple[list[PlayerResults], int]:
    """Results of all hands that can be read and are complete, and the number of the others."""
    problems: list[ValueError] = []
    players = evolve.reduce_variance(
        stream_files(paths), divat=False, aivat=agents.AivatEvaluator(), skip_hidden=True,
        on_problem=problems.append,
    )  # fmt: skip
    return players, len(problems)


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
    return f"{ranking.means[i]:{sign}.{digits}f} ± {(high - low) / 2:.{digits}f}"


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


def arenas(sources: Path) -> Iterator[tuple[str, Rankings, list[PlayerResults], tuple[int, int]]]:
    """Rankings, results, and numbers of hands read and skipped of every arena."""
    with tempfile.TemporaryDirectory() as folder:
        for k, arena in enumerate(ARENAS):
            path = Path(folder, f"{k}.phhs")
            count = phh_text.write(arena.convert(sources / arena.source), path)
            players, skipped = evaluate([path])
            rankings = rank_sessions(players)
            if arena.convert is live_poker_bench.convert:
                rankings = {PLACE: published_places(sources / arena.source), **rankings}
            yield arena.name, rankings, players, (count - skipped, count)


def chance_of_equals(ranking: agents.Ranking, draws: int = 100_000) -> float:
    """Chance that the best of equal players has a mean place at least as good."""
    n, sessions = len(ranking.names), int(ranking.counts[0])
    rng = np.random.default_rng(1)
    places = rng.permuted(np.tile(np.arange(1.0, n + 1.0), (draws, sessions, 1)), axis=2)
    return float((places.mean(axis=1).min(axis=1) <= ranking.means.min() + 1e-9).mean())


def row_of(name: str, rankings: Rankings, hands: tuple[int, int]) -> list[str]:
    """What a published table tells, in one row."""
    published = next(iter(rankings.values()))
    best = published.names[published.order[0]]
    shown = [published, rankings[AIVAT]]
    needed = published.sessions_needed
    return [
        name,
        f"{int(published.counts.max()):,}",
        f"{hands[0]:,} of {hands[1]:,}",
        str(len(published.pairs)),
        *(str(rankings[measure].decided) for measure in MEASURES),
        best,
        percent(*(one.first[one.names.index(best)] for one in shown)),
        percent(*(one.whole_order for one in shown)),
        f"{needed:,.0f}",
    ]


def print_arenas(sources: Path) -> list[tuple[str, list[PlayerResults]]]:
    """Print what the public arenas tell; returns the results by arena."""
    start = time.process_time()
    rows, details, found = [], [], []
    for name, rankings, players, hands in arenas(sources):
        rows.append(row_of(name, rankings, hands))
        details.append((name, rankings))
        found.append((name, players))
    total = [sum(int(row[k]) for row in rows) for k in range(3, 7)]
    rows.append(["all", "", "", *map(str, total), "", "", "", ""])
    heads = ["arena", "sessions", "hands read", "orders", *MEASURES, "published first"]
    print_table([*heads, "is first", "whole order", "sessions needed"], rows)
    print(f"\n{time.process_time() - start:.0f} CPU seconds")
    for name, rankings in details:
        print(f"\n### {name}")
        first = next(iter(rankings.values()))
        table = []
        for i in first.order:
            own = [(one, one.names.index(first.names[i])) for one in rankings.values()]
            cells = [with_interval(one, j, 2 if one.lower_is_better else 1) for one, j in own]
            chances = [percent(one.first[j]) for one, j in (own[0], own[-1])]
            table.append([first.names[i], int(first.counts[i]), *cells, *chances])
        chance_heads = [f"best by {key}" for key in (next(iter(rankings)), AIVAT)]
        print_table(["player", "sessions", *rankings, *chance_heads], table)
        for measure, ranking in rankings.items():
            against = [
                f"{pair['first']} > {pair['second']}" for pair in ranking.pairs if pair["differ"]
            ]
            print(f"\n{measure}: {', '.join(against) or 'none'}")
        if PLACE in rankings:
            chance = chance_of_equals(rankings[PLACE])
            print(f"\nthe best of equal players: {percent(chance)}")
    return found


def print_deviations(found: Sequence[tuple[str, list[PlayerResults]]], sources: Path) -> None:
    """Print the standard deviation of a hand, and the share of hands that AIVAT needs."""
    rows = []
    if (sources / PLURIBUS).is_dir():
        players, _ = evaluate([sources / PLURIBUS])
        for name, own in (
            ("Pluribus", [one for one in players if one.name == "Pluribus"]),
            ("its human opponents", [one for one in players if one.name != "Pluribus"]),
        ):
            rows.append(["Pluribus and people, six players", name, *deviations(own)])
    for arena, players in found:
        if arena == "PokerLLM":  # few hands each
            rows.append([arena, "all", *deviations(players)])
            continue
        rows += [[arena, one.name, *deviations([one])] for one in players]
    print_table(["arena", "player", "hands", *MEASURES, "hands that AIVAT needs"], rows)


def deviations(players: Sequence[PlayerResults]) -> list[str]:
    """Hands, deviations of a hand by measure, and the share of hands that AIVAT needs."""
    values = [np.concatenate([one.array(measure) for one in players]) for measure in MEASURES]
    spread = [float(array.std(ddof=1)) for array in values]
    needed = percent((spread[2] / spread[0]) ** 2)
    return [f"{len(values[0]):,}", *(f"{each:.1f}" for each in spread), needed]


def print_printed(sd: float) -> None:
    """Print what printed tables tell with an assumed deviation of a hand."""
    rows = []
    for name, size in PRINTED_TABLES.items():
        ranking = rank_table(PRINTED / f"{name}.csv", sd=sd, table_size=size)
        best, second = ranking.order[:2]
        rows.append([
            name, len(ranking.names), len(ranking.pairs), ranking.decided,
            with_interval(ranking, best), with_interval(ranking, second),
            percent(ranking.first[best]), percent(ranking.whole_order),
        ])  # fmt: skip
    heads = ["table", "players", "orders", "decided", "first", "second", "first is best"]
    print_table([*heads, "whole order"], rows)


def print_husky(sources: Path, tables: int, seed: int) -> None:
    """Play the bots of Husky Hold'em at random tables of six, and print the ranking."""
    paths = sorted((sources / HUSKY).glob("*/player.py"))
    game = nlhe_env.Game.cash(num_hands=200, blinds=(5, 10), starting_stack=1000)
    rng, names = np.random.default_rng(seed), [path.parent.name for path in paths]
    random.seed(seed)  # of the bots
    results = np.full((tables, len(paths)), np.nan)
    counts = np.zeros((len(paths), 3), np.int64)
    for k in range(tables):
        seated = rng.choice(len(paths), 6, replace=False)
        bots = [HuskyBot(str(paths[i])) for i in seated]
        tally = agents.play(bots, agents.Tournaments(1), game, seed=int(rng.integers(2**31)))
        results[k, seated] = tally.scores / (10 * 200) * 100
        counts[seated] += [(bot.decisions, bot.failures, bot.illegal) for bot in bots]
    ranking = agents.rank(results, names)
    print(f"\n{ranking.decided} of {len(ranking.pairs)} orders; {tables * 200:,} hands")
    table = [
        [names[i], int(ranking.counts[i]), with_interval(ranking, i), percent(ranking.first[i]),
         *(percent(part / counts[i, 0]) for part in counts[i, 1:])]
        for i in ranking.order
    ]  # fmt: skip
    print_table(["bot", "tables", "bb/100", "best", "failures", "illegal"], table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--sd", type=float, default=9.0)
    parser.add_argument("--husky-tables", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = print_arenas(given.sources)
    print_deviations(found, given.sources)
    print_printed(given.sd)
    if given.husky_tables:
        print_husky(given.sources, given.husky_tables, given.seed)


if __name__ == "__main__":
    main()
