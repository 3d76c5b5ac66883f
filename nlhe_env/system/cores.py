"""How many threads make sense, and how much memory there is."""

from __future__ import annotations

import os


def n_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_size() -> int:
    """Bytes of memory of this machine; where it does not tell, what 16 GiB are."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 16 * 2**30
