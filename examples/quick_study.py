"""How reliable the preset heads-up-quick is: thirty registered seeds, one line each.

docs/results/self-play.md is the registration. Every finished run is a line of
docs/results/heads-up-quick-runs.jsonl. Repeat the command to continue.

Usage: nice python examples/quick_study.py [--seconds 3600] [--part 1/2]
       python examples/quick_study.py --seconds 0 --suites 2    # the champions by other suites
"""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

import numpy as np
from learners_study import RESULTS, append, digest, parser_of, read
from scipy.stats import binomtest

import agents
import evolve
import nlhe_env
from agents.players.networks import PotSizedNetworkPlayer

PRESET = "heads-up-quick"
RUNS = RESULTS / "heads-up-quick-runs.jsonl"
SEEDS = range(9401, 9431)
AIM = 70
"""Rating that 28 of the 30 champions are to have."""
SUITES = 1
"""Version of the bench's suites that was registered."""
BENCH_SEED = 70_000
"""Added to the seed of a run, so that champions are rated on different cards."""
BENCH_HANDS = 4_000


def run_once(config: evolve.Config, folder: Path) -> dict[str, Any]:
    """Do a run, or the rest of it, and rate its champion."""
    start = time.process_time()
    run = evolve.RunFolder.at(folder, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(run, config, run.restore(config, say=print), workers=workers)
    spent, player = time.process_time() - start, run.champion()
    return rated(player, config.seed, SUITES) | {
        "cpu_seconds": round(spent, 1),
        "version": nlhe_env.__version__,
        "weights": base64.b64encode(np.asarray(player.weights, "<f4").tobytes()).decode(),
    }


def rated(player: agents.CompiledPlayer, seed: int, suites: int) -> dict[str, Any]:
    """Results of a run's champion by a version of the suites."""
    card = agents.bench(
        player, hands=BENCH_HANDS, seed=BENCH_SEED + seed, bound=False, version=suites
    )
    result = card.suites["heads-up"]
    return {
        "rating": result.rating,
        "error": result.rating_error,
        "won": {name: each.mean for name, each in result.results.items()},
        "vpip": result.style["voluntarily_in_pot"],
        "pfr": result.style["preflop_raise"],
    }


def rated_again(line: dict[str, Any], suites: int) -> dict[str, Any]:
    """The line of a finished run with its champion's results by another version of the suites."""
    weights = np.frombuffer(base64.b64decode(line["weights"]), "<f4")
    values = evolve.load_preset(PRESET).values()
    player = PotSizedNetworkPlayer(weights, inputs=values["inputs"], hidden=values["hidden"])
    return line | rated(player, line["seed"], suites)


def mean_and_interval(values: np.ndarray) -> str:
    """Mean over runs with its 95% t-interval, lowest and highest value."""
    sample = evolve.Sample(tuple(values))
    low, high = sample.interval()
    return (
        f"mean {sample.mean:.1f}, 95% interval {low:.1f} to {high:.1f}, "
        f"lowest {values.min():.1f}, highest {values.max():.1f}"
    )


def show(lines: list[dict[str, Any]]) -> None:
    """Print the registered figures of finished runs."""
    ratings = np.array([line["rating"] for line in lines])
    reached = int(np.count_nonzero(ratings >= AIM))
    print(f"{reached} of {len(ratings)} champions have {AIM} or more")
    if len(ratings):
        exact = binomtest(reached, len(ratings)).proportion_ci()  # of Clopper and Pearson
        print(f"exact 95% interval of their share {exact.low:.1%} to {exact.high:.1%}")
    if len(ratings) > 1:
        print(f"rating: {mean_and_interval(ratings)}")
        for name in lines[0]["won"]:
            won = np.array([line["won"][name] for line in lines])
            print(f"bb/100 from {name}: {mean_and_interval(won)}")
    for line in lines:
        print(
            f"seed {line['seed']}: rating {line['rating']:.1f} ± {1.96 * line['error']:.1f}, "
            f"VPIP {line['vpip']:.0%}, PFR {line['pfr']:.0%}, {line['cpu_seconds']:.0f} CPU seconds"
        )


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/heads-up-quick"), help="run folders")
    parser.add_argument("--suites", type=int, default=SUITES, help="version for the report")
    options = parser.parse_args()
    preset, began = evolve.load_preset(PRESET), time.monotonic()
    settings = digest(preset.values())
    for i, seed in enumerate(SEEDS):
        done = {line["seed"]: line for line in read(RUNS) if line["settings"] == settings}
        if seed in done or i % options.part[1] != options.part[0] - 1:
            continue
        if time.monotonic() - began > options.seconds:
            break
        line = run_once(preset.with_values(seed=seed), options.out / f"{seed}-{settings}")
        append(RUNS, {"seed": seed, "settings": settings} | line)
    lines = sorted((x for x in read(RUNS) if x["settings"] == settings), key=lambda x: x["seed"])
    if options.suites != SUITES:
        lines = [rated_again(line, options.suites) for line in lines]
    show(lines)


if __name__ == "__main__":
    main()
