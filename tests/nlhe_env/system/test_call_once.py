"""Functions that run once in a process."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from nlhe_env.system.threads import once

THREADS = 8


def test_concurrent_threads_get_the_same_object():
    calls = []
    together = threading.Barrier(THREADS)

    @once
    def make():
        calls.append(1)
        time.sleep(0.05)  # so that the others come meanwhile
        return object()

    def ask():
        together.wait()
        return make()

    with ThreadPoolExecutor(THREADS) as executor:
        found = list(executor.map(lambda _: ask(), range(THREADS)))
    assert len(set(map(id, found))) == 1
    assert len(calls) == 1


def test_tables_that_kernels_hold_by_address_are_made_once():
    """In a new process that has not requested them yet."""
    code = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from nlhe_env.equity.all_in.shares import COUNTER, new_counter
together = Barrier(4)
def ask(_):
    together.wait()
    record = new_counter().view(COUNTER)
    return int(record["pairs"][0]), int(record["showdowns"][0])
with ThreadPoolExecutor(4) as executor:
    print(len(set(executor.map(ask, range(4)))))
"""
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert said.split() == ["1"]
