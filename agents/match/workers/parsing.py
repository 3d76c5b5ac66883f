"""Workers from the text of the option ``--workers``."""

from __future__ import annotations

import re

from agents.match.workers.base import Workers, thread_workers
from agents.match.workers.processes import process_workers
from nlhe_env.extras import needs_extra

ALLOWED = "N or threads://N, processes://N, or dask://HOST:PORT"
_FORM = re.compile(r"(?:(?P<kind>[a-z]+)://)?(?P<rest>.*)")


def parse_workers(text: str | None) -> Workers:
    """Create the workers of a ``--workers`` option.

    Args:
        text: ``"4"`` or ``"threads://4"``, ``"processes://4"``, or ``"dask://HOST:PORT"``, the
            address of a Dask scheduler. Without a number, one for each core. None: threads.

    Raises:
        MissingExtraError: Dask is not installed.
        ValueError: The text is invalid.
        WorkersError: The scheduler does not answer, or its workers are unsuitable.
    """
    match = _FORM.fullmatch(text or "")
    kind = (match and match["kind"]) or "threads"
    remaining = match["rest"] if match else ""
    if kind in ("threads", "processes"):
        if remaining and not re.fullmatch(r"-?[0-9]+", remaining):
            raise ValueError(f"workers must be {ALLOWED}; got {text!r}")
        count = int(remaining) if remaining else None
        return thread_workers(count) if kind == "threads" else process_workers(count)
    if kind != "dask" or not re.fullmatch(r".+:[0-9]+", remaining):
        raise ValueError(f"workers must be {ALLOWED}; got {text!r}")
    with needs_extra("dask", "dask://"):
        from agents.match.workers.dask_cluster import dask_workers
    return dask_workers(f"tcp://{remaining}")
