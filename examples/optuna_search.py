"""Tune the values of a preset with Optuna: each trial is a short run, and bad ones stop early.

The score is from the tests during training, on cards that training never sees. Repeat the command
to continue: trials are stored in a database. Needs Optuna (``pip install optuna``).

Usage: python examples/optuna_search.py [--preset heads-up-openai-es] [--trials 20] [--hands 300000]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import evolve

try:
    import optuna
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install optuna") from None


class Prune(evolve.RunCallback):
    """Reports every test score to the trial, and stops it if others did better."""

    def __init__(self, trial: optuna.Trial) -> None:
        self.trial, self.score = trial, float("nan")

    def on_trial(self, trial: Any) -> None:
        self.score = trial.score
        self.trial.report(trial.score, step=trial.generation)
        if self.trial.should_prune():
            raise optuna.TrialPruned


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="heads-up-openai-es")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--hands", type=int, default=300_000, help="of training, for each trial")
    parser.add_argument("--population", type=int, default=64)
    parser.add_argument("--test-blocks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/optuna"))
    options = parser.parse_args()

    def train(trial: optuna.Trial) -> float:
        config = evolve.load_preset(options.preset).with_values(
            sigma=trial.suggest_float("sigma", 0.02, 0.5, log=True),
            learning_rate=trial.suggest_float("learning_rate", 0.005, 0.2, log=True),
            hands=options.hands, population=options.population, seed=options.seed,
            test_blocks=options.test_blocks, test_every=5,
        )  # fmt: skip
        folder, scores = evolve.RunFolder.create(options.out, config), Prune(trial)
        with evolve.thread_workers() as workers:
            state = evolve.State.initial_state(config)
            evolve.train(folder, config, state, workers=workers, listener=scores)
        return scores.score

    options.out.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        study_name=options.preset, storage=f"sqlite:///{options.out / 'optuna.db'}",
        direction="maximize", load_if_exists=True,
        sampler=optuna.samplers.TPESampler(seed=options.seed),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=5, n_warmup_steps=5),
    )  # fmt: skip
    study.optimize(train, n_trials=options.trials)
    values = ", ".join(f"{key} = {value:.3g}" for key, value in study.best_params.items())
    print(f"best of {len(study.trials)} trials: {study.best_value:+z.1f} bb/100 with {values}")


if __name__ == "__main__":
    main()
