"""The subpackages of the three packages and the imports between them, read from the sources."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("nlhe_env", "agents", "evolve")
"""From the bottom up."""

SUBPACKAGES = {
    "nlhe_env": (
        *("_version", "errors", "extras", "arguments", "cards", "system", "jit", "numerics"),
        *("evaluator", "game", "equity", "assessment", "spaces", "render", "hand_history"),
        *("envs", "kernels", "console"),
    ),
    "agents": (
        *("statistics", "rooms", "player_records", "policy", "players", "external"),
        *("variance_reduction", "match", "solvers", "books", "player_factories", "registry"),
        *("exploitability", "measure", "coach", "acpc", "web", "kernels", "commands", "theses"),
    ),
    "evolve": (
        *("seeds", "files", "parts", "compatibility", "genomes", "optimizers", "opponents"),
        *("evaluation", "training", "studies", "dashboard", "commands", "theses"),
    ),
}
"""The subpackages of each package from the bottom up: each imports only those before it.

Above them stand the package itself, its public API, and then its ``__main__``.
"""

ORDER = tuple(
    f"{package}.{name}" if name else package
    for package in PACKAGES
    for name in (*SUBPACKAGES[package], "", "__main__")
)
"""Every subpackage and every package itself from the bottom up."""


def printed_by(code: str, *paths: str) -> str:
    """What Python code prints in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([*paths, str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sources(folder: str) -> Iterator[tuple[Path, ast.Module]]:
    """The Python files under a folder of the repository."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def relevant(tree: ast.Module) -> list[ast.AST]:
    """The nodes of a file that can import something, or leave it to annotations."""
    kinds = (ast.Import, ast.ImportFrom, ast.If, ast.Call)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def imported(tree: ast.Module, *, for_annotations: bool = True) -> Iterator[str]:
    """The packages' modules that a file imports anywhere in it, also by name at run time."""
    left_out: set[ast.AST] = set()
    for node in relevant(tree):  # parents come before their children
        if node in left_out:
            continue
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING")) if not for_annotations:
                left_out.update(inner for statement in node.body for inner in ast.walk(statement))
                continue
            case ast.Import(names=names):
                found = [name.name for name in names]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                found = [_module(f"{module}.{name.name}") for name in names]
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(str(name))]):
                found = [name]
            case _:
                continue
        yield from (module for module in found if module.partition(".")[0] in PACKAGES)


@cache
def _module(dotted: str) -> str:
    """The module itself, or the one that holds what is named."""
    path = ROOT.joinpath(*dotted.split("."))
    if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
        return dotted
    return dotted.rpartition(".")[0]


def subpackage_of(module: str) -> str:
    """The subpackage of a module: the first two parts of its name, if it has two."""
    return ".".join(module.split(".")[:2])


class Imports(NamedTuple):
    """What a module imports."""

    modules: set[str]
    """Modules of the packages."""

    at_run_time: set[str]
    """Those that are not for annotations alone."""

    outermost: set[str]
    """Outermost modules of all imports, of other packages too."""


def outermost(tree: ast.Module) -> set[str]:
    """Outermost modules of all imports of a file."""
    names = []
    for node in relevant(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(str(node.module))
    return {name.partition(".")[0] for name in names}


@cache
def imports_of_packages() -> dict[str, Imports]:
    """The imports of each module, read once for all tests."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): Imports(
            set(imported(tree)), set(imported(tree, for_annotations=False)), outermost(tree)
        )
        for package in PACKAGES
        for path, tree in sources(package)
    }


def imports_between() -> dict[tuple[str, str], list[str]]:
    """The imports between subpackages, and the files that make each."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, imports in imports_of_packages().items():
        here = subpackage_of(name.removesuffix(".__init__"))
        for there in set(map(subpackage_of, imports.modules)) - {here}:
            found.setdefault((here, there), []).append(name)
    return found


def imports_of_files() -> dict[str, set[str]]:
    """The modules that each module imports while the program runs."""
    return {
        (here := name.removesuffix(".__init__")): imports.at_run_time - {here}
        for name, imports in imports_of_packages().items()
    }
