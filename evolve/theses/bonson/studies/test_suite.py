"""Tests of finished teams: ten scenarios, best individuals, cumulative scores, and styles.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 5.1, 5.4 and 5.5. A scenario is ``b`` or ``u`` for balanced or
unbalanced matches and the name of an opponent. The Bayesian opponent (``B``) forgets between
sessions. That of the thesis did not, so it differed between experiments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents import CompiledPlayer
from agents.exploitability.hand_metrics import WEAK, classes_of
from agents.match.workers.base import Workers
from agents.theses.bonson.dealt import (
    RULES,
    BettingRule,
    MatchLibrary,
    bayesian_player,
    ceilings,
    even_player,
    rule_player,
    scores_of,
)
from agents.theses.bonson.dealt.sessions import Session, play_sessions
from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.opponent_model import INPUT_NAMES
from agents.theses.bonson.programs.strength_rules import Hands
from evolve.files import safe as files
from evolve.theses.bonson.symbiosis.optimizer import TEAMS_FILE
from evolve.theses.bonson.teams import LimitTeams
from evolve.training.folder import RunFolder
from nlhe_env.game.table import PREFLOP, RIVER
from nlhe_env.jit.array_types import F64, I64, Bool, Records

TEST_MATCHES = 1260
OPPONENTS = ("B", *RULES)
SCENARIOS = tuple(f"{hands}{opponent}" for hands in "bu" for opponent in OPPONENTS)
"""``bB``, ``bLA``, ..., ``uTP``."""


BEST_RESPONSES = {
    "bLA": 0.5512,
    "bLP": 0.5906,
    "bTA": 0.5237,
    "bTP": 0.5295,
    "uLA": 0.5445,
    "uLP": 0.5722,
    "uTA": 0.5166,
    "uTP": 0.5199,
}
"""Highest mean score possible for a single player, by ``agents.exploitability`` with
``matches=True``.

From four flops each, with standard errors of 0.005 against loose players and at most 0.003 against
tight ones. Unknown for the Bayesian opponent."""

References = Mapping[str, Mapping[str, float]]
"""Scores of other players in every scenario, by name."""
Row = Mapping[str, Any]

MEASURED = ("best", "cumulative", "bluffing", "loose", "aggressive", "winning", "cumulative_wins")
"""Columns of ``tests.csv`` beside the model, the seed and the scenario."""

_FILE = "tests.npz"


@dataclass(frozen=True, eq=False)
class TestSet:
    """The matches of a test, the same for all teams.

    Attributes:
        library: Library of the matches.
        balanced: ``(n,)`` numbers of the balanced matches in the library.
        unbalanced: ``(n,)`` numbers of the unbalanced matches in the library.
        betting: Rule for the end of a betting round.
    """

    __test__ = False  # not a pytest class

    library: MatchLibrary
    balanced: I64
    unbalanced: I64
    betting: BettingRule = "two-calls"

    @classmethod
    def draw(
        cls,
        library: MatchLibrary,
        *,
        n: int = TEST_MATCHES,
        seed: int = 0,
        betting: BettingRule = "two-calls",
    ) -> TestSet:
        """Draws matches of both sorts; ``n`` must be divisible by 9."""
        rng = np.random.default_rng(seed)
        return cls(
            library,
            library.draw(n, rng, balanced=True),
            library.draw(n, rng, balanced=False),
            betting,
        )

    def matches(self, scenario: str) -> I64:
        """The matches of a scenario."""
        return self.balanced if scenario[0] == "b" else self.unbalanced

    def session(self, scenario: str) -> Session:
        """The opponent and the matches of a scenario."""
        if scenario[1:] in RULES:
            opponent = rule_player(*RULES[scenario[1:]], scenario[1:])
        else:
            opponent = bayesian_player(_hands(scenario))
        return Session(opponent, self.matches(scenario))

    def is_weak(self, scenario: str) -> Bool:
        """``(n,)`` whether the player's hand is weak: by category, or unbalanced by the river."""
        matches = self.matches(scenario)
        street = PREFLOP if scenario[0] == "b" else RIVER
        strengths = self.library.deals["strength"][matches >> 1, matches & 1, street]
        return np.asarray(classes_of(strengths) == WEAK)

    def ceiling(self, scenario: str) -> float:
        """Limit of every cumulative score; nan against the Bayesian opponent."""
        if scenario[1:] not in RULES:
            return float("nan")
        return float(
            ceilings(
                self.library,
                self.matches(scenario),
                RULES[scenario[1:]],
                betting=self.betting,
            ).mean()
        )

    def best_response(self, scenario: str) -> float:
        """Limit of the mean score of a single team; nan if unknown."""
        known = BEST_RESPONSES if self.betting == "two-calls" else {}
        return known.get(scenario, float("nan"))


