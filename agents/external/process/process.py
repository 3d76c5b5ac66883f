"""A program that is spoken to in lines, with bounds on all it may do to us.

A thread reads its output into a bounded queue, another keeps the end of its error output. A program
that writes more than it was asked for is read no further: its pipe fills and it stands still.
Whatever it does, it and its whole process group are gone after ``end``, and on Linux all else that
it has started.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO, Any, cast

from agents.external.process import guard
from agents.external.process.descendants import kill_marked, marked_environment, new_mark
from agents.external.process.report import FLOOD, GONE, LATE, NO_START, NOT_READING, BotFault

MOST_LINES = 64
"""Lines that may wait to be read."""
LONGEST_LINE = 64 * 1024
"""Bytes of a line, its newline not counted."""

_CHUNK = 64 * 1024
_ERROR_BYTES = 4096
_POLL_S = 0.001
_MOMENT_S = 0.1
_ENDING_S = 0.5
"""So long a program that has closed a pipe may take to be gone: the pipes are closed before."""
_LAST_WORDS_S = 1.0
"""So long the last words of a program that is gone may take to be read: they are in the pipe, but
the threads may have to wait for the processor. Another process may hold the pipe open for ever."""
_END = None


class BotProcess:
    """A running program.

    Args:
        command: Program and arguments.
        cwd: Folder to run it in.
        bye: Last line for it.
        patience_s: How long it may take to end by itself, and again after SIGTERM.

    Raises:
        BotFault: It cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        *,
        bye: bytes = b"",
        patience_s: float = _MOMENT_S,
    ) -> None:
        self._bye = bye
        self._patience_s = patience_s
        self._mark = new_mark()
        try:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # A print() of a Python bot must not wait in a buffer for the next one.
                env={**marked_environment(self._mark), "PYTHONUNBUFFERED": "1"},
                **_OWN_GROUP,
            )
        except (OSError, ValueError) as error:
            raise BotFault(NO_START, str(error)) from None
        self.pid = self._process.pid
        self._owner = os.getpid()
        self._running = True
        guard.watch(self.pid, self._mark)
        self._stdin = cast("IO[bytes]", self._process.stdin)
        if os.name == "posix":
            os.set_blocking(self._stdin.fileno(), False)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._why_ended: list[BotFault] = []
        self._errors = [b""]
        self._threads = [
            _start(_read_lines, self._process.stdout, self._lines, self._why_ended),
            _start(_keep_end, self._process.stderr, self._errors),
        ]
        _alive.add(self)

    @property
    def is_ours(self) -> bool:
        """Whether this process started it, not one that we are a fork of."""
        return self._owner == os.getpid()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line.

        Args:
            line: With its newline.
            deadline: By ``time.monotonic()``.

        Raises:
            BotFault: It does not read its input, or has closed it.
        """
        if self._stdin.closed:  # killed by another thread
            raise self._gone("closed its input")
        descriptor = self._stdin.fileno()
        remaining = memoryview(line)
        while remaining:
            try:
                remaining = remaining[os.write(descriptor, remaining) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise BotFault(NOT_READING, "its input is full of unread lines") from None
                time.sleep(_POLL_S)
            except OSError:
                raise self._gone("closed its input") from None

    def receive(self, deadline: float) -> bytes:
        """The next line.

        Raises:
            BotFault: None came in time, or none will come any more.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise BotFault(LATE, "no answer in time") from None
        if line is _END:
            self._lines.put(_END)  # for the next read
            raise self._why_ended[0] if self._why_ended else self._gone("closed its output")
        return line

    def waiting_lines(self) -> Iterator[bytes]:
        """The lines that have come without being asked for; at most ``MOST_LINES`` of them.

        Raises:
            BotFault: No more lines will come.
        """
        for _ in range(min(self._lines.qsize(), MOST_LINES)):
            yield self.receive(0.0)

    def last_words(self) -> str:
        """The end of its error output."""
        return self._errors[0].decode("utf-8", "replace")

    def end(self) -> None:
        """Let the program end by itself; else end it."""
        if self._running and self.is_ours:
            with contextlib.suppress(BotFault):
                self.send(self._bye, 0.0)
            self._stdin.close()
            if not self._ends_within(self._patience_s):
                self._signal_group("SIGTERM")
                self._ends_within(self._patience_s)
        self.kill()

    def kill(self) -> None:
        """End the program, its process group and all else that it has started at once."""
        if not self._running:
            return
        self._running = False
        _alive.discard(self)
        if not self.is_ours:  # a fork of the owner: drop its copies of the pipes
            self._process.returncode = 0
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
            return
        # The leader is not reaped before, so that no other process can have got its number.
        self._signal_group("SIGKILL")
        kill_marked(self._mark)
        guard.forget(self.pid)
        self._stdin.close()
        self._process.wait()
        deadline = time.monotonic() + _LAST_WORDS_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _gone(self, what: str) -> BotFault:
        """Fault of a program that no longer reads or writes."""
        if not self._ends_within(_ENDING_S):
            return BotFault(GONE, f"{what}, but went on running")
        self.kill()
        code = self._process.returncode
        try:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
        except ValueError:
            how = f"code {code}"
        words = self.last_words().strip().splitlines()
        return BotFault(GONE, f"ended with {how}" + (f": {words[-1]!a}" if words else ""))

    def _ends_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_S)
        return True

    def _has_ended(self) -> bool:
        if not hasattr(os, "waitid") or self._process.returncode is not None:
            return self._process.poll() is not None
        try:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, options) is not None
        except ChildProcessError:  # all children of this process are reaped elsewhere
            return True

    def _signal_group(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.pid, getattr(signal, name))
            else:  # the program alone; what it started has lost its input
                self._process.kill()


_OWN_GROUP: dict[str, Any] = (
    {"start_new_session": True}  # Ctrl-C is for us, and the group can be ended as a whole
    if os.name == "posix"
    else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
)

_alive: set[BotProcess] = set()


@atexit.register
def _stop_all() -> None:
    """The interpreter ends: all programs end first, then the guard."""
    for process in list(_alive):
        process.end()
    guard.stop()


def _start(target: Any, *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, name="bot output", daemon=True)
    thread.start()
    return thread


def _read_lines(
    pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None], why_ended: list[BotFault]
) -> None:
    """Until the output ends or there is too much of it; the last entry is ``_END``."""
    try:
        with pipe, contextlib.suppress(OSError):
            _queue_lines(pipe, lines)
    except BotFault as fault:
        why_ended.append(fault)
    lines.put(_END)


def _queue_lines(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    part = b""
    while chunk := pipe.read(_CHUNK):
        *whole, part = (part + chunk).split(b"\n")
        for line in whole:
            _check_length(line)
            if lines.qsize() >= MOST_LINES:  # no other thread puts lines in
                raise BotFault(FLOOD, f"more than {MOST_LINES} unread lines")
            lines.put(line)
        _check_length(part)


def _check_length(line: bytes) -> None:
    if len(line) > LONGEST_LINE:
        raise BotFault(FLOOD, f"a line of more than {LONGEST_LINE} bytes")


def _keep_end(pipe: IO[bytes], kept: list[bytes]) -> None:
    """The end of the error output; a flood is read slowly, so that it costs little."""
    with pipe, contextlib.suppress(OSError):
        while chunk := pipe.read(_CHUNK):
            kept[0] = (kept[0] + chunk)[-_ERROR_BYTES:]
            if len(chunk) > _ERROR_BYTES:
                time.sleep(_POLL_S)
