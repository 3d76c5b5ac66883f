"""Judges of learners_study.py: league, best known response, bench; tables and a picture.

Every measurement is a line of docs/results/learners-judged.jsonl; the same command continues.

Usage: nice python examples/learners_judged.py [--seconds 3600] [--part 1/2]
       python examples/learners_judged.py --seconds 0 --picture learners.png
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from learners_study import (
    GAME,
    GRIDS,
    MEMORY,
    MILLION,
    RESULTS,
    RULES,
    append,
    finished,
    match,
    name_of,
    parser_of,
    player_of,
    read,
)  # fmt: skip
from scipy.stats import ttest_ind

import agents
import evolve
import nlhe_env
from agents.exploitability import Menu

JUDGED = RESULTS / "learners-judged.jsonl"
LANDMARKS = ("equilibrium-nolimit", "poki", *RULES)
SLOW = ("poki", "formula")
"""Landmarks without local best responses, which take more than ten minutes."""
MARKERS = dict(zip(LANDMARKS, "*PX^vD", strict=True))
CHOICE_SEED, MATCH_SEED, BOUND_SEED, BENCH_SEED = 70_001, 70_002, 70_003, 70_004
COMPARED = ("self-play-es", *GRIDS, "self-play-genetic", "self-play-cma")


def jobs(players: dict[str, Any]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Name and measurement of everything to judge."""
    for name, player in players.items():
        if name not in LANDMARKS:
            yield f"bench {name}", partial(bench_line, player, suite_of(name))
        if name not in SLOW and suite_of(name) == "heads-up":
            yield f"lbr {name}", partial(bound_line, player)
    met = [name for name in players if name in LANDMARKS or is_compared(name)]
    for one, other in combinations(met, 2):
        both = players[one], players[other]
        for kind, seed in (("choice", CHOICE_SEED), ("match", MATCH_SEED)):
            yield f"{kind} {one} {other}", partial(match_line, *both, seed=seed, blocks=50)
    for one, other in permutations(players, 2):
        if suite_of(one) == suite_of(other) == "six-max" and arm_of(one) != arm_of(other):
            table = players[one], *[players[other]] * 5
            yield f"among {one} {other}", partial(match_line, *table, seed=MATCH_SEED, blocks=200)


def is_compared(name: str) -> bool:
    """Whether a run plays in the league: the compared arms with 3 million hands."""
    return arm_of(name) in COMPARED and name.rsplit("-", 3)[1] == str(3 * MILLION)


def arm_of(name: str) -> str:
    """Arm of a run, or the name of a landmark."""
    return name if name in LANDMARKS else name.rsplit("-", 3)[0]


def suite_of(name: str) -> str:
    """Suite of the bench that rates a run."""
    return "six-max" if name.startswith("six-max") else "heads-up"


def bench_line(player: Any, suite: str) -> dict[str, Any]:
    version = 1 if suite == "heads-up" else 2  # heads-up, the study began with version 1
    card = agents.bench(player, [suite], hands=2000, seed=BENCH_SEED, bound=False, version=version)
    result = card.suites[suite]
    return {"rating": result.rating, "error": result.rating_error}


def match_line(*players: Any, seed: int, blocks: int) -> dict[str, Any]:
    won, error = match(*players, seed=seed, blocks=blocks)
    return {"won": won, "error": error}


def bound_line(player: Any) -> dict[str, Any]:
    """The larger of two local best responses, in bb/100, with joint 95% coverage."""
    hand = nlhe_env.Game.cash(table_size=2, **GAME, num_hands=1, score="big_blinds")
    menus = [Menu.of("fcpa"), Menu.of("56-bets")]
    with evolve.thread_workers(1) as workers:
        bounds = evolve.local_exploitability(
            player, hand, menus, blocks=1000, seed=BOUND_SEED, workers=workers
        )
    return {"lbr": [[bound.value / 10, bound.error / 10] for bound in bounds]}


