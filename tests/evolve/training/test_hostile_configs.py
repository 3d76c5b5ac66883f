"""Runs from somebody else: hostile values in configurations, and links in folders."""

from __future__ import annotations

import tomllib

import pytest

from evolve.training.config import Config
from evolve.training.config_files import parse_config, to_toml
from evolve.training.folder import RunFolder

VALUES = (
    *("1" + "0" * 400, "9" * 5000, "9223372036854775808", "-1", "0", "1.5", "1e308", "inf", "nan"),
    *('"x"', '"12"', '""', "[]", "true", "{a = 1}", "[[1]]", "2024-01-01", "[" * 3000),
)


def places() -> list[str]:
    """Every key of a configuration, as the beginning of a text."""
    found = ["scale = ", "extends = ", 'extends = "quick"\nscale = ']
    for key, value in tomllib.loads(to_toml(Config())).items():
        found.append(f"{key} = ")
        found += [f"[{key}]\n{field} = " for field in value] if isinstance(value, dict) else []
    return found


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value[:12])
def test_hostile_values_are_refused_or_read(value):
    for place in places():
        try:
            parse_config(f"{place}{value}\n", source="from somebody", name="x")
        except ValueError as error:
            assert "from somebody" in str(error)  # noqa: PT017  (most values are refused)


def test_there_are_places():
    assert len(places()) > 60


@pytest.mark.parametrize("name", ["metrics.jsonl", "champion.npz", "timings.jsonl"])
def test_a_run_with_a_link_is_not_resumed_and_its_target_stays(tmp_path, name):
    config = Config()
    folder, precious = RunFolder.create(tmp_path, config), tmp_path / "precious"
    precious.write_text("kept")
    (folder.path / name).symlink_to(precious)
    with pytest.raises(ValueError, match=f"{name} is a symbolic link"):
        folder.restore(config, say=print)
    assert precious.read_text() == "kept"
