"""Faults of a bot, and how often they happened."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

LATE = "late"
UNREADABLE = "unreadable"
ILLEGAL = "illegal"
OUT_OF_TURN = "out of turn"
GONE = "gone"
FLOOD = "flood"
NOT_READING = "not reading"
NO_START = "no start"

FATAL = frozenset({GONE, FLOOD, NOT_READING, NO_START})
"""Faults after which a process is of no use any more."""

_LAST_STRIKES = 20
_LINES_SHOWN = 12


class BotFault(Exception):  # noqa: N818  (never leaves the package)
    """A bot did not do what it should.

    Args:
        reason: One of the constants above.
        detail: Description of what was seen.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class Strike:
    """One fault of a bot."""

    reason: str
    """``"late"``, ``"unreadable"``, ``"illegal"``, ``"out of turn"``, ``"gone"``, ``"flood"``,
    ``"not reading"`` or ``"no start"``."""
    detail: str
    """Description of what was seen."""
    decision: int
    """Decisions of the bot up to then, this one included."""


@dataclass
class BotReport:
    """Counts of how well a bot has followed the protocol, over all episodes so far."""

    name: str
    decisions: int = 0
    """Decisions that were the bot's."""
    failed: int = 0
    """Decisions without a valid answer: checked, or folded facing a bet."""
    strikes: dict[str, int] = field(default_factory=dict)
    """Faults by reason; one decision may have several."""
    last_strikes: list[Strike] = field(default_factory=list)
    """The latest faults in detail, at most 20."""
    restarts: int = 0
    """Times that the program was started again after a fault."""
    forfeited: bool = False
    """Whether it is out: no longer asked, it checks and folds."""
    seconds: float = 0.0
    """Wall time spent waiting for its answers."""
    hands: int = 0
    """Hands that it has played to their end."""
    episodes: int = 0
    """Tournaments and cash games that it has played to their end."""
    last_words: str = ""
    """The end of what it wrote to standard error, of the last process that wrote anything."""

    def add(self, fault: BotFault) -> None:
        """Count a fault."""
        self.strikes[fault.reason] = self.strikes.get(fault.reason, 0) + 1
        self.last_strikes.append(Strike(fault.reason, fault.detail, self.decisions))
        del self.last_strikes[:-_LAST_STRIKES]

    def error_output(self) -> str:
        """The last lines of ``last_words``, harmless to print: without control characters."""
        lines = self.last_words.splitlines()[-_LINES_SHOWN:]
        shown = ("".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines)
        return "\n".join(shown).strip("\n")

    def __str__(self) -> str:
        mean = 1000 * self.seconds / self.decisions if self.decisions else 0.0
        lines = [
            f"{self.name}: {self.decisions} decisions, {self.failed} without a valid answer, "
            f"{self.restarts} restarts, {mean:.2f} ms a decision"
            + (", forfeited" if self.forfeited else "")
        ]
        lines += [f"  {reason}: {count}" for reason, count in sorted(self.strikes.items())]
        if self.last_strikes:
            last = self.last_strikes[-1]
            lines.append(f"  last at decision {last.decision}: {last.reason}: {last.detail}")
            if words := self.error_output():
                lines += ["  the end of its error output:", textwrap.indent(words, "    ")]
        return "\n".join(lines)
