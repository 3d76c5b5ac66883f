"""The command in messages about missing packages works from where the installation came from."""

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path

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
