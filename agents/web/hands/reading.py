"""Reader of untrusted hand files, in a separate process with time and memory limits.

Tables are unaffected by a harmful file: a reader that takes too long is killed, one that needs too
much memory fails, and the next file gets a new process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from agents.web.hands.replays import Replay

_MOST_S = 30.0
_MOST_BYTES = 2**30
_TO_START_S = 300.0  # includes compilation
_IDLE_S = 120.0  # the process ends after this idle time
_READY = "ready"


class HandReader:
    """Reads hand files, one at a time, in a process that is started on demand.

    Args:
        most_s: Time limit for a file in seconds.
        most_bytes: Memory limit for a file, if the system supports one.
    """

    def __init__(self, *, most_s: float = _MOST_S, most_bytes: int = _MOST_BYTES) -> None:
        self._most_s = most_s
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def prepare(self) -> None:
        """Start the process, if there is none, so that a file that comes soon need not wait."""
        with self._lock, contextlib.suppress(EOFError, OSError):
            self._started()

    def read(self, text: str, title: str) -> Replay:
        """Read the hands of a file, blocking until done.

        Raises:
            ValueError: The text is not a hand history (the message names the line), or takes too
                much time or memory.
        """
        with self._lock:
            # A process may reach its idle limit just when a file arrives.
            tries = 1 if self._pipe is None else 2
            for _ in range(tries):
                try:
                    answer = self._answer(text, title)
                    break
                except (EOFError, OSError):
                    self.close()
            else:
                raise ValueError("this file crashes the program that reads it")
        if isinstance(answer, str):
            raise ValueError(answer)
        return answer

    def _answer(self, text: str, title: str) -> Replay | str:
        """Result of the process: the hands of a file, or an error message.

        Raises:
            EOFError, OSError: The process has ended.
        """
        pipe = self._started()
        pipe.send((text, title))
        if not pipe.poll(self._most_s):
            self.close()
            return f"this file takes more than {self._most_s:g} s to read"
        return pipe.recv()

    def close(self) -> None:
        """Kill the process, which is restarted for the next file."""
        process, self._process = self._process, None
        pipe, self._pipe = self._pipe, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def _started(self) -> Connection:
        """Connection to a running process."""
        if self._process is not None and not self._process.is_alive():
            self.close()
        if self._pipe is None:
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(theirs, self._most_bytes), name="hand reader", daemon=True
            )
            self._process.start()
            theirs.close()
            if not self._pipe.poll(_TO_START_S) or self._pipe.recv() != _READY:
                raise EOFError
        return self._pipe


def _serve(pipe: Connection, most_bytes: int) -> None:
    """Loop of the process: receive a file, send its hands or the error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm_up()
    _limit_memory(most_bytes)
    pipe.send(_READY)
    while pipe.poll(_IDLE_S):
        try:
            text, title = pipe.recv()
        except EOFError:
            return
        answer: Replay | str
        try:
            answer = Replay(text, title)
        except ValueError as error:
            answer = str(error)
        except MemoryError:
            answer = "this file takes too much memory to read"
        pipe.send(answer)


_HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [9, 9]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 f"]
"""


def _warm_up() -> None:
    """Load the compiled code, so that it does not count towards a file's limits."""
    Replay(_HAND, "").steps(0)


def _limit_memory(most_bytes: int) -> None:
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + most_bytes,) * 2)
