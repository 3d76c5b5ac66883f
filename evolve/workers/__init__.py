"""Workers that play games: threads or processes of one machine, or a Dask cluster.

All give the same results. ``evolve.workers.chunks`` distributes the work.
"""

from __future__ import annotations

from evolve.workers.base import ChunkLostError, Job, Task, Workers, WorkersError
from evolve.workers.parsing import parse_workers
from evolve.workers.playing import PlayedPart, PlayTask, play, play_all
from evolve.workers.prepare import prepare_game
from evolve.workers.processes import process_workers
from evolve.workers.threads import thread_workers

__all__ = [
    "ChunkLostError",
    "Job",
    "PlayTask",
    "PlayedPart",
    "Task",
    "Workers",
    "WorkersError",
    "parse_workers",
    "play",
    "play_all",
    "prepare_game",
    "process_workers",
    "thread_workers",
]
