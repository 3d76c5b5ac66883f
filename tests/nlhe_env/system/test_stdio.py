"""Programs whose output is closed end quietly; other broken pipes are reported."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")

PROGRAM = """
import os, sys
from nlhe_env.system.command_line import output_may_end

def help_and_exit():
    print("usage")
    sys.exit(0)

def other_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    os.write(writer, b"move")

with output_may_end():
    {body}
"""

BODIES = {
    "more than the buffers hold": "print('line\\n' * 100_000)",
    "less than that": "print('line')",
    "help": "help_and_exit()",
}


def _run(*arguments: str, read: bool) -> tuple[int, str]:
    """The exit code and standard error of Python, whose standard output is read or cut off."""
    reader, writer = os.pipe()
    if not read:
        os.close(reader)
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True
    ) as program:
        os.close(writer)
        _, said = program.communicate(timeout=120)
    if read:
        os.close(reader)
    return program.returncode, said


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_unread_output_ends_the_program_quietly(body):
    assert _run("-c", PROGRAM.format(body=body), read=False) == (1, "")


def test_other_broken_pipes_are_errors():
    code, said = _run("-c", PROGRAM.format(body="other_pipe()"), read=True)
    assert code == 1
    assert "BrokenPipeError" in said


@pytest.mark.parametrize(
    "arguments", [("agents", "players"), ("evolve", "--help"), ("nlhe_env.console", "--help")]
)
def test_commands_end_quietly_on_unread_output(arguments):
    code, said = _run("-m", *arguments, read=False)
    assert code == 1
    # A new installation reports compilation, and there is no other output.
    assert all("nlhe-env: compiling" in line for line in said.splitlines()), said
