"""Folder of the caches on disk."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The folder of strength tables and compiled kernels.

    ``NLHE_ENV_CACHE`` overrides the operating system's cache folder of the user.
    """
    chosen = os.environ.get("NLHE_ENV_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("nlhe-env"))


def is_ours(found: os.stat_result, *, or_of_root: bool = False) -> bool:
    """Whether a file or folder belongs to this user and is not writable by others.

    Args:
        found: Its status.
        or_of_root: Whether it may belong to the administrator as well.
    """
    if not hasattr(os, "geteuid"):  # Windows: the cache folder is in the user's profile
        return True
    owners = (os.geteuid(), 0) if or_of_root else (os.geteuid(),)
    return found.st_uid in owners and not found.st_mode & 0o022
