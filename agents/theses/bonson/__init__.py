"""Teams of programs that bid for decisions."""

from __future__ import annotations

from typing import Any

from agents.theses.bonson.room import ROOM

__all__ = sorted(ROOM.names)


def __getattr__(name: str) -> Any:
    return ROOM.load(name)
