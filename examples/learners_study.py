"""Evolution and reinforcement learning at equal hands and interfaces: a registered study.

docs/results/learners.md is the registration, docs/results/learners-runs.jsonl has the finished runs
with their players' weights. The same command continues the others, from checkpoints under
``--out``; ``--part 1/2`` and ``2/2`` share them. learners_judged.py evaluates the players.

Usage: nice python examples/learners_study.py [--seconds 3600] [--part 1/2] [--arms self-play-es]
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import agents
import evolve
import nlhe_env
from agents.players.networks import MixedPotSizedNetworkPlayer, PotSizedNetworkPlayer
from agents.solvers import GameTables, leduc
from evolve.optimizers import OpenAIES

RESULTS = Path(__file__).parents[1] / "docs" / "results"
RUNS = RESULTS / "learners-runs.jsonl"
MILLION = 1_000_000
GAME = {"blinds": (50, 100), "starting_stack": 10_000}
RULES = ("tight-passive", "tight-aggressive", "formula", "half-a-pro")  # opponents of tuning
ALONE = {
    "lineages": 1, "checkpoint_pools": 1, "pools_joined_after": 0, "selection_opponents": 0,
    "variance_reduction": "none", "test_blocks": 0, "generations": 0,
}  # fmt: skip
POOL = {"opponents": "pool", "named_share": 0.0, "pool_every": 5, "pool_share": 1.0}
POOL |= {key: ALONE[key] for key in ALONE if not key.startswith(("checkpoint", "pools"))}

EVOLVED: dict[str, dict[str, Any]] = {
    "self-play-es": ALONE,
    "self-play-genetic": ALONE | {"optimizer": "genetic"},
    "self-play-cma": ALONE | {"optimizer": "cma-es-diagonal"},
    "memory-none": POOL | {"pool_share": 0.0, "population_share": 1.0},
    "memory-last": POOL | {"pool_capacity": 1},
    "memory-even": POOL | {"priority": "uniform"},
    "memory-unbeaten": POOL | {"priority": "hard"},
    "six-max-es": ALONE,
}
"""Changes of preset self-play-heads-up, or of self-play-six-max."""

PPO = {
    "num_tables": 1024, "rollout": 16, "minibatches": 4, "epochs": 2, "hidden": (32, 32),
    "clip": 0.2, "value_weight": 0.5, "max_grad_norm": 0.5,
}  # fmt: skip
NFSP = {
    "num_tables": 256, "rollout": 8, "batches": 4, "batch_size": 512, "hidden": (32, 32),
    "exploration": 0.06, "target_every": 300, "replay": 200_000, "reservoir": 1_000_000,
}  # fmt: skip


def grid(shared: dict[str, Any], **values: tuple[float, ...]) -> list[dict[str, Any]]:
    """Every combination of two learning rates and the given values."""
    values = {"learning_rate": (1e-3, 3e-3)} | values
    return [shared | dict(zip(values, each, strict=True)) for each in product(*values.values())]


GRIDS = {
    "ppo": grid(PPO, temperature=(0.01, 0.1), magnet_rate=(0.0,)),
    "ppo-magnet": grid(PPO, temperature=(0.1, 1.0), magnet_rate=(0.05,)),
    "nfsp": grid(NFSP, anticipation=(0.1, 0.3)),
}
"""Settings among which tuning chooses, with all options of the examples that affect learning."""
TUNING_SEEDS, TUNING_HANDS = (901, 902), MILLION
LEDUC: dict[str, Any] = {
    "hidden": 16, "population": 48, "generations": 240, "sigma": 0.15, "learning_rate": 0.05,
    "half_life": 80, "averaging": 0.9, "weight_size": 0.6, "initial": 0.3, "opponents": 4,
    "pool_every": 5,
}  # fmt: skip
MEMORY = ("none", "last", "even", "unbeaten")


def schedule() -> Iterator[tuple[str, int, int]]:
    """Arm, hands and seed of every run, in order."""
    for seed in range(1001, 1031):
        yield "self-play-es", 3 * MILLION, seed
    for kind, hands in (("memory", 3 * MILLION), ("leduc", 0)):
        for seed in range(1101, 1131):
            for memory in MEMORY:
                yield f"{kind}-{memory}", hands, seed
    for i in range(4):
        for seed in TUNING_SEEDS:
            for arm in GRIDS:
                yield f"tune-{arm}-{i}", TUNING_HANDS, seed
    for seed in range(1001, 1011):
        for arm in ("self-play-genetic", "self-play-cma", *GRIDS):
            yield arm, 3 * MILLION, seed
    for seed in range(1001, 1006):
        for arm in ("self-play-es", *GRIDS):
            yield arm, 10 * MILLION, seed
    for seed in range(1001, 1006):
        yield "self-play-es", 36 * MILLION, seed
        yield "six-max-es", 3 * MILLION, seed
        yield "six-max-ppo", 3 * MILLION, seed


@cache
def configuration(arm: str) -> evolve.Config:
    """Configuration of an evolved arm, without its hands and seed."""
    preset = "self-play-six-max" if arm.startswith("six-max") else "self-play-heads-up"
    return evolve.load_preset(preset).with_values(**EVOLVED[arm], hands=MILLION)


def settings_of(arm: str, runs: list[dict[str, Any]]) -> dict[str, Any] | None:
    """All settings of an arm; None until the tuning runs that choose them are finished."""
    if arm in EVOLVED:  # what selects among lineages, tests or measures does not affect one lineage
        values, own = configuration(arm).values(), {"name", "seed", "hands"}
        aside = ("selection_", "test_", "progress_")
        return {k: v for k, v in values.items() if k not in own and not k.startswith(aside)}
    if arm.startswith("leduc-"):
        return LEDUC
    if arm.startswith("tune-"):
        learner, _, i = arm.removeprefix("tune-").rpartition("-")
        return GRIDS[learner][int(i)]
    if arm == "six-max-ppo":  # with the settings that tuning heads-up chooses
        return (chosen := settings_of("ppo", runs)) and chosen | {"players": 6}
    scores: list[float] = []
    for i, settings in enumerate(GRIDS[arm]):
        tuned = {"arm": f"tune-{arm}-{i}", "hands": TUNING_HANDS, "settings": digest(settings)}
        of = {run["seed"]: run["score"] for run in runs if tuned.items() <= run.items()}
        if not of.keys() >= set(TUNING_SEEDS):
            return None
        scores.append(float(np.mean([of[seed] for seed in TUNING_SEEDS])))
    return GRIDS[arm][int(np.argmax(scores))]


def finished() -> list[dict[str, Any]]:
    """Lines of scheduled runs, each run once, with the settings of today."""
    runs, of = read(RUNS), dict[tuple[str, int, int, str], dict[str, Any]]()
    for run in runs:
        of.setdefault((run["arm"], run["hands"], run["seed"], run["settings"]), run)
    wanted = ((arm, hands, seed, settings_of(arm, runs)) for arm, hands, seed in schedule())
    keys = [(*run, digest(settings)) for *run, settings in wanted if settings is not None]
    return [of[key] for key in keys if key in of]


# --- learners ------------------------------------------------------------------------------------


def evolved(arm: str, hands: int, seed: int, folder: Path) -> agents.CompiledPlayer:
    config = configuration(arm).with_values(hands=hands, seed=seed)
    run = evolve.RunFolder.at(folder, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(run, config, run.restore(config, say=print), workers=workers)
    return run.champion()


def learned(
    arm: str, hands: int, seed: int, folder: Path, settings: dict[str, Any]
) -> agents.CompiledPlayer:
    script = import_module("nfsp" if "nfsp" in arm else "self_play_ppo")
    values = {"hands": hands, "seed": seed, "out": folder, "lbr_blocks": 2, **settings}
    script.main(script.Args(game="holdem", **values))
    return agents.load_player(folder / "player.npz")


class SmallGame:
    """Exact mean results of many network policies of Leduc hold'em against each other."""

    def __init__(self) -> None:
        self.game = leduc()
        tables, tree = GameTables(self.game), self.game.tree
        decisions = [i for i in range(len(tree.kind)) if not tables.over(np.array([i]))[0]]
        n_rows, hands = self.game.shape
        # Decision and action id of every row of a strategy.
        self.decision, self.action = np.zeros((2, n_rows), np.int64)
        for i, node in enumerate(decisions):
            ids = np.flatnonzero(tables.masks(np.array([node]))[0])
            rows = tree.row[node] + np.arange(len(ids))
            self.decision[rows], self.action[rows] = i, ids
        nodes, own = np.repeat(decisions, hands), np.tile(np.arange(hands), len(decisions))
        self.seen, self.legal = tables.observations(nodes, own), tables.masks(nodes) == 1
        self.shape = (len(decisions), hands, tables.n_actions)
        # Rows of both players on the way to every end, and chips of the first player there.
        ways: list[tuple[int, list[int], list[int]]] = []

        def walk(node: int, rows: tuple[list[int], list[int]]) -> None:
            if not tree.branches[node]:
                ways.append((node, *rows))
            for i, child in enumerate(tree.children(node) if tree.branches[node] else ()):
                after = list(rows[0]), list(rows[1])
                if not tables.over(np.array([node]))[0]:
                    after[tree.actor[node]].append(int(tree.row[node]) + i)
                walk(int(child), after)

        walk(0, ([], []))
        longest = max(len(rows) for _, *both in ways for rows in both)
        self.ways = np.full((2, len(ways), longest), n_rows)
        for i, (_, *both) in enumerate(ways):
            self.ways[0, i, : len(both[0])], self.ways[1, i, : len(both[1])] = both
        ends = np.array([node for node, *_ in ways])
        where = np.indices((len(ends), hands, hands)).reshape(3, -1)
        won = tables.winnings(ends[where[0]], where[1:].T)[:, 0].reshape(len(ends), hands, hands)
        self.won = won * self.game.cards.meetings[0][tree.board[ends]] / self.game.weight

    def strategies(self, weights: Any) -> Any:
        """``(n, rows, hands)`` strategies of networks."""
        n, hidden = len(weights), LEDUC["hidden"]
        cut = (self.seen.shape[1] + 1) * hidden
        into = weights[:, :cut].reshape(n, -1, hidden)
        out = weights[:, cut:].reshape(n, hidden + 1, -1)
        scores = np.tanh(self.seen @ into[:, :-1] + into[:, -1:]) @ out[:, :-1] + out[:, -1:]
        scores = np.where(self.legal, scores, -np.inf)
        chances = np.exp(scores - scores.max(axis=2, keepdims=True))
        chances /= chances.sum(axis=2, keepdims=True)
        chances = chances.reshape(n, *self.shape)
        return chances[:, self.decision, :, self.action].transpose(1, 0, 2)

    def results(self, ones: Any, others: Any) -> Any:
        """``(len(ones), len(others))`` chips a hand that each wins, as the mean of both seats."""

        def reach(strategies: Any, player: int) -> Any:
            always = np.ones((len(strategies), 1, strategies.shape[2]))
            rows = np.concatenate([strategies, always], axis=1)
            return rows[:, self.ways[player]].prod(axis=2)

        def first(ones: Any, others: Any) -> Any:
            """Chips of the first players, who act first."""
            held = np.einsum("zab,mzb->mza", self.won, reach(others, 1))
            return reach(ones, 0).reshape(len(ones), -1) @ held.reshape(len(others), -1).T

        return (first(ones, others) - first(others, ones).T) / 2


