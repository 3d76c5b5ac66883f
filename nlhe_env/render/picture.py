"""A table as a picture. Needs pygame-ce, the extra ``render``."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pygame

from nlhe_env.evaluator.description import describe
from nlhe_env.game.what_if import side_pots
from nlhe_env.jit.array_types import U8
from nlhe_env.render import sprites
from nlhe_env.render.layout import (
    BET_HEIGHT,
    BET_WIDTH,
    BOARD_GAP,
    CARD_WIDTH,
    CARDS_ABOVE_PLATE,
    PLATE_HEIGHT,
    PLATE_WIDTH,
    Layout,
    SeatLayout,
    lay_out,
)
from nlhe_env.render.scene import Scene, Seat, read_scene
from nlhe_env.render.view import SIZE

_SMALLER = 0.72  # cards of two boards


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
