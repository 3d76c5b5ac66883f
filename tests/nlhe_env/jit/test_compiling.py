"""Messages while kernels compile, and the effect of Ctrl-C meanwhile."""

import os
import signal
import subprocess
import sys
import time

import numba
import pytest
from interrupts import interruptible

pytestmark = [
    pytest.mark.slow,  # each compiles into an empty cache
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled"),
    pytest.mark.skipif(os.name != "posix", reason="signals and terminals"),
]

N_KERNELS = 150
STEP = """
@kernel
def step_{i}(x):
    for i in range(x):
        x += {i} * i
    return x
"""
ALL_STEPS = "".join(f"    x = step_{i}(x)\n" for i in range(N_KERNELS))
SLOW = (
    "from nlhe_env.jit.compilation import kernel\n"
    + "".join(STEP.format(i=i) for i in range(N_KERNELS))
    + "@kernel\ndef some_steps(x):\n    return step_1(step_0(x))\n"
    + f"@kernel\ndef all_steps(x):\n{ALL_STEPS}    return x\n"
)
SCRIPT = "import slow; print(slow.all_steps(0))"
SHORT_SCRIPT = "import slow; print(slow.some_steps(0))"
COMMAND = """
from nlhe_env.system.command_interrupts import run_program
import slow

def main():
    try:
        slow.all_steps(0)
    except KeyboardInterrupt:
        print("ended in order", flush=True)
        raise
    return 0

run_program(main)
"""


@interruptible()
def start(folder, code, *, stderr=subprocess.PIPE):
    (folder / "slow.py").write_text(SLOW)
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "NLHE_ENV_CACHE": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(paths),
        "COLUMNS": "100",
    }
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=stderr
    )


def interrupted(folder, code):
    """Output, error output and exit code of a program that is interrupted while it compiles."""
    program = start(folder, code)
    first = program.stderr.readline()
    time.sleep(1.0)  # into the midst of it
    program.send_signal(signal.SIGINT)
    output, errors = program.communicate(timeout=120)
    return output.decode(), (first + errors).decode(), program.returncode


def test_an_interrupted_command_stops_between_two_kernels(tmp_path):
    output, said, code = interrupted(tmp_path, COMMAND)
    assert (output, code) == ("ended in order\n", 130)
    compiling, stopping = said.splitlines()
    assert compiling.startswith("nlhe-env: compiling slow.")
    assert stopping == "nlhe-env: interrupted; stopping after the compilation under way"
    assert 0 < len(list((tmp_path / "cache").rglob("step_*.code"))) < N_KERNELS


def test_an_interrupted_script_shows_only_its_own_traceback(tmp_path):
    output, said, code = interrupted(tmp_path, SCRIPT)
    assert (output, code) == ("", -signal.SIGINT)
    assert said.count("stopping after the compilation under way") == 1
    assert said.endswith("KeyboardInterrupt\n")
    assert said.count('File "') <= 4


def test_a_second_interrupt_ends_a_command_at_once(tmp_path):
    program = start(tmp_path, COMMAND)
    program.stderr.readline()
    time.sleep(0.5)
    for _ in range(2):
        program.send_signal(signal.SIGINT)
    program.communicate(timeout=120)
    assert program.returncode == 130


def test_the_interrupt_handler_is_restored_after_compilation(tmp_path):
    code = """
import signal, slow
slow.some_steps(0)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.set_wakeup_fd(-1))
"""
    output, _ = start(tmp_path, code).communicate(timeout=120)
    assert output == b"True -1\n"


def test_one_line_names_what_compiles_and_none_without_compilation(tmp_path):
    output, said = start(tmp_path, SHORT_SCRIPT).communicate(timeout=120)
    assert output == b"0\n"
    assert said.decode() == (
        "nlhe-env: compiling slow.some_steps and what it calls (kept on disk if possible)\n"
    )
    output, said = start(tmp_path, SHORT_SCRIPT).communicate(timeout=120)
    assert (output, said) == (b"0\n", b"")


def test_two_processes_that_start_together_say_it_at_most_once_each(tmp_path):
    programs = [start(tmp_path, SHORT_SCRIPT) for _ in range(2)]
    ended = [program.communicate(timeout=120) for program in programs]
    assert [output for output, _ in ended] == [b"0\n"] * 2
    lines = [len(said.splitlines()) for _, said in ended]
    assert sorted(lines) in ([0, 1], [1, 1])  # the slower one may find all kernels on disk


def test_a_quiet_process_says_nothing(tmp_path):
    quiet = "from nlhe_env.system.compilation_progress import *; compile_quietly(); "
    output, said = start(tmp_path, quiet + SHORT_SCRIPT).communicate(timeout=120)
    assert (output, said) == (b"0\n", b"")


def test_on_a_terminal_one_line_counts_kernels_and_disappears(tmp_path):
    ours, theirs = os.openpty()
    program = start(tmp_path, SHORT_SCRIPT, stderr=theirs)
    program.communicate(timeout=120)
    os.close(theirs)
    said = os.read(ours, 100_000).decode()
    os.close(ours)
    assert said.split("\r\x1b[K") == [
        "",
        "nlhe-env: compiling slow.some_steps: kernel 1, some_steps",
        "nlhe-env: compiling slow.some_steps: kernel 2, step_0",
        "nlhe-env: compiling slow.some_steps: kernel 3, step_1",
        "nlhe-env: compiling slow.some_steps: machine code of some_steps",
        "",
    ]
