"""The lock of a run folder: a second process gets an error, and a dead owner blocks no process."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nlhe_env.system.folder_lock import LOCK_FILE, FolderInUseError, locked

HOLD = """
import pathlib, sys
from nlhe_env.system.folder_lock import locked
with locked(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
COUNT = """
import pathlib, sys, time
from nlhe_env.system.folder_lock import FolderInUseError, locked
folder = pathlib.Path(sys.argv[1])
counter = folder / "counter"
for _ in range(200):
    while True:
        try:
            with locked(folder):
                counter.write_text(str(int(counter.read_text()) + 1))
            break
        except FolderInUseError:
            time.sleep(0.0005)
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline().strip() == b"held"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_gets_the_lock_owner(holder, tmp_path):
    words = re.escape(f"{tmp_path} is in use by process {holder.pid} on")
    with pytest.raises(FolderInUseError, match=words), locked(tmp_path):
        pytest.fail("two at once")
    holder.communicate(b"")
    with locked(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_dead_owner_blocks_no_process(holder, tmp_path):
    holder.kill()
    holder.wait()
    assert (tmp_path / LOCK_FILE).exists()
    with locked(tmp_path):
        assert str(os.getpid()) in (tmp_path / LOCK_FILE).read_text()
    assert list(tmp_path.iterdir()) == []


def test_the_lock_is_reentrant_for_its_thread_only(tmp_path):
    def take() -> None:
        with locked(tmp_path):
            pytest.fail("two at once")

    with ThreadPoolExecutor(1) as executor, locked(tmp_path):
        with locked(tmp_path / "."):
            pass
        assert (tmp_path / LOCK_FILE).exists()
        with pytest.raises(FolderInUseError):
            executor.submit(take).result()


def test_an_exception_releases_the_lock(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    with locked(tmp_path):
        pass


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), locked(tmp_path / "none"):
        pytest.fail("there is no such folder")


def test_only_one_of_many_processes_holds_the_lock(tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count(_: int) -> None:
        subprocess.run([sys.executable, "-c", COUNT, tmp_path], check=True)

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(count, range(4)))
    assert counter.read_text() == "800"
    assert [path.name for path in Path(tmp_path).iterdir()] == ["counter"]


def test_a_lock_that_is_a_link_is_refused_and_its_file_stays(tmp_path):
    precious, folder = tmp_path / "precious", tmp_path / "run"
    precious.write_text("kept")
    folder.mkdir()
    (folder / LOCK_FILE).symlink_to(precious)
    with pytest.raises(OSError, match="symbolic links"), locked(folder):
        pass
    assert precious.read_text() == "kept"
