"""Tests of Ctrl-C mean something wherever they are started."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from interrupts import interruptible

TESTS = Path(__file__).parent
ASKS = "import signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)"


def ignored_by_a_child() -> bool:
    return subprocess.check_output([sys.executable, "-c", ASKS], text=True) == "True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_child_can_be_interrupted_when_its_parent_ignores_interrupts() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert ignored_by_a_child()
        with interruptible():
            assert not ignored_by_a_child()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_every_interrupt_test_enables_interrupts() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in TESTS.rglob("*.py")}
    texts = {file: text for file, text in texts.items() if "benchmarks" not in file.parts}
    senders = [file for file, text in texts.items() if "SIGINT" in text]
    assert TESTS / "nlhe_env" / "system" / "test_command_interrupts.py" in senders
    assert not [file for file in senders if "interruptible()" not in texts[file]]
