"""A finished run, and a thread to play."""

from collections.abc import Iterator

import pytest
from training_runs import evolve

from agents.match.workers.base import Workers, thread_workers
from evolve.training.folder import RunFolder


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
def workers() -> Iterator[Workers]:
    """One thread."""
    with thread_workers(1) as one:
        yield one
