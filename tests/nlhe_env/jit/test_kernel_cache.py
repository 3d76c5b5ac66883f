"""Compiled code on disk: found again when it is right, never otherwise, and not trusted."""

import hashlib
import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numba
import pytest

from nlhe_env.jit import kernel_cache

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

ROOT = Path(kernel_cache.__file__).parents[2]
KERNEL = """
    from nlhe_env.jit.compilation import kernel

    @kernel
    def doubled(x):
        return 2 * x
"""


def forget():
    """Clear what a new process would not have in memory."""
    for function in vars(kernel_cache).values():
        if hasattr(function, "cache_clear") and function is not kernel_cache._say:
            function.cache_clear()
    kernel_cache._known.clear()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of compiled code for what is loaded in the test."""
    monkeypatch.setenv("NLHE_ENV_CACHE", str(tmp_path / "cache"))
    forget()
    kernel_cache._say.cache_clear()
    yield tmp_path / "cache"
    forget()
    kernel_cache._say.cache_clear()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path


def load(path):
    """The kernel of a file, as a new process would get it, and whether its code came from disk."""
    forget()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.doubled(21) == 42
    return module.doubled, bool(module.doubled.stats.cache_hits)


def only_file(cache, kind="code"):
    """The file of a kernel's LLVM code, made the only one, or of its machine code."""
    (code,), (entry,) = cache.rglob("*.code"), cache.rglob("*.entry")
    if kind == "entry":
        return entry
    entry.unlink()
    return code


def test_free_threaded_python_has_code_of_its_own(monkeypatch):
    """Its version and cache tag are those of the build with the GIL."""
    flags = getattr(sys, "abiflags", "")
    monkeypatch.setattr(sys, "abiflags", "" if "t" in flags else "t", raising=False)
    spec = importlib.util.spec_from_file_location("another_build", kernel_cache.__file__)
    another_build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(another_build)
    assert another_build._VERSIONS != kernel_cache._VERSIONS


def test_code_is_compiled_once(cache, tmp_path):
    source = write(tmp_path / "lone.py", KERNEL)
    assert [load(source)[1] for _ in range(3)] == [False, True, True]
    assert only_file(cache, "entry").stat().st_mode & 0o077 == 0
    assert only_file(cache).stat().st_mode & 0o077 == 0
    assert [load(source)[1] for _ in range(2)] == [True, True]
    assert only_file(cache, "entry").exists()


def test_other_argument_types_compile_other_code(cache, tmp_path):
    doubled, _ = load(write(tmp_path / "lone.py", KERNEL))
    assert doubled(1.5) == 3.0
    assert len(list(cache.rglob("*.code"))) == 2


def truncated(content):
    return content[: len(content) // 2]


def zeroed(content):
    return content[:100] + bytes(len(content) - 100)


def one_bit_flipped(content):
    return content[:-50] + bytes([content[-50] ^ 4]) + content[-49:]


def sealed(content):
    return hashlib.blake2b(content, digest_size=32).digest() + content


def no_pickle_with_a_sound_checksum(content):
    return sealed(b"no pickle")


def other_object_with_a_sound_checksum(content):
    key, *_ = pickle.loads(content[32:])
    return sealed(pickle.dumps((key, ("not", "code"))))


def code_of_another_kernel(content):
    _, *rest = pickle.loads(content[32:])
    return sealed(pickle.dumps(("another key", *rest)))


DAMAGES = pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        truncated,
        zeroed,
        one_bit_flipped,
        no_pickle_with_a_sound_checksum,
        other_object_with_a_sound_checksum,
        code_of_another_kernel,
    ],
)


@DAMAGES
def test_damaged_code_is_recompiled_and_replaced(cache, tmp_path, damage):
    source = write(tmp_path / "lone.py", KERNEL)
    load(source)
    file = only_file(cache)
    file.write_bytes(damage(file.read_bytes()))
    assert not load(source)[1]
    assert load(source)[1]


@DAMAGES
def test_damaged_machine_code_is_made_again_from_llvm_code(cache, tmp_path, damage):
    source = write(tmp_path / "lone.py", KERNEL)
    load(source)
    file = only_file(cache, "entry")
    file.write_bytes(damage(file.read_bytes()))
    doubled, _ = load(source)
    assert not doubled.stats.cache_misses
    assert kernel_cache._read(file)
    assert load(source)[1]


@pytest.mark.parametrize("kind", ["code", "entry"])
def test_a_folder_in_place_of_the_file_does_no_harm(cache, tmp_path, capsys, kind):
    source = write(tmp_path / "lone.py", KERNEL)
    load(source)
    file = only_file(cache, kind)
    file.unlink()
    file.mkdir()
    assert load(source)[1] == (kind == "entry")
    assert "cannot keep compiled code" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
