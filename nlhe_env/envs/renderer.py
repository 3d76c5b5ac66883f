"""Recorded game that can be rendered: as text, as a picture, in a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlhe_env.envs.recorder import RecordingGame
from nlhe_env.game.description import Game
from nlhe_env.hand_history.recording import Record
from nlhe_env.jit.array_types import U8
from nlhe_env.render.view import RenderMode, View


class RenderedGame(RecordingGame):
    """Recorded game that can be rendered.

    Args:
        game: See ``RecordingGame``.
        num_players: See ``RecordingGame``.
        actions: See ``RecordingGame``.
        observation: See ``RecordingGame``.
        record: See ``RecordingGame``.
        render_mode: How the table is shown; ``None``: not at all.
        render_size: Width and height of pictures in pixels.
        fps: Pictures a second in a window.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self,
        game: Game,
        num_players: int,
        actions: str | Iterable[float],
        observation: str,
        record: Record | None,
        *,
        render_mode: RenderMode | None,
        render_size: Sequence[int],
        fps: int,
    ) -> None:
        super().__init__(game, num_players, actions, observation, record)
        self.render_mode = render_mode
        self._view = View(render_mode, render_size, self.possible_agents, fps=fps)
        self._has_reset = False

    def render(self) -> str | U8 | None:
        """The table that plays, with all players' cards.

        Returns:
            With ``"ansi"`` some lines of text, with ``"rgb_array"`` the picture, ``(height, width,
            3)`` uint8; nothing with ``"human"``, whose window shows every decision by itself.
        """
        return self.picture_of(self.table)

    def picture_of(self, table: np.void) -> str | U8 | None:
        """``render`` for any record of a table."""
        return self._view.render(table)

    def close(self) -> None:
        """Close the window of ``render_mode="human"``."""
        self._view.close()

    def _repr_png_(self) -> bytes | None:
        """PNG of the table, which notebooks show."""
        return self._view.png(self.table) if self._has_reset else None
