"""Matches dealt beforehand."""

import numpy as np
import pytest

from agents.exploitability.hand_metrics import classes_of, preflop_metrics
from agents.theses.bonson.dealt import CATEGORIES, MatchLibrary
from agents.theses.bonson.dealt.library import make_deals
from nlhe_env.equity.tables.cells import preflop_class


@pytest.fixture(scope="session")
def small_library() -> MatchLibrary:
    """Matches to train on, 150 of each category: few deals, since measuring them takes seconds."""
    rng = np.random.default_rng(4)
    cards = np.argpartition(rng.random((12_000, 52)), 9, axis=1)[:, :9].astype(np.int8)
    holes = cards[:, :4].reshape(-1, 2, 2)
    strength = preflop_metrics()[:, 0]
    classes = classes_of([[strength[preflop_class(*hole)] for hole in hands] for hands in holes])
    categories = classes @ (3, 1)
    # The other side of a deal is a match of the mirrored category.
    chosen = np.concatenate([np.flatnonzero(categories == i)[:75] for i in range(CATEGORIES)])
    return MatchLibrary(make_deals(holes[chosen], cards[chosen, 4:]))


@pytest.fixture
def library(small_library, monkeypatch) -> MatchLibrary:
    """The small library in place of the one that runs load."""
    for module in ("match_schedule", "studies.models"):
        monkeypatch.setattr(f"evolve.theses.bonson.{module}.load_matches", lambda: small_library)
    return small_library
