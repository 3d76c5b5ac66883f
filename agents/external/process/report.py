"""Faults of a bot and their counts."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from agents.external.invalid_decisions import InvalidDecisions
from nlhe_env.arguments import printable

LATE = "late"
UNREADABLE = "unreadable"
ILLEGAL = "illegal"
OUT_OF_TURN = "out of turn"
GONE = "gone"
FLOOD = "flood"
NOT_READING = "not reading"
NO_START = "no start"

FATAL = frozenset({GONE, FLOOD, NOT_READING, NO_START})
"""Faults that make a process unusable."""

_LAST_STRIKES = 20
_LINES_SHOWN = 12


class BotFault(Exception):  # noqa: N818  (never leaves the package)
    """A bot violated the protocol.

    Args:
        reason: One of the constants above.
        detail: Description of the observation.
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
    """Description of the observation."""
    decision: int
    """Number of decisions of the bot so far, including this one."""


@dataclass
class BotReport:
    """Counters of a bot's protocol faults over all episodes so far."""

    name: str
    decisions: int = 0
    """Number of decisions of the bot."""
    strikes: dict[str, int] = field(default_factory=dict)
    """Faults by reason; one decision may have several."""
    last_strikes: list[Strike] = field(default_factory=list)
    """The latest faults in detail, at most 20."""
    restarts: int = 0
    """Number of restarts after a fault."""
    forfeited: bool = False
    """Whether the bot is no longer queried and only checks and folds."""
    seconds: float = 0.0
    """Wall time spent waiting for its answers."""
    hands: int = 0
    """Number of hands played to the end."""
    episodes: int = 0
    """Number of tournaments and cash games played to the end."""
    last_words: str = ""
    """End of the standard error of the last process that wrote to it."""
    invalid: InvalidDecisions = field(default_factory=InvalidDecisions)
    """Decisions without a valid answer, by reason; after a forfeit all of them."""

    @property
    def failed(self) -> int:
        """Number of decisions without a valid answer, which became a check or fold."""
        return self.invalid.total

    def add(self, fault: BotFault) -> None:
        """Count a fault."""
        self.strikes[fault.reason] = self.strikes.get(fault.reason, 0) + 1
        self.last_strikes.append(Strike(fault.reason, fault.detail, self.decisions))
        del self.last_strikes[:-_LAST_STRIKES]

    def check_plays(self) -> None:
        """Check that the bot has not forfeited, so that results are its own.

        Raises:
            RuntimeError: It has.
        """
        if self.forfeited:
            last = self.last_strikes[-1] if self.last_strikes else None
            why = f"; its last fault: {last.reason}: {last.detail}" if last is not None else ""
            raise RuntimeError(f"{self.name} has forfeited, which stops the match{why}")

    def error_output(self) -> str:
        """Last lines of ``last_words`` without control characters, safe to print."""
        lines = self.last_words.splitlines()[-_LINES_SHOWN:]
        shown = (printable(line).rstrip() for line in lines)
        return "\n".join(shown).strip("\n")

    def __str__(self) -> str:
        mean = 1000 * self.seconds / self.decisions if self.decisions else 0.0
        lines = [
            f"{self.name}: {self.decisions} decisions, {self.failed} without a valid answer, "
            f"{self.restarts} restarts, {mean:.2f} ms a decision"
            + (", forfeited" if self.forfeited else "")
        ]
        if invalid := self.invalid.text(self.decisions):
            lines.append(f"  {invalid}")
        lines += [f"  {reason}: {count}" for reason, count in sorted(self.strikes.items())]
        if self.last_strikes:
            last = self.last_strikes[-1]
            lines.append(f"  last at decision {last.decision}: {last.reason}: {last.detail}")
            if words := self.error_output():
                lines += ["  the end of its error output:", textwrap.indent(words, "    ")]
        return "\n".join(lines)
