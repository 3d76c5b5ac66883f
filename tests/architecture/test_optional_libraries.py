"""Without optional libraries nothing but their own features fails, and a line names the extra."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from installed import modules
from package_layout import PACKAGES, ROOT, imports_of_packages

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HELP = tuple(
    (path.relative_to(ROOT).as_posix(), "--help")
    for path in sorted((ROOT / "examples").glob("*.py"))
)

_STAKES = ("--pot", "100", "--stack", "250")

BY_EXTRA: dict[tuple[str, ...], str] = {
    ("play",): "web",
    ("serve",): "web",
    ("train", "--track", "tensorboard"): "track",
    ("train", "--optimizer", "map-elites"): "qd",
    ("train", "--workers", "dask://127.0.0.1:1"): "dask",
    ("evaluate", "random", "--workers", "dask://127.0.0.1:1"): "dask",
    ("solve", "KsTh7s4d2s", "AA", "QQ", *_STAKES, "--out", "grid.png"): "plot",
    ("evaluate", "plot"): "plot",
}
"""Commands that need an extra."""

LIBRARIES = {
    ("examples/learners_study.py",): "'.[rl]'",
    ("examples/track_runs.py",): "wandb",
    ("examples/track_runs.py", "--tracker", "mlflow"): "mlflow",
}
"""Examples that need a library only for some of their work, and what installs it."""

TRAIN = (
    *("train", "--preset", "heads-up", "--population", "8", "--blocks", "2"),
    *("--generations", "1", "--test-blocks", "0", "--workers", "1"),
)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], dict[str, Any]]:
    """What commands and examples do where no extra is installed."""
    lines = [*HELP, *LIBRARIES, TRAIN, *BY_EXTRA]  # `evaluate plot` draws the run
    words = [[str(ROOT / line[0]) if ".py" in line[0] else line[0], *line[1:]] for line in lines]
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "installed.py"), json.dumps(words)],
        cwd=tmp_path_factory.mktemp("bare"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(lines, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("line", BY_EXTRA, ids=" ".join)
def test_a_command_names_the_extra_in_one_line(line, bare):
    done = bare[line]
    assert (done["code"], done["files"]) == (2, []), done
    assert re.fullmatch(r"error: .* needs \w+: .*\n", done["err"])
    assert f"[{BY_EXTRA[line]}]'" in done["err"]


@pytest.mark.parametrize("line", LIBRARIES, ids=" ".join)
def test_an_example_names_the_library_in_one_line(line, bare):
    done = bare[line]
    assert done["code"], done
    assert f"pip install {LIBRARIES[line]}" in done["err"]
    assert (done["err"].count("\n"), done["files"]) == (1, [])


@pytest.mark.parametrize("line", HELP, ids=lambda line: line[0])
def test_an_example_shows_its_help_or_names_the_extra_in_one_line(line, bare):
    done = bare[line]
    about = ast.get_docstring(ast.parse((ROOT / line[0]).read_text(encoding="utf-8"))) or ""
    if done["code"]:
        assert re.fullmatch(r"this example needs \w+: pip install .*\n", done["err"])
    else:
        assert "usage: " in done["out"]
    assert ("Needs " in about) == bool(done["code"])
    assert not done["files"]


def test_training_needs_no_extra(bare):
    done = bare[TRAIN]
    assert done["code"] == 0, done["err"]
    assert done["files"] == ["runs"]
    assert "No picture, since Matplotlib is not installed." in done["out"]


def test_every_extra_that_the_packages_ask_for_is_tested():
    """Pictures of tables are a matter of ``tests/nlhe_env/render``."""
    asked = {
        call.args[0].value
        for tree in _sources("needs_extra(")
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "needs_extra"
        and isinstance(call.args[0], ast.Constant)
    }
    assert asked == {*BY_EXTRA.values(), "render"}
    assert asked <= set(PROJECT["project"]["optional-dependencies"])


def test_types_are_the_same_whatever_else_is_installed():
    """Libraries outside "dev" have no types, installed or not."""
    untyped = {
        name.removesuffix(".*")
        for override in PROJECT["tool"]["mypy"]["overrides"]
        if override.get("follow_imports") == "skip" and override["ignore_missing_imports"]
        for name in override["module"]
    }
    known = {*sys.stdlib_module_names, *PACKAGES, *modules("dev"), *untyped}
    unknown = {
        f"{module}: {name}"
        for module, imports in imports_of_packages().items()
        for name in imports.outermost - known
    }
    assert not unknown


def test_quick_tests_of_libraries_outside_dev_run_in_continuous_integration():
    """``make test`` skips them."""
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for path in (ROOT / "tests").rglob("test_*.py"):
        named = set(re.findall(r'importorskip\("(\w+)', path.read_text(encoding="utf-8")))
        if named - modules("dev") and not {"browser", "clients"} & set(path.parts):
            assert path.relative_to(ROOT).as_posix() in run


def _sources(part: str) -> Iterator[ast.Module]:
    """The files of the packages that contain a text."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if part in (text := path.read_text(encoding="utf-8")):
                yield ast.parse(text)