def leduc_exploitability(memory: str, seed: int) -> float:
    """Exact exploitability in Leduc hold'em, in chips a hand, of an evolved network.

    Fitness is the exact mean result, from both seats, against opponents of the generation:
    candidates ("none"), the latest checkpoint, or checkpoints drawn evenly or with those not yet
    beaten preferred.
    """
    small, n, hidden = SmallGame(), LEDUC["opponents"], LEDUC["hidden"]
    n_weights = (small.seen.shape[1] + 1) * hidden + (hidden + 1) * small.shape[2]
    rng = np.random.default_rng(seed)
    names = ("population", "sigma", "learning_rate", "half_life", "averaging", "weight_size")
    options = {name: LEDUC[name] for name in names}
    start = LEDUC["initial"] * rng.standard_normal(n_weights)
    search = OpenAIES(start, **options, seed=seed)
    past, wins, games = small.strategies(search.recommend()[None]), np.ones(1), np.full(1, 2.0)
    for generation in range(1, LEDUC["generations"] + 1):
        candidates = small.strategies(search.ask())
        if memory == "none":
            opponents = candidates[rng.choice(len(candidates), n, replace=False)]
        else:
            chosen = np.full(n, len(past) - 1)
            if memory != "last":
                harder = (1 - wins / games) ** 2 if memory == "unbeaten" else np.ones(len(past))
                chances = 0.9 * harder / harder.sum() + 0.1 / len(past)
                chosen = rng.choice(len(past), n, p=chances)
            opponents = past[chosen]
        won = small.results(candidates, opponents)
        search.tell(won.mean(axis=1))
        if memory != "none":
            wins, games = 0.9 * wins + 0.1, 0.9 * games + 0.2  # earlier games fade to the prior
            np.add.at(wins, chosen, (won > 0).mean(axis=0))
            np.add.at(games, chosen, 1)
        if generation % LEDUC["pool_every"] == 0:
            past = np.concatenate([past, small.strategies(search.recommend()[None])])
            wins, games = np.append(wins, 1.0), np.append(games, 2.0)
    return small.game.exploitability(small.strategies(search.recommend()[None])[0])


