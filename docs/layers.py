"""Draws the picture of the API reference: the three packages and the pages about each.

    python docs/layers.py

The pages are those of the toctrees in ``api/index.rst``; a test fails when the picture is not up
to date. Colours are readable on white and on black.
"""

from __future__ import annotations

import re
from pathlib import Path

API = Path(__file__).parent / "api"
PICTURE = Path(__file__).parent / "images" / "layers.svg"

PACKAGES = (("nlhe_env", "#0b6b4f"), ("agents", "#28589c"), ("evolve", "#86420f"))
ARROWS = (("observations", "actions"), ("counted results", "new players"))

WIDTH, GAP, LINE, TOP = 222, 112, 22, 74  # of a box; pixels
LABEL = "#7a7a7a"
GROUP = re.compile(r"   :caption: (.+)\n\n((?:   \S+\n)+)")


def groups() -> list[tuple[str, list[str]]]:
    """The caption of each toctree, and the titles of its pages."""
    return [
        (caption, [_title(name) for name in entries.split()])
        for caption, entries in GROUP.findall((API / "index.rst").read_text(encoding="utf-8"))
    ]


def _title(name: str) -> str:
    return (API / f"{name}.rst").read_text(encoding="utf-8").split("\n")[0]


def picture() -> str:
    """The picture as SVG."""
    found = groups()
    most = max(len(titles) for _, titles in found)
    width, height = 3 * WIDTH + 2 * GAP, TOP + most * LINE + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="14">',
        "<title>The game, the players and the training</title>",
    ]
    for i, ((package, colour), (caption, titles)) in enumerate(zip(PACKAGES, found, strict=True)):
        lines += _box(i * (WIDTH + GAP), height, package, colour, caption, titles)
    for i, (forth, back) in enumerate(ARROWS):
        left = (i + 1) * WIDTH + i * GAP + 8
        lines += _arrow(left, left + GAP - 16, 70, forth)
        lines += _arrow(left + GAP - 16, left, 130, back)
    return "\n".join([*lines, "</svg>", ""])


def _box(
    left: int, height: int, package: str, colour: str, caption: str, titles: list[str]
) -> list[str]:
    lines = [
        f'<rect x="{left}" width="{WIDTH}" height="{height}" rx="8" fill="{colour}"/>',
        f'<g fill="#ffffff"><text x="{left + 14}" y="28" font-size="17" font-weight="600" '
        f'font-family="ui-monospace, monospace">{package}</text>',
        f'<text x="{left + 14}" y="49">{caption}</text>',
    ]
    for row, title in enumerate(titles):
        y = TOP + row * LINE + 6
        lines.append(f'<text x="{left + 14}" y="{y}" font-size="12.5">{title}</text>')
    return [*lines, "</g>"]


def _arrow(start: int, end: int, y: int, label: str) -> list[str]:
    back = -7 if end > start else 7
    return [
        f'<path d="M{start} {y}H{end}m{back} -5l{-back} 5l{back} 5" fill="none" '
        f'stroke="{LABEL}" stroke-width="2"/>',
        f'<text x="{(start + end) // 2}" y="{y - 9}" text-anchor="middle" font-size="13" '
        f'fill="{LABEL}">{label}</text>',
    ]


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
