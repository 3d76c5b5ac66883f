"""A finished run, and matches dealt beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from training_runs import evolve

from agents.match.dealt import CATEGORIES, MatchLibrary
from agents.match.dealt.library import make_deals
from agents.players.programs.hand_metrics import classes_of, preflop_metrics
from evolve.training.folder import RunFolder
from nlhe_env.equity.tables.cells import preflop_class


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A finished run of two generations, for tests that change nothing in it."""
    runs = tmp_path_factory.mktemp("runs")
    small = (
        "--generations 2 --population 12 --elites 3 --hall-of-fame 0 --tournaments 2 --workers 1"
    )
    flags = [*small.split(), "--progress-tournaments", "0", "--runs", str(runs)]
    assert evolve("train", "--preset", "quick", *flags) == 0
    return RunFolder.latest(runs)


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
    for module in ("opponents.point_opponents", "studies.symbiosis.models"):
        monkeypatch.setattr(f"evolve.{module}.load_matches", lambda: small_library)
    return small_library
