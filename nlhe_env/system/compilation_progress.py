"""Running compilations: their progress line, and handling of Ctrl-C.

Inside the compiler, ``KeyboardInterrupt`` may be swallowed, or shows pages of compiler code. Numba
compiles the callees of a kernel one by one within the kernel's compilation, so compilation can stop
between two of them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

Handler = Callable[[int, FrameType | None], Any]
"""Handler of a signal."""

INTERRUPTED = "nlhe-env: interrupted; stopping after the compilation under way"


class _Compilation:
    """Compilation in one thread, of the requested kernel and its callees."""

    def __init__(self) -> None:
        self.depth = 0
        self.asked_for = ""
        """Kernel being compiled with its callees; empty while code is loaded from disk."""
        self.must_stop = False
        self.doorbell: _Doorbell | None = None

    def stop_if_asked(self) -> None:
        if self.must_stop:
            self.must_stop = False
            raise KeyboardInterrupt


class SharedCompilation(NamedTuple):
    """A list of kernels that several processes compile.

    Attributes:
        n_kernels: Number of kernels on the list.
        n_processes: Number of processes.
        n_compiled: Counts the kernels compiled so far.
    """

    n_kernels: int
    n_processes: int
    n_compiled: Callable[[], int]


class _Display:
    """Progress of compilations: an updated line on a terminal, a single line elsewhere."""

    def __init__(self) -> None:
        self.kernels = 0
        """Number of kernels compiled by this process, including the current one."""
        self.share: Callable[[], SharedCompilation | None] | None = None
        """To call before the next compilation."""
        self.shared: SharedCompilation | None = None
        self.is_quiet = False
        self._has_line = False  # currently on the terminal
        self._has_said = False

    def show_kernel(self, asked_for: str, kernel: str) -> None:
        self.kernels += 1
        self._show(asked_for, f"kernel {self.kernels}, {kernel}")

    def show_machine_code(self, asked_for: str, kernel: str) -> None:
        self._show(asked_for, f"machine code of {kernel}")

    def _show(self, asked_for: str, what: str) -> None:
        if self.is_quiet:
            return
        shared = self.shared
        if _is_terminal():
            line = f"nlhe-env: compiling {asked_for}: {what}"
            if shared is not None and (n := shared.n_compiled()) < shared.n_kernels:
                line = f"nlhe-env: compiling, once: {n} of {shared.n_kernels} kernels"
            width = max(20, shutil.get_terminal_size().columns - 1)
            print(f"\r\x1b[K{line[:width]}", end="", file=sys.stderr, flush=True)
            self._has_line = True
        elif not self._has_said:
            self._has_said = True
            line = f"compiling {asked_for} and what it calls"
            if shared is not None:
                n_kernels, n_processes, _ = shared
                line = f"compiling up to {n_kernels} kernels in {n_processes} processes"
            print(f"nlhe-env: {line} (kept on disk if possible)", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clear the line for other output."""
        if self._has_line:
            self._has_line = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_under_way: dict[int, _Compilation] = {}
"""Compilations by thread."""
_display = _Display()


