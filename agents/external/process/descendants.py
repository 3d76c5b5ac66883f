"""Finding all processes started by a program.

A child can leave its parent's process group and session and outlive it, but it keeps its initial
environment. Programs therefore get a mark in their environment, and on Linux all processes with the
mark are found under ``/proc``. On other systems none are found.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal

VARIABLE = "NLHE_ENV_BOT"
_ROUNDS = 20  # processes may start others during the search


def new_mark() -> str:
    """A unique mark."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def marked_environment(mark: str) -> dict[str, str]:
    """Environment of this process, with a mark added to its own marks."""
    marks = [*os.environ.get(VARIABLE, "").split(), mark]
    return {**os.environ, VARIABLE: " ".join(marks)}


def kill_marked(*marks: str) -> None:
    """Kill every process of this user with one of these marks by SIGKILL."""
    wanted = [mark.encode() for mark in marks]
    for _ in range(_ROUNDS):
        found = _find(wanted)
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _find(marks: list[bytes]) -> list[int]:
    """Running processes with a mark; zombies have none."""
    found = []
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):  # the process has ended or belongs to another user
                with open(f"/proc/{entry.name}/environ", "rb") as file:
                    environment = file.read()
                if any(mark in environment for mark in marks):
                    found.append(int(entry.name))
    return found
