"""What a package index shows and installs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def readme_on_an_index() -> str:
    """The README after the substitutions that the build makes."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for substitution in hook["substitutions"]:
        text = re.sub(substitution["pattern"], substitution["replacement"], text)
    return text


def test_readme_on_an_index_links_only_to_other_sites() -> None:
    text = readme_on_an_index()
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert "https://pettingzoo.farama.org" in links
    assert all(link.startswith("https://") for link in links)
    assert "![" not in text


def test_readme_on_an_index_keeps_all_words() -> None:
    """All but the picture and the targets of links."""
    text = readme_on_an_index()
    original = (ROOT / "README.md").read_text(encoding="utf-8")
    picture = "A hand of six players"
    assert picture in original
    assert picture not in text
    for words in ("Loki to Vexbot (Billings)", "The environment also", "`CITATION.cff`"):
        assert words in text
    code = re.findall(r"^```.*?^```", original, re.MULTILINE | re.DOTALL)
    assert code
    assert all(block in text for block in code)
