"""Closed standard output, for example by ``| head``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def output_may_end() -> Iterator[None]:
    """Ends the program silently, with code 1, once its standard output is closed.

    Raises:
        BrokenPipeError: Another pipe, such as that of a child program, is broken.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not _output_is_broken():
            raise
        # The remaining output is discarded, so that it cannot fail at exit.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise SystemExit(1) from None


def _output_is_broken() -> bool:
    """Whether writing another line fails too, because the failed one may have left the buffers."""
    try:
        print(flush=True)
    except BrokenPipeError:
        return True
    return False
