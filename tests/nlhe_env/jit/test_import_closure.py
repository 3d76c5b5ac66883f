"""The files that code depends on, against Python's own syntax trees and namespaces."""

import ast
import importlib
import textwrap
from pathlib import Path

import pytest

import nlhe_env
from nlhe_env.jit.kernel_cache import import_closure

ROOT = Path(nlhe_env.__file__).parents[1]
MODULES = [
    path for package in ("nlhe_env", "agents", "evolve") for path in (ROOT / package).rglob("*.py")
]


def names(path):
    return {file.name for file in import_closure(path)}


def file_of(module):
    base = ROOT / module.replace(".", "/")
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.exists():
            return {file}
    return set()


def imports_by_syntax(path):
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = found.union(*(file_of(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found |= file_of(f"{node.module}.{alias.name}") or file_of(node.module)
    return found


@pytest.mark.slow
def test_every_import_statement_of_the_packages_is_found():
    for path in MODULES:
        (file,) = (file for file in import_closure(path) if ROOT / file.name == path)
        assert imports_by_syntax(path) <= set(file.imports), path


def test_kernels_call_only_functions_in_their_closure():
    kernels = 0
    for path in MODULES:
        if path.name in ("__init__.py", "__main__.py"):
            continue
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for value in vars(module).values():
            function = getattr(value, "py_func", None)
            if function is None or function.__module__ != module.__name__:
                continue
            kernels += 1
            closure = names(path)
            for name in function.__code__.co_names:
                used = function.__globals__.get(name)
                used = getattr(used, "py_func", used)
                home = getattr(used, "__module__", None) or ""
                if home.split(".")[0] in ("nlhe_env", "agents", "evolve"):
                    (file,) = file_of(home)
                    assert file.relative_to(ROOT).as_posix() in closure, (path, name)
    assert kernels > 900


def test_an_edit_of_web_code_recompiles_no_kernel():
    for path in MODULES:
        if "kernel" in path.read_text() and "agents/web" not in path.as_posix():
            assert not any(name.startswith("agents/web/") for name in names(path)), path


@pytest.mark.parametrize(
    "statement",
    [
        "import other",
        "import os, other",
        "import os; import other",
        "import other as another",
        "from other import (  # a comment (with parentheses)\n    one,  # )\n    two,\n)",
        "from other import one, \\\n    two",
        "from other import *",
        "if True: from other import one",
        "def late():\n    import other",
        "try:\n    import missing\nexcept ImportError:\n    from other import one",
    ],
)
def test_statements_of_any_form_are_followed(tmp_path, statement):
    (tmp_path / "other.py").write_text("import third\n")
    (tmp_path / "third.py").write_text("")
    (tmp_path / "stranger.py").write_text("")
    (tmp_path / "lone.py").write_text(statement + "\n")
    assert names(tmp_path / "lone.py") == {"lone.py", "other.py", "third.py"}


def test_relative_imports_and_packages_are_resolved(tmp_path):
    for name, text in {
        "pack/__init__.py": "__getattr__ = load\n",
        "pack/__init__.pyi": "from pack.surface import shown as shown\n",
        "pack/surface.py": "shown = 1\n",
        "pack/deep/__init__.py": "import unseen\n",
        "pack/deep/one.py": "from . import two\nfrom ..surface import shown\n",
        "pack/deep/two.py": "from pack import shown\n",
        "unseen.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))
    assert names(tmp_path / "pack/deep/one.py") == {
        "pack/deep/one.py",
        "pack/deep/two.py",
        "pack/surface.py",
        "pack/__init__.pyi",
        "pack/__init__.py",  # of which two.py imports an attribute
    }
