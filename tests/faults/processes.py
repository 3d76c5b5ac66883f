"""Workers that are processes, on a machine that runs out of shared memory."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SCRIPT = """
import sys
from agents.match.workers.processes import process_workers
from agents.match.workers.base import WorkersError

class Task:
    def __init__(self, size):
        self.content = bytes(size)
    def __call__(self, first, count):
        return [first]

workers = process_workers(1)
try:
    workers.begin(Task(int(sys.argv[1])))
except WorkersError as error:
    print(error)
workers.kill()
"""


def full_shared_memory(
    generator: random.Random, number: int, folder: Path
) -> Iterator[tuple[str, str]]:
    """A shared-memory disk of 1 MiB, in a name space of its own."""
    mount = 'mount -t tmpfs -o size=1m tmpfs /dev/shm 2>/dev/null || exit 77; exec "$@"'
    for size in (2**21, 2**24):
        command = ["unshare", "-m", "sh", "-c", mount, "sh", sys.executable, "-c", SCRIPT]
        try:
            done = subprocess.run(
                [*command, str(size)], capture_output=True, check=False, env=os.environ, text=True
            )
        except FileNotFoundError:
            return
        if done.returncode == 77 or "unshare" in done.stderr:
            return  # only root may mount
        said = "no room in shared memory" in done.stdout and done.returncode == 0
        yield f"{size} bytes", "" if said else f"code {done.returncode}: {done.stderr[-200:]}"
