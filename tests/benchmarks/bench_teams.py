"""Speed of teams of programs: instructions a second of the kernel, and time for a match.

Usage: python tests/benchmarks/bench_teams.py

Medians of CPU time on one thread. Instructions are those of random programs on random inputs, 22
each as in the middle of the published range; matches are those of the shipped teams against the
static opponents.
"""

from __future__ import annotations

import numpy as np
from harness import median_seconds

import agents
from agents.theses.bonson.dealt import (
    RULES,
    load_matches,
    play_matches,
    rule_player,
)
from agents.theses.bonson.programs.instructions import N_REGISTERS, random_instruction, run_program
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from agents.theses.bonson.programs.opponent_model import N_INPUTS
from nlhe_env.jit.compilation import kernel

N_TIMES = 7
N_PROGRAMS, LENGTH, REPEATS = 200, 22, 2000
N_MATCHES = 396


@kernel
def _run(codes, inputs, registers, repeats):
    for repeat in range(repeats):
        for i in range(N_PROGRAMS):
            registers[:] = np.float32(0.0)
            seen = inputs[(repeat + i) % len(inputs)]
            run_program(codes, i * LENGTH, LENGTH, seen, registers)


def main() -> None:
    """Prints both."""
    rng = np.random.default_rng(1)
    drawn = [random_instruction(N_INPUTS, rng) for _ in range(N_PROGRAMS * LENGTH)]
    codes = np.array([each.code for each in drawn], np.float32)
    inputs = rng.uniform(0, 10, (64, N_INPUTS)).astype(np.float32)
    registers = np.zeros(N_REGISTERS, np.float32)
    seconds = median_seconds(lambda: _run(codes, inputs, registers, REPEATS), N_TIMES)
    print(f"{REPEATS * len(codes) / seconds / 1e6:.0f} million instructions per second")

    shipped = agents.make("limit-team").programs, *agents.make("limit-vote").teams
    teams = [LimitTeamPlayer(programs) for programs in shipped]
    opponents = [rule_player(*rule) for rule in RULES.values()]
    library = load_matches()
    matches = library.draw(N_MATCHES, rng, balanced=True)

    def play() -> None:
        for team in teams:
            for opponent in opponents:
                play_matches(library, matches, team, opponent, wants_letters=True)

    per_match = median_seconds(play, N_TIMES) / (len(teams) * len(opponents) * N_MATCHES)
    print(f"{1e6 * per_match:.2f} microseconds per match")


if __name__ == "__main__":
    main()
