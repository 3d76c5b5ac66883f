"""Ctrl-C once, twice and late: the right exit code, the last words, no traceback."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from interrupts import interruptible

from nlhe_env.system.command_interrupts import interrupts_wait

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

PROGRAM = """
import sys, threading, time
from nlhe_env.system.command_interrupts import last_words, run_program

def stubborn():
    while threading.main_thread().is_alive():  # until all that is left is to wait for this one
        time.sleep(0.01)
    print("waited for", flush=True)
    time.sleep(600)

def main():
    if "wrong" in sys.argv:
        print("ready", flush=True)
        sys.exit("wrong usage")
    with last_words("Go on with: --resume here"):
        try:
            print("ready", flush=True)
            time.sleep(600)
        except KeyboardInterrupt:
            print("ending", flush=True)
            if "slow" in sys.argv:
                time.sleep(600)
            raise
    return 0

if "thread" in sys.argv:
    threading.Thread(target=stubborn).start()
run_program(main)
"""


@interruptible()
def start(*how: str) -> subprocess.Popen[bytes]:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *how], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout.readline() == b"ready\n"
    return program


def ends(program: subprocess.Popen[bytes], *, words: bool, code: int = 130) -> None:
    _, errors = program.communicate(timeout=300)  # what would go on by itself does so for 600 s
    assert program.returncode == code
    assert errors == (b"Go on with: --resume here\n" if words else b"")


def test_one_interrupt_ends_cleanly():
    program = start()
    program.send_signal(signal.SIGINT)
    ends(program, words=False)


def test_two_interrupts_end_at_once_with_a_final_message():
    program = start("slow")
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == b"ending\n"
    program.send_signal(signal.SIGINT)
    ends(program, words=True)


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_termination_is_an_interrupt_with_its_own_exit_code(second):
    program = start()
    program.send_signal(signal.SIGTERM)
    ends(program, words=False, code=143)
    program = start("slow")
    program.send_signal(signal.SIGTERM)
    assert program.stdout.readline() == b"ending\n"
    program.send_signal(second)
    ends(program, words=True, code=143)


def test_termination_reaches_the_handler_of_an_event_loop():
    code = """
import asyncio
from nlhe_env.system.command_interrupts import run_program, usual_interrupts

async def serve():
    print("ready", flush=True)
    try:
        await asyncio.sleep(600)
    finally:
        print("closed", flush=True)

def main():
    with usual_interrupts():
        asyncio.run(serve())
    return 0

run_program(main)
"""
    with interruptible():
        program = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    assert program.stdout.readline() == b"ready\n"
    program.send_signal(signal.SIGTERM)
    output, errors = program.communicate(timeout=300)
    assert (output, errors, program.returncode) == (b"closed\n", b"", 143)


def test_an_interrupt_while_threads_are_waited_for_is_quiet():
    program = start("thread")
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == b"ending\n"
    assert program.stdout.readline() == b"waited for\n"
    program.send_signal(signal.SIGINT)
    ends(program, words=False)


def test_an_interrupt_after_wrong_usage_is_quiet():
    program = start("thread", "wrong")
    assert program.stdout.readline() == b"waited for\n"
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=300)
    assert program.returncode == 130
    assert errors == b"wrong usage\n"


def test_a_deferred_interrupt_is_visible_and_raised_after_the_block():
    steps = []

    def work():
        with interrupts_wait() as interrupted:
            steps.append(interrupted())
            signal.raise_signal(signal.SIGINT)
            steps.append(interrupted())

    with interruptible(), pytest.raises(KeyboardInterrupt):
        work()
    assert steps == [False, True]
    with interrupts_wait() as interrupted:
        assert not interrupted()


def test_other_threads_are_not_delayed():
    found = []

    def work():
        with interrupts_wait() as interrupted:
            found.append(interrupted())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False]


@pytest.mark.slow
@pytest.mark.parametrize("package", ["agents", "evolve"])
def test_interrupts_while_a_command_line_loads_are_quiet(package):
    for pause in (0.4, 0.8, 1.2):
        program = subprocess.Popen(
            # Python's own traceback, before the first line of the program, is not asked for.
            [sys.executable, "-c", f"import runpy, signal, {package};"
             "signal.signal(signal.SIGINT, signal.SIG_IGN); print('loaded', flush=True);"
             f"runpy.run_module('{package}', run_name='__main__')"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert program.stdout.readline() == b"loaded\n"
        time.sleep(pause)
        for _ in range(3):
            program.send_signal(signal.SIGINT)
            time.sleep(0.05)
        _, errors = program.communicate(timeout=300)
        assert b"Traceback" not in errors


def test_an_interrupt_while_output_is_flushed_loses_no_last_words():
    program = """
import io, os, signal, sys
from nlhe_env.system.command_interrupts import _end_at_once, last_words

class Output(io.RawIOBase):
    def writable(self):
        return True

    def write(self, content):
        os.kill(os.getpid(), signal.SIGINT)
        return len(content)

signal.signal(signal.SIGINT, _end_at_once)
sys.stdout = io.TextIOWrapper(io.BufferedWriter(Output()))
with last_words("Go on with: --resume here"):
    print("ending", flush=True)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (ended.returncode, ended.stderr) == (130, b"Go on with: --resume here\n")
