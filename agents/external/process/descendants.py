"""Processes that a program has started, found again wherever they have gone.

A child can leave the process group and the session of its parent, and outlive it; what it keeps is
the environment that it was started with. So programs get a mark there, and on Linux all processes
with the mark are found under ``/proc``. Elsewhere nothing is found.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal

VARIABLE = "NLHE_ENV_BOT"
_ROUNDS = 20  # a process can start another while it is being looked for


def new_mark() -> str:
    """A mark that no other program has."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def marked_environment(mark: str) -> dict[str, str]:
    """The environment of this process with a mark, after those that this process has itself."""
    marks = [*os.environ.get(VARIABLE, "").split(), mark]
    return {**os.environ, VARIABLE: " ".join(marks)}


def kill_marked(*marks: str) -> None:
    """Kill every process of this user that was started with one of these marks, by SIGKILL."""
    wanted = [mark.encode() for mark in marks]
    for _ in range(_ROUNDS):
        found = _find(wanted)
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _find(marks: list[bytes]) -> list[int]:
    """Running processes with a mark; those that have ended and wait for their parent have none."""
    found = []
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):  # it has just ended, or is another user's
                with open(f"/proc/{entry.name}/environ", "rb") as file:
                    environment = file.read()
                if any(mark in environment for mark in marks):
                    found.append(int(entry.name))
    return found
