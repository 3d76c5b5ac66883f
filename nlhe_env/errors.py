"""Errors that callers may want to tell apart."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the state is untouched."""


class TableFileError(RuntimeError):
    """A strength table on disk is damaged or of another version."""