# --- runs ----------------------------------------------------------------------------------------


def read(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file; a line that a crash cut off does not count."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def append(file: Path, line: dict[str, Any]) -> None:
    """Add a line in a single write, after the end of a line that was cut off."""
    broken = file.exists() and file.stat().st_size and not file.read_bytes().endswith(b"\n")
    text = "\n" * bool(broken) + json.dumps(line, separators=(",", ":")) + "\n"
    with file.open("ab", buffering=0) as lines:
        lines.write(text.encode())


def digest(settings: dict[str, Any]) -> str:
    """Digest of all settings of an arm, so that runs with changed ones do not mix with old runs."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def name_of(run: dict[str, Any]) -> str:
    return f"{run['arm']}-{run['hands']}-{run['seed']}-{run['settings']}"


def player_of(run: dict[str, Any]) -> agents.CompiledPlayer:
    """The player of a finished run, from the weights in its line."""
    weights = np.frombuffer(base64.b64decode(run["weights"]), "<f4")
    mixed = run["arm"] in (*GRIDS, "six-max-ppo")
    player = MixedPotSizedNetworkPlayer if mixed else PotSizedNetworkPlayer
    return player(weights, inputs="features_cash", hidden=run["hidden"], name=name_of(run))


def match(*players: Any, seed: int, blocks: int) -> tuple[float, float]:
    """Big blinds in 100 hands that the first player wins, and the standard error."""
    session = nlhe_env.Game.cash(table_size=len(players), **GAME, num_hands=20, score="big_blinds")
    reduction = "all-in" if len(players) == 2 else "none"
    tally = agents.play(
        players, agents.Blocks(blocks), session, seed=seed, variance_reduction=reduction
    )
    per_100 = 100 * tally.count / tally.hands
    return float(tally.scores[0] * per_100), float(tally.errors[0] * per_100)


def run_once(line: dict[str, Any], settings: dict[str, Any], out: Path) -> dict[str, Any]:
    """Do a run, or the rest of it; returns its line, which begins with the given values."""
    arm, hands, seed, folder = line["arm"], line["hands"], line["seed"], out / name_of(line)
    spent, start = folder.with_suffix(".seconds"), time.process_time()
    try:
        if arm.startswith("leduc-"):
            line["exploitability"] = leduc_exploitability(arm.removeprefix("leduc-"), seed)
        elif arm in EVOLVED:
            player = evolved(arm, hands, seed, folder)
        else:
            player = learned(arm, hands, seed, folder, settings)
    finally:  # seconds of all parts of an interrupted run
        before = float(spent.read_text()) if spent.exists() else 0.0
        spent.write_text(str(before + time.process_time() - start))
    line |= {"cpu_seconds": round(float(spent.read_text()), 1), "version": nlhe_env.__version__}
    if arm.startswith("leduc-"):
        return line
    if arm.startswith("tune-"):  # bounded as on the bench, so that no single victim decides
        won = np.array([match(player, agents.make(n), seed=5, blocks=250)[0] for n in RULES])
        return line | {"score": float(np.mean(won / np.sqrt(1 + (won / 100) ** 2)))}
    weights = base64.b64encode(np.asarray(player.weights, "<f4").tobytes()).decode()
    return line | {"hidden": list(player.hidden), "weights": weights}


def run_missing(out: Path, part: tuple[int, int], seconds: float, arms: list[str] | None) -> None:
    """Do missing runs in order until the time is over; the last may take longer."""
    known = dict.fromkeys(arm for arm, _, _ in schedule())
    for arm in arms or ():
        if arm not in known:
            raise SystemExit(f"--arms: {arm} does not exist; there are {', '.join(known)}")
    if find_spec("torch") is None and any("ppo" in a or "nfsp" in a for a in arms or known):
        raise SystemExit("ppo and nfsp need torch: pip install '.[rl]'; or choose other --arms")
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    for i, (arm, hands, seed) in enumerate(schedule()):
        if i % part[1] != part[0] - 1 or (arms and arm not in arms):
            continue
        runs = read(RUNS)
        settings = settings_of(arm, runs)
        if settings is None:  # another part has tuning left
            continue
        wanted = {"arm": arm, "hands": hands, "seed": seed, "settings": digest(settings)}
        if any(wanted.items() <= run.items() for run in runs):
            continue
        if time.monotonic() - began > seconds:
            return
        line = run_once(wanted, settings, out)
        append(RUNS, line)
        print(f"{arm}, {hands:,} hands, seed {seed}: {line['cpu_seconds']:.0f} CPU s", flush=True)


def parser_of(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing after")
    parser.add_argument("--part", type=part_of, default="1/1", help="part of the work: 1/2, 2/2")
    return parser


def part_of(text: str) -> tuple[int, int]:
    """Number and count of parts, such as 1/2."""
    number, count = (int(each) for each in text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(f"part must be 1/N to N/N; got {text}")
    return number, count


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/learners"), help="checkpoints")
    parser.add_argument("--arms", nargs="+", help="only these arms")
    options = parser.parse_args()
    run_missing(options.out, options.part, options.seconds, options.arms)


if __name__ == "__main__":
    main()
