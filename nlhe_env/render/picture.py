"""A table as a picture or in a window. Needs pygame-ce, the extra ``render``.

A wide picture has the usual oval table. A tall one, for example on a phone, has a tall oval with
the bets below the players' plates, so that the board fits between them.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pygame

from nlhe_env.evaluator.description import describe
from nlhe_env.game.what_if import side_pots
from nlhe_env.jit.array_types import U8
from nlhe_env.render import sprites
from nlhe_env.render.scene import SIZE, Scene, Seat, read_scene

_SMALLER = 0.72  # cards of two boards


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


def draw_table(table: Any, names: Sequence[str], *, size: tuple[int, int] = SIZE) -> pygame.Surface:
    """Draw a table with all players' cards open and folded ones faded.

    Args:
        table: A table record.
        names: Names of the players by number.
        size: Width and height in pixels. A tall picture, such as one for a phone, has a tall table.
    """
    scene = read_scene(table, names)
    layout = lay_out(size, scene.size)
    picture = pygame.Surface(size)
    picture.fill(sprites.GROUND)
    rim = 14 * layout.unit
    radius_x, radius_y = layout.radii
    sprites.put(picture, sprites.felt(radius_x + rim, radius_y + rim, rim), layout.middle)
    _draw_header(picture, layout, scene)
    _draw_middle(picture, layout, scene, _pots(table, scene))
    for seat in scene.seats:
        _draw_seat(picture, layout, scene, seat)
    return picture


def table_pixels(table: Any, names: Sequence[str], *, size: tuple[int, int] = SIZE) -> U8:
    """The picture as ``(height, width, 3)`` uint8: red, green and blue from 0 to 255."""
    picture = draw_table(table, names, size=size)
    return np.ascontiguousarray(pygame.surfarray.array3d(picture).swapaxes(0, 1))


def table_png(table: Any, names: Sequence[str], *, size: tuple[int, int] = SIZE) -> bytes:
    """The picture as a PNG file."""
    file = io.BytesIO()
    pygame.image.save(draw_table(table, names, size=size), file, "table.png")
    return file.getvalue()


def _draw_header(picture: pygame.Surface, layout: Layout, scene: Scene) -> None:
    unit = layout.unit
    margin = 14 * unit
    when = "hand over" if scene.paid else scene.street
    street = sprites.text(when, 22 * unit, sprites.GOLD)
    room = layout.size[0] - street.get_width() - 3 * margin
    title = sprites.text(scene.title, 22 * unit, sprites.MUTED, room)
    middle = margin + title.get_height() / 2
    sprites.put(picture, title, (margin + title.get_width() / 2, middle))
    sprites.put(picture, street, (layout.size[0] - margin - street.get_width() / 2, middle))


def _pots(table: Any, scene: Scene) -> Sequence[int]:
    """Main pot and side pots, either paid or still in the middle."""
    if scene.paid or not any(seat.status == "all-in" for seat in scene.seats):
        return scene.paid
    return [size for size, _ in side_pots(table)]


def _draw_middle(
    picture: pygame.Surface, layout: Layout, scene: Scene, pots: Sequence[int]
) -> None:
    """Draw all chips above the board; below it several pots, and the rake."""
    unit = layout.unit
    x, y = layout.middle
    width = layout.board_card_width
    rows = [(scene.board, y)]
    if scene.second_board:  # two rows of smaller cards
        width *= _SMALLER
        apart = (width * sprites.CARD_SHAPE + BOARD_GAP * unit) / 2
        rows = [(scene.board, y - apart), (scene.second_board, y + apart)]
    for board, row_y in rows:
        for i in range(5):
            piece = sprites.card(board[i], width) if i < len(board) else sprites.slot(width)
            sprites.put(picture, piece, (x + (i - 2) * (width + BOARD_GAP * unit), row_y))
    beside = rows[-1][1] - y + width * sprites.CARD_SHAPE / 2 + 26 * unit
    total = scene.pot or sum(scene.paid)
    _draw_chips(picture, (x, y - beside), f"Pot {total:,}", 1.2 * unit)
    words = []
    if len(pots) > 1:
        main, *side = pots
        words = [f"main {main:,}, side " + ", ".join(f"{size:,}" for size in side)]
    if scene.rake:
        words.append(f"rake {scene.rake:,}")
    if words:
        line = sprites.text(", ".join(words), 19 * unit, sprites.TEXT)
        sprites.put(picture, line, (x, y + beside))


def _draw_seat(picture: pygame.Surface, layout: Layout, scene: Scene, seat: Seat) -> None:
    unit = layout.unit
    place = layout.places[seat.number]
    x, y = place.plate
    width = CARD_WIDTH * unit
    face = sprites.faded if seat.status == "folded" else sprites.card
    card_y = y + (width * sprites.CARD_SHAPE - PLATE_HEIGHT * unit) / 2 - CARDS_ABOVE_PLATE * unit
    for i, card in enumerate(seat.cards):
        sprites.put(picture, face(card, width), (x + (i - 0.5) * (width + 2 * unit), card_y))
    _draw_plate(picture, place, unit, scene, seat)
    if seat.has_button:
        sprites.put(picture, sprites.dealer_button(25 * unit), place.button)
    if seat.bet and not scene.paid:
        _draw_chips(picture, place.bet, f"{seat.bet:,}", unit)


def _draw_plate(
    picture: pygame.Surface, place: SeatLayout, unit: float, scene: Scene, seat: Seat
) -> None:
    """Draw a player's name, stack and remark."""
    x, y = place.plate
    is_lit = seat.to_act or seat.won > 0
    edge = sprites.GOLD if is_lit else sprites.LINE
    size = PLATE_WIDTH * unit, PLATE_HEIGHT * unit
    sprites.put(picture, sprites.box(*size, sprites.PLATE, edge), place.plate)
    is_out = seat.status == "folded" or not seat.cards
    words, colour = _remark(scene, seat)
    for line, row, height, shade in (
        (seat.name, -18, 21, sprites.MUTED if is_out else sprites.TEXT),
        (f"{seat.stack:,}", 2, 22, sprites.MUTED if is_out else sprites.GOLD),
        (words, 21, 18, colour),
    ):
        piece = sprites.text(line, height * unit, shade, size[0] - 12 * unit)
        sprites.put(picture, piece, (x, y + row * unit))