class TestOwner:
    """Unpickling can run anything, so no file is read that another user may have written."""

    def test_a_file_writable_by_others_is_replaced_not_read(self, cache, tmp_path):
        source = write(tmp_path / "lone.py", KERNEL)
        load(source)
        only_file(cache).chmod(0o666)
        assert not load(source)[1]
        assert load(source)[1]

    def test_a_file_of_another_user_is_not_read(self, cache, tmp_path, monkeypatch):
        source = write(tmp_path / "lone.py", KERNEL)
        load(source)
        file, opened = only_file(cache), []
        own, unpickle = os.fstat, pickle.loads

        def owned_by_another_user(descriptor):
            found = list(own(descriptor))
            found[4] += 1  # the owner
            return os.stat_result(found)

        monkeypatch.setattr(os, "fstat", owned_by_another_user)
        monkeypatch.setattr(pickle, "loads", lambda *arguments: opened.append(unpickle(*arguments)))
        with pytest.raises(ValueError, match="others can write"):
            kernel_cache._read(file)
        assert not load(source)[1]
        assert not opened

    def test_a_folder_writable_by_others_is_not_used(self, cache, tmp_path, capsys):
        source = write(tmp_path / "lone.py", KERNEL)
        load(source)
        capsys.readouterr()
        kernel_cache._say.cache_clear()
        only_file(cache).parent.chmod(0o777)
        assert not load(source)[1]
        assert not load(source)[1]
        said = capsys.readouterr().err.splitlines()
        assert [line for line in said if "others can write" in line] == said[:1]

    def test_cache_folders_are_private_whatever_the_umask(self, cache, tmp_path):
        before = os.umask(0)
        try:
            source = write(tmp_path / "lone.py", KERNEL)
            assert [load(source)[1] for _ in range(2)] == [False, True]
        finally:
            os.umask(before)

    def test_users_of_a_shared_folder_have_separate_folders(self, cache, monkeypatch):
        folders = set()
        for user in (1000, 1001):
            monkeypatch.setattr(os, "geteuid", lambda user=user: user)
            folders.add(kernel_cache._folder())
        assert len(folders) == 2
        assert {folder.parent for folder in folders} == {cache}


CALLER = """
    from nlhe_env.jit.compilation import kernel

    @kernel
    def more(x):
        return x + 1

    @kernel
    def less(x):
        return x - 1

    @kernel
    def doubled(x):
        return more(x) + less(x)
"""


class TestCallees:
    """Code on disk names the files of the kernels that it calls."""

    @pytest.fixture
    def source(self, cache, tmp_path):
        source = write(tmp_path / "lone.py", CALLER)
        load(source)
        (entry,) = cache.rglob("*.entry")
        entry.unlink()
        return source

    def test_they_come_from_disk(self, source):
        doubled, found = load(source)
        assert found
        assert not doubled.stats.cache_misses

    def test_without_one_the_caller_is_compiled_again(self, cache, source):
        next(cache.rglob("more-*.code")).unlink()
        assert not load(source)[1]
        assert load(source)[1]
        assert len(list(cache.rglob("*.code"))) == 3

    def test_one_that_has_been_written_anew_is_not_linked_to_older_code(self, cache, source):
        (file,) = cache.rglob("more-*.code")
        file.write_bytes(sealed(pickle.dumps(pickle.loads(file.read_bytes()[32:]), protocol=2)))
        doubled, _ = load(source)
        assert doubled.stats.cache_misses
        assert load(source)[1]

    def test_what_another_process_has_kept_meanwhile_stays(self, cache, source, monkeypatch):
        before = {file: file.read_bytes() for file in cache.rglob("*.code")}
        with monkeypatch.context() as patch:
            patch.setattr(kernel_cache, "_sound", lambda file, load: None)
            assert not load(source)[1]
        assert {file: file.read_bytes() for file in cache.rglob("*.code")} == before


def test_only_recently_used_files_are_kept(cache, tmp_path, monkeypatch):
    source = write(tmp_path / "lone.py", KERNEL)
    load(source)
    used = only_file(cache)
    os.utime(used, (1, 1))
    for age in range(5):
        file = write(used.with_name(f"old-{age}.code"), "")
        os.utime(file, (time.time() - 100 * age - 100,) * 2)
    assert load(source)[1]  # which makes it the one used last
    monkeypatch.setattr(kernel_cache, "_KEPT_FILES", 4)
    load(write(tmp_path / "other.py", KERNEL))
    kept = {file.name for file in used.parent.iterdir()}
    assert len(kept) == 7  # with the file of claims
    assert {used.name, used.with_suffix(".entry").name, "old-0.code", "old-1.code"} < kept


