"""Evolution, reinforcement learning and topology search at equal hands: a registered study.

Heads-up no-limit hold'em with 100 big blinds. The design below was written before any of its runs;
docs/results/learners.md says how far it has come. Repeat the command to go on: what is finished is
not done again, and an interrupted run continues from its checkpoint.

Design
    Learners    two groups. Against the two players of preset heads-up: genetic, openai-es,
                cma-es-diagonal, neat (structure evolves) and neat-fixed (the same without new links
                or nodes). Against themselves: self-play-es (the networks and openai-es of preset
                self-play-heads-up, in one lineage), ppo (self_play_ppo.py) and nfsp (nfsp.py).
    Budget      3 and 10 million hands of training; CPU seconds are reported beside them.
    Seeds       301, 302, 303: no learner was tried on them. Settings are the defaults of presets
                and examples; none was tuned for this study.
    Judged by   1. a fixed field: mean big blinds in 100 hands from eight players that no learner
                trains against, 1,000 duplicate blocks of 20 hands each;
                2. a local best response (menu fcpa, 2,000 blocks): thousandths of a big blind that
                it wins a hand, a lower bound of what the player can lose.
    Reading     the mean over seeds with a 95% t-interval. One learner is better than another if the
                95% t-interval of the difference, paired by seed, lies on one side of 0. Groups are
                compared too, though they trained against other opponents: that is said beside it.
    Expected    (so that a result can contradict it) that self-play loses least to the local best
                response, that openai-es and cma-es-diagonal win most from the field, and that neat
                is no better than neat-fixed at these budgets.

Usage: python examples/learners_study.py --out runs/learners [--hands 3000000] [--learners ppo nfsp]
       python examples/learners_study.py --out runs/learners --show
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import agents
import evolve
import nlhe_env
from agents.exploitability import Menu

SEEDS = (301, 302, 303)
BUDGETS = (3_000_000, 10_000_000)
FIELD = (
    "caller", "raiser", "pot-odds", "tight-passive", "loose-aggressive", "hothead-maniac",
    "scared-limper", "half-a-pro",
)  # fmt: skip
GAME = {"blinds": (50, 100), "starting_stack": 10_000}

PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "genetic": ("heads-up-genetic", {}),
    "openai-es": ("heads-up-openai-es", {}),
    "cma-es-diagonal": ("heads-up-cma-es-diagonal", {}),
    "neat": ("neat-heads-up", {}),
    "neat-fixed": ("neat-heads-up", {"add_node": 0.0, "add_link": 0.0}),
    "self-play-es": (
        "self-play-heads-up",
        {"lineages": 1, "checkpoint_pools": 1, "pools_joined_after": 0, "selection_opponents": 0},
    ),
}


def evolved(learner: str, hands: int, seed: int, folder: Path) -> agents.CompiledPlayer:
    preset, changes = PRESETS[learner]
    values = {"hands": hands, "generations": 0, "seed": seed, "test_blocks": 0} | changes
    config = evolve.load_preset(preset).with_values(**values)
    run = evolve.RunFolder.at(folder, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(run, config, run.restore(config, say=print), workers=workers)
    return run.champion()


def by_ppo(hands: int, seed: int, folder: Path) -> agents.CompiledPlayer:
    from self_play_ppo import Args, main

    main(Args(game="holdem", hands=hands, seed=seed, out=folder, lbr_blocks=50))
    return agents.load_player(folder / "player.npz")


def by_nfsp(hands: int, seed: int, folder: Path) -> agents.CompiledPlayer:
    from nfsp import Args, main

    main(Args(game="holdem", hands=hands, seed=seed, out=folder, lbr_blocks=50))
    return agents.load_player(folder / "player.npz")


LEARNERS: dict[str, Callable[[int, int, Path], agents.CompiledPlayer]] = {
    name: (lambda hands, seed, folder, name=name: evolved(name, hands, seed, folder))
    for name in PRESETS
} | {"ppo": by_ppo, "nfsp": by_nfsp}


def judged(player: agents.CompiledPlayer, *, blocks: int, lbr_blocks: int) -> dict[str, Any]:
    """Winnings of a player from each of the field, and of a local best response from the player."""
    session = nlhe_env.Game.cash(table_size=2, **GAME, num_hands=20, score="big_blinds")
    scores, errors = {}, {}
    for i, name in enumerate(FIELD):
        pair = [player, agents.make(name)]
        tally = agents.play(pair, agents.Blocks(blocks), session, seed=10_000 + i)
        per_100 = 100 * tally.count / tally.hands
        scores[name] = float(tally.scores[0] * per_100)
        errors[name] = float(tally.errors[0] * per_100)
    hand = nlhe_env.Game.cash(table_size=2, **GAME, num_hands=1, score="big_blinds")
    with evolve.thread_workers(1) as workers:
        (bound,) = evolve.local_exploitability(
            player, hand, [Menu.of("fcpa")], blocks=lbr_blocks, seed=20_000, workers=workers
        )
    field = float(np.mean(list(scores.values())))
    return {
        "field": field, "scores": scores, "errors": errors, "lbr": bound.value,
        "lbr_error": bound.error,
    }  # fmt: skip


def show(results: list[dict[str, Any]]) -> str:
    """Print the table of finished runs, and their differences."""
    rows = [
        "| hands | learner | seeds | field, bb/100 | local best response, mbb | CPU seconds |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    found: dict[tuple[int, str], dict[int, dict[str, Any]]] = {}
    for each in results:
        found.setdefault((each["hands"], each["learner"]), {})[each["seed"]] = each
    for (hands, learner), by_seed in sorted(found.items()):
        cells = [interval([each[key] for each in by_seed.values()]) for key in ("field", "lbr")]
        cpu = np.mean([each["cpu_seconds"] for each in by_seed.values()])
        rows.append(
            f"| {hands:,} | {learner} | {len(by_seed)} | {cells[0]} | {cells[1]} | {cpu:,.0f} |"
        )
    rows += ["", "| hands | difference, paired by seed | field | local best response |"]
    rows += ["| --- | --- | --- | --- |"]
    for hands in sorted({key[0] for key in found}):
        names = sorted(name for budget, name in found if budget == hands)
        for i, one in enumerate(names):
            for other in names[i + 1 :]:
                first, second = found[hands, one], found[hands, other]
                seeds = sorted(first.keys() & second.keys())
                cells = [
                    interval([first[seed][key] - second[seed][key] for seed in seeds])
                    for key in ("field", "lbr")
                ]
                rows.append(f"| {hands:,} | {one} - {other} | {cells[0]} | {cells[1]} |")
    return "\n".join(rows)


def interval(values: list[float]) -> str:
    if len(values) < 2:
        return f"{values[0]:.0f}" if values else ""
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5)
    low, high = evolve.t_interval(mean, error, len(values) - 1)
    return f"{mean:.0f} ({low:.0f} to {high:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("runs/learners"))
    parser.add_argument("--hands", type=int, nargs="+", default=BUDGETS)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    parser.add_argument("--blocks", type=int, default=1000)
    parser.add_argument("--lbr-blocks", type=int, default=2000)
    parser.add_argument("--show", action="store_true", help="only show what is finished")
    options = parser.parse_args()

    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "results.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    results = [json.loads(line) for line in lines]
    done = {(each["learner"], each["hands"], each["seed"]) for each in results}
    todo = [
        (learner, hands, seed)
        for hands in options.hands
        for seed in options.seeds
        for learner in options.learners
        if (learner, hands, seed) not in done
    ]
    for learner, hands, seed in [] if options.show else todo:
        folder = options.out / f"{learner}-{hands}-{seed}"
        spent = folder.with_suffix(".seconds")
        start = time.process_time()
        try:
            player = LEARNERS[learner](hands, seed, folder)
        finally:  # seconds of all parts of an interrupted run
            before = float(spent.read_text()) if spent.exists() else 0.0
            seconds = before + time.process_time() - start
            spent.write_text(str(seconds))
        line = {"learner": learner, "hands": hands, "seed": seed, "cpu_seconds": seconds}
        line |= judged(player, blocks=options.blocks, lbr_blocks=options.lbr_blocks)
        with file.open("a") as output:
            output.write(json.dumps(line) + "\n")
        results.append(line)
        print(
            f"{learner}, {hands:,} hands, seed {seed}: {line['field']:+.0f} bb/100 from the field"
        )
    print(show(results) if results else "nothing is finished yet")


if __name__ == "__main__":
    main()
