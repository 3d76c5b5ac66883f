"""The README's table beside other packages says of this one what the probes see."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def rows() -> dict[str, list[str]]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("<!-- comparison -->\n")[1].split("<!-- end of comparison -->")[0]
    lines = [re.split(r" *\| *", line)[1:-1] for line in table.splitlines()]
    return {row: cells for row, *cells in lines if row != "---"}


@pytest.mark.slow
def test_our_column_is_what_the_probes_see(
    rows: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ROOT / "tests" / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    script = runpy.run_path(str(folder / "compare_packages.py"))
    assert list(rows) == ["feature", *script["ROWS"], "Steps per second"]
    assert rows["feature"] == list(script["PACKAGES"])
    ours = [cells[0] for row, cells in rows.items() if row in script["ROWS"]]
    assert ours == script["column"]("nlhe-env")
