"""The documentation is correct: its code runs, and its tables match the code."""

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_printed_outputs import PRINTED

import agents
from evolve import main
from evolve.optimizers import optimizer_names, option_names

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"  # their blocks build on each other: see test_tutorials
EXTENDING = ROOT / "docs" / "extending.md"  # files of their own: see test_extending
PAGES = [
    ROOT / "README.md",
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if TUTORIALS not in page.parents and page != EXTENDING
    ),
]
OTHER_LIBRARIES = "\n## Optimizers of other libraries\n"
"""Blocks after this heading build on each other: see ``test_other_optimizers``."""
CODE_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SLOW = {
    "docs/theses/billings/players.md-0",
    "docs/batches.md-0",
    "docs/gymnasium.md-2",
    "docs/variance-reduction.md-1",
    "docs/theses/billings/results.md-0",
    "docs/theses/billings/pseudo-optimal.md-0",
    "docs/strength.md-5",
}
"""Blocks that take more than three seconds."""
COMPARED = {output.code for output in PRINTED}
"""Blocks that ``test_printed_outputs`` runs."""
BLOCKS = [
    pytest.param(code, id=name, marks=[pytest.mark.slow] * (name in SLOW))
    for page in PAGES
    for i, code in enumerate(CODE_BLOCK.findall(page.read_text().split(OTHER_LIBRARIES)[0]))
    for name in (f"{page.relative_to(ROOT)}-{i}",)
    if code not in COMPARED
]


@pytest.mark.parametrize("code", BLOCKS)
def test_code_block_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "documentation", "exec"), {"__name__": "__main__"})


def test_observation_tables_match_the_code() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "observation_tables.py"))
    page = (ROOT / "docs" / "observations.md").read_text()
    assert page == script["with_tables"](page)


@pytest.mark.slow
def test_table_of_styles_matches_measurements() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "style_table.py"))
    page = (ROOT / "docs" / "styles-and-diversity.md").read_text()
    assert page == script["with_table"](page)


def test_page_on_players_lists_them_all() -> None:
    page, _ = (ROOT / "docs" / "players.md").read_text().split("\n\nNicolai: ")
    page = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", page)
    rows = re.findall(r"^\| `([a-z0-9.-]+)` \| ([^|]*) \|", page, re.MULTILINE)
    assert rows == [(name, agents.describe(name)) for name in agents.names()]


def test_ratings_of_players_are_those_of_the_bench() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "player_ratings.py"))
    page = (ROOT / "docs" / "players.md").read_text()
    assert len(script["ROW"].findall(page)) == len(agents.names())
    assert page == script["with_ratings"](page)


def test_page_shows_the_results_of_the_probes() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "rule_probes.py"))
    page = (ROOT / "docs" / "from-pettingzoo-classic.md").read_text()
    for probe in script["PROBES"]:
        assert f"| {probe.question} | {probe.right} | {probe.ours()} |" in page


