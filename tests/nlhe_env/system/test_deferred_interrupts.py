"""Ctrl-C waits for a block, and only as long."""

import signal
import threading

import pytest
from interrupts import interruptible

from nlhe_env.system.command_interrupts import interrupts_wait


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Python's own Ctrl-C, also where the tests run in the background of a shell."""
    with interruptible():
        yield


def test_a_deferred_interrupt_is_visible_and_raised_after_the_block():
    steps = []

    def work():
        with interrupts_wait() as interrupted:
            steps.append(interrupted())
            signal.raise_signal(signal.SIGINT)
            steps.append(interrupted())

    with pytest.raises(KeyboardInterrupt):
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
