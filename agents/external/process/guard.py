"""Ends the bots of a process that dies without ending them itself, even by SIGKILL.

One small child process for all bots holds the read end of a pipe, and gets their process groups and
marks. When the parent is gone, however it went, the pipe ends and the guard kills what is left.
Windows has no process groups of this kind: there bots see the end of their input, and that is all.
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
    """Kill this process group, and what has this mark, when the present process dies."""
    _send(f"{group} {mark}\n")


def forget(group: int) -> None:
    """This process group is gone."""
    _send(f"{group}\n")


def _send(line: str) -> None:
    global _guard
    if os.name != "posix":
        return
    with _lock:
        if _guard is None:
            _guard = _start()
        if _guard is not None and _guard.stdin is not None:
            with contextlib.suppress(OSError):  # the guard was killed: play on without
                os.write(_guard.stdin.fileno(), line.encode())


def _start() -> subprocess.Popen[bytes] | None:
    if not sys.executable:  # embedded in another program
        return None
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SOURCE],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is not for it
        bufsize=0,
    )


def stop() -> None:
    """End the guard; it kills the groups that it still knows."""
    global _guard
    with _lock:
        guard, _guard = _guard, None
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()
        guard.wait()


def _disown() -> None:
    """In a forked child: the guard belongs to the parent."""
    global _guard, _lock
    _lock = threading.Lock()
    guard, _guard = _guard, None
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()  # else the guard would wait for the child too
        guard.returncode = 0  # not a child of this process: nothing to wait for


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)
