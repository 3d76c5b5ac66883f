"""Decisions of external players without a valid answer: counts, examples and limits.

Such a decision becomes a check or fold, so that the result is not the player's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nlhe_env.arguments import printable, shown, whole_number
from nlhe_env.system.json_text import check_fields

MOST_IN_A_ROW = 10
"""Number of decisions in a row without a valid answer that stops a match."""
WARNING_SHARE = 0.01
"""Share of invalid decisions above which reports warn."""
MOST_SHARE = 0.2
"""Share of invalid decisions above which a player is not rated."""

_MOST_SHOWN = 200


@dataclass
class InvalidDecisions:
    """Decisions without a valid answer, by reason.

    Attributes:
        counts: Number of decisions by reason.
        examples: The first example of each reason.
        in_a_row: Number of the latest decisions that were all invalid.
        last: Reason and example of the latest one.
    """

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    in_a_row: int = 0
    last: tuple[str, str] = ("", "")

    @property
    def total(self) -> int:
        """Number of decisions."""
        return sum(self.counts.values())

    def add(self, reason: str, example: str) -> None:
        """Count a decision.

        Args:
            reason: Short kind of the fault.
            example: What happened and what was expected; control characters become blanks.
        """
        shown = printable(example[:_MOST_SHOWN])
        self.counts[reason] = self.counts.get(reason, 0) + 1
        self.examples.setdefault(reason, shown)
        self.in_a_row += 1
        self.last = reason, shown

    def merge(self, later: InvalidDecisions) -> None:
        """Add later decisions."""
        for reason, count in later.counts.items():
            self.counts[reason] = self.counts.get(reason, 0) + count
            self.examples.setdefault(reason, later.examples[reason])

    def share(self, decisions: int) -> float:
        """Share of all decisions; 0 before the first."""
        return self.total / decisions if decisions else 0.0

    def text(self, decisions: int) -> str:
        """Sentence with the share, the commonest reason and an example; empty if there are none.

        Args:
            decisions: Number of all decisions.
        """
        if not self.total:
            return ""
        reason = max(self.counts, key=lambda reason: self.counts[reason])
        share = self.share(decisions)
        warning = "WARNING: " if share > WARNING_SHARE else ""
        return (
            f"{warning}{self.total:,} of {decisions:,} decisions ({100 * share:.3g} %) were not "
            "the player's own: without a valid answer it checks or folds; most often "
            f"{reason} ({self.counts[reason]:,}), such as: {self.examples[reason]}"
        )

    def why_stopped(self, name: str) -> str:
        """Message of the error that stops the match of a player."""
        return (
            f"{name} has given no valid answer in {self.in_a_row} decisions in a row, which stops "
            f"the match; the last one was {': '.join(self.last)}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Counts and examples as plain values."""
        return {"counts": dict(self.counts), "examples": dict(self.examples)}

    @classmethod
    def from_dict(cls, values: Any) -> InvalidDecisions:
        """Counts and examples from the values of ``as_dict``.

        Raises:
            ValueError: They are not such values.
        """
        if not isinstance(values, dict):
            raise ValueError(f"invalid must be an object; got {shown(values)}")
        check_fields(values, {"counts": dict, "examples": dict})
        counts, examples = values["counts"], values["examples"]
        check_fields(examples, dict.fromkeys(counts, str))
        for reason, count in counts.items():
            whole_number(f"the count of {shown(reason)}", count, least=1)
        return cls(dict(counts), {reason: examples[reason] for reason in counts})
