"""Draw action topographies: fold, call and raise probabilities by strength and cost.

Needs Matplotlib (pip install '.[plot]').

Usage: python examples/draw_topographies.py [--players old-start old-best] [--out topographies.png]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import agents

try:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[plot]'") from None

PANELS = {"fold": slice(0, 1), "call": slice(1, 2), "raise": slice(2, 5)}
HIGHEST_COST = 0.5  # others have usually put in the amount to call


def draw(players: list[agents.TopographyPlayer], out: Path) -> None:
    figure = Figure(figsize=(9.0, 2.9 * len(players) + 0.3), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(players), len(PANELS), squeeze=False, sharex=True, sharey=True)
    edges = (-0.5 / 19, 19.5 / 19)  # cell i stands for i / 19
    for row, player in zip(axes, players, strict=True):
        for panel, (action, part) in zip(row, PANELS.items(), strict=True):
            image = panel.imshow(
                player.topography[:, :, part].sum(axis=-1).T,
                origin="lower",
                extent=(*edges, *edges),
                aspect="auto",
                vmin=0.0,
                vmax=1.0,
                cmap="viridis",
            )
            panel.set_ylim(edges[0], HIGHEST_COST + 0.5 / 19)
            panel.set_title(f"{player.name}: {action}", fontsize=10)
        row[0].set_ylabel("cost: call / (call + pot)")
    for panel in axes[-1]:
        panel.set_xlabel("skewed win chance")
    figure.colorbar(image, ax=axes, label="probability")
    figure.savefig(out, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", nargs="+", default=["old-start", "old-best", "old-scratch"])
    parser.add_argument("--out", type=Path, default=Path("topographies.png"))
    options = parser.parse_args()

    players = [agents.make(name) for name in options.players]
    for name, player in zip(options.players, players, strict=True):
        if not isinstance(player, agents.TopographyPlayer):
            parser.error(f"{name} has no topography")
    draw(players, options.out)
    print(f"picture in {options.out}")


if __name__ == "__main__":
    main()
