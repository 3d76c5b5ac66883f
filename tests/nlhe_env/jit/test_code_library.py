"""Kernels as LLVM code for their callers, and as machine code for Python."""

import re
import sys
import weakref

import numba
import numpy as np
import pytest
from numba.core import compiler, types

from nlhe_env.jit.compilation import allocating_kernel, kernel

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


@kernel
def tripled(x):
    return 3 * x


@kernel
def tripled_if(x, wanted):
    if wanted:
        return tripled(x)
    return x


@kernel
def both(x):
    # For False, tripled_if is compiled without the call of tripled.
    return tripled_if(x, False) + tripled_if(x, x > 0)


@kernel
def with_numbers(x):
    return tripled(1) + tripled(2) + tripled(x)


def test_callees_are_linked_wherever_one_of_the_callers_does_not_need_them():
    assert both(5) == 20


def test_whole_numbers_in_a_call_do_not_compile_the_kernel_anew():
    assert with_numbers(3) == 18
    assert set(tripled.overloads) <= {(numba.int64,)}  # none if all is in the cache


def test_machine_code_is_made_for_what_python_calls():
    @kernel
    def halved(x):
        return x // 2

    @kernel
    def quartered(x):
        return halved(halved(x))

    assert quartered(20) == 5
    assert (len(halved.overloads), len(halved.entries)) == (1, 0)
    assert halved(20) == 10
    assert (len(halved.overloads), len(halved.entries)) == (1, 1)
    assert quartered(21.0) == 5.0


def test_functions_that_are_no_kernels_can_call_them():
    @numba.njit
    def plain(x):
        return both(x) + 1

    assert plain(5) == 21


def test_arrays_that_a_kernel_allocates_belong_to_python():
    @allocating_kernel
    def shifted(x):
        return x + 1

    given = np.arange(3)
    found = shifted(given)
    assert found.tolist() == [1, 2, 3]
    assert shifted(found).tolist() == [2, 3, 4]
    assert sys.getrefcount(given) == 2
    gone = weakref.ref(found)
    del found
    assert gone() is None


def test_errors_reach_python():
    @allocating_kernel
    def checked(x):
        if x < 0:
            raise ValueError("below zero")
        return x

    @allocating_kernel
    def outer(x):
        return checked(x) + 1

    assert outer(1) == 2
    with pytest.raises(ValueError, match="below zero"):
        outer(-1)


@kernel
def of_many_kinds(table, limits, wanted):
    low, high = limits
    found = np.float32(0)
    for i, row in enumerate(table):
        if wanted is None or i == low:
            row[:] = found
        while row[0] < high and tripled_if(i, True) > 2:
            row[0] += np.float32(1.5)
        found = max(found, row[-1])
    return found, len(table) > 1 or found == high


@pytest.mark.parametrize("wanted", [types.none, types.int64], ids=str)
def test_the_passes_that_kernels_do_without_change_no_code(wanted):
    from nlhe_env.jit.dispatcher import _KernelPasses

    table = types.Array(types.float32, 2, "C")
    given = (table, types.UniTuple(types.int64, 2), wanted)

    def code(passes):
        made = type(of_many_kinds)(
            of_many_kinds.py_func, targetoptions=of_many_kinds.targetoptions, pipeline_class=passes
        )
        made._cache.load_overload = lambda *_: None
        made._cache.save_overload = lambda *_: None
        made._compile_code(given, given)
        text = str(made.overloads[given].library.own_module())
        return re.sub(r"\d+", "0", text)  # numbers of functions and versions

    assert code(compiler.Compiler) == code(_KernelPasses)
