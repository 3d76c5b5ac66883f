"""What viewers of a run see: whole lines only, through interruptions, and nothing outside."""

import asyncio
import csv
import dataclasses
import io
import json
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training_runs import BLOCKS, TOURNAMENTS

import nlhe_env
from agents.match.workers.base import thread_workers
from evolve.commands.main import main
from evolve.dashboard import viewed_run
from evolve.dashboard.pages import PLAYERS, measure_landmarks
from evolve.dashboard.root import Champions, Root
from evolve.dashboard.viewed_run import (
    JsonlTail,
    ViewedRun,
    columns,
    describe_status,
    learning_curve,
    read_evaluation,
)
from evolve.files import safe as files
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback as Quiet
from evolve.training.run import train
from evolve.training.state import State

TRAINED = TOURNAMENTS.with_values(
    name="tiny", generations=4, population=10, hall_of_fame=4, tournaments=2, table_size=5
)
SEARCHED = BLOCKS.with_values(
    name="searched",
    population=6,
    blocks=2,
    generations=4,
    num_hands=5,
    named=("caller",),
    pool_share=0.5,
    named_share=0.5,
    pool_every=2,
    test_blocks=4,
)


class EventObserver(Quiet):
    """Looks in after every generation, and may interrupt the run."""

    def __init__(self, look=lambda: None, *, last: int = 0) -> None:
        self.look = look
        self.last = last

    def on_generation(self, metrics, timings):
        self.look()
        if metrics["generation"] == self.last:
            raise KeyboardInterrupt


def test_the_page_of_a_run_reads_columns_of_evaluations_that_are_sent(tmp_path):
    file = tmp_path / "evaluation.json"
    file.write_text('{"blocks": 1, "players": [{"player": "champion", "evaluated": true}]}')
    (sent,) = read_evaluation(file)["players"]
    page = Path(viewed_run.__file__).parent / "static/js/run_page.js"
    drawn = page.read_text(encoding="utf-8").split("drawTests() {")[1].split("drawMembers() {")[0]
    assert set(re.findall(r"\brow\.(\w+)", drawn)) <= sent.keys()


