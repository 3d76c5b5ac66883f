"""Layout of a picture of a table, in pixels.

A wide picture has the usual oval table. A tall one, for example on a phone, has a tall oval with
the bets below the players' plates, so that the board fits between them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

Point = tuple[float, float]

# Lengths in units; a picture of 960 x 640 has one pixel a unit.
PLATE_WIDTH, PLATE_HEIGHT = 136, 62
CARD_WIDTH = 46  # of hole cards
CARDS_ABOVE_PLATE = 42  # visible part of hole cards above the plate that covers their bottom
BOARD_CARD_WIDTH, BOARD_GAP = 58, 7
BET_WIDTH, BET_HEIGHT = 84, 26
_MARGIN = 8
_HEADER = 30
_WIDE, _TALL = (960, 640), (520, 960)


class SeatLayout(NamedTuple):
    """Positions at one seat: centres of plate, bet and dealer button."""

    plate: Point
    bet: Point
    button: Point


class Layout(NamedTuple):
    """Positions of all items at a table."""

    size: tuple[int, int]
    unit: float
    """Pixels per unit."""
    middle: Point
    """Centre of the table and the board."""
    radii: Point
    """Radii of the oval through the plates."""
    board_card_width: float
    places: tuple[SeatLayout, ...]
    """Positions by seat; seat 0 is at the bottom, the others follow clockwise."""


@lru_cache(maxsize=32)
def lay_out(size: tuple[int, int], seats: int) -> Layout:
    """Layout of a table.

    Args:
        size: Width and height of the picture in pixels.
        seats: 2 to 10.
    """
    width, height = size
    is_wide = width >= height
    usual = _WIDE if is_wide else _TALL
    unit = min(width / usual[0], height / usual[1])
    above = (_HEADER + CARDS_ABOVE_PLATE + PLATE_HEIGHT / 2 + _MARGIN) * unit
    below = (PLATE_HEIGHT / 2 + 2 * _MARGIN) * unit
    side = (PLATE_WIDTH / 2 + _MARGIN) * unit
    radii = (width / 2 - side, (height - above - below) / 2)
    middle = (width / 2, above + radii[1])
    plates = [
        (middle[0] - radii[0] * math.sin(turn), middle[1] + radii[1] * math.cos(turn))
        for turn in _even_turns(radii, seats)
    ]
    return Layout(
        size=size,
        unit=unit,
        middle=middle,
        radii=radii,
        board_card_width=_board_card_width(middle, plates, unit),
        places=tuple(
            SeatLayout(
                plate,
                _bet_towards(middle, plate, unit) if is_wide else _bet_beside(middle, plate, unit),
                _button(middle, plate, unit),
            )
            for plate in plates
        ),
    )


def _even_turns(radii: Point, count: int) -> list[float]:
    """Angles clockwise from the bottom of an ellipse, at equal distances along it."""
    turns = np.linspace(0, 2 * np.pi, 721)
    middles = (turns[1:] + turns[:-1]) / 2
    steps = np.hypot(radii[0] * np.cos(middles), radii[1] * np.sin(middles))
    ways = np.concatenate([[0], np.cumsum(steps)])
    even: list[float] = np.interp(np.arange(count) * ways[-1] / count, ways, turns).tolist()
    return even


def _board_card_width(middle: Point, plates: list[Point], unit: float) -> float:
    """Default card width, or the largest that fits between players at the height of the board."""
    clear = (PLATE_HEIGHT + 2 * CARDS_ABOVE_PLATE + 2 * BOARD_CARD_WIDTH) / 2 * unit
    beside = [x for x, y in plates if x < middle[0] - 1 and abs(y - middle[1]) < clear]
    free = 2 * (middle[0] - max(beside, default=-math.inf)) - (PLATE_WIDTH + _MARGIN) * unit
    return min(BOARD_CARD_WIDTH * unit, free / 5 - BOARD_GAP * unit)


def _bet_towards(middle: Point, plate: Point, unit: float) -> Point:
    """Position of a bet towards the centre of the table, just clear of plate and cards."""
    dx, dy = middle[0] - plate[0], middle[1] - plate[1]
    reach_x = (PLATE_WIDTH + BET_WIDTH + _MARGIN) / 2 * unit
    covered = PLATE_HEIGHT / 2 + (CARDS_ABOVE_PLATE if dy < 0 else 0)
    reach_y = (covered + (BET_HEIGHT + _MARGIN) / 2) * unit
    way = min(reach_x / abs(dx) if dx else math.inf, reach_y / abs(dy) if dy else math.inf)
    return plate[0] + way * dx, plate[1] + way * dy


def _bet_beside(middle: Point, plate: Point, unit: float) -> Point:
    """Position of a bet below the plate; above the cards for the bottom seat."""
    reach = (PLATE_HEIGHT + BET_HEIGHT + _MARGIN) / 2
    if abs(plate[0] - middle[0]) < 1 and plate[1] > middle[1]:
        return plate[0], plate[1] - (reach + CARDS_ABOVE_PLATE) * unit
    return plate[0], plate[1] + reach * unit


def _button(middle: Point, plate: Point, unit: float) -> Point:
    """Position of the button, beside the plate's corner nearest to the centre of the table."""
    right = plate[0] < middle[0] + 1
    below = plate[1] < middle[1]
    return (
        plate[0] + (PLATE_WIDTH / 2 + 8) * unit * (1 if right else -1),
        plate[1] + (PLATE_HEIGHT / 2 - 6) * unit * (1 if below else -1),
    )
