"""Work in a child process, so that a crash kills only the child."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable


def in_child(work: Callable[[], str], seconds: int = 60) -> str:
    """What work returns in a forked process, or how that ended; Linux only."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            signal.alarm(seconds)
            warnings.simplefilter("ignore")
            found = work()
        except BaseException as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(last.filename)}:{last.lineno}"
            found = f"{type(error).__name__} at {where}: {str(error)[:200]}"
        os.write(write, found.encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        found = answer.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"the process died: {signal.Signals(os.WTERMSIG(status)).name}"
    return found


def can_fork() -> bool:
    """Whether there are children here."""
    return sys.platform == "linux"
