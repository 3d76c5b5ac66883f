"""External programs as players, in any language, by JSON lines over standard streams.

``docs/external-bots.md`` specifies the protocol.
"""

from __future__ import annotations

from agents.external.process.player import ProcessPlayer
from agents.external.process.report import BotReport, Strike

__all__ = ["BotReport", "ProcessPlayer", "Strike"]
