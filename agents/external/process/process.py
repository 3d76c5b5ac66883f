"""A program that communicates by lines, with bounds on its output and response times.

One thread reads its output into a bounded queue, another keeps the end of its error output. If a
program writes too much, reading stops, its pipe fills up and it blocks. After ``end``, the program
and its process group have ended in any case, and on Linux all other processes that it started.

A guard ends the bots of a process that dies without doing so, even by SIGKILL: one small child
process for all bots holds the read end of a pipe and receives their process groups and marks. When
the parent dies for any reason, the pipe closes and the guard kills the remaining bots. On Windows,
which lacks such process groups, bots only see the end of their input.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from agents.external.process import descendants
from agents.external.process.report import FLOOD, GONE, LATE, NO_START, NOT_READING, BotFault

MOST_LINES = 64
"""Maximum number of unread lines."""
LONGEST_LINE = 64 * 1024
"""Maximum length of a line in bytes, without its newline."""

_CHUNK = 64 * 1024
_ERROR_BYTES = 4096
_POLL_S = 0.001
_MOMENT_S = 0.1
_ENDING_S = 0.5
"""Seconds for a program to exit after it closed a pipe, because pipes close first."""
_LAST_WORDS_S = 1.0
"""Seconds for reading the last error output of an ended program: the threads may be delayed, and
another process may hold the pipe open for ever."""
_END = None


_SOURCE = (  # of a process without this package
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
            _guard = _start_guard()
        if _guard is not None and _guard.stdin is not None:
            with contextlib.suppress(OSError):  # the guard was killed: continue without it
                os.write(_guard.stdin.fileno(), line.encode())


def _start_guard() -> subprocess.Popen[bytes] | None:
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


class BotProcess:
    """A running program.

    Args:
        command: Program and arguments.
        cwd: Working directory.
        bye: Last line to send.
        patience_s: Seconds to exit by itself, and again after SIGTERM.

    Raises:
        BotFault: The program cannot be started.
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
        self._mark = descendants.new_mark()
        try:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Output of a Python bot must not stay in a buffer.
                env={**descendants.marked_environment(self._mark), "PYTHONUNBUFFERED": "1"},
                **_OWN_GROUP,
            )
        except (OSError, ValueError) as error:
            raise BotFault(NO_START, str(error)) from None
        self.pid = self._process.pid
        self._owner = os.getpid()
        self._running = True
        watch(self.pid, self._mark)
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
        """Whether this process started the program, and not the parent of a fork."""
        return self._owner == os.getpid()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line.

        Args:
            line: The line, including its newline.
            deadline: Deadline on the clock ``time.monotonic()``.

        Raises:
            BotFault: The program does not read its input or has closed it.
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
        """Read the next line.

        Raises:
            BotFault: No line arrived in time, or the output has ended.
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
        """Lines that arrived without a query, at most ``MOST_LINES``.

        Raises:
            BotFault: The output has ended.
        """
        for _ in range(min(self._lines.qsize(), MOST_LINES)):
            yield self.receive(0.0)

    def last_words(self) -> str:
        """End of the program's error output."""
        return self._errors[0].decode("utf-8", "replace")

    def end(self) -> None:
        """Let the program exit by itself, or else terminate it."""
        if self._running and self.is_ours:
            with contextlib.suppress(BotFault):
                self.send(self._bye, 0.0)
            self._stdin.close()
            if not self._ends_within(self._patience_s):
                self._signal_group("SIGTERM")
                self._ends_within(self._patience_s)
        self.kill()

    def kill(self) -> None:
        """Kill the program, its process group and all other processes that it started."""
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
        # The leader is not reaped earlier, so that its process id cannot be reused.
        self._signal_group("SIGKILL")
        descendants.kill_marked(self._mark)
        forget(self.pid)
        self._stdin.close()
        self._process.wait()
        deadline = time.monotonic() + _LAST_WORDS_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _gone(self, what: str) -> BotFault:
        """Fault of a program that no longer reads or writes."""
        if not self._ends_within(_ENDING_S):
            return BotFault(GONE, f"{what}, but kept running")
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
        except ChildProcessError:  # children of this process are reaped elsewhere
            return True

    def _signal_group(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.pid, getattr(signal, name))
            else:  # the program only; its children have lost their input
                self._process.kill()


_OWN_GROUP: dict[str, Any] = (
    {"start_new_session": True}  # not interrupted by Ctrl-C, and the group can be ended as a whole
    if os.name == "posix"
    else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
)

_alive: set[BotProcess] = set()


@atexit.register
def _stop_all() -> None:
    """At exit of the interpreter, end all programs and then the guard."""
    for process in list(_alive):
        process.end()
    stop()


def _start(target: Any, *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, name="bot output", daemon=True)
    thread.start()
    return thread


def _read_lines(
    pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None], why_ended: list[BotFault]
) -> None:
    """Read lines until the output ends or is too long; the last entry is ``_END``."""
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
            if lines.qsize() >= MOST_LINES:  # this thread is the only producer
                raise BotFault(FLOOD, f"more than {MOST_LINES} unread lines")
            lines.put(line)
        _check_length(part)


def _check_length(line: bytes) -> None:
    if len(line) > LONGEST_LINE:
        raise BotFault(FLOOD, f"a line of more than {LONGEST_LINE} bytes")


def _keep_end(pipe: IO[bytes], kept: list[bytes]) -> None:
    """Keep the end of the error output, reading a flood slowly to save time."""
    with pipe, contextlib.suppress(OSError):
        while chunk := pipe.read(_CHUNK):
            kept[0] = (kept[0] + chunk)[-_ERROR_BYTES:]
            if len(chunk) > _ERROR_BYTES:
                time.sleep(_POLL_S)
