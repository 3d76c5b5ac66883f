"""Options of the test run, and what several files need."""

import builtins
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

from nlhe_env.equity.tables import store
from nlhe_env.equity.tables.lookup import TABLES
from nlhe_env.jit.array_types import Records

# How long an example takes depends on what else the machine does. Each run tries other examples,
# but not where a failure must be one of the change that is checked.
hypothesis.settings.register_profile(
    "nlhe-env", deadline=None, max_examples=40, derandomize="CI" in os.environ
)
hypothesis.settings.load_profile("nlhe-env")

TESTS = Path(__file__).parent
PACKAGES = ("nlhe_env", "agents", "evolve")
collect_ignore = ["conftest.py"]  # it has no examples, and would be mistaken for others of its name
SLOW_FOLDERS = (f"{TESTS / 'browser'}{os.sep}", f"{TESTS / 'clients'}{os.sep}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write tests/golden/*.txt anew; read the difference before committing it",
    )


def pytest_configure() -> None:
    builtins.sum = without_floats(sum)


def without_floats(built_in: Callable[..., Any]) -> Callable[..., Any]:
    """The built-in ``sum``, which refuses to add floats for the packages.

    Since Python 3.12 it compensates errors of rounding, so its last bits depend on the version of
    Python; those of ``math.fsum`` and NumPy do not.
    """

    @wraps(built_in)  # PyTorch looks at the signature
    def total(numbers: Any, /, start: Any = 0) -> Any:
        found = built_in(numbers, start)
        if type(found) is float:
            caller = sys._getframe(1).f_globals["__name__"]
            assert caller.partition(".")[0] not in PACKAGES, f"{caller} adds floats by sum()"
        return found

    return total


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(SLOW_FOLDERS):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def built_strength(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The strength tables, built by one thread, once for all processes of a test run.

    They are read from a file that is mapped read-only: a kernel that writes to memory not its own,
    and meets them, ends the process there and then, with the stacks of all threads.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # of all workers
    file = folder / "strength.npy"
    if not file.exists():
        made = tmp_path_factory.mktemp("built") / file.name
        np.save(made, store.build_tables(n_threads=1))
        made.replace(file)
    records: Records = np.load(file, mmap_mode="r").view(np.ndarray).view(TABLES)
    return records


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer that waits for clients for a moment only."""
    from agents.acpc import TimeLimits, dealer

    monkeypatch.setattr(dealer, "TimeLimits", partial(TimeLimits, start=0.01))


@pytest.fixture
def registers() -> Iterator[None]:
    """What the test registers is forgotten afterwards."""
    from agents.player_records import KIND_MODULES
    from agents.policy import kinds
    from evolve.genomes import GENOMES
    from evolve.opponents import OPPONENTS
    from evolve.optimizers import OPTIMIZERS
    from evolve.training.config import SCHEDULES
    from evolve.training.fitness import FITNESS
    from nlhe_env.spaces import observations

    evolved = (GENOMES, OPTIMIZERS, OPPONENTS, SCHEDULES, FITNESS)
    registers = (*evolved, observations._observations, kinds._kinds)
    known = [set(register) for register in registers]
    yield
    for register, before in zip(registers, known, strict=True):
        for name in set(register) - before - set(KIND_MODULES):  # ours are imported once
            del register[name]
