"""Log the metrics of a run to Weights & Biases or MLflow, offline, by a run callback.

Callbacks are called during a run; ``evolve.scalars`` converts metrics to single numbers.
TensorBoard is built in: ``nlhe train --track tensorboard``. A resumed run continues its records,
with one point per generation: those played again after a crash are equal.

Usage: python examples/track_runs.py --tracker wandb [--preset heads-up] [--generations 5]
       wandb sync runs/tracked/wandb/offline-run-*     # to send it later
       python examples/track_runs.py --tracker mlflow
       mlflow ui --backend-store-uri sqlite:///runs/tracked/mlflow.db
       python examples/track_runs.py --tracker mlflow --resume runs/tracked/RUN
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import evolve


class WeightsAndBiases(evolve.RunCallback):
    """Logs to files of ``wandb``, for ``wandb sync``."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def on_start(self, config: evolve.Config, state: evolve.State) -> None:
        import wandb

        self.folder.mkdir(parents=True, exist_ok=True)
        self.run = wandb.init(
            project="nlhe-env", mode="offline", dir=str(self.folder), config=config.values(),
            id=self.name, name=self.name, resume="allow",
        )  # fmt: skip
        # Weights & Biases keeps the first values of a step of its own; charts use the generation.
        self.run.define_metric("*", step_metric="metrics/generation")

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        values = evolve.scalars(metrics, "metrics") | evolve.scalars(timings, "timings")
        self.run.log(values, step=2 * metrics["generation"])

    def on_trial(self, trial: Any) -> None:
        self.run.log(evolve.scalars(trial.as_dict(), "tests"), step=2 * trial.generation + 1)

    def close(self) -> None:
        self.run.finish()


class MLflow(evolve.RunCallback):
    """Logs to a database in a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def on_start(self, config: evolve.Config, state: evolve.State) -> None:
        import mlflow

        self.folder.mkdir(parents=True, exist_ok=True)
        mlflow.set_tracking_uri(f"sqlite:///{(self.folder / 'mlflow.db').resolve()}")
        mlflow.set_experiment("nlhe-env")
        found = mlflow.search_runs(
            filter_string=f"attributes.run_name = '{self.name}'", output_format="list"
        )
        self.mlflow = mlflow
        self.logged: dict[str, int] = {}  # the last step of each kind of line
        if not found:
            mlflow.start_run(run_name=self.name)
            mlflow.log_params({key: str(value)[:250] for key, value in config.values().items()})
            return
        run = mlflow.start_run(run_id=found[0].info.run_id)
        for kind in ("metrics", "tests"):
            history = mlflow.MlflowClient().get_metric_history(
                run.info.run_id, f"{kind}/generation"
            )
            self.logged[kind] = max((point.step for point in history), default=-1)

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        values = evolve.scalars(metrics, "metrics") | evolve.scalars(timings, "timings")
        self.log("metrics", values, metrics["generation"])

    def on_trial(self, trial: Any) -> None:
        self.log("tests", evolve.scalars(trial.as_dict(), "tests"), trial.generation)

    def log(self, kind: str, values: dict[str, float], generation: int) -> None:
        if generation > self.logged.get(kind, -1):  # MLflow would keep both points
            self.mlflow.log_metrics(values, step=generation)

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
    parser.add_argument("--resume", type=Path, metavar="RUN")
    options = parser.parse_args()

    if find_spec(options.tracker) is None:
        raise SystemExit(f"{options.tracker} is not installed: pip install {options.tracker}")
    if options.resume is None:
        config = evolve.load_preset(options.preset).with_values(
            generations=options.generations, population=options.population, blocks=options.blocks,
            hands=0, seed=options.seed, test_blocks=20, test_every=2,
        )  # fmt: skip
        folder = evolve.RunFolder.create(options.out, config)
    else:
        folder = evolve.RunFolder.find(options.resume)
        config = folder.load_config().with_values(generations=options.generations)
    tracker = TRACKERS[options.tracker](options.out, folder.path.name)
    with evolve.thread_workers() as workers:
        state = folder.restore(config, say=print)
        evolve.train(folder, config, state, workers=workers, listener=tracker)
    tracker.close()
    print(f"{folder.path}: {state.generation} generations, {state.hands:,} hands")
    print(f"tracked by {options.tracker} in {options.out}")


if __name__ == "__main__":
    main()
