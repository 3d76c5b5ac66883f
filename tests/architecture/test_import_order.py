"""Imports are sorted in one way, whatever else lies in the folder of the repository."""

import shutil
import subprocess
import sys
from pathlib import Path

from package_layout import ROOT

TESTS = ROOT / "tests"


def test_folders_named_like_helper_modules_do_not_change_the_order(tmp_path: Path) -> None:
    """``make evolve`` leaves a folder ``runs``, and tests/faults has a module of this name."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file in TESTS.rglob("*.py"):
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    helpers = {file.stem for file in TESTS.rglob("*.py") if not file.stem.startswith("test_")}
    assert "runs" in helpers
    for name in helpers:
        (tmp_path / name).mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--select", "I", "--no-cache", "tests"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
