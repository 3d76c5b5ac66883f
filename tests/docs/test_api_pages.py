"""Pages of the API reference have an example that runs, and their picture is up to date."""

import doctest
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in sorted((DOCS / "api").glob("*.rst")) if page.stem != "index"]
SLOW = ("bench", "coach", "exploitability", "solvers")
"""Pages whose examples take more than three seconds."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.slow] * (page.stem in SLOW))
        for page in PAGES
    ],
)
def test_example_gives_the_output_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted
    assert not result.failed


def test_picture_shows_the_documented_pages() -> None:
    script = runpy.run_path(str(DOCS / "layers.py"))
    assert (DOCS / "images" / "layers.svg").read_text(encoding="utf-8") == script["picture"]()
    listed = [title for _, titles in script["groups"]() for title in titles]
    assert len(listed) == len(PAGES)
