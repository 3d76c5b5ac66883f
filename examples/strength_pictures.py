"""Draw the pictures of docs/strength.md. Needs matplotlib: ``pip install '.[plot]'``.

Usage: python examples/strength_pictures.py [--out docs/images] [--deals 100000]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from nlhe_env import RANKS, equities, win_or_tie_probabilities, win_or_tie_probability

try:
    import matplotlib as mpl

    mpl.use("agg")

    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL import Image
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[plot]'") from None

IMAGES = Path(__file__).parents[1] / "docs" / "images"
STREETS = {"before the flop": 0, "flop": 3, "turn": 4, "river": 5}
# Okabe and Ito's palette, safe for colour-blind readers.
BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#9A9A9A"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
}


def hand_name(row: int, column: int) -> str:
    """Name of the hand in a cell of the usual grid: suited above the diagonal, offsuit below."""
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("s" if column > row else "o" if column < row else "")


def some_holding(name: str) -> str:
    return f"{name[0]}h{name[1]}{'h' if name.endswith('s') else 's'}"


def draw_square(axes: Axes, n_opponents: int) -> None:
    names = [[hand_name(row, column) for column in range(13)] for row in range(13)]
    chances = np.array(
        [
            [
                100 * win_or_tie_probability(some_holding(name), n_opponents=n_opponents)
                for name in row
            ]
            for row in names
        ]
    )
    image = axes.imshow(chances, cmap="YlGnBu")
    dark = chances.min() + 0.55 * np.ptp(chances)
    for row, column in np.ndindex(13, 13):
        color = "white" if chances[row, column] > dark else "black"
        x, y = column, row
        axes.text(x, y - 0.17, names[row][column], ha="center", va="center", color=color, size=9.5)
        chance = f"{chances[row, column]:.0f}"
        axes.text(x, y + 0.23, chance, ha="center", va="center", color=color, size=7.5)
    axes.set_xticks(np.arange(-0.5, 13), minor=True)
    axes.set_yticks(np.arange(-0.5, 13), minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
    axes.spines[:].set_visible(False)
    opponents = "one opponent" if n_opponents == 1 else f"{n_opponents} opponents"
    axes.set_title(f"Win chance in % against {opponents}")
    axes.figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02).outline.set_visible(False)


def starting_hands() -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(14, 6.6))
    for side, n_opponents in zip(axes, (1, 9), strict=True):
        draw_square(side, n_opponents)
    return figure


def win_chance_by_street(n_deals: int) -> Figure:
    """Draw the spread of random hands' win chances by street."""
    rng = np.random.default_rng(1)
    deals = np.argsort(rng.random((n_deals, 52)), axis=1)[:, :7].astype(np.int8)
    figure, axes = plt.subplots(4, 1, figsize=(8, 6.4), sharex=True)
    for side, (street, n_board) in zip(axes, STREETS.items(), strict=True):
        chances = 100 * win_or_tie_probabilities(deals[:, :2], deals[:, 2 : 2 + n_board])
        side.hist(chances, bins=np.arange(0, 101, 2), density=True, color=BLUE, alpha=0.85)
        low, middle, high = np.quantile(chances, [0.1, 0.5, 0.9])
        top = side.get_ylim()[1]
        side.hlines(-0.09 * top, low, high, color=ORANGE, linewidth=4, clip_on=False)
        side.plot(middle, -0.09 * top, "o", color="black", markersize=6, clip_on=False)
        side.set_ylim(-0.18 * top, top)
        side.set_yticks([])
        side.spines["left"].set_visible(False)
        side.set_ylabel(street, rotation=0, ha="right", va="center")
    axes[-1].set_xlabel("win chance in % against one opponent")
    axes[-1].set_xlim(0, 100)
    axes[0].set_title(
        "How often a random hand has which win chance; line: 80 % of all, dot: median"
    )
    return figure


def equity_by_street() -> Figure:
    """Draw the equities of a hand of two players by street."""
    hands = ["AhKh", "QsQd"]
    board = "Qh7h2c3h2s"
    bars = []
    for n_board in STREETS.values():
        result = equities(hands, board[: 2 * n_board])
        bars.append([100 * result.win[0], 100 * result.tie[0], 100 * result.win[1]])
    won, tied, lost = np.array(bars).T

    figure, axes = plt.subplots(figsize=(8, 4.4))
    places = np.arange(4)
    parts = {f"{hands[0]} wins": won, "tie": tied, f"{hands[1]} wins": lost}
    left = np.zeros(4)
    for (label, sizes), color in zip(parts.items(), (BLUE, GREY, ORANGE), strict=True):
        axes.barh(places, sizes, left=left, color=color, label=label, height=0.62)
        for place in places:
            if sizes[place] > 6:
                middle = left[place] + sizes[place] / 2
                text = f"{sizes[place]:.1f} %"
                shade = "white" if color == BLUE else "black"
                axes.text(middle, place, text, ha="center", va="center", color=shade)
        left += sizes
    shown = [" ".join(board[i : i + 2] for i in range(0, 2 * n, 2)) for n in STREETS.values()]
    names = [f"{street}\n{cards}" for street, cards in zip(STREETS, shown, strict=True)]
    axes.set_yticks(places, [name.strip() for name in names])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of all boards still to come")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Save as a PNG with 256 colours, at a third of the size."""
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    Image.fromarray(np.ascontiguousarray(pixels)).quantize(256, kmeans=2).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=IMAGES, help="folder of the pictures")
    parser.add_argument("--deals", type=int, default=100_000, help="random hands of a picture")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        pictures = {
            "starting_hands": starting_hands(),
            "win_chance_by_street": win_chance_by_street(options.deals),
            "equity_by_street": equity_by_street(),
        }
        for name, figure in pictures.items():
            path = options.out / f"{name}.png"
            save(figure, path)
            print(f"{path}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