def watched(compile_kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator that registers a dispatcher's compilation while it runs."""

    @functools.wraps(compile_kernel)
    def compile_watched(dispatcher: Any, signature: Any, **options: Any) -> Any:
        thread = threading.get_ident()
        compilation = _under_way.setdefault(thread, _Compilation())
        compilation.depth += 1
        try:
            return compile_kernel(dispatcher, signature, **options)
        except KeyboardInterrupt:
            if compilation.depth > 1:
                raise
            raise KeyboardInterrupt from None  # compiler frames are not useful
        finally:
            compilation.depth -= 1
            if compilation.depth == 0:
                try:
                    _end(compilation)
                finally:
                    del _under_way[thread]  # from here on interrupts are raised immediately
                compilation.stop_if_asked()

    return compile_watched


def share_next_compilation(share: Callable[[], SharedCompilation | None]) -> None:
    """Call a function once this process has to compile a kernel that is not on disk.

    Args:
        share: Starts other processes that compile as well, and describes that.
    """
    _display.share = share


def begin_kernel(function: Callable[..., Any]) -> None:
    """Show that a kernel is being compiled, in a ``watched`` compilation.

    Raises:
        KeyboardInterrupt: The program has been interrupted.
    """
    _begin(function, _display.show_kernel)


def begin_machine_code(function: Callable[..., Any]) -> None:
    """Show that machine code is being generated for a compiled kernel and its callees.

    Raises:
        KeyboardInterrupt: The program has been interrupted.
    """
    _begin(function, _display.show_machine_code)


def _begin(function: Callable[..., Any], show: Callable[[str, str], None]) -> None:
    compilation = _under_way.get(threading.get_ident())
    if compilation is None:  # numba compiles it separately
        return
    compilation.stop_if_asked()
    if not compilation.asked_for:
        compilation.asked_for = f"{function.__module__}.{function.__name__}"
        _take_interrupts(compilation)
    if _display.share is not None:
        share, _display.share = _display.share, None
        _display.shared = share() or _display.shared
    with contextlib.suppress(Exception):  # nowhere to write
        show(compilation.asked_for, function.__name__)


def end_kernel() -> None:
    """Record that a kernel has been compiled or loaded from disk.

    Raises:
        KeyboardInterrupt: The program has been interrupted.
    """
    compilation = _under_way.get(threading.get_ident())
    if compilation is not None:
        compilation.stop_if_asked()


def compile_quietly() -> None:
    """Show nothing from now on: another process of the program has said that it compiles."""
    _display.is_quiet = True


def kernels_compiled() -> int:
    """Number of kernels compiled by this process, without kernels loaded from disk."""
    return _display.kernels


def stop_compiling() -> bool:
    """Stop the compilations of all threads by ``KeyboardInterrupt`` at the next opportunity.

    Prints a message if a kernel is being compiled, which can take long. For signal handlers.

    Returns:
        Whether this thread is compiling and needs no other interruption.
    """
    compilations = list(_under_way.values())
    for compilation in compilations:
        compilation.must_stop = True
    rings = any(compilation.doorbell for compilation in compilations)
    if not rings and any(compilation.asked_for for compilation in compilations):
        _say_that_it_stops()
    return threading.get_ident() in _under_way


def clear_line() -> None:
    """Clear the progress line from the terminal for other output."""
    _display.clear()


def wait_for_compilations(handler: Handler, at_once: Handler) -> None:
    """Acknowledge SIGINT before its handler, which calls ``stop_compiling``, can run.

    Python runs handlers between bytecode instructions, and the compiler can block for long.

    Args:
        handler: Handler during which the first interrupt of a compilation is acknowledged at once.
        at_once: Called in another thread for the second interrupt.
    """
    _handlers[handler] = at_once


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Python's handler, except during compilations."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # for a second interrupt
    if not stop_compiling():
        raise KeyboardInterrupt


_handlers: dict[Any, Handler | None] = {_interrupt: None}


class _Doorbell:
    """Thread that receives interrupts of the main thread at once, even while that is busy."""

    def __init__(self, at_once: Handler | None) -> None:
        self._at_once = at_once
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._listen, name="interrupts", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        count = 0
        while numbers := os.read(self._read, 1):
            if numbers[0] == signal.SIGINT:
                count += 1
                if count == 1:
                    _say_that_it_stops()
                elif self._at_once is not None:
                    self._at_once(signal.SIGINT, None)

    def close(self) -> None:
        signal.set_wakeup_fd(self._before)
        os.close(self._write)
        self._thread.join()
        os.close(self._read)


def _take_interrupts(compilation: _Compilation) -> None:
    """In the main thread, defer interrupts to the end of a compilation, but acknowledge them."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    handler = signal.getsignal(signal.SIGINT)
    if handler in _handlers and os.name == "posix":
        compilation.doorbell = _Doorbell(_handlers[handler])


def _end(compilation: _Compilation) -> None:
    if not compilation.asked_for:
        return
    if compilation.doorbell is not None:
        compilation.doorbell.close()
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with contextlib.suppress(Exception):
        clear_line()


def _say_that_it_stops() -> None:
    with contextlib.suppress(Exception):
        clear_line()
        print(INTERRUPTED, file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    """Whether standard error is a terminal that no progress bar has taken over."""
    stream = sys.__stderr__
    return stream is not None and sys.stderr is stream and stream.isatty()
