"""Files written whole or not at all, and array files with flipped bits."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import agents
from evolve.files.safe import DamagedFileError, read_arrays, write_arrays
from nlhe_env.system.files import load_npz, replacing

ARRAYS = {"weights": np.arange(6.0), "about": np.array("a player")}

KILLED_WHILE_WRITING = """
import os, pathlib, sys
from nlhe_env.system.files import replacing
with replacing(pathlib.Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), 9)
"""


def test_the_old_content_stays_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_only_the_old_content(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"new", "no bytes"])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_with_two_writers_at_once_the_last_to_finish_wins(tmp_path):
    path = tmp_path / "file"
    with replacing(path) as first:
        first.write(b"first")
        with replacing(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "nowhere" / "file"
    with pytest.raises(OSError, match="nowhere") as raised, replacing(path):
        pass
    assert raised.value.filename == str(path)


def test_files_left_by_a_killed_process_are_removed_when_old(tmp_path):
    path = tmp_path / "file"
    young, old, other = (tmp_path / name for name in (".file.1.tmp", ".file.2.tmp", ".files.3.tmp"))
    for leftover in (young, old, other):
        leftover.write_bytes(b"half")
    for leftover in (old, other):
        os.utime(leftover, (time.time() - 7200,) * 2)
    with replacing(path) as file:
        file.write(b"whole")
    assert set(tmp_path.iterdir()) == {path, young, other}


@pytest.mark.skipif(os.name != "posix", reason="elsewhere only age tells")
def test_files_left_by_a_killed_writer_are_removed_by_the_next(tmp_path):
    path = tmp_path / "champion[1].npz"
    script = [sys.executable, "-c", KILLED_WHILE_WRITING, path]
    assert subprocess.run(script, check=False).returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    with replacing(path) as file:  # one that is being written stays
        agents.save_player(path, agents.make("old-best"))
        assert len(list(tmp_path.iterdir())) == 2
        file.write(b"new")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"new"


def flipped(content: bytes):
    """The content with one bit flipped, at every place."""
    for at in range(len(content)):
        for bit in (0, 3, 7):
            damaged = bytearray(content)
            damaged[at] ^= 1 << bit
            yield bytes(damaged)


@pytest.mark.filterwarnings("ignore")  # NumPy warns of headers that it mends
def test_a_flipped_bit_leaves_the_file_damaged_or_equal(tmp_path):
    path = tmp_path / "state.npz"
    write_arrays(path, ARRAYS)
    n_damaged = 0
    for content in flipped(path.read_bytes()):
        path.write_bytes(content)
        try:
            arrays = read_arrays(path)
        except DamagedFileError:
            n_damaged += 1
        else:
            assert all((arrays[name] == array).all() for name, array in ARRAYS.items())
    assert n_damaged > 1000


@pytest.mark.filterwarnings("ignore")
def test_a_flipped_bit_in_a_player_file_loads_or_raises_value_error(tmp_path):
    path = tmp_path / "ann.npz"
    agents.save_player(path, agents.make("old-best"))
    whole = path.read_bytes()
    for content in flipped(whole[:400] + whole[-400:]):
        path.write_bytes(content[:400] + whole[400:-400] + content[-400:])
        with contextlib.suppress(ValueError):
            agents.load_player(path)


def test_a_file_that_is_no_archive_is_damaged(tmp_path):
    for content in (b"", b"PK", b"text", np.arange(3).tobytes()):
        (tmp_path / "a.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"a\.npz is damaged"):
            load_npz(tmp_path / "a.npz")
    np.save(tmp_path / "a.npy", np.arange(3))
    with pytest.raises(ValueError, match=r"a\.npy is damaged"):
        load_npz(tmp_path / "a.npy")
    with pytest.raises(FileNotFoundError):
        load_npz(tmp_path / "none.npz")
