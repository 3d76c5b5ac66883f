"""The pictures of docs/strength.md can be drawn, and are those that lie there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_pictures_are_drawn(tmp_path: Path) -> None:
    script = str(ROOT / "examples" / "strength_pictures.py")
    command = [sys.executable, script, "--out", str(tmp_path), "--deals", "500"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    drawn = {picture.name for picture in tmp_path.iterdir()}
    page = (ROOT / "docs" / "strength.md").read_text()
    assert drawn == set(re.findall(r"\(images/(.+?)\)", page))
    for name in drawn:
        assert (ROOT / "docs" / "images" / name).stat().st_size < 150_000
