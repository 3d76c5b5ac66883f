"""Result files of a run that hold anything: read, or refused by name."""

from __future__ import annotations

import json
import random

import pytest

from evolve.evaluation.behaviour.permutation_importance import (
    PermutationImportance,
    load_importance,
)
from evolve.evaluation.evaluation_files import load_places
from evolve.evaluation.progress import load_fields, load_progress
from evolve.files.safe import DamagedFileError, csv_text
from evolve.theses.nicolai.study import Study

PLAYED = {"tournaments": 3, "generations": [1, 2], "places": [1.5, 2.5], "errors": [0.1, 0.1]}
PROGRESS = {**PLAYED, "static_players": {"caller": 3.0}, "static_errors": {"caller": 0.1}}
FIELD = {"sub_population": 0, **PLAYED, "gain": -1.0, "gain_error": 0.2}
IMPORTANCE = PermutationImportance(9, "features", {"cards": 0.5}, 0.1)
PLACES = [{"player": "x", "evaluated": True, "mean_place": 2.0, "standard_error": None}]
READERS = {
    "progress.json": (lambda folder: load_progress(folder / "progress.json"), PROGRESS),
    "progress-field.json": (load_fields, [FIELD]),
    "permutation_importance.json": (load_importance, IMPORTANCE.as_dict()),
    "evaluation.json": (load_places, {"players": PLACES}),
    "study.json": (Study.open, {"experiments": ["baseline"]}),
}
VALUES = (None, True, -1, 1.5, 10**299, "x", "", [], [[1]], {}, {"a": "b"}, [None])
TEXTS = ("[" * 200_000, "9" * 5000, "9" * 400, "", "{", "[1", "\x00", '"\ud800"')


def changed(value, generator):
    """The value with one part in it replaced by another."""
    if isinstance(value, dict) and value and generator.random() < 0.9:
        key = generator.choice([*value, "new"])
        return {**value, key: changed(value.get(key), generator)}
    if isinstance(value, list) and value and generator.random() < 0.7:
        at = generator.randrange(len(value))
        return [*value[:at], changed(value[at], generator), *value[at + 1 :]]
    return generator.choice(VALUES)


@pytest.mark.parametrize("name", READERS)
def test_results_that_hold_anything_are_read_or_refused_by_name(name, tmp_path):
    read, good = READERS[name]
    path = tmp_path / name
    generator = random.Random(name)
    texts = [json.dumps(changed(good, generator)) for _ in range(300)]
    texts += [json.dumps(value) for value in VALUES] + list(TEXTS)
    refused = 0
    for text in texts:
        path.write_bytes(text.encode(errors="surrogatepass"))
        try:
            read(tmp_path)
        except (DamagedFileError, ValueError) as error:
            refused += 1
            assert name in str(error)  # noqa: PT017  (others are read)
    assert refused > 20 + len(TEXTS) - 2
    if name != "study.json":
        path.write_text(json.dumps(good))
        assert read(tmp_path)


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_in_csv_files_is_no_formula(text):
    written = csv_text([{text: 1.5, "player": text}])
    for cell in (text, f"'{text}"):
        assert (cell in written) == (cell[0] == "'" or f"'{cell}" in written)
    assert not any(line.startswith(text[0]) for line in written.splitlines())


@pytest.mark.parametrize("text", ["-1.5", "+3", "-", "x=1", "Ann"])
def test_ordinary_text_stays_as_it_is_in_csv_files(text):
    assert csv_text([{"a": text, "b": -1.5}]) == f"a,b\n{text},-1.5\n"
