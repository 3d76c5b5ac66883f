"""What a file says chooses no code, program, address or other file, whoever reads it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from trapped_files import READERS

PROGRAM = Path(__file__).with_name("trapped_files.py")
SLOW = {"run folders", "checkpoints", "presets", "leagues", "cards", "saved tables", "solutions"}


@pytest.mark.parametrize(
    "readers",
    [
        pytest.param(sorted(READERS.keys() - SLOW), id="quick"),
        pytest.param(sorted(SLOW), id="slow", marks=pytest.mark.slow),
    ],
)
def test_a_file_is_never_a_program(readers, tmp_path):
    command = [sys.executable, str(PROGRAM), *readers]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["found"] == []
    assert result["files"].keys() == set(readers)
    assert min(result["files"].values()) >= 6


def test_the_watch_sees_what_it_should(tmp_path):
    """Every trap is sprung when the user types it, so that the test above could fail."""
    code = f"""
import sys, json
sys.path.insert(0, {str(PROGRAM.parent)!r})
import trapped_files as t
t.set_traps()
found = []
t.watch(found)
for trap in t.TRAPS:
    t.quietly(lambda: t.agents.make(trap))
    t.quietly(lambda: getattr(t.agents.make(trap), "take_seat")())
print(json.dumps(found))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    events = " ".join(json.loads(done.stdout.splitlines()[-1]))
    for word in ("exec: ", "subprocess.Popen", "socket.connect", "trap.log", "trap.npz"):
        assert word in events