@dataclass(frozen=True, eq=False)
class Styles:
    """``(teams,)`` style statistics (section 5.5)."""

    aggressiveness: F64
    """Mean of folds 0, calls 0.5 and raises 1."""
    loose: F64
    """Share of hands not folded before the flop."""
    aggressive: F64
    """Share of raises among calls and raises."""
    bluffing: F64
    """Share of weak hands, not folded there, among the hands that reach the river."""
    bluff_raising: F64
    """Share of weak hands that have raised, among the same hands."""
    winning: F64
    """Share of hands that win chips."""


def styles_of(outcomes: Records, weak: Bool) -> Styles:
    """Style statistics of ``(teams, matches)`` outcomes, with ``weak`` hands marked."""
    folds, calls, raises = (outcomes[name].astype(np.float64) for name in _ACTIONS)
    actions, stays = folds + calls + raises, calls + raises
    at_river = outcomes["street"] == RIVER
    folded = outcomes["folder"] == 0
    bluffs = at_river & ~folded & weak
    reached = np.maximum(at_river.sum(axis=1), 1)
    middling = np.full(actions.shape, 0.5)
    overall = np.divide(0.5 * calls + raises, actions, out=middling.copy(), where=actions > 0)
    aggressive = np.divide(raises, stays, out=middling, where=stays > 0)
    return Styles(
        aggressiveness=overall.mean(axis=1),
        loose=1.0 - (folded & (outcomes["street"] == PREFLOP)).mean(axis=1),
        aggressive=aggressive.mean(axis=1),
        bluffing=bluffs.sum(axis=1) / reached,
        bluff_raising=(bluffs & (raises > 0)).sum(axis=1) / reached,
        winning=(outcomes["chips"] > 0).mean(axis=1),
    )


_ACTIONS = ("folds", "calls", "raises")


def play_test(
    test: TestSet,
    players: Sequence[CompiledPlayer],
    *,
    workers: Workers,
    scenarios: Sequence[str] = SCENARIOS,
) -> dict[str, Records]:
    """``(teams, matches)`` outcomes of every scenario."""
    sessions = [test.session(scenario) for scenario in scenarios]
    played = play_sessions(test.library, players, sessions, workers=workers, betting=test.betting)
    outcomes = np.array([each.outcomes for each in played])
    parts = np.split(outcomes, len(scenarios), axis=1)
    return dict(zip(scenarios, parts, strict=True))


def reference_scores(test: TestSet, *, workers: Workers) -> dict[str, dict[str, float]]:
    """Scores of folding, random play and the Bayesian player by scenario, and the ceiling."""
    found = dict[str, dict[str, float]]()
    for scenario in SCENARIOS:
        fixed_players = [even_player(), bayesian_player(_hands(scenario))]
        played = play_test(test, fixed_players, workers=workers, scenarios=[scenario])[scenario]
        random_score, bayesian_score = scores_of(played).mean(axis=1).tolist()
        found[scenario] = {
            "draw": 0.5,
            "random": random_score,
            "Bayesian": bayesian_score,
            "ceiling": test.ceiling(scenario),
        }
    return found


def _hands(scenario: str) -> Hands:
    return "balanced" if scenario[0] == "b" else "unbalanced"


