"""Finished parts of a long computation on disk, so that it can resume after an interruption."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nlhe_env.jit.array_types import AnyArray
from nlhe_env.system.files import load_npz, replacing


class PartsFolder:
    """A folder with one file for each finished part.

    A file is written under a temporary name and renamed, and has the checksums of the zip format.
    So an interruption leaves only complete parts, and several workers with the same parts can share
    a folder. Without write access nothing is stored.
    """

    def __init__(self, folder: Path | None) -> None:
        """Args: folder: Folder of the parts; None for no storage."""
        self._folder = folder

    def read(self, name: str, arrays: Mapping[str, AnyArray]) -> bool:
        """Fill ``arrays`` from a part; False if there is no sound part of this name."""
        if self._folder is None:
            return False
        try:
            part = load_npz(self._folder / f"{name}.npz")
            found = {key: part[key] for key in arrays}
        except (OSError, ValueError, KeyError):
            return False
        for key, array in arrays.items():
            if found[key].shape != array.shape or found[key].dtype != array.dtype:
                return False
        for key, array in arrays.items():
            array[...] = found[key]
        return True

    def write(self, name: str, arrays: Mapping[str, AnyArray]) -> None:
        """Store a finished part, if possible."""
        if self._folder is None:
            return
        # No space, or another worker has finished and removed the folder; the part is in memory
        # anyway.
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._folder / f"{name}.npz", sync=False) as file:
                np.savez(file, allow_pickle=False, **arrays)

    def remove(self) -> None:
        """Remove all parts and all leftovers of interrupted workers."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
