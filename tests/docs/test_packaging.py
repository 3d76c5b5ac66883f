"""What a package index shows and installs."""

import re
import runpy
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import nlhe_env

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]
ADDRESS = "https://github.com/Someone/nlhe-env"
ORIGINAL = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The module that hatchling calls; hatchling itself is only there when a package is built."""
    name = "hatchling"
    for part in ("", ".metadata", ".plugin", ".interface"):
        name += part
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    interface = sys.modules[name]
    interface.MetadataHookInterface = object  # type: ignore[attr-defined]
    return runpy.run_path(str(ROOT / HOOK["path"]))


@pytest.fixture
def metadata(page: dict[str, Any]) -> Any:
    def make(address: str) -> dict[str, Any]:
        hook = page["IndexPage"]()
        hook.root, hook.config = str(ROOT), {"address": address}
        found: dict[str, Any] = {}
        hook.update(found)
        return found

    return make


def test_readme_without_an_address_links_only_to_other_sites(metadata: Any) -> None:
    text = metadata("")["readme"]["text"]
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert "https://pettingzoo.farama.org" in links
    assert all(link.startswith("https://") for link in links)
    assert "![" not in text
    for words in (
        "101 pairs of models. In 3 of these pairs the difference is significant",
        "All pages, from the tutorials",
    ):
        assert words in " ".join(text.split())


def test_readme_on_an_index_links_to_files_of_the_version(metadata: Any) -> None:
    text = metadata(ADDRESS + "/")["readme"]["text"]
    tag = f"v{nlhe_env.__version__}"
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)]*)\)", text)
    assert all(link.startswith("https://") for _, link in links)
    here = [link for _, link in links if link.startswith(ADDRESS)]
    assert len(here) == len(re.findall(r"\]\((?!https?:)", ORIGINAL))
    for link in here:
        kind = "raw" if link.endswith((".gif", ".png")) else "blob"
        path = link.removeprefix(f"{ADDRESS}/{kind}/{tag}/")
        assert (ROOT / path.partition("#")[0]).is_file()


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_readme_on_an_index_keeps_code(metadata: Any, address: str) -> None:
    text = metadata(address)["readme"]["text"]
    code = re.findall(r"^```.*?^```", ORIGINAL, re.MULTILINE | re.DOTALL)
    assert code
    assert all(block in text for block in code)


def test_addresses_of_the_project_come_from_one(metadata: Any) -> None:
    assert metadata("")["urls"] == {}
    urls = metadata(ADDRESS)["urls"]
    assert urls["Repository"] == ADDRESS
    assert urls["Documentation"] == "https://someone.github.io/nlhe-env/"
    assert "Documentation" not in metadata("https://example.org/nlhe-env")["urls"]


def test_the_address_stands_in_one_place() -> None:
    """Other files have none that could be left behind."""
    address = HOOK["address"]
    files = ["README.md", "AGENTS.md", "CITATION.cff", "docs/conf.py", "docs/releasing.md"]
    assert not address or not [
        name for name in files if address in (ROOT / name).read_text(encoding="utf-8")
    ]


def test_source_distribution_has_what_the_readme_links_to() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for link in re.findall(r"\]\((?!https?:)([^)#]*)", ORIGINAL):
        assert "/" + link.split("/")[0] in included


def test_first_page_is_short() -> None:
    """At most 20 links that lead on, by what a person wants to do."""
    assert len(re.findall(r"(?<!!)\[[^\]]*\]\(", ORIGINAL)) <= 20