def cumulative_scores(outcomes: Records) -> F64:
    """``(teams,)`` mean over matches of the best score among the best one, two, ... teams.

    Teams are sorted by their own scores. A flat curve means that further teams add nothing.
    """
    scores = scores_of(outcomes)
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    return np.asarray(np.maximum.accumulate(scores[order], axis=0).mean(axis=1))


def cumulative_wins(outcomes: Records) -> F64:
    """As ``cumulative_scores``, of wins (1), draws (0.5) and losses (0)."""
    scores = scores_of(outcomes)
    wins = 0.5 + 0.5 * np.sign(outcomes["chips"])
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    return np.asarray(np.maximum.accumulate(wins[order], axis=0).mean(axis=1))


def input_usage(teams: Sequence[Sequence[Program]]) -> dict[str, float]:
    """Share of teams with a program that reads each input, by input name, most used first."""
    used = [set[int]().union(*(program.inputs() for program in team)) for team in teams]
    shares = {name: float(np.mean([i in of for of in used])) for i, name in enumerate(INPUT_NAMES)}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, eq=False)
class TestedRun:
    """Results of a run's teams in the ten scenarios.

    Attributes:
        model: Model of the run, with ``+B`` where it trained against Bayesian opponents too.
        seed: Seed of the run.
        measures: ``(10, teams)`` each: ``score``, the fields of ``test_suite.Styles``, and the
            ``cumulative`` scores and ``cumulative_wins`` of the best team, the best two, and so on.
    """

    __test__ = False  # not a pytest class

    model: str
    seed: int
    measures: Mapping[str, F64]

    def of(self, measure: str, scenario: str) -> F64:
        """``(teams,)`` of a measure in a scenario."""
        values: F64 = self.measures[measure][SCENARIOS.index(scenario)]
        return values

    def rows(self) -> list[dict[str, Any]]:
        """A row per scenario: the best team, all teams together, and means over the teams."""
        rows = []
        for scenario in SCENARIOS:
            values = {
                "best": float(self.of("score", scenario).max()),
                "cumulative": float(self.of("cumulative", scenario)[-1]),
                "cumulative_wins": float(self.of("cumulative_wins", scenario)[-1]),
            }
            for name in MEASURED:
                if name not in values:
                    values[name] = float(self.of(name, scenario).mean())
            known = {"model": self.model, "seed": self.seed, "scenario": scenario}
            rows.append(known | {name: values[name] for name in MEASURED})
        return rows


def load_teams(folder: RunFolder) -> LimitTeams:
    """Surviving teams at the end of a run."""
    return LimitTeams().with_arrays(files.read_arrays(folder.path / TEAMS_FILE))


def played_test(
    folder: RunFolder, model: str, seed: int, test: TestSet, workers: Workers
) -> TestedRun:
    """Test of a finished run, read from its folder, or else played and stored there."""
    file = folder.path / _FILE
    if file.is_file():
        return TestedRun(model, seed, files.read_arrays(file))
    teams = load_teams(folder)
    players = [teams.player(i, name=f"team {i}") for i in range(len(teams))]
    found = play_test(test, players, workers=workers)
    parts = []
    for scenario, outcomes in found.items():
        parts.append(
            {
                "score": scores_of(outcomes).mean(axis=1),
                "cumulative": cumulative_scores(outcomes),
                "cumulative_wins": cumulative_wins(outcomes),
                **asdict(styles_of(outcomes, test.is_weak(scenario))),
            }
        )
    measures = {name: np.array([part[name] for part in parts]) for name in parts[0]}
    files.write_arrays(file, measures)
    return TestedRun(model, seed, measures)


def values_of(rows: Sequence[Row], models: Sequence[str], measured: str) -> F64:
    """``(scenarios, models, seeds)`` of one column."""
    return np.array(
        [
            [
                [row[measured] for row in rows if (row["scenario"], row["model"]) == (s, model)]
                for model in models
            ]
            for s in SCENARIOS
        ]
    )
