"""Lines over TCP, every wait with an end."""

from __future__ import annotations

import socket
import time
from types import TracebackType

_LONGEST_LINE = 65_536  # bytes; ten players of a deep no-limit hand need a few thousand
_CHUNK = 65_536


class ConnectionLostError(Exception):
    """The other side is gone, or sends what can be no line; the text says which."""


class LineConnection:
    """A connected socket that sends and receives lines of ASCII text.

    Args:
        connected: The socket; closed with this object.
    """

    def __init__(self, connected: socket.socket) -> None:
        # Lines are short and answered at once: waiting to fill a packet would only delay them.
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected
        self._received = b""

    def send(self, line: str, within_s: float) -> None:
        """Send a line.

        Raises:
            TimeoutError: The other side takes nothing for so many seconds.
            ConnectionLostError: It is gone.
        """
        try:
            self._socket.settimeout(max(within_s, 1e-3))
            self._socket.sendall(line.encode("ascii", "replace") + b"\r\n")
        except TimeoutError:
            raise
        except OSError as error:
            raise ConnectionLostError(_reason(error)) from error

    def receive(self, deadline: float) -> str:
        """The next line, without its end.

        Args:
            deadline: Of ``time.monotonic()``.

        Raises:
            TimeoutError: No whole line came until then.
            ConnectionLostError: The other side is gone, or its line is endless.
        """
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > _LONGEST_LINE:
                raise ConnectionLostError(f"sent a line of more than {_LONGEST_LINE} bytes")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                self._socket.settimeout(left)
                chunk = self._socket.recv(_CHUNK)
            except TimeoutError:
                raise
            except OSError as error:
                raise ConnectionLostError(_reason(error)) from error
            if not chunk:
                raise ConnectionLostError("closed the connection")
            self._received += chunk
        line, self._received = self._received[:end], self._received[end + 1 :]
        return line.rstrip(b"\r").decode("ascii", "replace")

    def close(self) -> None:
        """Hang up; what has been sent still arrives."""
        self._socket.close()

    def __enter__(self) -> LineConnection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _reason(error: OSError) -> str:
    return f"lost the connection ({error.strerror or error})"
