"""Sweep one value of an evolution over several seeds, and test the differences.

Every run's champion plays the same opponents at duplicate tables. The runs of one value are one
sample: intervals and tests are over seeds, not hands.

Usage: python examples/sweep.py [--key mutation_std] [--values 0.03 0.1 0.3] [--seeds 3]
       [--generations 30] [--tournaments 30] [--blocks 1000]

A list is written with commas: --key hidden --values 10 20 10,10
"""

from __future__ import annotations

import argparse
from typing import Any

import agents
from evolve import Config, Sample, State, Workers, load_preset, step_generation, thread_workers

OPPONENTS = ("random", "raiser", "caller", "folder", "old-best", "pot-odds")


def train(config: Config, workers: Workers) -> agents.NetworkPlayer:
    """The champion of the last generation."""
    state = State.initial_state(config)
    while state.generation < config.generations:
        state, _ = step_generation(state, config, workers=workers)
    return state.champion.player(0, name="champion")


def parsed(text: str, present: Any) -> Any:
    """Value of a text, with the type of the current value, or a list of its items.

    >>> parsed("10,5", (20,)), parsed("3", 0.5), parsed("worst_first", "block")
    ((10, 5), 3.0, 'worst_first')
    """
    if isinstance(present, tuple):
        return tuple(parsed(item, present[0] if present else "") for item in text.split(","))
    if isinstance(present, bool):
        return {"true": True, "false": False}.get(text, text)
    try:
        return text if present is None else type(present)(text)
    except ValueError:
        return text  # the configuration checks it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", default="mutation_std", help="a value of the configuration")
    parser.add_argument("--values", nargs="+", default=["0.03", "0.1", "0.3"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--tournaments", type=int, default=30, help="of a generation")
    parser.add_argument("--blocks", type=int, default=1000)
    options = parser.parse_args()

    preset = load_preset("quick").with_values(
        hall_of_fame=0,
        generations=options.generations,
        tournaments=options.tournaments,
    )
    try:
        present = preset.values().get(options.key)
        changes = {text: {options.key: parsed(text, present)} for text in options.values}
        configs = {text: preset.with_values(**changed) for text, changed in changes.items()}
    except ValueError as error:
        parser.error(str(error))
    opponents = [agents.make(name) for name in OPPONENTS]
    samples: dict[str, Sample] = {}
    with thread_workers() as workers:
        for value, config in configs.items():
            places = []
            for seed in range(1, options.seeds + 1):
                champion = train(config.with_values(seed=seed), workers)
                blocks = agents.Blocks(options.blocks)
                tally = agents.play([champion, *opponents], blocks, preset.make_game(), seed=1)
                places.append(float(tally.scores[0]))
            samples[value] = Sample(tuple(places))
            sample = samples[value]
            low, high = sample.interval()
            print(
                f"{options.key} = {value}: mean place {sample.mean:.3f}, 95% interval "
                f"{low:.2f} .. {high:.2f}, runs {' '.join(f'{place:.2f}' for place in places)}"
            )
    first, *others = samples
    for value in others:
        test = samples[value].compare(samples[first], lower_is_better=True)
        print(f"{value} minus {first}: {test.difference:+z.3f}, p = {test.p:.2g} (Welch)")


if __name__ == "__main__":
    main()
