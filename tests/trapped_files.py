"""Readers of files whose texts are traps, run as a program: ``trapped_files.py READER ...``.

The program works in an empty current folder. It makes a sound file, and copies of it in each of
which one text, or all of them, is a trap: a Python file, a program, a chat model, an address or a
player file. Then an audit hook watches the readers, and what they did is printed as JSON.
"""

import asyncio
import contextlib
import io
import itertools
import json
import os
import shutil
import sqlite3
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import agents
import evolve
from agents.players.networks import NetworkLink, NetworkNode, SparseNetwork
from nlhe_env.system.files import cache_folder

HERE = Path.cwd()
TRAPS = (
    f"{HERE}/trap.py:Trap",
    "trap.py",
    f"process:touch {HERE}/trap.ran",
    f"chat:model=x,url=http://127.0.0.1:9,log={HERE}/trap.log",
    f"{HERE}/trap.npz",
    "http://127.0.0.1:9/trap",
)
_CODE = f"open({str(HERE / 'trap.ran')!r}, 'w').close()\nclass Trap: ...\n"
_FORBIDDEN = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"),
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Variants = Iterator[Any]
Check = tuple[Path, Callable[[Path], Any]]


def set_traps() -> None:
    """The files that traps name; each would do harm, or be of use, if it were opened."""
    (HERE / "trap.py").write_text(_CODE)
    (HERE / "trap.log").write_text("no line of a log")
    agents.save_player(HERE / "trap.npz", agents.make_compiled("caller"))


def variants(value: Any, trap: Callable[[str], str]) -> Variants:
    """Copies of nested values in which one text is a trap."""
    if isinstance(value, str):
        yield trap(value)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from (value | {key: other} for other in variants(each, trap))
    elif isinstance(value, list):
        for k, each in enumerate(value):
            yield from ([*value[:k], other, *value[k + 1 :]] for other in variants(each, trap))


def everywhere(value: Any, trap: str) -> Any:
    """A copy of nested values in which all texts are traps."""
    if isinstance(value, dict):
        return {key: everywhere(each, trap) for key, each in value.items()}
    if isinstance(value, list):
        return [everywhere(each, trap) for each in value]
    return trap if isinstance(value, str) else value


def trapped(value: Any) -> Variants:
    """Copies of nested values with traps in one text, or in all."""
    for trap in TRAPS:
        yield from variants(value, lambda _, trap=trap: trap)
        yield everywhere(value, trap)


def trapped_in_turn(value: Any) -> Variants:
    """Fewer copies, for slow readers: each text has one of the traps; kinds have a Python file."""
    turn = itertools.cycle(TRAPS)
    yield from variants(value, lambda _: next(turn))
    yield from variants(value, lambda _: TRAPS[0])
    yield from (everywhere(value, trap) for trap in TRAPS)


def as_toml(values: dict[str, Any]) -> str:
    """TOML with one level of tables."""
    tables = {key: each for key, each in values.items() if isinstance(each, dict)}
    lines = [f"{key} = {_toml(each)}" for key, each in values.items() if key not in tables]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {_toml(each)}" for key, each in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value) if isinstance(value, (str, bool)) else repr(value)


def with_header(source: Path, target: Path, about: Any) -> None:
    """A copy of an ``.npz`` file with another JSON header."""
    with np.load(source) as file:
        np.savez(target, **{**file, "about": np.array(json.dumps(about))})


def header_checks(source: Path, read: Callable[[Path], Any]) -> Iterator[Check]:
    """Copies of a file with trapped headers."""
    with np.load(source) as file:
        about = json.loads(str(file["about"]))
    for k, each in enumerate(trapped(about)):
        with_header(source, path := HERE / f"{source.stem}-{k}.npz", each)
        yield path, read


@cache
def small_run() -> Path:
    """A run of one generation with opponents by name and a pool."""
    small = "--generations 1 --population 4 --blocks 2 --test-blocks 2 --hidden 4 --workers 1"
    pool = "--pool-share 0.5 --named caller folder --test-players caller --num-hands 2"
    code = evolve.main(["train", "--preset", "heads-up", *small.split(), *pool.split()])
    assert code == 0
    return evolve.RunFolder.latest(Path("runs")).path