def _remark(scene: Scene, seat: Seat) -> tuple[str, sprites.Colour]:
    """Text of the last line of a plate."""
    boards = [scene.board, scene.second_board] if scene.second_board else [scene.board]
    hand = ""
    if seat.shown:
        hands = [describe([*seat.cards, *board]).words.split(",")[0] for board in boards]
        if len(hands) > 1:  # enough space for "pair / flush"
            hands = ["pair" if words.startswith("pair of") else words for words in hands]
        hand = " / ".join(dict.fromkeys(hands))
    if seat.won:
        return f"+{seat.won:,} {hand}".rstrip(), sprites.GOLD
    if hand:
        return hand, sprites.TEXT
    if seat.to_act:
        return "to act", sprites.TEXT
    return seat.status, sprites.ALARM if seat.status == "all-in" else sprites.MUTED


def _draw_chips(
    picture: pygame.Surface, middle: tuple[float, float], amount: str, unit: float
) -> None:
    """Draw a chip and a number."""
    number = sprites.text(amount, 20 * unit)
    chip = sprites.chip(18 * unit)
    inner = chip.get_width() + 5 * unit + number.get_width()
    width = max(inner + 20 * unit, BET_WIDTH * unit * 0.7)
    sprites.put(
        picture, sprites.box(round(width), BET_HEIGHT * unit, sprites.GROUND, None, 0.5), middle
    )
    left = middle[0] - inner / 2
    sprites.put(picture, chip, (left + chip.get_width() / 2, middle[1]))
    number_x = left + inner - number.get_width() / 2
    sprites.put(picture, number, (number_x, middle[1] + unit))


class Window:
    """A window with a table, opened by the first ``show``.

    The user may resize or close it; the game continues without a closed window.

    Args:
        size: Initial width and height in pixels.
        fps: Frames per second; ``show`` waits so that each can be seen.
    """

    def __init__(self, *, size: tuple[int, int], fps: float) -> None:
        self._size = size
        self._clock = pygame.time.Clock()
        self._fps = fps
        self._screen: pygame.Surface | None = None
        self._is_closed = False

    def show(self, table: Any, names: Sequence[str]) -> None:
        """Show the current state of a table record.

        Args:
            table: A table record.
            names: Names of the players by number.

        Raises:
            RuntimeError: There is no display.
        """
        if self._is_closed:
            return
        if self._screen is None:
            self._open()
        assert self._screen is not None
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        size = self._screen.get_size()
        self._screen.blit(draw_table(table, names, size=size), (0, 0))
        pygame.display.flip()
        self._clock.tick(self._fps)

    def _open(self) -> None:
        try:
            pygame.display.init()
            self._screen = pygame.display.set_mode(self._size, pygame.RESIZABLE)
        except pygame.error as error:
            raise RuntimeError(
                f'render_mode="human" opens a window, and there is no display here ({error}); '
                'render_mode="rgb_array" gives pictures, "ansi" text'
            ) from error
        pygame.display.set_caption("nlhe-env")

    def close(self) -> None:
        """Close the window; later calls of ``show`` do nothing."""
        self._is_closed = True
        if self._screen is not None:
            self._screen = None
            pygame.display.quit()
