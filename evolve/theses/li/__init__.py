"""Evolution of ASHE, and measures of its adaptation."""

from __future__ import annotations

from typing import Any

from evolve.theses.li.room import ROOM

__all__ = sorted(ROOM.names)


def __getattr__(name: str) -> Any:
    return ROOM.load(name)
