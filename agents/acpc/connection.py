"""Lines over TCP, every wait with an end."""

from __future__ import annotations

import errno
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_LINE = 65_536  # bytes; ten players of a deep no-limit hand need a few thousand
_CHUNK = 65_536


class ConnectionLostError(Exception):
    """The other side is gone, or sends what can be no line; the text says which."""


@contextmanager
def refusals_name(host: str, port: int, what: str = "") -> Iterator[None]:
    """Let what the system refuses say where that was: ``filename`` of the ``OSError``.

    Args:
        host: Host of the socket that is being opened.
        port: Port of the socket.
        what: Meaning of the refusal, in words.
    """
    try:
        yield
    except OSError as error:
        # Python's own time limit comes without a number.
        number = errno.ETIMEDOUT if isinstance(error, TimeoutError) else error.errno
        reason = error.strerror or str(error)
        reason = f"{what} ({reason})" if what else reason
        raise OSError(number, reason, f"{host} port {port}") from error


class LineProtocol:
    """A connected socket that sends and receives lines of ASCII text.

    Args:
        connected: The socket; closed with this object.
    """

    def __init__(self, connected: socket.socket) -> None:
        # Lines are short and answered at once: waiting to fill a packet would only delay them.
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A socket with a time limit costs two more system calls for every line.
        connected.setblocking(False)
        self._socket = connected
        self._selector = selectors.DefaultSelector()
        self._selector.register(connected, selectors.EVENT_READ)
        self._to_send = b""
        self._received = b""

    def write(self, line: str) -> None:
        """Note a line for the next ``flush``."""
        self._to_send += line.encode("ascii", "replace") + b"\r\n"

    def flush(self, within_s: float) -> None:
        """Send what was written.

        Raises:
            TimeoutError: The other side does not take it within so many seconds.
            ConnectionLostError: It is gone.
        """
        deadline = 0.0
        while self._to_send:
            try:
                self._to_send = self._to_send[self._socket.send(self._to_send) :]
            except BlockingIOError:
                deadline = deadline or time.monotonic() + within_s
                self._wait(selectors.EVENT_WRITE, deadline)
            except OSError as error:
                raise ConnectionLostError(_reason(error)) from error

    def receive(self, deadline: float) -> str:
        """The next line, without its end.

        Args:
            deadline: Time limit on the clock ``time.monotonic()``.

        Raises:
            TimeoutError: No whole line came until then.
            ConnectionLostError: The other side is gone, or its line is endless.
        """
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > _LONGEST_LINE:
                raise ConnectionLostError(f"sent a line of more than {_LONGEST_LINE} bytes")
            self._wait(selectors.EVENT_READ, deadline)
            try:
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise ConnectionLostError(_reason(error)) from error
            if not chunk:
                raise ConnectionLostError("closed the connection")
            self._received += chunk
        line, self._received = self._received[:end], self._received[end + 1 :]
        return line.rstrip(b"\r").decode("ascii", "replace")

    def _wait(self, event: int, deadline: float) -> None:
        """Return when the socket can be read or written, or raise ``TimeoutError``."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if event != selectors.EVENT_READ:
            self._selector.modify(self._socket, event)
        try:
            if not self._selector.select(left):
                raise TimeoutError
        finally:
            if event != selectors.EVENT_READ:
                self._selector.modify(self._socket, selectors.EVENT_READ)

    def close(self) -> None:
        """Hang up; what has been sent still arrives."""
        self._selector.close()
        self._socket.close()

    def __enter__(self) -> LineProtocol:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _reason(error: OSError) -> str:
    return f"lost the connection ({error.strerror or error})"
