"""Kernels compiled by several processes: each by one of them, from a list that fits the code."""

import json
import os
import subprocess
import sys

import numba
import pytest
from numba.core import types

from nlhe_env.jit import compile_ahead
from nlhe_env.numerics import float_lanes, lane_math

LANES = float_lanes.FloatLanes(types.float32, 8) if not numba.config.DISABLE_JIT else types.none
MASK = lane_math._Mask(LANES) if not numba.config.DISABLE_JIT else types.none

pytestmark = [
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled"),
    pytest.mark.skipif(os.name != "posix", reason="claims are locks of POSIX"),
]

TWO_KERNELS = """
from nlhe_env.jit.compilation import kernel

@kernel
def inner(x):
    return x + 1

@kernel
def outer(x):
    return inner(x) + inner(2 * x)
"""
COMPILE = """
import sys
import two_kernels
from numba.core import types
from nlhe_env.system.compilation_progress import kernels_compiled

{code}
print(kernels_compiled(), flush=True)
"""
HOLD = COMPILE.format(
    code="""
dispatcher = two_kernels.inner
with dispatcher._cache.claim((types.int64,), dispatcher.targetctx.codegen(), "code"):
    print("held", flush=True)
    sys.stdin.read()
    dispatcher.compile_for_others((types.int64,), is_entry=False)
"""
)
CALL = COMPILE.format(code="print(two_kernels.outer(3))")
HELP = COMPILE.format(code="two_kernels.inner.compile_for_others((types.int64,), is_entry=False)")


@pytest.fixture
def start(tmp_path):
    """Start a program with a cache folder of its own that the test's programs share."""
    (tmp_path / "two_kernels.py").write_text(TWO_KERNELS)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {
        "NLHE_ENV_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(paths),
    }
    programs = []

    def run(code):
        program = subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        programs.append(program)
        return program

    yield run
    for program in programs:
        with program:
            program.kill()


def test_every_kernel_of_the_list_exists_and_has_these_arguments():
    for listed in compile_ahead.read_list():
        found = compile_ahead.find_kernel(listed.name)
        arguments = [compile_ahead.type_of(each) for each in listed.arguments]
        assert len(arguments) == found.py_func.__code__.co_argcount, listed.name


def test_every_program_has_kernels_on_the_list():
    programs = {program for each in compile_ahead.read_list() for program in each.programs}
    assert programs == set(compile_ahead.get_args(compile_ahead.Program))


@pytest.mark.parametrize(
    "kind",
    [
        types.int64,
        types.boolean,
        types.literal(True),
        types.none,
        types.Array(types.float32, 2, "C"),
        types.Array(types.int8, 1, "A", readonly=True, aligned=False),
        types.NestedArray(types.int64, (10,)),
        types.Tuple([types.int64, types.Array(types.uint8, 1, "C")]),
        types.UniTuple(types.float64, 3),
        LANES,
        types.Tuple([MASK, LANES]),
    ],
    ids=str,
)
def test_a_description_gives_the_type_again(kind):
    described = json.loads(json.dumps(compile_ahead.description_of(kind, {})))
    assert compile_ahead.type_of(described) == kind


def test_a_type_without_description_is_refused():
    with pytest.raises(ValueError, match="no description of the type"):
        compile_ahead.description_of(types.unicode_type, {})


@pytest.mark.slow
def test_a_kernel_that_another_process_compiles_is_waited_for(start):
    holder = start(HOLD)
    assert holder.stdout.readline() == "held\n"
    caller = start(CALL)
    with pytest.raises(subprocess.TimeoutExpired):
        caller.wait(timeout=8)
    holder.stdin.close()
    assert holder.stdout.read() == "1\n"
    assert caller.communicate(timeout=300)[0] == "11\n1\n"  # only the outer one compiled


@pytest.mark.slow
def test_a_process_that_helps_leaves_what_another_one_compiles(start):
    holder = start(HOLD)
    assert holder.stdout.readline() == "held\n"
    assert start(HELP).communicate(timeout=300)[0] == "0\n"


@pytest.mark.slow
def test_the_claim_of_a_process_that_was_killed_is_void(start):
    holder = start(HOLD)
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    assert start(CALL).communicate(timeout=300)[0] == "11\n2\n"


def test_a_part_of_what_was_announced_starts_nothing(monkeypatch):
    shared = []
    monkeypatch.setattr(compile_ahead, "_announced", [])
    monkeypatch.setattr(compile_ahead, "share_next_compilation", shared.append)
    for program in ("step", "play", "step", "train", "play"):
        compile_ahead.compile_ahead(program)
    assert len(shared) == 3
