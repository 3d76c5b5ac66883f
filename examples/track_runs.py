"""Log the metrics of a run to Weights & Biases or MLflow, offline, by a run callback.

Callbacks are called during a run; ``evolve.scalars`` converts metrics to single numbers.
TensorBoard is built in: ``nlhe train --track tensorboard``.

Usage: python examples/track_runs.py --tracker wandb [--preset heads-up] [--generations 5]
       wandb sync runs/tracked/wandb/offline-run-*     # to send it later
       python examples/track_runs.py --tracker mlflow
       mlflow ui --backend-store-uri sqlite:///runs/tracked/mlflow.db
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import evolve


class WeightsAndBiases(evolve.RunCallback):
    """Logs to files of ``wandb``, for ``wandb sync``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def on_start(self, config: evolve.Config, state: evolve.State) -> None:
        import wandb

        self.folder.mkdir(parents=True, exist_ok=True)
        self.run = wandb.init(
            project="nlhe-env", mode="offline", dir=str(self.folder), config=config.values()
        )

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        self.run.log(evolve.scalars(metrics, "metrics") | evolve.scalars(timings, "timings"))

    def on_trial(self, trial: Any) -> None:
        self.run.log(evolve.scalars(trial.as_dict(), "tests"))

    def close(self) -> None:
        self.run.finish()


class MLflow(evolve.RunCallback):
    """Logs to a database in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def on_start(self, config: evolve.Config, state: evolve.State) -> None:
        import mlflow

        self.folder.mkdir(parents=True, exist_ok=True)
        mlflow.set_tracking_uri(f"sqlite:///{(self.folder / 'mlflow.db').resolve()}")
        mlflow.set_experiment("nlhe-env")
        mlflow.start_run(run_name=f"{config.name}-{config.seed}")
        mlflow.log_params({key: str(value)[:250] for key, value in config.values().items()})
        self.mlflow = mlflow

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        values = evolve.scalars(metrics, "metrics") | evolve.scalars(timings, "timings")
        self.mlflow.log_metrics(values, step=metrics["generation"])

    def on_trial(self, trial: Any) -> None:
        self.mlflow.log_metrics(evolve.scalars(trial.as_dict(), "tests"), step=trial.generation)

    def close(self) -> None:
        self.mlflow.end_run()


TRACKERS = {"wandb": WeightsAndBiases, "mlflow": MLflow}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tracker", choices=TRACKERS, default="wandb")
    parser.add_argument("--preset", default="heads-up")
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/tracked"))
    options = parser.parse_args()

    config = evolve.load_preset(options.preset).with_values(
        generations=options.generations, population=options.population, blocks=options.blocks,
        hands=0, seed=options.seed, test_blocks=20, test_every=2,
    )  # fmt: skip
    tracker = TRACKERS[options.tracker](options.out)
    folder = evolve.RunFolder.create(options.out, config)
    with evolve.thread_workers() as workers:
        state = evolve.State.initial_state(config)
        evolve.train(folder, config, state, workers=workers, listener=tracker)
    tracker.close()
    print(f"{folder.path}: {state.generation} generations, {state.hands:,} hands")
    print(f"tracked by {options.tracker} in {options.out}")


if __name__ == "__main__":
    main()