@pytest.mark.slow
def test_our_column_of_the_readme_is_what_the_probes_see(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("<!-- comparison -->\n")[1].split("<!-- end of comparison -->")[0]
    lines = [re.split(r" *\| *", line)[1:-1] for line in table.splitlines()]
    rows = {row: cells for row, *cells in lines if row != "---"}
    folder = ROOT / "tests" / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    script = runpy.run_path(str(folder / "compare_packages.py"))
    assert list(rows) == ["feature", *script["ROWS"], "Steps per second"]
    assert rows["feature"] == list(script["PACKAGES"])
    ours = [cells[0] for row, cells in rows.items() if row in script["ROWS"]]
    assert ours == script["column"]("nlhe-env")


def test_functions_are_where_their_page_says() -> None:
    page = (ROOT / "docs/where.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[1:] for line in page.splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 20
    for file, function in rows:
        tree = ast.parse((ROOT / file.strip("`")).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert function.strip("` |") in names, (file, function)


def test_page_on_optimizers_lists_all_options() -> None:
    page = (ROOT / "docs" / "optimizers.md").read_text()
    listed: set[tuple[str, str]] = set()
    names: list[str] = []
    for name, options in re.findall(r"^\|([^|]*)\| (`[^|]*`\*?) \| [^|]* \| ", page, re.MULTILINE):
        names = re.findall(r"`([^`]+)`", name) or names
        listed |= {(one, option) for one in names for option in re.findall(r"`(\w+)`", options)}
    known = {(name, option) for name in optimizer_names() for option in option_names(name)}
    assert listed == known


def example(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What an example does in a folder."""
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["first_steps.py", "--players", "3"],
        ["own_player.py", "--episodes", "20"],
        ["policy_gradient.py", "--updates", "2", "--tables", "16", "--hands", "200"],
        ["gymnasium_masked.py", "--hands", "300", "--test-hands", "100"],
        ["ppo.py", "--steps", "64", "--num-envs", "8", "--rollout", "4", "--test-hands", "16"],
        ["draw_topographies.py"],
        ["self_play.py", "--hands", "100", "--test-hands", "50"],
        ["compare_players.py", "--half-width", "200", "--blocks", "40"],
        ["equity_table.py", "--board", "Kd7s2c", "--hands", "AsAh", "7h2s", "--ranges", "QQ+"],
        ["own_blinds.py", "--tournaments", "20"],
        [
            *("sweep.py", "--seeds", "2", "--generations", "2"),
            *("--tournaments", "2", "--blocks", "5"),
        ],
        [
            *("sweep.py", "--key", "hidden", "--values", "10", "10,5", "--seeds", "2"),
            *("--generations", "1", "--tournaments", "1", "--blocks", "2"),
        ],
        ["plot_metrics.py"],
        ["moving_table.py", "--width", "240"],
        ["imitate_a_player.py", "--tournaments", "4", "--epochs", "2", "--blocks", "2"],
        ["map_of_styles.py", "--generations", "1", "--population", "8", "--blocks", "1"],
    ],
    ids=lambda command: command[0],
)
def test_example_runs(command: list[str], tmp_path: Path) -> None:
    if command[0] == "ppo.py":
        pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[rl]'")
    if command[0] == "moving_table.py":
        pytest.importorskip("pygame", reason="pygame-ce is not installed: pip install '.[render]'")
    done = example(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    "values",
    [
        # Tables in tournaments.
        "self-play-quick --lineages 2 --population 20 --rounds 2 --rounds-alone 1 "
        "--random-players 5 --selection-rounds 2",
        # Blocks of a cash game.
        "heads-up --population 8 --blocks 2",
    ],
    ids=lambda values: values.split()[0],
)
def test_metrics_of_any_schedule_are_plotted(
    values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = ["--generations", "2", "--test-blocks", "0", "--runs", str(tmp_path / "runs")]
    assert not main(["train", "--preset", *values.split(), *tiny])
    (run,) = (tmp_path / "runs").iterdir()
    picture = tmp_path / "metrics.png"
    script = str(ROOT / "examples" / "plot_metrics.py")
    monkeypatch.setattr(sys, "argv", [script, str(run), "--out", str(picture)])
    runpy.run_path(script, run_name="__main__")
    assert picture.is_file()


def test_pictures_of_tables_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("pygame", reason="pygame-ce is not installed: pip install '.[render]'")
    pictures = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    script = str(ROOT / "docs" / "table_pictures.py")
    subprocess.run([sys.executable, script, str(tmp_path)], check=True, capture_output=True)
    assert len(list(tmp_path.iterdir())) == 2
    for drawn in tmp_path.iterdir():
        shown = ROOT / "docs" / "images" / drawn.name
        new, old = (
            np.asarray(pictures.open(file).convert("RGB"), dtype=np.int16)
            for file in (drawn, shown)
        )
        # Fonts and colours may differ a little from one version of pygame-ce to the next.
        assert np.abs(new - old).mean() < 5, f"python docs/table_pictures.py: {drawn.name}"


@pytest.mark.slow
def test_pictures_of_strength_are_drawn(tmp_path: Path) -> None:
    done = example("strength_pictures.py", "--out", str(tmp_path), "--deals", "500", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    drawn = {picture.name for picture in tmp_path.iterdir()}
    page = (ROOT / "docs" / "strength.md").read_text()
    assert drawn == set(re.findall(r"\(images/(.+?)\)", page))
    for name in drawn:
        assert (ROOT / "docs" / "images" / name).stat().st_size < 150_000


@pytest.mark.slow
def test_first_code_of_the_readme_passes_strict_mypy(tmp_path: Path) -> None:
    """As for users: what is imported is looked at, but not checked."""
    code = CODE_BLOCK.search((ROOT / "README.md").read_text())
    assert code is not None
    script = tmp_path / "loop.py"
    script.write_text(code[1] + 'nlhe_env.env(mode="csh")\n')
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--config-file=", f"--cache-dir={tmp_path}", str(script)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    problems = [line for line in done.stdout.splitlines() if "loop.py" in line]
    assert len(problems) == 1, done.stdout  # the mode that was misspelt here
    assert "incompatible type \"Literal['csh']\"" in problems[0]


SINGLE_FILES = ("ppo", "self_play_ppo", "nfsp", "deep_cfr", "learners_study", "learners_judged")
"""Examples that keep a whole algorithm, or a study, in one file."""


def test_page_of_examples_lists_them_all() -> None:
    page = (ROOT / "docs" / "tutorials" / "examples.md").read_text()
    for file in (ROOT / "examples").rglob("*.*"):
        if file.suffix in {".py", ".c", ".ipynb"}:
            assert f"(../../examples/{file.relative_to(ROOT / 'examples').as_posix()})" in page
            longest = 400 if file.stem in SINGLE_FILES else 200
            assert len(file.read_text().splitlines()) < longest or file.suffix != ".py"
