"""The tutorials run, with a small budget, and make the pictures that they show."""

import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "docs" / "run_tutorials.py"))
PAGES = TOOL["pages"]()
LARGEST_PICTURE = 100_000  # bytes
SLOW = ("adapting", "how-sure")
"""Pages that take more than three seconds: ``test_printed_outputs`` runs them, with all others."""


def needs(page: Path) -> list[pytest.MarkDecorator]:
    """What a page asks for beyond the development installation."""
    if page.stem != "reinforcement-learning":
        return []
    missing = importlib.util.find_spec("sb3_contrib") is None
    return [
        pytest.mark.skipif(missing, reason="sb3_contrib is not installed: pip install '.[rl]'"),
        # Of libraries that are not ours.
        pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=needs(page))
        for page in PAGES
        if page.stem not in SLOW
    ],
)
def test_tutorial_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    text = page.read_text()
    try:
        written = TOOL["run_page"](text, small=True)
    finally:
        plt.close("all")
    for name in TOOL["pictures"](text):
        assert (tmp_path / name).stat().st_size > 1000, f"the page does not draw {name}"
    # The page holds the outputs of its code. (In a small run a block may find nothing to print.)
    assert text.count("```text") >= written.count("```text") > 0


def test_every_stored_picture_is_shown() -> None:
    shown = {name for page in PAGES for name in TOOL["pictures"](page.read_text())}
    assert shown == {file.name for file in TOOL["PICTURES"].iterdir()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_small_pictures_and_a_budget_for_tests(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    assert TOOL["pictures"](text), "a tutorial has at least one picture"
    for name in TOOL["pictures"](text):
        assert (TOOL["PICTURES"] / name).stat().st_size < LARGEST_PICTURE
    first = re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert first is not None
    namespace: dict[str, object] = {}
    exec(first[1], namespace)
    assert TOOL["_small_budget"](text, namespace)


def test_index_lists_every_tutorial() -> None:
    index = (ROOT / "docs" / "tutorials" / "index.md").read_text()
    for page in PAGES:
        assert f"({page.name})" in index


PAGE = """
```python
HANDS = 1_000
```

<!-- tests: HANDS = 3 -->

```python
print(HANDS)
```
"""


def test_test_budget_replaces_the_page_budget() -> None:
    assert "\n```text\n1000\n```" in TOOL["run_page"](PAGE)
    assert "\n```text\n3\n```" in TOOL["run_page"](PAGE, small=True)


def test_an_old_output_is_replaced() -> None:
    once = TOOL["run_page"](PAGE, small=True)
    assert TOOL["run_page"](once).count("```text") == 1
    assert "\n```text\n1000\n```" in TOOL["run_page"](once)


def test_hidden_output_is_left_out() -> None:
    page = PAGE.replace("print(HANDS)\n```\n", "print(HANDS)\n```\n<!-- output not shown -->\n")
    assert TOOL["run_page"](page) == page


@pytest.mark.parametrize(
    ("comment", "message"),
    [("<!-- tests: GAMES = 3 -->", "does not set GAMES"), ("", "no comment")],
)
def test_a_budget_that_cannot_be_replaced_is_reported(comment: str, message: str) -> None:
    page = PAGE.replace("<!-- tests: HANDS = 3 -->", comment)
    with pytest.raises(ValueError, match=message):
        TOOL["run_page"](page, small=True)


def test_a_page_is_found_by_its_name_or_path(monkeypatch: pytest.MonkeyPatch) -> None:
    page = TOOL["TUTORIALS"] / "evolve.md"
    monkeypatch.chdir(ROOT)
    for name in ("evolve", "evolve.md", "docs/tutorials/evolve.md", str(page)):
        assert TOOL["find_page"](name) == page


def test_an_unknown_page_gives_an_error_that_lists_the_pages() -> None:
    script = str(ROOT / "docs" / "run_tutorials.py")
    ended = subprocess.run([sys.executable, script, "nowhere"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert "error: there is no tutorial 'nowhere'; there are adapting, change-one" in ended.stderr
    assert "Traceback" not in ended.stderr
