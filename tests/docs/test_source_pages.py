"""Pages on the published sources name files that exist, and give a reason for what is missing."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs/theses").glob("*/sections.md"))
FILE = re.compile(r"`([\w./-]+\.(?:py|npz|toml))`")


def rows(page: Path) -> list[list[str]]:
    """Cells of the rows of all tables, heads and rules left out."""
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if row[0] not in ("part", "---")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_files_and_tests_of_a_source_exist(page: Path) -> None:
    named = FILE.findall(page.read_text())
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_part_has_a_file_or_a_reason(page: Path) -> None:
    found = rows(page)
    assert found
    for row in found:
        assert len(row) == 4, row
        part, here, _, result = row
        assert result, part
        assert here or "because" in result, part
        assert "not run" not in result or "because" in result, part


def test_all_four_sources_have_a_page() -> None:
    assert [page.parent.name for page in PAGES] == ["billings", "bonson", "li", "nicolai"]
