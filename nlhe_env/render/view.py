"""View of an environment's table: as text, as pixels, or in a window."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.extras import install_command
from nlhe_env.jit.array_types import U8
from nlhe_env.render.text import render_table

if TYPE_CHECKING:
    from nlhe_env.render.window import Window

RenderMode = Literal["ansi", "rgb_array", "human"]
RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)
_TEXT: tuple[RenderMode, ...] = ("ansi",)
AVAILABLE_MODES = RENDER_MODES if find_spec("pygame") is not None else _TEXT
"""Supported render modes; pictures and windows need pygame-ce."""
SIZE = (960, 640)
_LEAST, _MOST = 100, 10_000  # pixels


class TableView:
    """View of an environment's table.

    Args:
        mode: One of ``RENDER_MODES``, or ``None`` for no view.
        size: Width and height of pictures in pixels, 100 to 10,000 each.
        names: Names of the players by number.
        fps: Frames per second in a window.

    Raises:
        ValueError: An argument is out of range.
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
            ImportError: The mode needs pygame-ce, which is not installed.
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
            from nlhe_env.render.window import Window

            self._window = Window("nlhe-env", size=self._size, fps=self._fps)
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
    try:
        import pygame  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"pictures of the table need pygame-ce: {install_command('render')}"
        ) from error
