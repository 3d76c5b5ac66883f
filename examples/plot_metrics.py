"""Read the metrics of a run and draw them your way. Without a run, a tiny one is made first.

Needs Matplotlib (pip install '.[plot]').

Usage: python examples/plot_metrics.py [runs/RUN] [--out metrics.png]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evolve import main as evolve

TINY = ["--population", "20", "--elites", "4", "--hall-of-fame", "0", "--generations", "8"]
TINY += ["--tournaments", "10", "--progress-tournaments", "0"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", nargs="?", type=Path)
    parser.add_argument("--out", type=Path, default=Path("metrics.png"))
    options = parser.parse_args()

    folder = options.run
    if folder is None:
        if evolve(["train", "--preset", "quick", *TINY]):
            parser.error("the tiny run failed")
        folder = max(Path("runs").iterdir(), key=lambda path: path.stat().st_mtime)

    # One JSON object a line and generation; evolve/training/tournament_schedule.py tells what the
    # keys mean.
    with (folder / "metrics.jsonl").open() as file:
        metrics = [json.loads(line) for line in file]
    generations = [line["generation"] for line in metrics]

    figure = Figure(figsize=(7, 6), layout="constrained")
    FigureCanvasAgg(figure)
    places, overlap = figure.subplots(2, 1, sharex=True)
    for key in ("best_place", "elite_place", "mean_place"):
        places.plot(generations, [line[key] for line in metrics], label=key)
    quartiles = [line["quartile_places"] for line in metrics]
    places.fill_between(generations, *([row[i] for row in quartiles] for i in (0, 2)), alpha=0.2)
    places.invert_yaxis()
    places.set_ylabel("place, 1 is best")
    places.legend()
    overlap.plot(generations, [line["elite_overlap"] for line in metrics])
    overlap.set(xlabel="generation", ylabel="elite_overlap", ylim=(0, 1))
    figure.savefig(options.out, dpi=110)
    print(f"{len(metrics)} generations of {folder}, picture in {options.out}")


if __name__ == "__main__":
    main()
