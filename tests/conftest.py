"""Options of the test run, and what several files need."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import numpy as np
import pytest

from nlhe_env.equity.tables import store
from nlhe_env.equity.tables.lookup import TABLES
from nlhe_env.jit.array_types import Records

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("nlhe-env", deadline=None)
hypothesis.settings.load_profile("nlhe-env")

TESTS = Path(__file__).parent
SLOW_FOLDERS = (TESTS / "browser", TESTS / "clients")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/*.txt anew; read the difference before committing it",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(folder in item.path.parents for folder in SLOW_FOLDERS):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def built_strength(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The strength tables, built by one thread.

    They are read from a file that is mapped read-only: a kernel that writes to memory not its own,
    and meets them, ends the process there and then, with the stacks of all threads.
    """
    file = tmp_path_factory.mktemp("built") / "strength.npy"
    np.save(file, store.build_tables(n_threads=1))
    records: Records = np.load(file, mmap_mode="r").view(np.ndarray).view(TABLES)
    return records
