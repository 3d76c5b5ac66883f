"""Other versions of Numba than those tested compile by ``njit``, with the same results."""

import os
import subprocess
import sys

import numba
import pytest

from nlhe_env.jit.compilation import TESTED

DOCTESTS = """
import doctest
import nlhe_env.jit.compilation, nlhe_env.jit.function_pointers, nlhe_env.jit.record_pointers

for module in (
    nlhe_env.jit.compilation,
    nlhe_env.jit.function_pointers,
    nlhe_env.jit.record_pointers,
):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed, found
print("nlhe_env.jit.dispatcher" in sys.modules)
"""
WRONG = """
import numpy as np
import nlhe_env.jit.compilation, nlhe_env.jit.function_pointers

measure = nlhe_env.jit.function_pointers.Signature("a number", np.float64, row=np.zeros(1))
for function in (len, nlhe_env.jit.compilation.kernel(lambda row: len(row))):
    try:
        measure.address_of(function)
    except TypeError as error:
        print(error)
"""


def run(code: str, *, version: str = numba.__version__, njit: str = "") -> tuple[str, list[str]]:
    """Output and warnings of a program under a version of Numba."""
    start = f"import sys, numba; numba.__version__ = {version!r}\n"
    done = subprocess.run(
        [sys.executable, "-W", "always::UserWarning", "-c", start + code],
        env={**os.environ, "NLHE_ENV_NJIT": njit},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, [line for line in done.stderr.splitlines() if "UserWarning" in line]


@pytest.mark.slow
@pytest.mark.parametrize("version", [f"{TESTED[-1]}.99", f"{TESTED[0]}.0rc1"])
def test_a_tested_version_compiles_through_its_internals(version: str) -> None:
    assert run(DOCTESTS, version=version) == ("True\n", [])


def test_another_version_compiles_by_njit_and_warns_once() -> None:
    out, warnings = run(DOCTESTS, version="99.1.0")
    assert out == "False\n"
    (warning,) = warnings
    assert "not tested with Numba 99.1.0" in warning
    assert f"pip install 'numba=={TESTED[-1]}.*'" in warning


@pytest.mark.slow
def test_njit_can_be_asked_for() -> None:
    assert run(DOCTESTS, njit="1") == ("False\n", [])
    out, _ = run(WRONG, njit="1")
    assert out.splitlines()[0].startswith("a number must be a kernel; got <built-in function len>")
    assert out.splitlines()[1].endswith("<lambda> returns int64")
