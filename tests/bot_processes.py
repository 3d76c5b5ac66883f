"""Bots of the tests, and whether their processes are still there."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import agents

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "examples" / "bots"
PYTHON = [sys.executable, "-I", "-S"]


class Caller(agents.ChipPlayer):
    """Calls, and every tenth time answers what is illegal."""

    name = "own caller"

    def __init__(self):
        self.asked = 0

    def decide(self, turn):
        self.asked += 1
        return -5 if self.asked % 10 == 0 else agents.CHECK_OR_CALL


def is_there(pid: int) -> bool:
    """Whether a process runs, or is a zombie child of this one (init reaps those of others)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        return True
    state, parent = status.read_text().rpartition(")")[2].split()[:2]
    return state != "Z" or int(parent) == os.getpid()


def vanishes(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while is_there(pid) and time.monotonic() < deadline:
        time.sleep(0.005)
    return not is_there(pid)


def noted_pids(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.iterdir() if path.name.isdigit()]


def faulty(fault: str, folder: Path, **arguments: Any) -> agents.ProcessPlayer:
    command = [*PYTHON, str(ROOT / "tests" / "faulty_bot.py"), fault, str(folder)]
    limits = {"seconds_per_decision": 0.05, "seconds_to_stop": 0.05, "forfeit_after": 4}
    return agents.ProcessPlayer(command, **{**limits, **arguments})
