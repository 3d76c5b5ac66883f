"""Exception types of the package."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An illegal action; the state is unchanged.

    Args:
        problem: The legal actions and the given one.
        consequence: Effect on the state, as a sentence without its full stop.
    """

    def __init__(self, problem: str, consequence: str = "") -> None:
        super().__init__(problem, consequence)
        self.problem = problem
        """What is legal, and what was given."""
        self.consequence = consequence
        """What happened to the state."""

    def __str__(self) -> str:
        return f"{self.problem}. {self.consequence}" if self.consequence else self.problem


class DamagedFileError(RuntimeError):
    """The content of a file was damaged after writing."""


class TableFileError(RuntimeError):
    """A strength table on disk is damaged or of another version."""