def runs() -> Iterator[Check]:
    """Run folders: what looks at them, and what goes on with them."""
    from evolve.commands.common import starting_config
    from evolve.dashboard.pages import _Pages
    from evolve.dashboard.root import Champions, Root
    from evolve.training.comparison_players import champion_style, control

    def look(path: Path) -> None:
        folder = evolve.RunFolder.open(path)
        root = Root(path)
        pages = _Pages(root)
        pages._landmarks.of = lambda game: {}
        for reader in (
            lambda: folder.load_config().make_game(),
            lambda: folder.load_config().values(),
            lambda: folder.champion(),
            lambda: control(folder),
            lambda: champion_style(folder, blocks=1),
            lambda: root.summaries(),
            lambda: root.run(path.name).updates(),
            lambda: pages._measure(path.name),
            lambda: Champions(root)(f"champion of {path.name}"),
            lambda: Champions(root)(f"champion 1 of generation 1 of {path.name}"),
            lambda: starting_config(["train", "--resume", str(path)]),
        ):
            quietly(reader)
        if path.name.endswith("0"):  # slow
            quietly(evolve.main, ["evaluate", "plot", str(path)])

    source = small_run()
    config = tomllib.loads((source / "config.toml").read_text())
    for k, each in enumerate([config, *trapped_in_turn(config)]):
        shutil.copytree(source, path := HERE / f"run-{k}")
        (path / "config.toml").write_text(as_toml(each))
        yield path, look


def checkpoints() -> Iterator[Check]:
    """Checkpoints: their configuration and the texts in their arrays."""

    def restore(path: Path) -> None:
        folder = evolve.RunFolder.open(path)
        folder.restore(folder.load_config(), say=lambda text: None)

    source = small_run()
    name = max(path.name for path in (source / "checkpoints").iterdir())
    arrays = evolve.read_arrays(source / "checkpoints" / name)
    config = tomllib.loads(str(arrays["config"]))
    changed = [{"config": np.array(as_toml(each))} for each in trapped_in_turn(config)]
    texts = [key for key, array in arrays.items() if array.dtype.kind == "U" and array.ndim]
    assert texts  # the players of the pool
    changed += [{key: np.full_like(arrays[key], trap, "U200")} for key in texts for trap in TRAPS]
    for k, each in enumerate(changed):
        shutil.copytree(source, path := HERE / f"checkpoint-{k}")
        evolve.write_arrays(path / "checkpoints" / name, arrays | each)
        yield path, restore


def presets() -> Iterator[Check]:
    """Configuration files."""
    from evolve.commands.common import starting_config
    from evolve.training.config_files import load_config, to_toml

    def read(path: Path) -> None:
        quietly(lambda: load_config(path))
        quietly(lambda: load_config(path, for_reading=True))
        starting_config(["train", "--preset", str(path)])

    for name in ("heads-up", "quick"):
        values = tomllib.loads(to_toml(evolve.load_preset(name)))
        for k, each in enumerate(trapped_in_turn(values | {"extends": "quick"})):
            (path := HERE / f"{name}-{k}.toml").write_text(as_toml(each))
            yield path, read


