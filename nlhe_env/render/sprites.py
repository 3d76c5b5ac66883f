"""Cached sprites of a picture: cards, chips, plates and text.

Shapes are painted at four times the size and scaled down, which smooths their edges. Everything is
painted in memory: no display is needed, and cached sprites stay valid after a program quits pygame.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import pygame

from nlhe_env.cards import RANKS, SUITS

Colour = tuple[int, int, int]
Polygon = list[tuple[float, float]]

GROUND: Colour = (12, 20, 17)
RAIL: Colour = (32, 34, 33)
RAIL_EDGE: Colour = (74, 66, 45)
FELT_LIGHT: Colour = (34, 112, 79)
FELT_DARK: Colour = (13, 58, 43)
PLATE: Colour = (16, 26, 22)
LINE: Colour = (70, 92, 82)
TEXT: Colour = (238, 244, 240)
MUTED: Colour = (168, 185, 176)
GOLD: Colour = (240, 207, 124)
RED: Colour = (194, 37, 46)
ALARM: Colour = (255, 157, 143)
_BLACK: Colour = (24, 26, 28)
_WHITE: Colour = (252, 252, 248)
_SUIT_COLOURS = {"c": _BLACK, "d": RED, "h": RED, "s": _BLACK}

CARD_SHAPE = 1.4  # height of a card by its width
_FINER = 4


def paint(
    width: float, height: float, brush: Callable[[pygame.Surface, float], None]
) -> pygame.Surface:
    """A smooth, transparent sprite for ``put``.

    Args:
        width: Width in pixels.
        height: Height in pixels.
        brush: Paints on a surface; its second argument is the length of a pixel there.
    """
    size = max(1, round(width)), max(1, round(height))
    large = pygame.Surface((size[0] * _FINER, size[1] * _FINER), pygame.SRCALPHA)
    brush(large, float(_FINER))
    return pygame.transform.smoothscale(large.premul_alpha(), size)


def put(picture: pygame.Surface, piece: pygame.Surface, middle: tuple[float, float]) -> None:
    """Put a sprite on a picture."""
    corner = round(middle[0] - piece.get_width() / 2), round(middle[1] - piece.get_height() / 2)
    picture.blit(piece, corner, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=1024)
def text(
    words: str, height: float, colour: Colour = TEXT, width: float = math.inf
) -> pygame.Surface:
    """Text in one line, truncated with dots to ``width`` pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    font = pygame.font.Font(None, max(8, round(height)))
    if font.size(words)[0] > width:
        while words and font.size(words + "…")[0] > width:
            words = words[:-1]
        words += "…"
    return font.render(words, True, colour).premul_alpha()


