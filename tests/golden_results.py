"""Digests of whole results: cards, decisions, training and solvers, byte for byte.

Each case is played through the public API or a command, so that a change of code which should
change no result can show that it has changed none. ``--update-golden`` writes the digests anew.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from training_runs import evolve

import agents
import nlhe_env
from agents import solvers

CASH = nlhe_env.Game.cash(starting_stack=10_000, blinds=(50, 100), num_hands=20)


def digest(parts: Iterable[Any]) -> str:
    """A digest of arrays by their bytes, and of other values by their representation."""
    result = hashlib.blake2b(digest_size=12)
    for part in parts:
        if isinstance(part, np.ndarray) and part.dtype != object:
            result.update(np.ascontiguousarray(part).tobytes())
        else:
            result.update(repr(getattr(part, "tolist", lambda part=part: part)()).encode())
        result.update(b";")
    return result.hexdigest()


def tally_digest(tally: agents.Tally) -> str:
    """Scores, products of pairs, counts of styles, hands and decisions."""
    values = [value for value in vars(tally).values() if not isinstance(value, agents.Tally)]
    return digest([*values, *([tally_digest(tally.plain)] if tally.plain else [])])


def values_of(found: Any) -> list[Any]:
    """The values of a JSON document in order, without the keys."""
    if isinstance(found, dict):
        return [value for each in found.values() for value in values_of(each)]
    if isinstance(found, list):
        return [value for each in found for value in values_of(each)]
    return [found]


def match(*players: str, blocks: int = 10, game: nlhe_env.Game = CASH, **options: Any) -> str:
    """The digest of a match of built-in players."""
    return tally_digest(agents.play(players, agents.Blocks(blocks), game, seed=9, **options))


def training(folder: Path, preset: str, *options: str) -> str:
    """The digest of the metrics, the champions and the last checkpoint of a run."""
    arguments = ["--preset", preset, "--seed", "5", "--runs", str(folder), "--workers", "1"]
    assert evolve("train", *arguments, *options) == 0
    (run,) = folder.iterdir()
    lines = (run / "metrics.jsonl").read_text().splitlines()
    parts: list[Any] = [values_of(json.loads(line)) for line in lines]
    with np.load(run / "champion.npz") as champion:
        # The weights; what else is stored names kinds and options.
        parts += [champion[name] for name in champion if champion[name].dtype == np.float32]
    return digest(parts)


def league(folder: Path) -> str:
    """The digest of the scores of a league of five."""
    names = ["caller", "folder", "old-best", "raiser", "random"]
    options = ["--games", "4000", "--seed", "3", "--workers", "1", "--out", str(folder / "out")]
    assert evolve("league", *names, *options) == 0
    tables = sorted((folder / "out").glob("*.csv"))
    assert tables
    parts = []
    for path in tables:
        lines = [line.split(",") for line in path.read_text().splitlines()]
        if "rating" in lines[0]:  # the chance to be the best follows from the scores
            place = lines[0].index("first")
            lines = [line[:place] + line[place + 1 :] for line in lines]
        parts += [",".join(line).split(",", 1)[1:] for line in lines]
    return digest(parts)


def metagame(folder: Path) -> str:
    """The digest of the payoffs of all pairs of generations of a run."""
    training(folder / "runs", "quick", "--generations", "4")
    (run,) = (folder / "runs").iterdir()
    options = ["--game", "field", "--rounds", "20", "--workers", "1"]
    assert evolve("evaluate", "metagame", str(run), *options) == 0
    (found,) = run.glob("metagame*.json")
    return digest([values_of(json.loads(found.read_text()))])


def solution(board: str, bets: str, iterations: int) -> str:
    """The digest of the strategies of a subgame."""
    game = solvers.Subgame(board, ("22+, A2s+, KTo+", "random"), pot=20, stack=60, bets=bets).game()
    found = solvers.solve(game, iterations=iterations)
    return digest([found.strategy, found.exploitability])


def symbiosis(folder: Path) -> str:
    """The digest of the metrics of symbiotic evolution, of two models of diversity."""
    arguments = ["--preset", "sbb-smoke", "--seeds", "1", "--workers", "1", "--out", str(folder)]
    assert evolve("study", "compare", *arguments) == 0
    paths = sorted(folder.rglob("metrics.jsonl"))
    assert paths
    lines = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    return digest(
        values_of({key: line[key] for key in _SYMBIOSIS if key in line}) for line in lines
    )


_SYMBIOSIS = (
    "generation",
    "hands",
    "mean_fitness",
    "best_fitness",
    "programs",
    "measure",
    "mean_diversity",
    "validation_mean",
    "validation_best",
    "champion",
    "champion_by_opponent",
    "hall",
)


CASES: dict[str, Callable[[Path], str]] = {
    "cash games of rule players": lambda _: match("caller", "old-best", "tight-aggressive"),
    "a tournament of ten": lambda _: tally_digest(
        agents.play(
            ["folder", "caller", "old-best", "half-a-pro", "random", "tight-passive"] * 4,
            agents.Tournaments(20),
            nlhe_env.Game.tournament(table_size=10),
            seed=9,
        )
    ),
    "AIVAT of a match": lambda _: match("loose-aggressive", "formula", variance_reduction="aivat"),
    "Vexbot": lambda _: match(
        "vexbot",
        "limit-team",
        blocks=3,
        game=nlhe_env.Game.cash(
            starting_stack=4_800, blinds=(50, 100), betting="fixed-limit", num_hands=60
        ),
    ),
    "Poki": lambda _: match("poki", "poki-sim", "caller", blocks=1),
    "ASHE": lambda _: match("ashe-2.0", "ashe-1.0", blocks=3),
    "a league": league,
    "a meta-game": metagame,
    "the preset quick": lambda folder: training(folder, "quick", "--generations", "3"),
    "the preset self-play-quick": lambda folder: training(
        folder, "self-play-quick", "--generations", "3"
    ),
    "the preset ashe-1.0-smoke": lambda folder: training(
        folder, "ashe-1.0-smoke", "--generations", "2"
    ),
    "the preset sbb-nolimit": lambda folder: training(folder, "sbb-nolimit", "--generations", "2"),
    "symbiotic teams": symbiosis,
    "a river": lambda _: solution("QsJsTs2h3d", "50%, 100%", 50),
    "a turn": lambda _: solution("QsJsTs2h", "75%", 5),
}