def go_on(folder: RunFolder, config: Config, **listener) -> None:
    state = folder.restore(config, say=print)
    with thread_workers(1) as workers:
        train(folder, config, state, workers=workers, listener=EventObserver(**listener))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of either kind."""
    path = tmp_path_factory.mktemp("runs")
    trained = RunFolder.at(path / "trained", TRAINED)
    go_on(trained, TRAINED)
    searched = RunFolder.at(path / "searched", SEARCHED)
    with thread_workers(1) as workers:
        train(searched, SEARCHED, State.initial_state(SEARCHED), workers=workers)
    return path


class Viewer:
    """Keeps what a page would, from pieces of updates."""

    def __init__(self, path: Path) -> None:
        self.run = ViewedRun(path)
        self.cursor = ""
        self.beginnings = 0
        self.tables: dict[str, dict[str, list]] = {}
        self.parts: dict[str, object] = {}

    def look(self) -> dict:
        self.run._read_at = None  # without the pause between two readings
        updates = self.run.updates(self.cursor)
        self.cursor = updates["cursor"]
        if updates["reset"]:
            self.tables, self.parts = {}, {}
            self.beginnings += 1
        for name, piece in updates["tables"].items():
            table = self.tables.setdefault(name, {})
            before = max(map(len, table.values()), default=0)
            assert piece["from"] == before
            added = max(map(len, piece["columns"].values()))
            for column in {**table, **piece["columns"]}:
                values = table.setdefault(column, [None] * before)
                values.extend(piece["columns"].get(column, [None] * added))
        self.parts |= updates["parts"]
        return updates

    def same_as_new(self) -> None:
        """Nothing is missing and nothing is left over."""
        fresh = Viewer(self.run.path)
        fresh.look()
        assert self.tables == fresh.tables
        # A file that is gone is a part without a value; a fresh viewer never hears of it.
        assert {name: part for name, part in self.parts.items() if part is not None} == fresh.parts


# --- lines ----------------------------------------------------------------------------------------


def test_a_line_counts_once_it_is_complete(tmp_path):
    file = tmp_path / "metrics.jsonl"
    table = JsonlTail(file)
    table.read()
    assert table.rows == []
    file.write_text('{"a": 1}\n{"a": 2')
    table.read()
    assert table.rows == [{"a": 1}]
    with file.open("a") as opened:
        opened.write("5}")
    table.read()
    assert table.rows == [{"a": 1}]
    with file.open("a") as opened:
        opened.write("\n")
    table.read()
    assert table.rows == [{"a": 1}, {"a": 25}]
    assert table.beginnings == 1


@given(
    values=st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 99)), max_size=6),
    cuts=st.lists(st.integers(0, 120), max_size=8),
)
def test_any_way_of_appending_gives_the_same_rows(tmp_path_factory, values, cuts):
    file = tmp_path_factory.mktemp("lines") / "metrics.jsonl"
    content = "".join(json.dumps(value) + "\n" for value in values).encode()
    table = JsonlTail(file)
    ends = [*sorted(min(cut, len(content)) for cut in cuts), len(content)]
    for begin, end in zip([0, *ends], ends, strict=False):
        with file.open("ab") as opened:
            opened.write(content[begin:end])
        table.read()
    assert table.rows == values
    assert table.damaged == 0


def test_a_truncated_file_is_read_again(tmp_path):
    file = tmp_path / "metrics.jsonl"
    for number in range(5):
        files.append_line(file, {"generation": number, "seconds": 1})
    table = JsonlTail(file)
    table.read()
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:2]))
    for number in range(2, 7):
        files.append_line(file, {"generation": number, "seconds": 2})
    table.read()
    assert [row["seconds"] for row in table.rows] == [1, 1, 2, 2, 2, 2, 2]
    assert table.beginnings == 2


def test_a_file_overwritten_in_place_is_read_again(tmp_path):
    file = tmp_path / "metrics.jsonl"
    file.write_text('{"a": 1}\n{"a": 2}\n')
    table = JsonlTail(file)
    table.read()
    with file.open("r+") as opened:
        opened.truncate(0)
        opened.write('{"a": 3}\n{"a": 4}\n{"a": 5}\n')
    table.read()
    assert [row["a"] for row in table.rows] == [3, 4, 5]


def test_damaged_lines_are_skipped_and_counted(tmp_path):
    file = tmp_path / "metrics.jsonl"
    file.write_bytes(b'{"a": 1}\n{"a": \n[1]\n\xff\xfe\n{"a": NaN, "b": 1e999}\n')
    table = JsonlTail(file)
    table.read()
    assert table.rows == [{"a": 1}, {"a": None, "b": None}]
    assert table.damaged == 3
    assert json.loads(json.dumps(columns(table.rows), allow_nan=False))["b"] == [None, None]


# --- runs -----------------------------------------------------------------------------------------


def test_a_run_is_followed_generation_by_generation(tmp_path):
    folder = RunFolder.at(tmp_path / "run", TRAINED)
    viewer = Viewer(folder.path)
    assert viewer.look()["status"]["stage"] == "waiting"
    seen = []

    def look():
        updates = viewer.look()
        seen.append((updates["status"]["generation"], updates["status"]["stage"]))
        if updates["status"]["generation"] > 1:
            assert not updates["reset"]

    go_on(folder, TRAINED, look=look)
    assert seen == [(1, "running"), (2, "running"), (3, "running"), (4, "finished")]
    viewer.same_as_new()
    assert viewer.tables["metrics"]["generation"] == [1, 2, 3, 4]
    assert len(viewer.parts["hall"][0]) == 4
    assert viewer.parts["champions"] == {"generations": [1, 2, 3, 4], "sub_populations": 1}


def test_a_killed_and_resumed_run_is_followed(tmp_path):
    folder = RunFolder.at(tmp_path / "run", TRAINED)
    viewer = Viewer(folder.path)
    with pytest.raises(KeyboardInterrupt):
        go_on(folder, TRAINED, look=viewer.look, last=3)
    # Killed between two files, and in the middle of a line: resuming cuts both back.
    with folder.metrics_file.open("a") as file:
        file.write('{"generation": 4, "best_place": 99.0}\n{"gener')
    viewer.look()
    assert viewer.tables["metrics"]["best_place"][-1] == 99.0
    beginnings = viewer.beginnings
    go_on(folder, TRAINED, look=viewer.look)
    viewer.same_as_new()
    assert viewer.beginnings > beginnings
    places = [line["best_place"] for line in files.read_lines(folder.metrics_file)]
    assert np.allclose(viewer.tables["metrics"]["best_place"], places, rtol=1e-5)


def test_a_deleted_and_recreated_run_is_followed(tmp_path, runs):
    path = tmp_path / "run"
    shutil.copytree(runs / "trained", path)
    viewer = Viewer(path)
    viewer.look()
    shutil.rmtree(path)
    with pytest.raises(KeyError):
        viewer.look()
    shutil.copytree(runs / "searched", path)
    viewer.look()
    assert viewer.parts["config"]["schedule"] == "blocks"
    viewer.same_as_new()
    assert "hall" not in {name for name, part in viewer.parts.items() if part is not None}


def test_a_search_is_shown_with_its_tests_and_its_pool(runs):
    viewer = Viewer(runs / "searched")
    updates = viewer.look()
    assert updates["status"]["stage"] == "finished"
    shown = {"schedule": "blocks", "optimizer": "cma-es", "game": "cash", "table_size": 2}
    assert shown.items() <= viewer.parts["config"].items()
    trials = RunFolder.open(runs / "searched").trials()
    assert viewer.tables["tests"]["score"] == pytest.approx([one["score"] for one in trials])
    assert "style.aggression" in viewer.tables["tests"]
    named = [member["name"] for member in viewer.parts["pool"] if member["name"]]
    assert named == ["caller"]
    assert all(0.0 <= member["win_rate"] <= 1.0 for member in viewer.parts["pool"])
    assert updates["problems"] == []


def test_bounds_of_a_local_best_response_are_shown(tmp_path, runs):
    shutil.copytree(runs / "searched", tmp_path / "run")
    (tmp_path / "run/bounds.jsonl").write_text('{"generation": 2, "bound": 310.5, "error": 20.0}\n')
    viewer = Viewer(tmp_path / "run")
    viewer.look()
    assert viewer.tables["bounds"] == {"generation": [2], "bound": [310.5], "error": [20.0]}


@pytest.mark.parametrize("cursor", ["x", "1.2.3", "....", "-1.1.1.1.1", "a" * 500])
def test_an_invalid_viewer_state_gets_the_full_data(runs, cursor):
    updates = ViewedRun(runs / "trained").updates(cursor)
    assert updates["reset"]
    assert len(updates["tables"]["metrics"]["columns"]["generation"]) == 4


def test_what_cannot_be_read_is_named_and_the_rest_is_shown(tmp_path, runs):
    path = tmp_path / "run"
    shutil.copytree(runs / "trained", path)
    (path / "hall_of_fame.npz").write_bytes(b"no archive")
    (path / "progress.json").write_text("{")
    updates = ViewedRun(path).updates()
    assert len(updates["problems"]) == 2
    assert any(text.startswith("hall_of_fame.npz cannot be read") for text in updates["problems"])
    assert updates["status"]["generation"] == 4
    (path / "config.toml").write_text("name = ")
    assert ViewedRun(path).updates()["status"]["stage"] == "unreadable"


def test_watching_changes_nothing_in_the_folder(runs):
    def all_files():
        return {
            path: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(runs.rglob("*"))
            if path.is_file()
        }

    before = all_files()
    root = Root(runs)
    root.summaries()
    for name in root.folders():
        root.run(name).updates()
        Champions(root)(f"champion 1 of generation 2 of {name}")
    assert all_files() == before


# --- the status -----------------------------------------------------------------------------------


def status_of(config, generation, *, silent_s=0.0, hands=0, seconds=2.0):
    lines = [{"generation": i + 1, "hands": hands * (i + 1)} for i in range(generation)]
    timings = [{"generation": i + 1, "seconds": seconds} for i in range(generation)]
    return describe_status(config, lines, timings, silent_s=silent_s)


def test_time_left_by_generations_and_by_hands():
    assert status_of({"generations": 10}, 4).seconds_left == 12.0
    # 8 generations of 100 hands are played, 2.5 more are wanted: 3 must be.
    by_hands = status_of({"hands": 1050, "generations": 0}, 8, hands=100)
    assert by_hands.seconds_left == 6.0
    assert by_hands.share == pytest.approx(800 / 1050)
    assert status_of({"hands": 1050, "generations": 9}, 8, hands=100).seconds_left == 2.0


def test_status_shows_the_stage_of_a_run():
    assert status_of({"generations": 10}, 0).stage == "waiting"
    assert status_of({"generations": 10}, 3, silent_s=20).stage == "running"
    assert status_of({"generations": 10}, 3, silent_s=31).stage == "quiet"
    assert status_of({"generations": 10}, 3, silent_s=31, seconds=20).stage == "running"
    assert status_of({"generations": 10}, 10, silent_s=1e6).stage == "finished"
    assert status_of(None, 3).stage == "unreadable"


# --- who can be asked for -------------------------------------------------------------------------


def test_paths_outside_the_root_cannot_be_reached(tmp_path, runs):
    root_path = tmp_path / "root"
    root_path.mkdir()
    shutil.copytree(runs / "trained", root_path / "inside")
    shutil.copytree(runs / "trained", tmp_path / "outside")
    os.symlink(tmp_path / "outside", root_path / "link")
    root = Root(root_path)
    assert list(root.folders()) == ["inside"]
    for name in (
        "../outside",
        "link",
        str(tmp_path / "outside"),
        "..",
        ".",
        "",
        "inside/../inside",
    ):
        with pytest.raises(KeyError):
            root.run(name)
        with pytest.raises(ValueError, match="there is no run"):
            Champions(root)(f"champion 1 of generation 1 of {name or '.'}")


def test_a_single_run_folder_shows_no_sibling(runs):
    root = Root(runs / "trained")
    assert list(root.folders()) == ["trained"]
    with pytest.raises(KeyError):
        root.run("searched")


def test_runs_that_start_later_appear(tmp_path, runs):
    root = Root(tmp_path / "runs")
    assert root.summaries() == {"folder": "runs", "count": 0, "runs": []}
    shutil.copytree(runs / "searched", tmp_path / "runs" / "new")
    (summary,) = root.summaries()["runs"]
    assert (summary["run"], summary["optimizer"]) == ("new", "cma-es")


def test_champions_of_any_generation_can_be_seated(runs):
    make = Champions(Root(runs))
    trained = RunFolder.open(runs / "trained").champions()
    player = make("champion 1 of generation 3 of trained")
    assert np.array_equal(player.weights, trained.player(2, name="x").weights)
    assert player.name == "generation 3"
    searched = RunFolder.open(runs / "searched")
    row = searched.generations().tolist().index(2)
    player = make("champion 1 of generation 2 of searched")
    assert np.array_equal(player.weights, searched.champions().player(row, name="x").weights)
    present = make("champion of trained")
    assert np.array_equal(present.weights, RunFolder.open(runs / "trained").champion().weights)
    assert present.name.startswith("generation ")
    assert make("champion of another") is None
    assert make("tight-aggressive") is None
    with pytest.raises(ValueError, match="generation 9 is not kept"):
        make("champion 1 of generation 9 of trained")
    with pytest.raises(ValueError, match="sub_population"):
        make("champion 2 of generation 1 of trained")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere is neither a run folder nor a folder of runs"),
        (["empty/latest"], "there is no run in empty/ yet"),
        (["latest", "--port", "70000"], "port must be in 0 .. 65535; got 70000"),
    ],
)
def test_the_command_reports_wrong_input(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments, "--no-browser"]) == 2
    assert message in capsys.readouterr().err


# --- over HTTP ------------------------------------------------------------------------------------


def test_pages_have_strict_headers_and_seat_champions(runs):
    aiohttp = pytest.importorskip("aiohttp")
    from aiohttp.test_utils import TestClient, TestServer

    from agents.web.catalogue import Catalogue
    from agents.web.hub import Hub
    from agents.web.server import create_app
    from evolve.dashboard.pages import runs_page

    class QuietHub(Hub):
        def warm_up(self) -> None:
            """The tests warm up by themselves."""

    async def play() -> None:
        root = Root(runs)
        app = create_app(QuietHub(Catalogue(more=Champions(root))), extra_pages=[runs_page(root)])
        jar = aiohttp.CookieJar(unsafe=True)
        async with TestClient(TestServer(app), cookie_jar=jar) as client:
            page = await client.get("/learning")
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            assert "http://" not in await page.text()
            listed = await (await client.get("/learning/api/runs")).json()
            assert {run["run"] for run in listed["runs"]} == {"trained", "searched"}
            updates = await (await client.get("/learning/api/runs/trained")).json()
            again = await client.get(
                "/learning/api/runs/trained", params={"cursor": updates["cursor"]}
            )
            assert (await again.json())["tables"] == {}
            for path in ("..%2Ftrained", "%2Fetc", "nothing", "..", "trained%2F.."):
                answer = await client.get(f"/learning/api/runs/{path}")
                assert answer.status in (403, 404), path
            seats = ["champion 1 of generation 2 of trained", "caller"]
            game = await client.post("/api/games", json={"seats": seats, "seed": 1})
            assert game.status == 200, await game.text()
            stranger = await client.post(
                "/api/games", json={"seats": ["champion 1 of generation 2 of ../x", "caller"]}
            )
            assert stranger.status == 400

    asyncio.run(play())


def test_resuming_with_more_generations_moves_the_end(tmp_path, runs):
    path = tmp_path / "run"
    shutil.copytree(runs / "trained", path)
    viewer = Viewer(path)
    assert viewer.look()["status"]["stage"] == "finished"
    longer = TRAINED.with_values(generations=6)
    folder = RunFolder.open(path)
    folder.save_config(longer)
    assert viewer.look()["status"]["share"] == pytest.approx(4 / 6)
    go_on(folder, longer, look=viewer.look)
    viewer.same_as_new()
    assert viewer.tables["metrics"]["generation"][-1] == 6


# --- known players on the map of styles -----------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        nlhe_env.Game.tournament(),
        dataclasses.replace(nlhe_env.Game.cash(num_hands=5), table_size=2),
    ],
)
def test_landmarks_match_their_names(game):
    styles = measure_landmarks(game)
    assert set(styles) == set(PLAYERS)
    entered = {name: style["voluntarily_in_pot"] for name, style in styles.items()}
    assert entered["tight-passive"] < 0.4 < entered["loose-passive"]
    assert styles["caller"]["aggression"] == 0.0
    assert styles["loose-aggressive"]["aggression"] > styles["loose-passive"]["aggression"]


def test_landmarks_leave_out_players_that_do_not_know_the_game():
    game = nlhe_env.Game.cash(betting="fixed-limit", num_hands=2, two_calls=True)
    styles = measure_landmarks(dataclasses.replace(game, table_size=2))
    assert set(PLAYERS) - set(styles) == {"formula"}
    assert styles["caller"]["aggression"] == 0.0 < styles["raiser"]["aggression"]


# --- learning curves ------------------------------------------------------------------------------


TESTS = [{"generation": 0, "score": 5.5, "error": 0.1}, {"generation": 10, "score": 4.0}]
PROGRESS = {
    "generations": [1, 6],
    "places": [4.0, 3.0],
    "errors": [0.1, 0.2],
    "static_players": {"random": 5.0, "caller": 4.5, "folder": 6.0},
}


def test_tests_take_precedence_over_final_tournaments():
    curve = learning_curve({"table_size": 10}, TESTS, PROGRESS)
    assert curve is not None
    assert (curve["measure"], curve["unit"]) == ("tests", "place of 10")
    assert curve["lower_is_better"]
    assert curve["values"] == [5.5, 4.0]
    assert curve["errors"] == [0.1, None]


def test_more_is_better_in_cash_games():
    curve = learning_curve({"game": "cash"}, TESTS, None)
    assert curve is not None
    assert (curve["unit"], curve["lower_is_better"]) == ("bb/100", False)


def test_final_tournaments_count_all_participants():
    curve = learning_curve({}, [], PROGRESS)
    assert curve is not None
    assert (curve["measure"], curve["unit"]) == ("final tournaments", "place of 5")


def test_places_within_a_run_do_not_count_as_progress():
    assert learning_curve({"table_size": 10}, [], None) is None


def test_figures_are_read_back_from_csv():
    rows = [{"generation": 1, "a.b": 0.5}, {"generation": 2, "won": True, "a.b": None}]
    read = list(csv.DictReader(io.StringIO(files.csv_text(rows))))
    assert read == [
        {"generation": "1", "a.b": "0.5", "won": ""},
        {"generation": "2", "a.b": "", "won": "True"},
    ]
    assert files.csv_text([]) == "\n"
