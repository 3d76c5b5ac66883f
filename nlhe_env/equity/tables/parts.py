"""Finished parts of a long piece of work, kept on disk so that an interrupted one can go on."""

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

    A file is written under a temporary name and renamed, and holds checksums (those of the zip
    format). So what is interrupted leaves whole parts or none, and several workers may share a
    folder as long as they make the same parts. Where nothing can be written, nothing is kept.
    """

    def __init__(self, folder: Path | None) -> None:
        """Args: folder: Where parts are kept; None keeps none."""
        self._folder = folder

    def read(self, name: str, arrays: Mapping[str, AnyArray]) -> bool:
        """Fill ``arrays`` from the part of that name; False if there is no sound one."""
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
        """Keep a finished part, if that is possible."""
        if self._folder is None:
            return
        # No room, or another worker has finished and removed the folder: the part is in memory.
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._folder / f"{name}.npz", sync=False) as file:
                np.savez(file, allow_pickle=False, **arrays)

    def remove(self) -> None:
        """Remove all parts, and what interrupted workers have left."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
