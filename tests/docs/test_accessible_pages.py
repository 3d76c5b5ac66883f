"""Pages can be read by ear: one title, headings in steps, words for pictures, table headers."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
PICTURE = re.compile(r"!\[([^\]]*)\]")
TABLE_HEAD = re.compile(r"^(\|.*\|)\n\|(?: *:?-+:? *\|)+$", re.MULTILINE)


def barriers(page: str) -> list[str]:
    """Barriers to navigating a page with a screen reader."""
    text = BLOCK.sub("", page)
    levels = [len(marks) for marks in HEADING.findall(text)]
    found = []
    if levels and (levels[0] != 1 or levels.count(1) != 1):
        found.append("the page needs one title, before all other headings")
    if any(below - above > 1 for above, below in pairwise(levels)):
        found.append("a level of headings is skipped")
    found += ["a picture without words" for words in PICTURE.findall(text) if not words]
    for row in TABLE_HEAD.findall(text):
        if not all(cell.strip() for cell in row.strip("|").split("|")):
            found.append(f"a column without a header: {row}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_is_readable_by_a_screen_reader(page: Path) -> None:
    assert barriers(page.read_text()) == []


@pytest.mark.parametrize(
    ("page", "barrier"),
    [
        ("## Second\n", "one title"),
        ("# One\n\n# Two\n", "one title"),
        ("# One\n\n### Three\n", "skipped"),
        ("# One\n\n![](a.png)\n", "without words"),
        ("# One\n\n| | b |\n| --- | --- |\n| 1 | 2 |\n", "without a header"),
    ],
)
def test_accessibility_barriers_are_found(page: str, barrier: str) -> None:
    (found,) = barriers(page)
    assert barrier in found


def test_code_blocks_have_no_headings() -> None:
    assert barriers("# One\n\n```sh\n# a comment\n### another\n```\n") == []
