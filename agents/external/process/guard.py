"""Guard that ends the bots of a process that dies without doing so, even by SIGKILL.

One small child process for all bots holds the read end of a pipe and receives their process groups
and marks. When the parent dies for any reason, the pipe closes and the guard kills the remaining
bots. On Windows, which lacks such process groups, bots only see the end of their input.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

from agents.external.process import descendants

_SOURCE = (
    Path(descendants.__file__).read_text()
    + """
import sys
groups = {}
for line in sys.stdin:
    group, *mark = line.split()
    if mark:
        groups[int(group)] = mark[0]
    else:
        groups.pop(int(group), None)
for group in groups:
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
if groups:
    kill_marked(*groups.values())
"""
)

_lock = threading.Lock()
_guard: subprocess.Popen[bytes] | None = None


def watch(group: int, mark: str) -> None:
    """Let the guard kill a process group and all marked processes when this process dies."""
    _send(f"{group} {mark}\n")


def forget(group: int) -> None:
    """Remove a process group that has ended."""
    _send(f"{group}\n")


def _send(line: str) -> None:
    global _guard
    if os.name != "posix":
        return
    with _lock:
        if _guard is None:
            _guard = _start()
        if _guard is not None and _guard.stdin is not None:
            with contextlib.suppress(OSError):  # the guard was killed: continue without it
                os.write(_guard.stdin.fileno(), line.encode())


def _start() -> subprocess.Popen[bytes] | None:
    if not sys.executable:  # embedded in another program
        return None
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SOURCE],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # not interrupted by Ctrl-C
        bufsize=0,
    )


def stop() -> None:
    """End the guard, which kills the remaining groups."""
    global _guard
    with _lock:
        guard, _guard = _guard, None
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()
        guard.wait()


def _disown() -> None:
    """Drop the guard in a forked child, since it belongs to the parent."""
    global _guard, _lock
    _lock = threading.Lock()
    guard, _guard = _guard, None
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()  # otherwise the guard would wait for the child too
        guard.returncode = 0  # not a child of this process: nothing to wait for


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)
