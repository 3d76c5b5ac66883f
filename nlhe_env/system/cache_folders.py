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
