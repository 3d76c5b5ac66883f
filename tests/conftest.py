"""Options of the test run, and what several files need."""

from __future__ import annotations

import hypothesis
import pytest

from nlhe_env.equity.tables import store
from nlhe_env.machine.array_types import Records

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("nlhe-env", deadline=None)
hypothesis.settings.load_profile("nlhe-env")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/*.txt anew; read the difference before committing it",
    )


@pytest.fixture(scope="session")
def built_strength() -> Records:
    """The strength tables, built by one thread."""
    records = store.build_tables(n_threads=1)
    records.setflags(write=False)
    return records
