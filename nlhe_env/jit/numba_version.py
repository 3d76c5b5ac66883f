"""Which way kernels are compiled: through Numba's internals, or by its own ``njit``.

The kernel cache and the dispatcher here use internals of Numba that any minor release may change.
With other versions than those that they were tested with, and with ``NLHE_ENV_NJIT=1`` in the
environment, ``njit`` compiles the kernels: with the same results, but slower, and again in every
process.
"""

from __future__ import annotations

import os
import warnings

import numba

TESTED = ("0.68",)
"""Minor versions of Numba whose internals are known."""


def _uses_internals() -> bool:
    if os.environ.get("NLHE_ENV_NJIT", "0") not in ("", "0"):
        return False
    minor = ".".join(numba.__version__.split(".")[:2])
    if minor not in TESTED:
        warnings.warn(
            f"nlhe-env was not tested with Numba {numba.__version__}: every process compiles its "
            "kernels again, which takes minutes. To avoid that: "
            f"pip install 'numba=={TESTED[-1]}.*'",
            stacklevel=2,
        )
    return minor in TESTED


USES_INTERNALS = _uses_internals()
