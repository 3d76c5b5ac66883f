"""View of an environment's table: as text, as pixels, or in a window."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.cards import CARD_NAMES
from nlhe_env.extras import needs_extra
from nlhe_env.jit.array_types import U8
from nlhe_env.render.scene import Seat, read_scene

if TYPE_CHECKING:
    from nlhe_env.render.picture import Window

RenderMode = Literal["ansi", "rgb_array", "human"]
RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)
_TEXT: tuple[RenderMode, ...] = ("ansi",)
AVAILABLE_MODES = RENDER_MODES if find_spec("pygame") is not None else _TEXT
"""Supported render modes; pictures and windows need pygame-ce."""
_LEAST, _MOST = 100, 10_000  # pixels


def render_table(table: Any, names: Sequence[str]) -> str:
    """Table as several lines: blinds, board and pot, and one line per player.

    All players' cards are shown: this is the spectator's view.

    Args:
        table: A table record.
        names: Names of the players by number.
    """
    scene = read_scene(table, names)
    width = max((len(name) for name in names), default=0)
    boards = f"board [{_spaced(scene.board)}]"
    if scene.second_board:
        boards += f" and [{_spaced(scene.second_board)}]"
    rake = f"  rake {scene.rake}" if scene.rake else ""
    lines = [
        scene.title,
        f"{scene.street:<8} {boards}  pot {scene.pot}{rake}",
        *(_line(seat, width) for seat in scene.seats),
    ]
    return "\n".join(lines)


def _line(seat: Seat, width: int) -> str:
    marks = [
        "button" if seat.has_button else "",
        seat.status,
        "to act" if seat.to_act else "",
        f"won {seat.won}" if seat.won else "",
    ]
    line = (
        f"{'>' if seat.to_act else ' '} {seat.name:<{width}}  [{_spaced(seat.cards) or '--':<5}]  "
        f"stack {seat.stack:>7}  bet {seat.bet:>6}  {', '.join(filter(None, marks))}"
    )
    return line.rstrip()


def _spaced(cards: Sequence[int]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards)


class TableView:
    """View of an environment's table.

    Args:
        mode: One of ``RENDER_MODES``, or ``None`` for no view.
        size: Width and height of pictures in pixels, 100 to 10,000 each.
        names: Names of the players by number.
        fps: Frames per second in a window.
    """

    def __init__(
        self, mode: str | None, size: Sequence[int], names: Sequence[str], *, fps: float
    ) -> None:
        if mode is not None:
            one_of("render_mode", mode, RENDER_MODES)
        if not isinstance(size, Sequence) or len(size) != 2:
            raise ValueError(f"render_size must be (width, height) in pixels; got {size!r}")
        width, height = (
            whole_number("render_size", number, least=_LEAST, most=_MOST) for number in size
        )
        self.mode = mode
        self._size = (width, height)
        self._names = names
        self._fps = fps
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        """State without the window: a copy or a pickle opens a window of its own."""
        return {**self.__dict__, "_window": None}

    def render(self, table: Any) -> str | U8 | None:
        """Text or pixels of a table record; in a window, show it and return ``None``.

        Raises:
            RuntimeError: There is no render mode, or no display for a window.
            MissingExtraError: The mode needs pygame-ce, which is not installed.
        """
        if self.mode is None:
            raise RuntimeError('render() needs a render_mode, such as env(render_mode="ansi")')
        if self.mode == "ansi":
            return render_table(table, self._names)
        _require_pygame()
        if self.mode == "rgb_array":
            from nlhe_env.render.picture import table_pixels

            return table_pixels(table, self._names, size=self._size)
        if self._window is None:
            from nlhe_env.render.picture import Window

            self._window = Window(size=self._size, fps=self._fps)
        self._window.show(table, self._names)
        return None

    def png(self, table: Any) -> bytes | None:
        """The picture of a table record as a PNG file; ``None`` without pygame-ce."""
        try:
            _require_pygame()
        except ImportError:
            return None
        from nlhe_env.render.picture import table_png

        return table_png(table, self._names, size=self._size)

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None


def _require_pygame() -> None:
    with needs_extra("render", "a picture of the table"):
        import pygame  # noqa: F401
