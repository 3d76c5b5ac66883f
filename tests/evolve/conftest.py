"""Fixtures for tests of matches dealt beforehand."""

from __future__ import annotations

import pytest

from agents.match.dealt import MatchLibrary, make_matches


@pytest.fixture(scope="session")
def small_library() -> MatchLibrary:
    """Matches to train on; making them takes seconds."""
    return make_matches(8000, seed=4)


@pytest.fixture
def library(small_library, monkeypatch) -> MatchLibrary:
    """The small library in place of the one that runs load."""
    for module in ("opponents.point_opponents", "studies.symbiosis.models"):
        monkeypatch.setattr(f"evolve.{module}.load_matches", lambda: small_library)
    return small_library