def judge_missing(part: tuple[int, int], seconds: float) -> None:
    """Judge finished runs until the time is over."""
    players: dict[str, Any] = {name: agents.make(name) for name in LANDMARKS}
    players |= {p.name: p for p in (player_of(run) for run in finished() if "weights" in run)}
    done, began = {line["job"] for line in read(JUDGED)}, time.monotonic()
    for i, (name, measure) in enumerate(jobs(players)):
        if i % part[1] == part[0] - 1 and name not in done:
            if time.monotonic() - began > seconds:
                return
            append(JUDGED, {"job": name, "version": nlhe_env.__version__} | measure())


def interval(values: list[float], digits: int = 0) -> str:
    """Mean over seeds with its 95% t-interval."""
    if len(values) < 2:
        return f"{values[0]:.{digits}f}" if values else ""
    sample = evolve.Sample(tuple(values))
    low, high = sample.interval()
    return f"{sample.mean:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def measures(judged: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """By player: rating, best known response, winnings from each other arm and from all, in bb/100.

    ``head to head`` is the mean over all arms of learners, its own included; ``among five`` the
    mean at tables of six, with five copies of a run of the other arm.
    The best known response is the player that wins most on the cards of choice, by its result on
    other cards, or a local best response if that is larger.
    """
    found: dict[str, dict[str, float]] = {}
    won: dict[str, dict[tuple[str, str], float]] = {"choice": {}, "match": {}}
    among: dict[str, list[float]] = {}
    for line in judged:
        kind, *names = line["job"].split(" ")
        if kind == "bench":
            found.setdefault(names[0], {})["rating"] = line["rating"]
        elif kind == "lbr":
            bound = max(mean for mean, _ in line["lbr"])
            found.setdefault(names[0], {}).update({"local response": bound, "response": bound})
        elif kind == "among":
            among.setdefault(names[0], []).append(line["won"])
        else:
            won[kind][names[0], names[1]] = line["won"]
            won[kind][names[1], names[0]] = -line["won"]
    for name, values in among.items():
        found.setdefault(name, {})["among five"] = float(np.mean(values))
    opponents: dict[str, list[str]] = {}
    for one, other in sorted(won["match"].keys() & won["choice"].keys()):
        opponents.setdefault(one, []).append(other)
    for one, met in opponents.items():
        best = min(met, key=lambda other: won["choice"][one, other])
        of = found.setdefault(one, {})
        if "response" in of:
            of["response"] = max(of["response"], -won["match"][one, best])
        arms: dict[str, list[float]] = {}
        for other in met:
            arms.setdefault(arm_of(other), []).append(won["match"][one, other])
        means = {arm: float(np.mean(values)) for arm, values in arms.items()}
        of |= {f"against {arm}": mean for arm, mean in means.items() if arm != arm_of(one)}
        learners = [mean for arm, mean in means.items() if arm in COMPARED]
        if learners:
            of["head to head"] = float(np.mean(learners))
    return found


def show(picture: Path | None) -> None:
    """Print the tables of finished runs and the registered tests, and draw the picture."""
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for each in finished():
        groups.setdefault((each["arm"], each["hands"]), []).append(each)
    known = {*LANDMARKS, *(name_of(each) for each in finished())}
    judged = [line for line in read(JUDGED) if set(line["job"].split(" ")[1:]) <= known]
    found = measures(judged)
    won_from = (f"against {name}" for name in (*COMPARED, *LANDMARKS))
    columns = ("rating", "local response", "response", *won_from, "among five")
    results: dict[tuple[str, str], list[float]] = {}
    rows: list[list[str]] = []
    won: list[list[str]] = []
    for (arm, hands), runs in groups.items():
        exact = [each["exploitability"] for each in runs if "exploitability" in each]
        cells = [interval([each["cpu_seconds"] for each in runs]), interval(exact, 3)]
        results[arm, "Leduc"] = exact
        for column in columns:
            of_runs = [found.get(name_of(each), {}) for each in runs]
            results[arm, column] = [each[column] for each in of_runs if column in each]
            cells.append(interval(results[arm, column]))
        rows.append([arm, f"{hands:,}", str(len(runs)), *cells[:5]])
        if any(cells[5:]):
            won.append([arm, *cells[5:]])
    print_table(["arm", "hands", "seeds", "CPU seconds", "Leduc", *columns[:3]], rows)
    print("\nWinnings in bb/100 from the runs of each arm, and from landmarks:\n")
    print_table(["arm", *COMPARED, *LANDMARKS, "five of the other arm"], won)
    print_tests(league_tests(judged))
    six_max = ("six-max-ppo", "six-max-es")
    print_tests(
        {
            f"{column} of {' and '.join(six_max)}": welch(
                *(results.get((arm, column), []) for arm in six_max)
            )
            for column in ("rating", "among five")
        }
    )
    for columns, arm in ((("response", "rating"), "memory"), (("Leduc",), "leduc")):
        print_tests(
            {
                f"{column} of {arm}-{memory} and {arm}-none": welch(
                    results.get((f"{arm}-{memory}", column), []),
                    results.get((f"{arm}-none", column), []),
                )
                for memory in MEMORY[1:]
                for column in columns
            }
        )
    if picture:
        draw(found, picture)


def league_tests(judged: list[dict[str, Any]]) -> dict[str, float]:
    """p-values of the total winnings of self-play-es and each learner over the runs of both.

    If two arms do not differ, every division of their runs into two arms is equally likely. Matches
    within an arm cancel in the sums of both.
    """
    won: dict[tuple[str, str], float] = {}
    for line in judged:
        kind, *names = line["job"].split(" ")
        if kind == "match" and not set(names) & set(LANDMARKS):
            won[names[0], names[1]], won[names[1], names[0]] = line["won"], -line["won"]
    compared = sorted({one for one, _ in won})
    evolved = [name for name in compared if arm_of(name) == "self-play-es"]
    tests = {}
    for arm in GRIDS:
        runs = evolved + [name for name in compared if arm_of(name) == arm]
        totals = np.array([sum(won.get((one, other), 0.0) for other in runs) for one in runs])
        n, rng = len(evolved), np.random.default_rng(0)
        if 1 < n < len(runs) - 1:
            drawn = np.array([rng.permutation(totals)[:n].sum() for _ in range(99_999)])
            extreme = abs(drawn) >= abs(totals[:n].sum()) - 1e-9  # the totals of all runs sum to 0
            tests[f"winnings of self-play-es from {arm}"] = (1 + int(extreme.sum())) / (
                1 + len(drawn)
            )
    return tests


def welch(ones: list[float], others: list[float]) -> float:
    """p-value that the means of two arms are equal; nan without two runs of each."""
    enough = min(len(ones), len(others)) > 1
    return float(ttest_ind(ones, others, equal_var=False).pvalue) if enough else float("nan")


def print_table(head: list[str], rows: list[list[str]]) -> None:
    """Print a table in Markdown."""
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")


def print_tests(tests: dict[str, float]) -> None:
    """Print p-values, and those corrected by Holm's method over the tests that were made."""
    print()
    for (name, p), corrected in zip(tests.items(), evolve.holm(list(tests.values())), strict=True):
        if not np.isnan(p):
            print(f"- {name}: p = {p:.2g}, corrected {corrected:.2g}")


def draw(found: dict[str, dict[str, float]], file: Path) -> None:
    """One point a run: best known response against winnings from the other learners."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    for arm in (*COMPARED, *LANDMARKS):
        points = [
            (of["response"], of["head to head"])
            for name, of in found.items()
            if arm == arm_of(name) and {"response", "head to head"} <= of.keys()
        ]
        if points:
            look = {"c": "black", "marker": MARKERS[arm]} if arm in MARKERS else {"alpha": 0.7}
            axes.scatter(*zip(*points, strict=True), label=arm, **look)
    axes.set(xlabel="best known response, bb/100", ylabel="mean winnings from all learners, bb/100")
    axes.set_xscale("log")
    if axes.collections:
        axes.legend(fontsize="x-small", loc="lower left")
    figure.savefig(file, dpi=120, bbox_inches="tight")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--picture", type=Path, help="file for the picture")
    options = parser.parse_args()
    judge_missing(options.part, options.seconds)
    show(options.picture)


if __name__ == "__main__":
    main()
