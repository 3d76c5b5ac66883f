"""Where caches lie on disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The folder of strength tables and compiled kernels.

    ``NLHE_ENV_CACHE`` overrides the operating system's cache folder of the user.
    """
    chosen = os.environ.get("NLHE_ENV_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("nlhe-env"))


def kernel_cache_folder(package: Path) -> Path:
    """The folder of compiled code, apart for each checkout so that two do not fight over it."""
    checkout = hashlib.blake2b(str(package).encode(), digest_size=6).hexdigest()
    return cache_folder() / "kernels" / checkout
