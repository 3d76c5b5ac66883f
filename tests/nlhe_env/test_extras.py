"""What is said about packages that are missing, and about one that is in the way."""

import json
import os
import subprocess
import sys
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
def test_the_command_names_the_origin(monkeypatch, origin, requirement):
    installed_from(monkeypatch, origin)
    assert extras.install_command("web") == f"pip install '{requirement}'"


def test_a_clone_that_one_stands_in_is_a_dot(monkeypatch, tmp_path):
    installed_from(monkeypatch, {"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("plot") == "pip install -e '.[plot]'"


def test_sources_that_are_not_installed_name_their_folder(monkeypatch, tmp_path):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", missing)
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("plot") == f"pip install '{SOURCES}[plot]'"


@pytest.mark.parametrize(
    "use",
    [
        "import evolve; evolve.load_config",
        "import runpy; runpy.run_module('evolve', run_name='__main__')",
        "import nlhe_env; nlhe_env.NoLimitHoldemEnv('caller')",
    ],
)
def test_another_package_of_the_name_agents_is_told_from_ours(tmp_path, use):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text('"""Agents of somebody else."""')
    path = os.pathsep.join([str(tmp_path), str(SOURCES)])
    done = subprocess.run(
        [sys.executable, "-c", use],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    message = done.stderr.strip().splitlines()[-1]
    assert message.startswith(f"ImportError: {tmp_path / 'agents' / '__init__.py'} has the name")
    assert "openai-agents" in message


def test_our_own_agents_are_accepted():
    extras.check_agents()


def test_missing_agents_are_said_in_words(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="agents, which comes with nlhe-env, is missing"):
        extras.check_agents()


def test_versions_are_those_of_all_packages_that_are_used(monkeypatch):
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


def test_sources_that_are_not_installed_tell_versions_too(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "requires", missing)
    assert list(extras.package_versions()) == ["numba", "numpy", "scipy"]
