"""Reader of untrusted hand files, in a process of its own with limits of time and memory.

Whatever a file does to the reader, the tables play on: a reader that takes too long is killed, one
that asks for too much memory is refused it, and the next file gets a new one.
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
_TO_START_S = 300.0  # where the game must be compiled first
_IDLE_S = 120.0  # then the process ends
_READY = "ready"


class HandReader:
    """Reads hand files, one at a time; a process for it is started when one comes.

    Args:
        most_s: Time for a file.
        most_bytes: Memory for a file, where the system can limit it.
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
        """The hands of a file; blocks for as long as it takes.

        Raises:
            ValueError: It is no hand history (the message names the line), or it takes too long or
                too much memory.
        """
        with self._lock:
            # A process that has waited long for a file may be ending when one comes.
            tries = 1 if self._pipe is None else 2
            for _ in range(tries):
                try:
                    answer = self._answer(text, title)
                    break
                except (EOFError, OSError):
                    self.close()
            else:
                raise ValueError("this file ends the program that reads it")
        if isinstance(answer, str):
            raise ValueError(answer)
        return answer

    def _answer(self, text: str, title: str) -> Replay | str:
        """What the process makes of a file: its hands, or what is wrong with it.

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
        """End the process at once; it is started again with the next file."""
        process, self._process = self._process, None
        pipe, self._pipe = self._pipe, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def _started(self) -> Connection:
        """Connection to a process that waits for a file."""
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
    """Load the compiled code: its memory and time are not the file's."""
    Replay(_HAND, "").steps(0)


def _limit_memory(most_bytes: int) -> None:
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + most_bytes,) * 2)
