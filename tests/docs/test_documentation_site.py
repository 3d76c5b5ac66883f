"""The pages hang together: links lead somewhere, the navigation has every page, names are there."""

import importlib
import inspect
import posixpath
import pydoc
import re
from dataclasses import fields
from pathlib import Path

import pytest

import nlhe_env

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MARKDOWN = [
    *(ROOT / name for name in ("README.md", "AGENTS.md", "CHANGELOG.md")),
    *sorted(DOCS.rglob("*.md")),
]
REFERENCE = sorted((DOCS / "api").glob("*.rst"))

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
NAVIGATION = (
    re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL),
    re.compile(r"^\.\. toctree::\n((?:   .*\n|\n)*)", re.MULTILINE),
)


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in HEADING.findall(text)
    }


def broken_links(page: Path) -> list[str]:
    """Relative links of a Markdown page that lead to no file, or to no heading of one."""
    broken = []
    for link in LINK.findall(CODE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", link):  # another host
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.is_file() or (anchor and anchor not in anchors(target.read_text())):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_exist(page: Path) -> None:
    assert broken_links(page) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A b\n[a](#a-b) [b](#b) ![c](c.png) [d](page.md#a-b) [e](page.md#e) `[f](f)`\n"
    )
    assert broken_links(page) == ["#b", "c.png", "page.md#e"]


def pages_below(page: Path) -> set[Path]:
    """The pages that the navigation of one page leads to, and theirs."""
    found = set()
    for pattern in NAVIGATION:
        for block in pattern.findall(page.read_text()):
            for line in block.split("\n"):
                entry = re.sub(r"^.*<(.+)>$", r"\1", line.strip())  # Title <page>
                if not entry or entry.startswith(":"):
                    continue
                (child,) = page.parent.glob(f"{entry}.[mr][ds]*")
                found |= {child} | pages_below(child)
    return found


def test_every_page_is_in_the_navigation() -> None:
    pages = {*DOCS.rglob("*.md"), *DOCS.rglob("*.rst")} - {DOCS / "index.md"}
    missing = {str(page.relative_to(DOCS)) for page in pages - pages_below(DOCS / "index.md")}
    assert not missing, f"add to a toctree in docs/index.md: {sorted(missing)}"


def test_readme_links_to_every_page() -> None:
    """On GitHub there is no navigation: links lead everywhere, maybe by way of other pages."""
    seen: set[Path] = set()
    unread = [ROOT / "README.md"]
    while unread:
        page = unread.pop()
        seen.add(page)
        for link in LINK.findall(page.read_text()):
            target = Path(posixpath.normpath(page.parent / link.partition("#")[0]))
            if target.suffix == ".md" and target.is_file() and target not in {*seen, *unread}:
                unread.append(target)
    assert set(DOCS.rglob("*.md")) - seen == set()


@pytest.mark.parametrize(
    "package",
    [
        *("nlhe_env", "agents", "agents.acpc", "agents.external.chat", "agents.external.process"),
        *("agents.players.networks", "evolve.optimizers", "nlhe_env.evaluator"),
        *("nlhe_env.hand_history", "nlhe_env.kernels", "agents.kernels", "evolve"),
    ],
)
def test_api_reference_lists_all_public_names(package: str) -> None:
    text = "\n".join(page.read_text() for page in REFERENCE)
    if re.search(rf"automodule:: {re.escape(package)}\n   :members:\n", text):
        return
    documented = {
        name.rpartition(".")[2]
        for name in re.findall(r"^\.\. (?:auto|py:)\w+:: (\S+)$", text, re.MULTILINE)
    }
    for name in re.findall(r"^\.\. automodule:: (\S+)\n   :members:$", text, re.MULTILINE):
        home = pydoc.locate(name)  # an attribute of a face, such as nlhe_env.what_if
        here = {key for key, value in vars(home).items() if value.__class__.__name__ != "module"}
        documented |= set(getattr(home, "__all__", here))
    module = importlib.import_module(package)
    public = {name for name in module.__all__ if not inspect.ismodule(getattr(module, name))}
    public -= {"__version__"}
    assert public <= documented, f"add to a page in docs/api: {sorted(public - documented)}"


def rows(page: str, heading: str) -> dict[str, str]:
    """First and second column of the table under a heading of ``environment.md``."""
    text = (DOCS / page).read_text().split(f"\n{heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.MULTILINE))


def test_table_of_arguments_matches_the_code() -> None:
    shown = rows("environment.md", "## Arguments")
    arguments = inspect.signature(nlhe_env.raw_env).parameters
    defaults = {name: argument.default for name, argument in arguments.items() if name != "rules"}
    defaults |= {rule.name: rule.default for rule in fields(nlhe_env.Game) if rule.name != "score"}
    assert sorted(shown) == sorted(defaults)
    for name, default in defaults.items():
        assert eval(shown[name].strip("`")) == default, name


def test_shape_of_observations_matches_the_code() -> None:
    page = (DOCS / "observations.md").read_text()
    kinds = re.findall(r"^\| \[`\"(\w+)\"`\]\([^)]*\) \| (\d+)", page, re.MULTILINE)
    named = (DOCS / "environment.md").read_text().split("| `observation` |")[1].split("\n")[0]
    assert re.findall(r'`"(\w+)"`', named) == ["cards", *(kind for kind, _ in kinds)]
    for kind, size in kinds:
        env = nlhe_env.raw_env(observation=kind)
        space = env.observation_space("player_0")["observation"]  # type: ignore[index]
        assert space.shape == (int(size),)
    assert str(env.action_space("player_0")) == "Discrete(5)"


def test_versions_agree() -> None:
    assert f"\nversion: {nlhe_env.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    for page in (DOCS / "about.md", ROOT / "README.md"):
        assert f"version = {{{nlhe_env.__version__}}}" in page.read_text()
