"""Chunks of work: each game once and in order, and errors that leave at once."""

import pytest

from agents.match.workers.base import thread_workers
from agents.match.workers.chunks import run_chunks


def test_an_error_in_a_chunk_is_raised_and_cancels_waiting_chunks():
    started = []

    def fail(first, count):
        started.append(first)
        raise RuntimeError("chunk failed")

    with thread_workers(1) as workers, pytest.raises(RuntimeError, match="chunk failed"):
        run_chunks(fail, 1000, workers=workers)
    assert len(started) <= 2


def test_chunks_cover_every_game_once_and_in_order():
    with thread_workers(3) as workers:
        parts = run_chunks(lambda first, count: range(first, first + count), 500, workers=workers)
    assert [game for part in parts for game in part] == list(range(500))
