"""The file of the strength tables: stored, verified, built again; builds that are interrupted."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nlhe_env import equity
from nlhe_env.__main__ import main
from nlhe_env.equity.tables import build, store
from nlhe_env.equity.tables.build import PartsFolder

SMALL = np.dtype(
    [
        ("checksums", np.uint32, (store.N_CHECKSUMS,)),
        ("version", np.uint32),
        ("river", np.uint16, (100_000,)),
    ]
)
"""Tables that are written and read in no time."""


@pytest.fixture
def small():
    records = np.zeros(1, SMALL)
    records["version"] = store.VERSION
    records["river"] = np.random.default_rng(1).integers(0, 990, 100_000)
    records["checksums"] = store._checksums(records)
    return records


@pytest.fixture
def cache(small, tmp_path, monkeypatch):
    """A cache folder of its own, where small tables take the place of the strength tables."""
    monkeypatch.setenv("NLHE_ENV_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "TABLES", SMALL)
    monkeypatch.setattr(store, "build_tables", lambda **_: small.copy())
    yield tmp_path
    store._opened.clear()


@pytest.fixture
def stored(cache):
    """The file of sound tables in the cache; no tables are open in this process."""
    equity.load_tables()
    store._opened.clear()
    return equity.tables_file()


@pytest.mark.slow
def test_packaged_preflop_tables_match_the_builder(built_strength):
    (packaged,) = np.load(store.PREFLOP_FILE)
    assert packaged["win_or_tie_probabilities"].tobytes() == built_strength["preflop"].tobytes()
    assert packaged["hand_equities"].tobytes() == built_strength["preflop_shares"].tobytes()


@pytest.mark.slow
def test_full_tables_are_stored_and_opened(built_strength, tmp_path):
    path = tmp_path / "tables.npy"
    store._save(path, built_strength)
    assert path.stat().st_size == pytest.approx(137.9e6, rel=1e-3)
    assert store.open_tables(path).tobytes() == built_strength[0].tobytes()


def test_tables_are_built_once_and_then_opened(cache, small, capsys):
    tables = equity.load_tables()
    assert equity.load_tables() is tables
    assert "building exact strength tables" in capsys.readouterr().err
    store._opened.clear()
    opened = equity.load_tables()
    assert capsys.readouterr().err == ""
    assert opened.tobytes() == small[0].tobytes()
    assert not opened["river"].flags.writeable
    assert [path.name for path in equity.tables_file().parent.iterdir()] == ["tables.npy"]


def damage_byte(path, offset):
    with path.open("r+b") as file:
        file.seek(offset, os.SEEK_END if offset < 0 else os.SEEK_SET)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


DAMAGES = {
    "first byte": lambda path: damage_byte(path, 0),
    "header": lambda path: damage_byte(path, 40),
    "middle": lambda path: damage_byte(path, 45_000),
    "last byte": lambda path: damage_byte(path, -1),
    "truncated": lambda path: os.truncate(path, 70_000),
    "empty": lambda path: os.truncate(path, 0),
    "another array": lambda path: np.save(path, np.arange(10)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_file_is_reported_and_built_again(stored, small, capsys, damage):
    damage(stored)
    capsys.readouterr()
    tables = equity.load_tables()
    reports = [line for line in capsys.readouterr().err.splitlines() if "is damaged (" in line]
    assert len(reports) == 1
    assert str(stored) in reports[0]
    assert "building it again" in reports[0]
    assert tables.tobytes() == small[0].tobytes()
    assert store.open_tables(stored).tobytes() == small[0].tobytes()


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_any_flipped_header_bit_is_reported_as_damage(step, tmp_path):
    """One bit of each byte, all eight in turn."""
    path = tmp_path / "tables.npy"
    np.save(path, np.zeros(1, store.TABLES))
    with path.open("rb") as file:
        whole = file.read(1500)  # cut short behind the header, which is read first
    for number, at in enumerate(range(0, 1200, step)):
        content = bytearray(whole)
        content[at] ^= 1 << number % 8
        path.write_bytes(content)
        with pytest.raises(store.TableFileError):
            store.open_tables(path)


def test_file_of_another_version_is_reported_and_built_again(stored, small, capsys):
    other = small.copy()
    other["version"] = 7
    np.save(stored, other)
    capsys.readouterr()
    equity.load_tables()
    assert (
        "has version 7, but this release reads version 2; building it again"
        in capsys.readouterr().err
    )
    assert store.open_tables(stored)["version"] == 2


def test_two_concurrent_builders_leave_valid_tables(cache, small):
    path = equity.tables_file()
    with ThreadPoolExecutor(4) as executor:
        list(executor.map(lambda _: store._save(path, small), range(4)))
    assert store.open_tables(path).tobytes() == small[0].tobytes()


def test_files_of_killed_writers_are_removed_later(stored, small):
    fresh, old = stored.with_name(".tables.npy.1.tmp"), stored.with_name(".tables.npy.2.tmp")
    fresh.touch()
    old.touch()
    two_hours_ago = time.time() - 7200
    os.utime(old, (two_hours_ago, two_hours_ago))
    store._save(stored, small)
    assert fresh.exists()
    assert not old.exists()


def test_tables_stay_in_memory_without_a_writable_folder(small, cache, monkeypatch, capsys):
    (cache / "file").touch()
    monkeypatch.setenv("NLHE_ENV_CACHE", str(cache / "file"))
    tables = equity.load_tables()
    assert tables.tobytes() == small[0].tobytes()
    assert "cannot save the strength tables" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners of files")
def test_tables_that_others_can_write_are_not_read(stored, small, capsys):
    forged = small.copy()
    forged.view(np.uint8)[-4] ^= 1
    forged["checksums"] = store._checksums(forged)
    np.save(stored, forged)
    stored.chmod(0o666)
    assert equity.load_tables().tobytes() == small[0].tobytes()
    assert f"others can write the strength table file {stored}" in capsys.readouterr().err
    store._opened.clear()
    assert stored.stat().st_mode & 0o777 == 0o644
    np.save(stored, forged)
    stored.parent.chmod(0o777)  # whoever may write the folder may replace the file
    assert equity.tables_file().parent.name == f"{stored.parent.name}-{os.geteuid()}"
    assert equity.load_tables().tobytes() == small[0].tobytes()
    assert equity.tables_file().parent.stat().st_mode & 0o777 == 0o755


def test_tables_stay_in_memory_if_the_disk_stores_other_bytes(small, cache, monkeypatch, capsys):
    save = store._save

    def save_badly(path, records):
        save(path, records)
        damage_byte(path, 45_000)

    monkeypatch.setattr(store, "_save", save_badly)
    tables = equity.load_tables()
    assert tables.tobytes() == small[0].tobytes()
    assert (
        "(wrong checksum in 1 of 16 parts, the first of them part 4)); using them from memory"
        in capsys.readouterr().err
    )


def test_command_line_builds_and_verifies(cache, capsys):
    for builds in (True, False):
        store._opened.clear()
        assert main(["equity", "tables"]) == 0
        output = capsys.readouterr()
        assert str(equity.tables_file()) in output.out
        assert "0.2 MB" in output.out
        assert ("building" in output.err) == builds


IMPORT = """
import nlhe_env, nlhe_env.equity, agents, evolve
from nlhe_env.equity.tables import store
assert not store._opened
assert store.load_preflop.cache_info().currsize == 0
"""


def test_import_loads_and_builds_no_table(tmp_path):
    environment = {**os.environ, "NLHE_ENV_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", IMPORT], env=environment, check=True)
    assert not list(tmp_path.glob("strength*"))


# ------------------------------------------------------------------------------ interrupted builds


@pytest.fixture
def fills(monkeypatch):
    """The names of parts that are computed, not read."""
    names = []
    fill_part = PartsFolder.write
    monkeypatch.setattr(
        PartsFolder,
        "write",
        lambda self, name, arrays: (names.append(name), fill_part(self, name, arrays)),
    )
    return names


N_PARTS = build.N_RIVER_PARTS + build.N_FLOP_PARTS
BUILD = """
import pathlib, sys
from nlhe_env.equity.tables import store
store.build_tables(n_threads=1, parts_folder=pathlib.Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_killed_build_resumes_to_the_same_bytes_with_any_threads(built_strength, tmp_path, fills):
    folder = tmp_path / "parts"
    builder = subprocess.Popen([sys.executable, "-c", BUILD, str(folder)])
    while len(list(folder.glob("flop-*.npz"))) < 10:
        assert builder.poll() is None
        time.sleep(0.01)
    builder.kill()
    builder.wait()
    kept = {path.stem for path in folder.glob("*.npz")}
    assert build.N_RIVER_PARTS + 10 <= len(kept) < N_PARTS
    damaged = folder / "flop-0.npz"
    damage_byte(damaged, damaged.stat().st_size // 2)
    (folder / "river-3.npz").write_bytes(b"")

    records = store.build_tables(n_threads=2, parts_folder=folder)
    assert records.tobytes() == built_strength.tobytes()
    recomputed = {"flop-0", "river-3"}
    assert set(fills) & kept == recomputed
    assert len(fills) == N_PARTS - len(kept) + len(recomputed)


def test_interrupt_stops_a_build_at_once_and_keeps_parts(tmp_path, fills):
    def interrupt(done):
        if done > 0.1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.build_tables(n_threads=1, parts_folder=tmp_path, progress=interrupt)
    assert 0 < len(fills) < build.N_RIVER_PARTS
    assert {path.stem for path in tmp_path.iterdir()} == set(fills)


def test_parts_are_removed_when_tables_are_stored(cache, small):
    folder = equity.tables_file().parent / "parts"
    PartsFolder(folder).write("river-0", {"river": np.arange(3)})
    (folder / ".river-1.0a1b2c3d").touch()
    equity.load_tables()
    assert not folder.exists()


def test_rebuilding_ignores_kept_parts(cache, small, monkeypatch):
    folder = equity.tables_file().parent / "parts"
    PartsFolder(folder).write("river-0", {"river": np.arange(3)})

    def build_tables(**_):
        assert not folder.exists()
        return small.copy()

    monkeypatch.setattr(store, "build_tables", build_tables)
    equity.rebuild_tables()


def test_a_builder_continues_after_its_folder_is_removed(tmp_path):
    ours, theirs = PartsFolder(tmp_path / "parts"), PartsFolder(tmp_path / "parts")
    part = {"numbers": np.arange(5)}
    ours.write("a", part)
    assert theirs.read("a", {"numbers": np.empty(5, np.int64)})
    theirs.remove()
    assert not ours.read("a", {"numbers": np.empty(5, np.int64)})
    ours.write("b", part)
    found = np.empty(5, np.int64)
    assert ours.read("b", {"numbers": found})
    assert np.array_equal(found, part["numbers"])
    assert not ours.read("b", {"numbers": np.empty(6, np.int64)})
    assert not ours.read("b", {"numbers": np.empty(5, np.int32)})


def test_unwritable_parts_are_skipped(tmp_path):
    (tmp_path / "file").touch()
    PartsFolder(tmp_path / "file").write("a", {"numbers": np.arange(5)})
    PartsFolder(None).write("a", {"numbers": np.arange(5)})
    assert not PartsFolder(None).read("a", {})
