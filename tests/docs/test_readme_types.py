"""The code of the README is as well typed as it reads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_first_code_of_the_readme_passes_strict_mypy(tmp_path: Path) -> None:
    """As for users: what is imported is looked at, but not checked."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    script = tmp_path / "loop.py"
    script.write_text(code[1] + 'nlhe_env.env(mode="csh")\n')
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"),
            *("--config-file=", f"--cache-dir={tmp_path}", str(script)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    problems = [line for line in done.stdout.splitlines() if "loop.py" in line]
    assert len(problems) == 1, done.stdout  # the mode that was misspelt here
    assert "incompatible type \"Literal['csh']\"" in problems[0]
