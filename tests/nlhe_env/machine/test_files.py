"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import time

import pytest

from nlhe_env.machine.files import replacing


def test_the_old_content_stays_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_content_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"new", "no bytes"])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_may_write_at_once_and_the_last_one_to_end_wins(tmp_path):
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


def test_what_a_killed_process_has_left_is_removed_once_it_is_old(tmp_path):
    path = tmp_path / "file"
    young, old, other = (tmp_path / name for name in (".file.1.tmp", ".file.2.tmp", ".files.3.tmp"))
    for leftover in (young, old, other):
        leftover.write_bytes(b"half")
    for leftover in (old, other):
        os.utime(leftover, (time.time() - 7200,) * 2)
    with replacing(path) as file:
        file.write(b"whole")
    assert set(tmp_path.iterdir()) == {path, young, other}
