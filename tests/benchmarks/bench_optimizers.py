"""The cost of an optimizer per generation: ask and tell, without any evaluation.

    python tests/benchmarks/bench_optimizers.py [--parameters 825] [--generations 30]

The fitness is that of a sphere. CPU time is that of the process, all threads together. The mean
stands beside the median because full CMA-ES decomposes its matrix only every few generations.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from evolve.optimizers import make_optimizer, optimizer_names


def generation_times(
    name: str, *, population: int, n_parameters: int, generations: int
) -> tuple[np.ndarray, np.ndarray]:
    """CPU and wall seconds of each generation, after two to warm up."""
    start = np.random.default_rng(1).normal(0.0, 0.5, n_parameters)
    optimizer = make_optimizer(name, start, population=population, sigma=0.1, seed=1)
    times = []
    for _ in range(2 + generations):
        cpu, wall = time.process_time(), time.perf_counter()
        candidates = optimizer.ask()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        fitness = -np.square(candidates.astype(np.float64)).sum(axis=1)
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        optimizer.tell(fitness)
        cpu += time.process_time() - cpu_start
        wall += time.perf_counter() - wall_start
        times.append((cpu, wall))
    cpu_times, wall_times = np.array(times[2:]).T
    return cpu_times, wall_times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parameters", type=int, default=825, help="of a 35-20-5 network: 825")
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--populations", type=int, nargs="+", default=[64, 1000])
    parser.add_argument("--names", nargs="+", default=optimizer_names())
    options = parser.parse_args()
    print(
        f"ask and tell, {options.parameters} parameters, {options.generations} generations, "
        "milliseconds a generation"
    )
    print(
        f"{'optimizer':<18}{'population':>10}{'CPU median':>12}{'CPU mean':>10}{'wall median':>13}"
    )
    for name in options.names:
        for population in options.populations:
            cpu, wall = generation_times(
                name,
                population=population,
                n_parameters=options.parameters,
                generations=options.generations,
            )
            print(
                f"{name:<18}{population:>10}{1e3 * np.median(cpu):>12.2f}{1e3 * cpu.mean():>10.2f}"
                f"{1e3 * np.median(wall):>13.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
