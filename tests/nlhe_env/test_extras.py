"""Messages about missing packages, and about others named agents or evolve."""

import json
import os
import subprocess
import sys
import venv
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

import nlhe_env
from nlhe_env import extras

SOURCES = Path(nlhe_env.__file__).parents[1]


def installed_from(monkeypatch, origin):
    class Distribution:
        def read_text(self, name):
            assert name == "direct_url.json"
            return None if origin is None else json.dumps(origin)

    monkeypatch.setattr(extras, "distribution", lambda _: Distribution())


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        ({"url": "file:///home/a%20b/clone", "dir_info": {}}, "/home/a b/clone[web]"),
        (
            {
                "url": "https://host/x.git",
                "vcs_info": {"vcs": "git", "commit_id": "0123abc"},
            },
            "nlhe-env[web] @ git+https://host/x.git@0123abc",
        ),
        (
            {"url": "file:///tmp/nlhe_env-1-py3-none-any.whl", "archive_info": {}},
            "nlhe-env[web] @ file:///tmp/nlhe_env-1-py3-none-any.whl",
        ),
        (None, "nlhe-env[web]"),
    ],
)
def test_the_install_command_names_the_origin(monkeypatch, origin, requirement):
    installed_from(monkeypatch, origin)
    assert extras.install_command("web") == f"pip install '{requirement}'"


def test_a_clone_in_the_current_folder_is_a_dot(monkeypatch, tmp_path):
    installed_from(monkeypatch, {"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("plot") == "pip install -e '.[plot]'"


def test_uninstalled_sources_name_their_folder(monkeypatch, tmp_path):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", missing)
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("plot") == f"pip install '{SOURCES}[plot]'"


CONSOLE = "import sys; from nlhe_env import console; sys.argv = ['nlhe', '{}']; console.main()"
FOREIGN = '"""A package of somebody else."""'


def error_of(code, folder, *path):
    """The last line that a program writes to standard error, and its exit code."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip().splitlines()[-1], done.returncode


@pytest.mark.parametrize(
    ("name", "use", "kind"),
    [
        ("agents", "import evolve; evolve.load_config", "ImportError"),
        (
            "agents",
            "import gymnasium, nlhe_env\n"
            "gymnasium.make('nlhe/NoLimitHoldem-v0', opponents=['caller'])",
            "ImportError",
        ),
        ("agents", "import nlhe_env; nlhe_env.NoLimitHoldemEnv('caller')", "ImportError"),
        ("agents", "import runpy; runpy.run_module('evolve', run_name='__main__')", "error"),
        ("agents", CONSOLE.format("play"), "error"),
        ("evolve", CONSOLE.format("train"), "error"),
    ],
)
def test_another_package_of_the_same_name_is_recognised(tmp_path, name, use, kind):
    (tmp_path / name).mkdir()
    face = tmp_path / name / "__init__.py"
    face.write_text(FOREIGN)
    message, code = error_of(use, tmp_path, tmp_path, SOURCES)
    assert code == 1
    assert message.startswith(f"{kind}: {face} has the name of the package {name}")
    assert "install nlhe-env in an environment of its own" in message


def test_import_warns_of_an_overwritten_package(tmp_path):
    """As pip leaves it: files of two packages in one folder."""
    for name in ("nlhe_env", "evolve"):
        (tmp_path / name).symlink_to(SOURCES / name)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text(FOREIGN)
    code = "import warnings; warnings.filterwarnings('error', '.*the package'); import nlhe_env"
    message, _ = error_of(code, tmp_path, tmp_path)
    assert message.startswith("UserWarning: ")
    assert f"{tmp_path / 'agents' / '__init__.py'} has the name of the package agents" in message


@pytest.mark.slow
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_openai_agents_beside_ours_is_reported_in_either_order(first, tmp_path):
    def pip(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    got = pip("download", "openai-agents", "--no-deps", "--only-binary", ":all:", "-d", tmp_path)
    if got.returncode:
        pytest.skip(f"openai-agents cannot be had: {got.stderr}")
    (theirs,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    needed = [folder for folder in sys.path if folder.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join(needed))
    for package in (SOURCES, theirs) if first == "ours" else (theirs, SOURCES):
        options = ("--no-deps", "--force-reinstall")
        done = pip("--python", str(python), "install", *options, str(package))
        assert done.returncode == 0, done.stderr

    def says(*command):
        done = subprocess.run(
            [str(python), *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.stderr

    words = "has the name of the package agents" if first == "ours" else "is installed here too"
    for code in ("import nlhe_env", "import evolve; evolve.Config"):
        assert words in says("-c", code)
    if first == "theirs":
        assert words in says("-c", "import agents")
    assert words in says(str(tmp_path / "env" / "bin" / "nlhe"), "--help")
    assert words in says(str(tmp_path / "env" / "bin" / "nlhe"), "players", "caller")


def test_the_projects_own_packages_are_accepted(recwarn):
    extras.check_packages("agents", "evolve")
    extras.warn_of_overwritten_packages()
    assert not recwarn


def test_missing_agents_give_a_clear_error(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="agents, which comes with nlhe-env, is missing"):
        extras.check_packages("agents")


def test_versions_cover_all_packages_in_use(monkeypatch):
    needed = [
        "numpy>=1.26",
        "numba",
        "pygame-ce>=2.5; extra == 'render'",
        "no-such-package>=1; extra == 'web'",
        "pytest>=8; extra == 'dev'",
    ]
    monkeypatch.setattr(extras, "requires", lambda name: needed)
    versions = extras.package_versions()
    assert list(versions) == ["numba", "numpy", "pygame-ce"]
    assert versions["numpy"] == np.__version__


def test_uninstalled_sources_report_versions_too(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "requires", missing)
    assert list(extras.package_versions()) == ["numba", "numpy", "scipy"]
