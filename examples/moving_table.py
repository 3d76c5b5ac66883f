"""Draw a hand between named players as an animation, with one image per decision.

Needs pygame-ce and Pillow (pip install '.[plot,render]').

Usage: python examples/moving_table.py [--out table.gif] [--seed 5] [--width 720]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import agents
import nlhe_env

try:
    import pygame  # noqa: F401  (draws the table)
    from PIL import Image
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[plot,render]'") from None

PLAYERS = ("tight-aggressive", "old-best", "loose-passive", "formula", "pot-odds", "old-start")
DECISION_MS, END_MS = 900, 4000
COLORS = 128
DITHER = Image.Dither.NONE  # dithering would flicker


class FilmedTable(nlhe_env.raw_env):
    """Draws an image after the deal and after every action."""

    def reset(self, seed=None, options=None):
        super().reset(seed=seed, options=options)
        self.images = [Image.fromarray(self.render())]

    def step(self, action):
        super().step(action)
        if action is not None:  # otherwise an eliminated player leaves the table
            self.images.append(Image.fromarray(self.render()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("table.gif"))
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--width", type=int, default=720)
    options = parser.parse_args()

    size = (options.width, options.width * 2 // 3)
    env = FilmedTable(num_players=6, mode="cash", render_mode="rgb_array", render_size=size)
    players = {f"player_{i}": agents.make(name) for i, name in enumerate(PLAYERS)}
    agents.play_episode(env, players, seed=options.seed)

    # One palette for all images, since colours would flicker otherwise.
    palette = env.images[-1].quantize(COLORS)
    first, *rest = (image.quantize(palette=palette, dither=DITHER) for image in env.images)
    durations = [DECISION_MS] * len(rest) + [END_MS]
    first.save(options.out, save_all=True, append_images=rest, duration=durations, loop=0)
    print(f"{options.out}: {len(env.images)} images of {size[0]} x {size[1]}")


if __name__ == "__main__":
    main()
