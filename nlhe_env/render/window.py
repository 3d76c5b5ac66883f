"""A window that shows the table during a game. Needs pygame-ce, the extra ``render``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pygame

from nlhe_env.render.picture import draw_table


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
