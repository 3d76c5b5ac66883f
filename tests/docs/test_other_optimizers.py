"""Optimizers of other libraries search with ``evolve.Objective`` as their page says."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_, PAGE = (
    (Path(__file__).parents[2] / "docs" / "optimizers.md")
    .read_text()
    .split("\n## Optimizers of other libraries\n")
)
FIRST, *LIBRARIES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
MODULES = {"pycma": "cma", "pyribs": "ribs"}


def names() -> list[str]:
    return re.findall(r"^### (py\w+|nevergrad|evosax)$", PAGE, re.MULTILINE)


def objective_of_page(generations: int) -> dict[str, Any]:
    """What the first block of the page defines, with fewer generations."""
    namespace: dict[str, Any] = {}
    code = re.sub(r"GENERATIONS = \d+", f"GENERATIONS = {generations}", FIRST)
    exec(compile(code, "page", "exec"), namespace)
    return namespace


def test_every_library_has_a_block():
    assert names() == ["pycma", "nevergrad", "evosax", "pymoo", "pyribs"]
    assert len(LIBRARIES) == 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), list(zip(names(), LIBRARIES, strict=True)), ids=names())
@pytest.mark.filterwarnings("ignore")  # of libraries that are not ours
def test_library_finds_a_better_player(name, code):
    module = MODULES.get(name, name)
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{name} is not installed")
    namespace = objective_of_page(generations=12)
    exec(compile(code, "page", "exec"), namespace)
    objective = namespace["objective"]
    rows = np.array([objective.start, namespace["found"]])
    before, after = objective.at(1000)(rows)
    assert after < before
