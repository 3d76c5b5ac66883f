"""Users and pages need only public names, and import nothing from inside subpackages.

The public API is what a package lists in ``__all__``. A module listed there has a public API of its
own, as ``nlhe_env.hand_history`` does.
"""

import ast
import importlib
import json
import re
from types import ModuleType

import pytest
from package_layout import PACKAGES, ROOT, printed_by

LAZY_MODULES = {
    "agents": [
        *("acpc", "books", "coach", "exploitability", "external.chat", "external.nlbot"),
        *("external.process", "match.style", "measure.bench.page", "players.networks", "rooms"),
        *("solvers", "theses.billings", "theses.bonson", "theses.bonson.dealt", "theses.li"),
        *("web",),
    ],
    "evolve": [
        *("genomes", "optimizers", "optimizers.novelty", "theses.li", "training.callbacks"),
        *("training.evolved_response",),
    ],
}
"""Public modules that are loaded only when used."""

CODE_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAMED = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)")
ENTRY_POINTS = ("nlhe_env.players", "nlhe_env.rooms")
"""Groups of entry points for other packages; not modules."""

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = [*sorted((ROOT / "docs").rglob("*.py")), *sorted((ROOT / "examples").rglob("*.py"))]
NOTEBOOKS = sorted((ROOT / "examples").rglob("*.ipynb"))


def public_names() -> dict[str, set[str]]:
    """Public names by package and public module."""
    found = {}
    for package in PACKAGES:
        api = importlib.import_module(package)
        names = {name for name in api.__all__ if isinstance(getattr(api, name), ModuleType)}
        found[package] = set(api.__all__)
        for name in sorted(names) + LAZY_MODULES.get(package, []):
            module = getattr(api, name, None) or importlib.import_module(f"{package}.{name}")
            found[f"{package}.{name}"] = set(getattr(module, "__all__", vars(module)))
    return found


PUBLIC = public_names()


def hidden(code: str) -> list[str]:
    """Imports of Python code that are not of public names."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name not in PUBLIC]
        elif isinstance(node, ast.ImportFrom) and node.module:
            given = PUBLIC.get(node.module, set())
            found += [f"{node.module}.{name.name}" for name in node.names if name.name not in given]
    return [name for name in found if name.partition(".")[0] in PACKAGES]


def is_given(name: str) -> bool:
    """Whether a dotted name is public."""
    if name in PUBLIC:
        return True
    module = name.rpartition(".")[0]
    while module not in PUBLIC:  # the name of an attribute
        module = module.rpartition(".")[0]
    return name.removeprefix(f"{module}.").split(".")[0] in PUBLIC[module]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_scripts_import_public_names(script):
    assert not hidden(script.read_text(encoding="utf-8"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_import_public_names(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    codes = [code for code in codes if not code.startswith("%")]  # installs the package
    assert codes
    assert not [name for code in codes for name in hidden(code)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_import_and_mention_public_names(page):
    text = page.read_text(encoding="utf-8")
    assert not [name for code in CODE_BLOCK.findall(text) for name in hidden(code)]
    named = NAMED.findall(CODE_BLOCK.sub("", text))
    assert not [name for name in named if not is_given(name) and name not in ENTRY_POINTS]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import nlhe_env.equity", ["nlhe_env.equity"]),
        ("from nlhe_env.equity import Range", ["nlhe_env.equity.Range"]),
        ("from nlhe_env import equity", ["nlhe_env.equity"]),
        (
            "def later():\n    from nlhe_env.hand_history.writer import x",
            ["nlhe_env.hand_history.writer.x"],
        ),
        ("from nlhe_env.hand_history import reader", ["nlhe_env.hand_history.reader"]),
        ("import nlhe_env\nfrom nlhe_env import Range\nfrom nlhe_env.hand_history import Hand", []),
    ],
)
def test_imports_from_inside_a_subpackage_are_found(code, names):
    assert hidden(code) == names


@pytest.mark.parametrize(
    ("package", "not_loaded"),
    [
        ("nlhe_env", "agents evolve nlhe_env.game numba scipy"),
        ("agents", "agents.policy agents.registry evolve nlhe_env.game numba scipy"),
        ("evolve", "agents evolve.evaluation evolve.training nlhe_env.game numba scipy"),
    ],
)
def test_a_package_loads_quickly(package, not_loaded):
    loaded = printed_by(f"import sys, {package}; print(*sys.modules)").split()
    assert not set(not_loaded.split()) & set(loaded)


def test_a_match_of_names_needs_no_other_name_first():
    code = (
        "import agents, nlhe_env\n"
        "game = nlhe_env.Game.cash(num_hands=1)\n"
        "print(agents.play(['caller', 'folder'], agents.Blocks(1), game, seed=1).count)"
    )
    assert printed_by(code) == "1\n"
