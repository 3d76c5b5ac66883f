"""Predealt matches: all teams play the same points, and some generations are validated.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4. Metrics, with scores between 0 and 1:

- ``mean_fitness``, ``best_fitness``: mean scores of the teams in the matches of the generation
- ``programs``: mean number of a team's programs
- ``measure``, ``mean_diversity``: diversity measure and its mean, if the model has a measure
- ``hall``: number of members of the hall of fame
- after a validation ``validation_mean`` and ``validation_best``: scores of all teams in a fixed set
  of other matches; ``champion`` and ``champion_by_opponent``: scores of the best team in a third
  set
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from agents.theses.bonson.dealt import CATEGORIES, RULES, BettingRule, match_game, scores_of
from agents.theses.bonson.dealt.sessions import Session, SessionResults, play_sessions
from evolve import seeds
from evolve.opponents.policies import no_games
from evolve.parts import Partners
from evolve.seeds import SymbiosisPart
from evolve.theses.bonson.point_opponents import MatchOpponents, Points
from evolve.theses.bonson.symbiosis.diversity import action_shares_of
from evolve.theses.bonson.symbiosis.optimizer import MatchScores, Symbiosis
from evolve.theses.bonson.teams import LimitTeams
from evolve.training.schedules import Generation, GenerationResults, ScheduleSettings
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64


@dataclass(frozen=True, kw_only=True)
class MatchSchedule(ScheduleSettings):
    """Predealt matches ("points") that all teams play, and validations."""

    only_compiled: ClassVar[bool] = True
    partners: ClassVar[Partners] = {
        "optimizer": {"kind": "symbiosis"},
        "opponents": {"kind": "points"},
    }

    validation_points: int = 1200
    """Number of validation matches, on which all teams are compared every "validate_every"
    generations."""

    champion_points: int = 2400
    """Number of matches that measure the best team."""

    validate_every: int = 50
    """Generations between validations; the last generation is always validated."""

    def __post_init__(self) -> None:
        whole_number("validate_every", self.validate_every, least=1)
        for name in ("validation_points", "champion_points"):
            whole_number(name, getattr(self, name), least=CATEGORIES)

    def check_partners(self, config: Any) -> None:
        """Check that the game is that of the matches, and that there are enough of them."""
        super().check_partners(config)
        game, bayesian = config.make_game(), config.opponents.bayesian
        dealt = match_game(betting_rule(game), num_hands=game.num_hands or 1)
        if game != replace(dealt, table_size=2):
            raise ValueError(
                'schedule "matches" needs game "cash" for two players with betting "fixed-limit", '
                'blinds "5/10" and a starting_stack of 1000'
            )
        for key in ("validation_points", "champion_points"):
            whole_number(key, getattr(self, key), least=CATEGORIES * (len(RULES) + bayesian))

    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays the sessions of a generation and, if due, of a validation."""
        teams, optimizer, met = generation.candidates, generation.optimizer, generation.opponents
        if not isinstance(optimizer, Symbiosis) or not isinstance(met, MatchOpponents):
            raise TypeError(
                'schedule "matches" is for optimizer "symbiosis" and opponents "points"'
            )
        played = _play(
            generation,
            teams,
            met.sessions,
            wants_letters=True,
            sample_chance=optimizer.sample_chance,
            on_progress=generation.on_progress,
        )
        fitness = np.array([scores_of(each.outcomes).mean() for each in played])
        outcomes = np.array([each.outcomes for each in played])
        line = {"mean_fitness": float(fitness.mean()), "best_fitness": float(fitness.max())}
        picks = None
        if generation.number % self.validate_every == 0 or generation.is_last:
            picks, validated = self._validate(generation, teams, met)
            line |= validated
        wins, games = no_games()
        actions = sum(int(outcomes[name].sum()) for name in ("folds", "calls", "raises"))
        return GenerationResults(
            MatchScores(
                fitness,
                action_shares_of(outcomes),
                picks=picks,
                played=played,
                diversity=optimizer.measure_diversity(played, generation.workers),
            ),
            wins,
            games,
            hands=outcomes.size,
            decisions=actions,
            line=line,
            best=0,
        )

    def _validate(
        self, generation: Generation, teams: LimitTeams, met: MatchOpponents
    ) -> tuple[F64, dict[str, Any]]:
        """Scores of all teams in fixed matches, and of the best team in others."""
        rng = seeds.generator(generation.seed, seeds.SYMBIOSIS, 0, SymbiosisPart.VALIDATION)
        validation, last = (
            Points.draw(met.library, n, len(met.fixed), rng).sessions(met.fixed)
            for n in (self.validation_points, self.champion_points)
        )
        scores = _mean_scores(_play(generation, teams, validation), len(met.fixed)).mean(axis=1)
        best = int(scores.argmax())
        champion = _mean_scores(_play(generation, teams[best : best + 1], last), len(met.fixed))[0]
        names = [player.name for player in met.fixed]
        return scores, {
            "validation_mean": float(scores.mean()),
            "validation_best": float(scores.max()),
            "champion": float(champion.mean()),
            "champion_by_opponent": dict(zip(names, champion.tolist(), strict=True)),
        }

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Fitness of the teams, and the score of the champion of a validation."""
        champion = f"  champion {line['champion']:.3f}" if "champion" in line else ""
        return f"best {line['best_fitness']:.3f}  mean {line['mean_fitness']:.3f}{champion}"


def betting_rule(game: Game) -> BettingRule:
    """Rule for the end of a betting round in the matches of a game."""
    return "two-calls" if game.two_calls else "standard"


def _play(
    generation: Generation, teams: LimitTeams, sessions: list[Session], **options: Any
) -> list[SessionResults]:
    library = generation.opponents.library
    players = [teams.player(i) for i in range(len(teams))]
    rule = betting_rule(generation.game)
    workers = generation.workers
    return play_sessions(library, players, sessions, workers=workers, betting=rule, **options)


def _mean_scores(played: list[SessionResults], n_sessions: int) -> F64:
    """``(teams, sessions)`` mean scores."""
    return np.array([scores_of(each.outcomes).reshape(n_sessions, -1).mean(1) for each in played])
