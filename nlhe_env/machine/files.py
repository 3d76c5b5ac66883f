"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_ABANDONED_S = 3600.0
"""Nobody is still writing a file that has not changed for so long."""


@contextlib.contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """A new file that takes the place of ``path`` when the block ends without an exception.

    Until then ``path`` has its old content, whatever dies: the new one grows under a temporary
    name of its own, so that several processes may write the same file at once. What killed
    processes have left of theirs is removed in time.

    Args:
        path: The file.
        sync: Wait until the content is on disk. Without, a power cut (but no death of the process)
            may leave it damaged.

    Raises:
        OSError: It could not be written, as on a full disk; its ``filename`` is ``path``.
    """
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _ABANDONED_S:
                leftover.unlink()
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)  # a failed write does not know it
        raise
    finally:
        with contextlib.suppress(OSError):  # on a full disk, room for others
            temporary.unlink(missing_ok=True)
