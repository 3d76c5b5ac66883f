"""The layout of the packages holds: imports run downwards, and no file outgrows its meaning."""

import ast
import re
from graphlib import TopologicalSorter

import pytest
from package_layout import (
    ORDER,
    PACKAGES,
    ROOT,
    SUBPACKAGES,
    imported,
    imports_between,
    imports_of_files,
)

LIMIT = 800


@pytest.mark.parametrize("package", PACKAGES)
def test_every_subpackage_is_in_the_layout(package):
    found = {
        path.stem
        for path in (ROOT / package).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert found - {"__init__", "__main__"} == set(SUBPACKAGES[package])


def test_imports_follow_the_layers():
    up = {
        f"{here} -> {there} (in {', '.join(files)})"
        for (here, there), files in imports_between().items()
        if ORDER.index(there) >= ORDER.index(here)
    }
    assert not up


def test_no_files_import_each_other_in_a_circle():
    """Imports within functions count as well; those for annotations alone do not."""
    TopologicalSorter(imports_of_files()).prepare()  # a circle is an error that names its files


@pytest.mark.parametrize("package", PACKAGES)
def test_the_documentation_shows_the_same_layout(package):
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = page.split(f"| `{package}` |")[1].split("\n\n")[0].splitlines()[2:]
    shown = [name for row in rows for name in re.findall(r"`(\w+)(?:\.py)?`", row.split("|")[1])]
    assert shown == [name for name in SUBPACKAGES[package] if name != "_version"]


def test_no_file_is_too_long():
    long = {
        path.relative_to(ROOT).as_posix(): n
        for folder in (*PACKAGES, "tests", "examples", "docs")
        for path in (ROOT / folder).rglob("*.py")
        if (n := len(path.read_text(encoding="utf-8").splitlines())) > LIMIT
    }
    assert not long


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("import agents.web.hub", "agents.web.hub"),
        ("import agents as players", "agents"),
        ("from agents import web", "agents.web"),
        ("from agents.web.hub import Hub", "agents.web.hub"),
        ("def later():\n    from evolve.files import safe", "evolve.files.safe"),
        ("importlib.import_module('agents')", "agents"),
    ],
)
def test_every_form_of_import_is_found(statement, module):
    assert list(imported(ast.parse(statement))) == [module]


def test_imports_for_annotations_can_be_left_out():
    statement = "if TYPE_CHECKING:\n    import agents\nelse:\n    import evolve"
    assert list(imported(ast.parse(statement))) == ["agents", "evolve"]
    assert list(imported(ast.parse(statement), for_annotations=False)) == ["evolve"]


def test_other_imports_are_not_found():
    assert not list(
        imported(ast.parse("import numpy.random, agents_of_others\nfrom os import path"))
    )
