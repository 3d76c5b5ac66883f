"""SIGTERM ends the long commands as Ctrl-C does: with words, and with what was done on disk."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="signals")]

TRAIN = (
    "train --preset heads-up --optimizer openai-es --population 8 --blocks 2 --test-blocks 0 "
    "--generations 0 --hands 1000000000 --workers 1"
)


def handles(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a function for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    (caught,) = re.findall(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)
    return bool(int(caught, 16) >> (number - 1) & 1)


@pytest.mark.parametrize(
    ("command", "begun", "words", "code"),
    [
        (TRAIN, "generation", "saved. Continue with:", 143),
        ("league caller raiser folder --games 100000000 --workers 1", "", "", 143),
        ("bench pot-odds --hands 100000000 --seed 1 --out card", None, "", 143),
        ("play --port 0 --no-browser", "http://", "The table is closed.", 0),
        ("serve . --port 0 --no-browser", "http://", "Stopped; the run is unchanged.", 0),
    ],
)
def test_termination_ends_a_command(
    command: str, begun: str | None, words: str, code: int, tmp_path: Path
) -> None:
    """``begun`` stands in the line that says so; without one, the program handles the signal."""
    program = subprocess.Popen(
        [sys.executable, "-m", "nlhe_env.console", *command.split()],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    if begun is None:
        while not handles(program.pid, signal.SIGTERM):
            assert program.poll() is None
            time.sleep(0.1)
    else:
        next(line for line in program.stdout if begun in line)
    program.send_signal(signal.SIGTERM)
    rest, _ = program.communicate(timeout=600)
    assert "Traceback" not in rest
    assert words in rest
    assert program.returncode == code
