"""Tasks for workers, which other processes and machines import: good ones, and deadly ones."""

import os
import signal
import struct
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path


@dataclass(frozen=True)
class Numbers:
    """The numbers of its games."""

    def __call__(self, first: int, count: int) -> list[int]:
        return list(range(first, first + count))


@dataclass(frozen=True)
class Failing:
    """Fails."""

    def __call__(self, first: int, count: int) -> float:
        return first / 0


class RefusedError(Exception):
    """Cannot be unpickled, as it keeps one of its two arguments."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(f"{code}: {words}")


@dataclass(frozen=True)
class Refusing:
    """Fails with an exception that cannot be unpickled."""

    def __call__(self, first: int, count: int) -> float:
        raise RefusedError(429, "too many requests")


@dataclass(frozen=True)
class Dying:
    """Ends its process at game 5: once, or always without a file to note it in."""

    noted: Path | None = None

    def __call__(self, first: int, count: int) -> list[int]:
        if first <= 5 < first + count and not (self.noted and self.noted.exists()):
            if self.noted:
                self.noted.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return list(range(first, first + count))


@dataclass(frozen=True)
class DyingInAResult:
    """Ends its process once, when half of a result has been sent."""

    noted: Path

    def __call__(self, first: int, count: int) -> list[int]:
        if not self.noted.exists():
            self.noted.touch()
            Connection._send_bytes = half_of_it  # of this process, which does not live long
        return list(range(first, first + count))


def half_of_it(connection: Connection, content: memoryview) -> None:
    half = struct.pack("!i", len(content)) + content[: len(content) // 2]
    os.write(connection.fileno(), half)
    os.kill(os.getpid(), signal.SIGKILL)
