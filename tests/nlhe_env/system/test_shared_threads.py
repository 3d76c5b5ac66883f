"""Threads that share work: order, errors, what waits at the end, and forks."""

import gc
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nlhe_env.jit.atomics import fetch_add
from nlhe_env.system.threads import Threads, once, thread_map


@pytest.mark.parametrize("count", [1, 3])
def test_results_come_in_the_order_of_the_items(count):
    def slower_at_first(item):
        time.sleep(0.002 * (5 - item))
        return item * item

    assert list(thread_map(slower_at_first, range(5), count)) == [0, 1, 4, 9, 16]


def test_run_raises_after_all_calls_have_returned_and_goes_on():
    team, together, returned = Threads(2), threading.Barrier(3), []

    def fail_elsewhere():
        together.wait(60)
        time.sleep(0.01)
        returned.append(threading.current_thread().name)
        if threading.current_thread() is not threading.main_thread():
            raise ValueError("a share failed")
        return 1

    with pytest.raises(ValueError, match="a share failed"):
        team.run(fail_elsewhere)
    assert len(set(returned)) == 3
    assert team.run(lambda: 2) == [2, 2, 2]
    team.close()
    assert team.run(lambda: 3) == [3, 3, 3]
    team.close()


def test_threads_that_are_to_finish_make_the_waiting_calls_and_no_others():
    team, unused, release = Threads(1), Threads(1), threading.Event()
    thread = team.submit(threading.current_thread).result()
    waiting = [team.submit(lambda: release.wait(60)) for _ in range(3)]
    for each in (team, unused):
        each.finish()
    late = [each.submit(release.wait) for each in (team, unused)]
    release.set()
    assert all(each.result(60) for each in waiting)
    thread.join(60)
    assert not thread.is_alive()
    assert all(each.cancel() for each in late)


def test_run_does_not_wait_for_threads_that_are_busy():
    team, begun, may_end = Threads(1), threading.Event(), threading.Event()

    def work():
        begun.set()
        return may_end.wait(60)

    busy = team.submit(work)
    begun.wait(60)
    assert team.run(threading.current_thread) == [threading.current_thread()] * 2
    may_end.set()
    assert busy.result()
    team.close()


@pytest.mark.parametrize("n", [0, 1, 63, 1000])
def test_shared_items_are_taken_once(n):
    taken = np.zeros(n, np.int64)

    def take(counter, span):
        while (first := int(fetch_add(counter, span))) < n:
            taken[first : first + span] += 1

    team = Threads(3)
    team.share(take, n)
    team.close()
    assert (taken == 1).all()


def test_leaving_waits_for_running_calls_and_drops_the_others():
    begun, may_end, ended = threading.Event(), threading.Event(), []

    def work():
        begun.set()
        may_end.wait(60)
        ended.append(1)

    with Threads(1) as threads:
        futures = [threads.submit(work) for _ in range(5)]
        begun.wait(60)
        threading.Timer(0.02, may_end.set).start()
    assert [future.cancelled() for future in futures] == [False, True, True, True, True]
    assert ended == [1]


def test_threads_end_with_their_owner():
    before = set(threading.enumerate())
    threads = Threads(3)
    assert sorted(threads.map(abs, [-3, 1, -2])) == [1, 2, 3]
    own = set(threading.enumerate()) - before
    assert len(own) == 3
    del threads
    gc.collect()
    for thread in own:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_starts_threads_of_its_own():
    threads = Threads(1)
    assert threads.run(lambda: 1) == [1, 1]
    child = os.fork()
    if child == 0:
        os._exit(0 if threads.run(lambda: 2) == [2, 2] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    threads.close()


# --- functions that run once in a process ---------------------------------------------------------


def test_concurrent_threads_get_the_same_object():
    calls = []
    together = threading.Barrier(8)

    @once
    def make():
        calls.append(1)
        time.sleep(0.05)  # so that the others come meanwhile
        return object()

    def ask():
        together.wait()
        return make()

    with ThreadPoolExecutor(8) as executor:
        found = list(executor.map(lambda _: ask(), range(8)))
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