def leagues() -> Iterator[Check]:
    """Stores of leagues."""

    def read(path: Path) -> None:
        quietly(lambda: evolve.main(["league", "--store", str(path)]))
        quietly(lambda: evolve.main(["league", "caller", "folder", "--store", str(path)]))
        with evolve.LeagueStore.open(path, lambda stored: stored) as store:
            quietly(store.settings.load_variance_reduction)
            evolve.LeagueTable.of(store.names(), store).rows()

    source = HERE / "league.sqlite"
    options = "caller folder --variance-reduction aivat --games 40 --num-hands 2 --workers 1"
    code = evolve.main(["league", *options.split(), "--store", str(source)])
    assert code == 0
    with contextlib.closing(sqlite3.connect(source)) as opened:
        ((text,),) = opened.execute("SELECT json FROM settings")
    changes = [
        ("settings SET json", json.dumps(each)) for each in trapped_in_turn(json.loads(text))
    ]
    changes += [("players SET name", trap) for trap in TRAPS]
    changes += [("matches SET players", json.dumps([trap, "folder"])) for trap in TRAPS]
    for k, (column, value) in enumerate(changes):
        shutil.copy(source, path := HERE / f"league-{k}.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as opened:
            where = " WHERE name = 'caller'" if column.startswith("players") else ""
            opened.execute(f"UPDATE {column} = ?{where}", (value,))
            opened.commit()
        yield path, read


def cards() -> Iterator[Check]:
    """Scorecards."""
    from agents.measure.bench.page import as_html, as_markdown
    from agents.measure.bench.verification import verify

    def read(path: Path) -> None:
        card = agents.Scorecard.load(path)
        as_html(card, b"")
        as_markdown([card])
        verify(path)

    agents.bench("caller", hands=40, seed=1, out="card", bound=False)
    card = json.loads((HERE / "card" / "scorecard.json").read_text())
    changed = list(trapped_in_turn(card))
    for trap in TRAPS:
        changed.append(card | {"anchors": card["anchors"] | {trap: "0"}})
        changed.append(card | {"suites": {trap: card["suites"]["heads-up"]}})
    for k, each in enumerate(changed):
        (path := HERE / f"card-{k}").mkdir()
        (path / "scorecard.json").write_text(json.dumps(each))
        yield path, read


def players() -> Iterator[Check]:
    """Player files: one with inputs."""
    network = agents.make_compiled("old-best")
    agents.save_player("player.npz", network)
    yield from header_checks(HERE / "player.npz", agents.load_player)
    agents.save_player("lstm.npz", agents.make_compiled("lstm"))
    yield from header_checks(HERE / "lstm.npz", agents.load_player)


def books() -> Iterator[Check]:
    """Player files with a book."""
    agents.save_player("book.npz", agents.make_compiled("equilibrium-limit"))
    yield from header_checks(HERE / "book.npz", agents.load_player)


def solutions() -> Iterator[Check]:
    """Solutions of subgames."""
    from agents.solvers import Subgame, load_solution, save_solution, solve

    spot = Subgame("KsTh7s4d2s", ("TT+", "99-22"), 100, 250, "50%")
    save_solution("solution.npz", spot, solve(spot.game(), iterations=2))
    yield from header_checks(HERE / "solution.npz", load_solution)


def value_functions() -> Iterator[Check]:
    """Value functions of AIVAT."""
    for k, trap in enumerate(TRAPS):
        np.savez(path := HERE / f"value-{k}.npz", format=1, name=trap, numbers=np.zeros(3))
        yield path, agents.load_value_function


def tables() -> Iterator[Check]:
    """Saved tables of the browser."""
    from agents.web.catalogue import Catalogue
    from agents.web.hub import Hub
    from agents.web.table.saving import TableFolder

    async def restore(folder: Path) -> None:
        hub = Hub(Catalogue(), folder=TableFolder(folder))
        await hub.restore_tables()
        await hub.close()

    game = {"seats": ["human", "caller"], "mode": "cash", "blinds": "5/10", "seed": 3}
    person = {"seat": 0, "name": "Ann", "session": "s", "since": 0, "sits": True}
    table = {"format": "nlhe table", "version": 1, "name": "a" * 16, "creator": "s", "game": game}
    table |= {"people": [person], "betting": [], "rebuys": {}, "stacks": [], "seed": 3}
    for k, each in enumerate([table, *trapped(table)]):
        (path := HERE / f"tables-{k}").mkdir()
        (path / f"{'a' * 16}.json").write_text(json.dumps(each))
        yield path, lambda path: asyncio.run(restore(path))


def genomes() -> Iterator[Check]:
    """Networks of neat-python, as JSON."""
    node = NetworkNode(0, 0.5)
    network = SparseNetwork(2, 1, (node,), (NetworkLink(-1, 0, 1.0),))
    for k, each in enumerate(trapped(json.loads(network.to_json({"source": "here"})))):
        (path := HERE / f"network-{k}.json").write_text(json.dumps(each))
        yield path, lambda path: SparseNetwork.from_json(path.read_text())


def hands() -> Iterator[Check]:
    """Hand histories."""
    import nlhe_env.__main__
    from agents.coach import known_players
    from nlhe_env.hand_history import HandHistoryError, stream_hands, write_hands

    def read(path: Path) -> None:
        quietly(lambda: nlhe_env.__main__.main(["hands", str(path)]))
        found = [hand for hand in stream_hands(path) if not isinstance(hand, HandHistoryError)]
        known_players(found)
        evolve.main(["evaluate", "hands", str(path)])

    record: list[Any] = []
    game = nlhe_env.Game.cash(num_hands=1)
    lineup = [agents.make("caller"), agents.make("nlbot-2")]
    agents.play(lineup, agents.Blocks(1), game, seed=1, record=record)
    values = tomllib.loads(write_hands(record[:1]))
    for k, each in enumerate(trapped(values)):
        (path := HERE / f"hands-{k}.phhs").write_text(as_toml(each))
        yield path, read


def results() -> Iterator[Check]:
    """Tables of evaluations and measures of progress."""
    from evolve.dashboard.viewed_run import READERS, Contents
    from evolve.evaluation.evaluation_files import load_places

    def read(path: Path) -> None:
        load_places(path)
        Contents(path, READERS["evaluation"][1]).read()

    row = {"player": "champion", "evaluated": True, "mean_place": 1.5, "low": 1.0, "high": 2.0}
    values = {"blocks": 2, "players": [row, row | {"player": "caller", "evaluated": False}]}
    for k, each in enumerate(trapped(values)):
        (path := HERE / f"evaluation-{k}.json").write_text(json.dumps(each))
        yield (
            path,
            lambda path: (load_places(path), Contents(path, READERS["evaluation"][1]).read()),
        )


READERS: dict[str, Callable[[], Iterator[Check]]] = {
    "run folders": runs,
    "checkpoints": checkpoints,
    "presets": presets,
    "leagues": leagues,
    "cards": cards,
    "players": players,
    "books": books,
    "solutions": solutions,
    "value functions": value_functions,
    "saved tables": tables,
    "genomes": genomes,
    "hand histories": hands,
    "results": results,
}


def quietly(read: Callable[..., Any], *arguments: Any) -> None:
    """Read, and ignore output and errors: only what is done counts."""
    silent = io.StringIO()
    with (
        contextlib.redirect_stdout(silent),
        contextlib.redirect_stderr(silent),
        contextlib.suppress(Exception, SystemExit),
    ):
        read(*arguments)


def watch(found: list[str]) -> None:
    """Add an audit hook that notes what no file may cause."""
    writable = (HERE, cache_folder().absolute())

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _FORBIDDEN:
            found.append(f"{event}: {arguments!r}")
        elif event == "exec" and str(arguments[0].co_filename).startswith(str(HERE)):
            found.append(f"exec: {arguments[0].co_filename}")
        elif event == "import" and str(arguments[0]).partition(".")[0] == "trap":
            found.append("import: trap")
        elif event in ("open", "sqlite3.connect") and isinstance(arguments[0], (str, bytes)):
            path = Path(os.path.abspath(os.fsdecode(arguments[0])))
            flags = arguments[2] if event == "open" else os.O_RDWR
            writes = isinstance(flags, int) and flags & _WRITING
            is_outside = not any(path.is_relative_to(folder) for folder in writable)
            if path.name.startswith("trap") or (writes and is_outside and path != Path(os.devnull)):
                found.append(f"{event}: {path}")

    sys.addaudithook(hook)


def main() -> None:
    """Read everything twice: once so that imports and compilation are over, then watched."""
    set_traps()
    checks = {name: list(READERS[name]()) for name in sys.argv[1:]}
    for (path, read), *_ in checks.values():
        quietly(read, path)
    found: list[str] = []
    watch(found)
    for path, read in itertools.chain(*checks.values()):
        quietly(read, path)
    found = [*found]  # what the hook notes from here on is of this program
    if (HERE / "trap.ran").exists():
        found.append("code ran")
    if (HERE / "trap.log").read_text() != "no line of a log":
        found.append("the log was changed")
    files = {name: len(each) for name, each in checks.items()}
    print(json.dumps({"files": files, "found": sorted(set(found))}))


if __name__ == "__main__":
    main()
