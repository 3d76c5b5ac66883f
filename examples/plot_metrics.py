"""Read and plot the metrics of a run. Without a run, a tiny one is trained first.

Needs Matplotlib (pip install '.[plot]').

Usage: python examples/plot_metrics.py [runs/RUN] [--out metrics.png]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from evolve import RunFolder
from evolve import main as evolve

try:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[plot]'") from None

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

    # One JSON object per line and generation. The keys depend on the schedule of the run, see the
    # modules in evolve/training, such as table_schedule.py.
    with (folder / "metrics.jsonl").open() as file:
        metrics = [json.loads(line) for line in file]
    if not metrics:
        parser.error(f"no generation of {folder} is finished")
    generations = [line["generation"] for line in metrics]

    figure = Figure(figsize=(7, 6), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True)
    if "best_place" in metrics[0]:  # tournaments of all candidates
        shown, compared = ["best_place", "elite_place", "mean_place"], ["elite_overlap"]
        quartiles = [line["quartile_places"] for line in metrics]
        above.fill_between(generations, *([row[i] for row in quartiles] for i in (0, 2)), alpha=0.2)
        below.set(ylabel="share of the elites", ylim=(0, 1))
    else:  # blocks or tables
        shown, compared = ["best_score", "mean_score"], ["score_deviation", "score_error"]
        below.set_ylabel("how far candidates are apart")
    for axes, keys in ((above, shown), (below, compared)):
        for key in keys:
            axes.plot(generations, [line[key] for line in metrics], label=key)
        axes.legend()
    if RunFolder(folder).load_config().make_game().is_cash:
        above.set_ylabel("big blinds won in 100 hands")
    else:
        above.set_ylabel("mean place, 1 is best")
        above.invert_yaxis()
    below.set_xlabel("generation")
    figure.savefig(options.out, dpi=110)
    print(f"{len(metrics)} generations of {folder}, picture in {options.out}")


if __name__ == "__main__":
    main()
