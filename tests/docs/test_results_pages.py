"""Findings on the pages of results say what the tables of their pages say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    *sorted((DOCS / "results").glob("*.md")),
    *(page for page in sorted((DOCS / "theses").rglob("*.md")) if "**Finding" in page.read_text()),
]
EVERY_PAGE = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix()
)
MINUS = "\N{MINUS SIGN}"
NUMBER = re.compile(rf"(?<![\w.,:-])[+{MINUS}-]?\d+(?:,\d{{3}})*(?:\.\d+)?(?![\w:])%?")
WITH_ERROR = re.compile(rf"({NUMBER.pattern}) ± ({NUMBER.pattern})")
NOT_MEASURED = re.compile(r"\b\d+% interval|\b\d+ [A-Z][a-z]+ \d{4}\b|\bper 100 hands\b")
COUNT = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|\d+)"
SEEDS = re.compile(rf"\b{COUNT}\b(?: [\w-]+){{0,2}} (?:seeds?|runs?)\b|\bseed \d", re.IGNORECASE)
COMMAND = re.compile(r"\b(?:nlhe|python) [\w./-]+|\bimport agents\b|`[\w.]+\([^`]*\)`")
REPRODUCED = ("How to reproduce it", "How it was run")


def plain(text: str) -> str:
    """Text on one line, without code, targets of links, emphasis, dates, levels and units."""
    text = re.sub(r"`[^`]*`", "X", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = " ".join(re.sub(r"[*\[\]]", "", text).split())
    return NOT_MEASURED.sub("", text)


def findings(text: str) -> list[str]:
    """The findings of a page: each a paragraph, with the list that follows it."""
    found = []
    for block in text.split("**Finding.**")[1:]:
        paragraphs = block.split("\n\n")
        listed = 1
        while re.match(r"- |\d+\. ", paragraphs[listed]):
            listed += 1
        found.append(plain("\n".join(paragraphs[:listed])))
    return found


def cells(text: str) -> list[str]:
    """Cells of all tables of a page, with their heads."""
    rows = [line for line in text.splitlines() if line.lstrip().startswith("|")]
    return [plain(cell) for row in rows for cell in row.strip().strip("|").split(" | ")]


def value(number: str) -> str:
    """A number without the form it is written in: its sign, separators and unit."""
    return number.lstrip(f"+{MINUS}-").replace(",", "").rstrip("%")


def faults(text: str) -> list[str]:
    """What findings of a page say without, or differently from, its tables."""
    found, table = [], cells(text)
    known = {value(number) for cell in table for number in NUMBER.findall(cell)}
    exact = {value(number) for cell in table for number in NUMBER.findall(WITH_ERROR.sub("", cell))}
    estimates = {tuple(map(value, both)) for cell in table for both in WITH_ERROR.findall(cell)}
    estimated = {mean for mean, _ in estimates} - exact
    for finding in findings(text):
        numbers = [value(number) for number in NUMBER.findall(finding)]
        said = [tuple(map(value, both)) for both in WITH_ERROR.findall(finding)]
        alone = [value(number) for number in NUMBER.findall(WITH_ERROR.sub("", finding))]
        found += [f"{number} stands in no table" for number in numbers if number not in known]
        found += [f"{mean} stands in a table with its error" for mean in alone if mean in estimated]
        found += [
            f"{mean} has another error than {error} in its table"
            for mean, error in said
            if mean in estimated and (mean, error) not in estimates
        ]
        if numbers and not SEEDS.search(finding):
            found.append("a finding does not say how many seeds it is from")
    return found


def tables_without_command(text: str) -> list[str]:
    """Sections with a table for which the page names no command."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    titles = [section.partition("\n")[0] for section in sections]
    if COMMAND.search(" ".join(sections[0].split())) or set(titles) & set(REPRODUCED):
        return []
    return [
        title
        for title, section in zip(titles, sections, strict=True)
        if "\n| ---" in section and not COMMAND.search(" ".join(section.split()))
    ]


@EVERY_PAGE
def test_findings_say_what_the_tables_say(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert findings(text)
    assert faults(text) == []


@EVERY_PAGE
def test_every_table_names_its_command(page: Path) -> None:
    assert tables_without_command(page.read_text(encoding="utf-8")) == []


TABLE = "\n\n| player | place |\n| --- | --- |\n| a | 2.97 ± 0.14 |\n| published | 2.85 |\n"


@pytest.mark.parametrize(
    ("finding", "fault"),
    [
        ("A place of 2.97 ± 0.14 over eight seeds; published 2.85.", None),
        ("A place of 2.97 over eight seeds.", "stands in a table with its error"),
        ("A place of 2.97 ± 2.85 over eight seeds.", "another error"),
        ("A place of 2.98 ± 0.14 over eight seeds.", "2.98 stands in no table"),
        ("A place of 2.97 ± 0.14.", "how many seeds"),
        ("One is ahead over eight seeds:\n\n- by 0.5\n\nElse by 3.", "0.5 stands in no table"),
    ],
)
def test_faults_of_a_finding_are_found(finding: str, fault: str | None) -> None:
    found = faults(f"**Finding.** {finding}{TABLE}")
    assert [fault in sentence for sentence in found] == [True] if fault else found == []


def test_a_table_without_a_command_is_found() -> None:
    page = f"# A page\n\n## Here{TABLE}\n## There\n\n`nlhe league a b`{TABLE}"
    assert tables_without_command(page) == ["Here"]
    assert tables_without_command(f"{page}\n## How to reproduce it\n\n`nlhe train`\n") == []
