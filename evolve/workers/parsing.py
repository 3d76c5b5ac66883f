"""Workers from the text of the option ``--workers``."""

from __future__ import annotations

import re

from evolve.workers.base import Workers
from evolve.workers.processes import process_workers
from evolve.workers.threads import thread_workers
from nlhe_env.extras import install_command

ALLOWED = "N or threads://N, processes://N, or dask://HOST:PORT"
_FORM = re.compile(r"(?:(?P<kind>[a-z]+)://)?(?P<rest>.*)")


def parse_workers(text: str | None) -> Workers:
    """Create the workers of a ``--workers`` option.

    Args:
        text: ``"4"`` or ``"threads://4"``, ``"processes://4"``, or ``"dask://HOST:PORT"``, the
            address of a Dask scheduler. Without a number, one for each core. None: threads.

    Raises:
        ValueError: The text is invalid, or a required extra is not installed.
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
    try:
        from evolve.workers.dask_cluster import dask_workers
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise ValueError(
            f"dask:// needs an extra that is not installed: {install_command('dask')}"
        ) from error
    return dask_workers(f"tcp://{remaining}")
