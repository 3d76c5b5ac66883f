"""ASHE: evolved recurrent networks that adapt to their opponent in heads-up no-limit."""

from __future__ import annotations

from typing import Any

from agents.theses.li.room import ROOM

__all__ = sorted(ROOM.names)


def __getattr__(name: str) -> Any:
    return ROOM.load(name)
