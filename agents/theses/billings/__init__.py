"""The Alberta line: Loki, Poki, PsOpti and Vexbot."""

from __future__ import annotations

from typing import Any

from agents.theses.billings.room import ROOM

__all__ = sorted(ROOM.names)


def __getattr__(name: str) -> Any:
    return ROOM.load(name)
