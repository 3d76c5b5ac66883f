"""Draws the tables that the pages on the environment and on the rules show.

    python docs/table_pictures.py [FOLDER]

Needs the extra "render" and Pillow.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

import nlhe_env

IMAGES = Path(__file__).with_name("images")
SIZE = (960, 640)
COLORS = 160


FOLD, CALL = 0, 1
DECISION = {"button": 0, "hole_cards": {"player_1": "QsQh", "player_2": "AcJc", "player_4": "KdTd"}}
"""A hand in which somebody is to act: three have folded, one is all-in."""
SIDE_POTS = {
    "button": 0,
    "stacks": [100, 300, 500],
    "hole_cards": {"player_0": "AsAd", "player_1": "KsKd", "player_2": "QsQd"},
    "board": "2c7h9sJc3d",
}
"""The hand of the section on pots: three are all-in with unequal stacks."""


def picture(players: int, options: Mapping[str, Any], actions: Sequence[int]) -> Image.Image:
    """The table after these actions of a hand, in chips."""
    env = nlhe_env.raw_env(
        num_players=players,
        mode="cash",
        blinds=(10, 20),
        actions="chips",
        render_mode="rgb_array",
        render_size=SIZE,
    )
    env.reset(seed=7, options=dict(options))
    for action in actions:
        env.step(action)
    return Image.fromarray(env.render())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=IMAGES, help="default: docs/images")
    folder = parser.parse_args().folder
    if not folder.is_dir():
        parser.error(f"there is no folder {folder}")
    drawn = {
        # The flop: everybody but three has folded, then a bet and an all-in.
        "table-picture": picture(
            6,
            DECISION | {"board": "Jd9h4c", "stacks": [900, 1130, 780, 1000, 1000, 1150]},
            [FOLD, 60, FOLD, FOLD, CALL, CALL, 300, 720],
        ),
        "side-pots": picture(3, SIDE_POTS, [100, 300, CALL]),
    }
    for name, image in drawn.items():
        file = folder / f"{name}.png"
        image.quantize(COLORS, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
