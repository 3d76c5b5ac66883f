"""Files written whole or not at all, and array files with flipped bits."""

import contextlib
import os
import subprocess
import sys
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

import agents
from evolve.files.safe import DamagedFileError, read_arrays, write_arrays
from nlhe_env.system.files import load_npz, read_regular, replacing

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


def test_files_of_writers_on_other_machines_stay_until_they_are_old(tmp_path):
    path = tmp_path / "file"
    with replacing(path):
        (here,) = tmp_path.iterdir()
    _, machine, token = here.name.split(".")[-2].split("-")
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], stdout=-1)
    gone = int(gone.stdout)
    ours, theirs = (tmp_path / f".file.{gone}-{each}-{token}.tmp" for each in (machine, "0000"))
    for leftover in (ours, theirs):
        leftover.write_bytes(b"half")
    with replacing(path):
        pass
    assert set(tmp_path.iterdir()) == {path, theirs}


def flipped(content: bytes):
    """The content with one bit flipped, at every place: the first, the fourth, the last in turn."""
    for at in range(len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 1 << (0, 3, 7)[at % 3]
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
    assert n_damaged > 300


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


@pytest.mark.skipif(os.name != "posix", reason="needs devices and links")
class TestSpecialTargets:
    """Links, devices and pipes that the user names are written through."""

    def test_a_link_stays_and_its_file_is_replaced(self, tmp_path):
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        (folder / "real").write_bytes(b"old")
        link = tmp_path / "link"
        link.symlink_to("elsewhere/real")
        with replacing(link, through=True) as file:
            file.write(b"new")
            assert (folder / "real").read_bytes() == b"old"
        assert link.is_symlink()
        assert (folder / "real").read_bytes() == b"new"
        assert [path.name for path in folder.iterdir()] == ["real"]

    def test_a_link_among_files_that_the_program_names_is_replaced(self, tmp_path):
        (tmp_path / "precious").write_bytes(b"kept")
        link = tmp_path / "link"
        link.symlink_to("precious")
        with replacing(link) as file:
            file.write(b"new")
        assert not link.is_symlink()
        assert (tmp_path / "precious").read_bytes() == b"kept"

    def test_a_link_to_nothing_creates_its_file(self, tmp_path):
        link = tmp_path / "link"
        link.symlink_to(tmp_path / "file")
        with replacing(link, through=True) as file:
            file.write(b"new")
        assert link.is_symlink()
        assert (tmp_path / "file").read_bytes() == b"new"

    def test_a_device_is_written_to(self):
        # A terminal of its own: a fault would otherwise replace a device of the machine.
        ours, device = os.openpty()
        path = Path(os.ttyname(device))
        with replacing(path, through=True) as file:
            file.write(b"new")
        assert os.read(ours, 10) == b"new"
        assert path.is_char_device()
        os.close(device)
        os.close(ours)

    def test_a_pipe_is_written_to(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        with replacing(pipe, through=True) as file:
            file.write(b"new")
        assert os.read(reader, 10) == b"new"
        os.close(reader)
        assert pipe.is_fifo()

    @pytest.mark.parametrize(
        "make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")]
    )
    def test_only_regular_files_are_read(self, tmp_path, make):
        path = tmp_path / "player.npz"
        make(path)
        with pytest.raises(OSError, match="not a regular file"):
            read_regular(path)
        with pytest.raises(OSError, match="not a regular file"):
            load_npz(path)
        with pytest.raises(ValueError, match=r"player\.npz"):
            agents.load_player(path)


def test_an_archive_that_unpacks_to_far_more_than_its_size_is_refused_at_once(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, weights=np.zeros(2**24 - 1000, np.float32), about=np.array("{}"))
    assert path.stat().st_size < 2**17
    load_npz(path)  # as much as any file may hold
    np.savez_compressed(path, weights=np.zeros(2**25, np.float32))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"it would unpack to 134,217,8.. bytes"):
            load_npz(path)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("member", ["about", "about.npy"])
def test_only_archives_of_arrays_are_read(tmp_path, member):
    path = tmp_path / "other.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "text")
    with pytest.raises(ValueError, match="other things than arrays"):
        load_npz(path)