def test_a_file_that_vanishes_while_room_is_made_does_no_harm(cache, tmp_path, monkeypatch):
    """Another process writes a temporary file and renames it between two looks at the folder."""
    load(write(tmp_path / "lone.py", KERNEL))
    code = only_file(cache)
    (code.parent / "gone").symlink_to(code.parent / "nowhere")  # stat raises FileNotFoundError
    kernel_cache._make_room.__wrapped__(code.parent)
    assert code.exists()


def test_code_of_a_module_edited_after_its_import_is_not_kept(cache, tmp_path):
    imported = write(tmp_path / "imported.py", "FACTOR = 2\n")
    source = write(tmp_path / "lone.py", KERNEL)
    source.write_text("import imported\n" + source.read_text())
    stranger = write(tmp_path / "stranger.py", "")
    sys.path.insert(0, str(tmp_path))
    try:
        doubled, _ = load(source)
    finally:
        sys.path.remove(str(tmp_path))
        del sys.modules["imported"]
    os.utime(stranger, (time.time() + 5,) * 2)
    assert doubled(1.5) == 3.0
    assert len(list(cache.rglob("*.code"))) == 2
    os.utime(imported, (time.time() + 5,) * 2)
    assert doubled(1j) == 2j
    assert len(list(cache.rglob("*.code"))) == 2


@pytest.fixture
def packages(tmp_path):
    """The three packages in small: the real cache, and a kernel that uses what lies far below."""
    home = tmp_path / "here"
    for folder in ("jit", "system"):
        shutil.copytree(
            ROOT / "nlhe_env" / folder,
            home / "nlhe_env" / folder,
            ignore=shutil.ignore_patterns("__pycache__"),  # others may be writing there
        )
    for package in ("nlhe_env", "agents", "evolve"):
        write(home / package / "__init__.py", "")
    write(home / "nlhe_env/constants.py", "STEP = 1\n")
    write(home / "nlhe_env/near.py", "from nlhe_env.constants import STEP\n")
    write(home / "agents/middle.py", "from nlhe_env.near import STEP\n")
    write(
        home / "evolve/far.py",
        """
        from agents.middle import STEP
        from nlhe_env.jit.compilation import kernel

        @kernel
        def moved(x):
            return x + STEP
        """,
    )
    write(
        home / "nlhe_env/below.py",
        """
        from nlhe_env.jit.compilation import kernel

        @kernel
        def moved(x):
            return x + 1
        """,
    )
    return home


def run(home, module, **options):
    """The output of a new process: 10 moved by a kernel, whether its code was found, messages."""
    code = f"from {module} import moved; print(moved(10), bool(moved.stats.cache_hits))"
    environment = {**os.environ, "PYTHONPATH": str(home)}
    environment["NLHE_ENV_CACHE"] = str(home.parent / "cache")
    # To Python's own bytecode, edits of the same length in the same second are none.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        **options,
    )
    assert ended.returncode == 0, ended.stderr
    moved, found = ended.stdout.split()
    return int(moved), found == "True", ended.stderr


@pytest.mark.slow
def test_an_edit_three_imports_away_is_noticed(packages):
    assert run(packages, "evolve.far")[:2] == (11, False)
    assert run(packages, "evolve.far")[:2] == (11, True)
    write(packages / "nlhe_env/constants.py", "STEP = 2\n")
    assert run(packages, "evolve.far")[:2] == (12, False)
    write(packages / "nlhe_env/constants.py", "STEP = 1\n")
    assert run(packages, "evolve.far")[:2] == (11, True)


@pytest.mark.slow
@pytest.mark.parametrize("edited", ["agents/middle.py", "nlhe_env/constants.py"])
def test_an_edit_of_an_unimported_file_recompiles_nothing(packages, edited):
    run(packages, "nlhe_env.below")
    write(packages / edited, "STEP = 7\n")
    assert run(packages, "nlhe_env.below")[:2] == (11, True)


@pytest.mark.slow
def test_equal_installations_share_code(packages):
    run(packages, "evolve.far")
    moved = packages.rename(packages.with_name("there"))
    assert run(moved, "evolve.far")[:2] == (11, True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_on_a_full_disk_code_runs_from_memory_with_one_warning(packages):
    import resource

    def fill_the_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    for _ in range(2):
        moved, found, said = run(packages, "evolve.far", preexec_fn=fill_the_disk)
        assert (moved, found) == (11, False)
        assert said.count("cannot keep compiled code") == 1
        assert len(said.splitlines()) == 2  # the other one says why it takes time
    assert not list((packages.parent / "cache").rglob("*.tmp"))


def test_a_cache_folder_that_cannot_be_made_is_named_once(packages):
    write(packages.parent / "cache", "a file\n")
    moved, found, said = run(packages, "evolve.far")
    assert (moved, found) == (11, False)
    assert said.count("cannot keep compiled code") == 1