@lru_cache(maxsize=256)
def card(code: int, width: float) -> pygame.Surface:
    """Face of a card 0..51: rank and suit at the top, a large suit at the bottom."""
    rank, suit = RANKS[code // 4], SUITS[code % 4]
    colour = _SUIT_COLOURS[suit]

    def brush(surface: pygame.Surface, _: float) -> None:
        w, h = surface.get_size()
        box = surface.get_rect()
        pygame.draw.rect(surface, (150, 155, 150), box, border_radius=w // 9)
        pygame.draw.rect(surface, _WHITE, box.inflate(-w // 24, -w // 24), border_radius=w // 10)
        _suit(surface, suit, colour, (w * 0.25, h * 0.50), w * 0.26)
        _suit(surface, suit, colour, (w * 0.64, h * 0.72), w * 0.50)
        letters = text("10" if rank == "T" else rank, h * 0.50, colour)
        surface.blit(letters, (w * 0.09, h * 0.05), special_flags=pygame.BLEND_PREMULTIPLIED)

    return paint(width, width * CARD_SHAPE, brush)


@lru_cache(maxsize=64)
def faded(code: int, width: float) -> pygame.Surface:
    """A folded card."""
    piece = card(code, width).copy()
    piece.fill((90, 90, 90, 90), special_flags=pygame.BLEND_RGBA_MULT)
    return piece


@lru_cache(maxsize=32)
def slot(width: float) -> pygame.Surface:
    """Placeholder of an undealt board card."""

    def brush(surface: pygame.Surface, pixel: float) -> None:
        w = surface.get_width()
        pygame.draw.rect(
            surface, (*LINE, 255), surface.get_rect(), round(1.5 * pixel), border_radius=w // 9
        )

    return paint(width, width * CARD_SHAPE, brush)


@lru_cache(maxsize=64)
def box(
    width: float, height: float, fill: Colour, edge: Colour | None, roundness: float = 0.2
) -> pygame.Surface:
    """A rounded box, such as a player's plate; ``roundness`` is a share of the height."""

    def brush(surface: pygame.Surface, pixel: float) -> None:
        area = surface.get_rect()
        radius = round(roundness * area.height)
        pygame.draw.rect(surface, fill if edge is None else edge, area, border_radius=radius)
        if edge is not None:
            inner = area.inflate(-3 * pixel, -3 * pixel)
            pygame.draw.rect(surface, fill, inner, border_radius=radius - round(1.5 * pixel))

    return paint(width, height, brush)


@lru_cache(maxsize=16)
def chip(width: float) -> pygame.Surface:
    """A chip from above."""

    def brush(surface: pygame.Surface, _: float) -> None:
        r = surface.get_width() / 2
        pygame.draw.circle(surface, RED, (r, r), r)
        for i in range(6):
            turn = math.pi * i / 3
            fan = [(r + r * math.cos(turn + d), r + r * math.sin(turn + d)) for d in (-0.2, 0, 0.2)]
            pygame.draw.polygon(surface, _WHITE, [(r, r), *fan])
        pygame.draw.circle(surface, RED, (r, r), 0.68 * r)
        pygame.draw.circle(surface, _WHITE, (r, r), 0.5 * r, max(1, round(0.1 * r)))

    return paint(width, width, brush)


@lru_cache(maxsize=16)
def dealer_button(width: float) -> pygame.Surface:
    """The white disc of the dealer."""

    def brush(surface: pygame.Surface, _: float) -> None:
        r = surface.get_width() / 2
        pygame.draw.circle(surface, (120, 122, 118), (r, r), r)
        pygame.draw.circle(surface, _WHITE, (r, r), 0.88 * r)
        letter = text("D", 1.5 * r, _BLACK)
        put(surface, letter, (r, r * 1.06))

    return paint(width, width, brush)


@lru_cache(maxsize=8)
def felt(radius_x: float, radius_y: float, rim: float) -> pygame.Surface:
    """The table from above, lighter towards the centre."""

    def brush(surface: pygame.Surface, pixel: float) -> None:
        area = surface.get_rect()
        pygame.draw.ellipse(surface, RAIL_EDGE, area)
        pygame.draw.ellipse(surface, RAIL, area.inflate(-3 * pixel, -3 * pixel))
        area = area.inflate(-2 * rim * pixel, -2 * rim * pixel)
        rings = 48
        for i in range(rings):
            share = 1 - i / rings
            ring = pygame.Rect(0, 0, area.width * share, area.height * share)
            ring.center = area.center
            light = 1 - share**2
            colour = [
                round(dark + light * (bright - dark))
                for dark, bright in zip(FELT_DARK, FELT_LIGHT, strict=True)
            ]
            pygame.draw.ellipse(surface, colour, ring)

    return paint(2 * radius_x, 2 * radius_y, brush)


def _suit(
    surface: pygame.Surface, suit: str, colour: Colour, middle: tuple[float, float], size: float
) -> None:
    """Paint a suit symbol into a square of this size."""
    for polygon in _SIGNS[suit]:
        points = [(middle[0] + size * x, middle[1] + size * y) for x, y in polygon]
        pygame.draw.polygon(surface, colour, points)


def _heart() -> Polygon:
    turns = [2 * math.pi * i / 48 for i in range(48)]
    return [
        (
            0.03 * 16 * math.sin(t) ** 3,
            -0.03 * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t))
            - 0.06,
        )
        for t in turns
    ]


def _disc(x: float, y: float, radius: float) -> Polygon:
    turns = [2 * math.pi * i / 32 for i in range(32)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


_STEM: Polygon = [(-0.05, 0.1), (0.05, 0.1), (0.2, 0.5), (-0.2, 0.5)]
_SIGNS: dict[str, list[Polygon]] = {
    "c": [_disc(0, -0.25, 0.23), _disc(-0.25, 0.12, 0.23), _disc(0.25, 0.12, 0.23), _STEM],
    "d": [[(0, -0.52), (0.4, 0), (0, 0.52), (-0.4, 0)]],
    "h": [_heart()],
    "s": [[(x, -y - 0.07) for x, y in _heart()], _STEM],
}
