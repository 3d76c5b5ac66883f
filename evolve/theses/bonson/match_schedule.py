"""Predealt matches ("points"), their opponents with a hall of fame, and validations.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4. All teams play the same points, against static players, Bayesian
players and earlier teams; those from the hall of fame join the others later.

Metrics, with scores between 0 and 1:

- ``mean_fitness``, ``best_fitness``: mean scores of the teams in the matches of the generation
- ``programs``: mean number of a team's programs
- ``measure``, ``mean_diversity``: diversity measure and its mean, if the model has a measure
- ``hall``: number of members of the hall of fame
- after a validation ``validation_mean`` and ``validation_best``: scores of all teams in a fixed set
  of other matches; ``champion`` and ``champion_by_opponent``: scores of the best team in a third
  set
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from agents import CompiledPlayer
from agents.theses.bonson.dealt import (
    CATEGORIES,
    RULES,
    SMALLEST_CATEGORY,
    BettingRule,
    MatchLibrary,
    bayesian_player,
    load_matches,
    match_game,
    rule_player,
    scores_of,
)
from agents.theses.bonson.dealt.sessions import Session, SessionResults, play_sessions
from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes.base import GenomeKind
from evolve.opponents.policies import OpponentPolicy, OpponentResults, OpponentSettings, no_games
from evolve.optimizers.base import Optimizer
from evolve.parts import Partners
from evolve.seeds import SymbiosisPart
from evolve.theses.bonson.symbiosis.diversity import BehaviourArchive, action_shares_of
from evolve.theses.bonson.symbiosis.optimizer import MatchScores, Symbiosis
from evolve.theses.bonson.symbiosis.selection import most_dominated
from evolve.theses.bonson.teams import LimitTeams
from evolve.training.schedules import Generation, GenerationResults, ScheduleSettings
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray

_HALL_SLOTS = 2


@dataclass(frozen=True, kw_only=True)
class PointSettings(OpponentSettings):
    """Predealt matches ("points") and their opponents."""

    ranked = False
    partners: ClassVar[Partners] = {
        "optimizer": {"kind": "symbiosis"},
        "schedule": {"kind": "matches"},
    }

    points: int = 600
    """Matches per generation, spread evenly over nine categories and the opponent slots, rounded
    down."""

    replaced_points: ClassVar[float] = 0.2
    """Share of the matches that a generation replaces, the oldest in each category."""

    bayesian: int = 0
    """Number of Bayesian opponents besides the four static ones: 0 to 8, in the thesis 0 or 4."""

    hall_of_fame: int = 20
    """Capacity of the hall of fame."""

    hall_every: int = 100
    """Generations between additions of an opponent from the hall of fame, up to two."""

    def __post_init__(self) -> None:
        for name in ("hall_of_fame", "hall_every"):
            whole_number(name, getattr(self, name), least=1)
        whole_number("bayesian", self.bayesian, least=0, most=8)
        least, most = CATEGORIES * self.slots, most_points(self.slots, self.replaced_points)
        whole_number("points", self.points, least=least, most=most)

    @property
    def slots(self) -> int:
        """Maximum number of opponents in a generation: static, Bayesian, from the hall of fame."""
        return len(RULES) + self.bayesian + _HALL_SLOTS

    def fixed_opponents(self) -> tuple[CompiledPlayer, ...]:
        """LA, LP, TA and TP, and the Bayesian opponents, for balanced matches."""
        static = [rule_player(*rule, name) for name, rule in RULES.items()]
        return *static, *[bayesian_player("balanced")] * self.bayesian

    def hall_opponents(self, generation: int) -> int:
        """Number of hall-of-fame opponents in a generation, counted from 1.

        >>> [PointSettings().hall_opponents(g) for g in (1, 100, 101, 201, 300)]
        [0, 0, 1, 2, 2]
        """
        return min((generation - 1) // self.hall_every, _HALL_SLOTS)

    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> PointOpponents:
        """Creates the opponents, without points yet."""
        return PointOpponents(self, seed)


@dataclass(frozen=True, eq=False)
class MatchOpponents:
    """Matches of a generation and the opponents in them.

    Attributes:
        library: Library of the matches.
        fixed: Opponents of all generations.
        sessions: One session against each fixed opponent and each member of the hall of fame.
    """

    library: MatchLibrary
    fixed: tuple[CompiledPlayer, ...]
    sessions: list[Session]


class PointOpponents(OpponentPolicy):
    """Points that age, and a hall of distinct fit teams.

    Attributes:
        points: Matches of the next generation; None before the first.
        hall: Members of the hall of fame.
        behaviours: Their behaviours when they entered.
    """

    def __init__(self, settings: PointSettings, seed: int) -> None:
        self._settings, self._seed = settings, seed
        self.points: Points | None = None
        self.hall = LimitTeams()
        self.behaviours = BehaviourArchive()
        self._fitness: F64 = np.zeros(0)

    def _rng(self, generation: int, purpose: SymbiosisPart) -> np.random.Generator:
        return seeds.generator(self._seed, seeds.SYMBIOSIS, generation, purpose)

    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> MatchOpponents:
        """Points, fixed opponents and members of the hall."""
        settings, library = self._settings, load_matches()
        if self.points is None:
            rng = self._rng(0, SymbiosisPart.POINTS)
            self.points = Points.draw(library, settings.points, settings.slots, rng)
        n = min(settings.hall_opponents(generation), len(self.hall))
        rng = self._rng(generation, SymbiosisPart.HALL)
        chosen = rng.choice(len(self.hall), n, replace=False).tolist() if n else []
        fixed, guests = settings.fixed_opponents(), [self.hall.player(i) for i in chosen]
        return MatchOpponents(library, fixed, self.points.sessions([*fixed, *guests]))

    def learn(self, results: OpponentResults, optimizer: Optimizer, generation: int) -> None:
        """Adds the fittest new team to the hall, and replaces the oldest points."""
        scores = results.candidate_scores
        if not isinstance(scores, MatchScores) or not isinstance(optimizer, Symbiosis):
            raise TypeError('opponents "points" need schedule "matches"')
        self._enter_hall(results.candidates, scores, optimizer)
        if self.points is not None:
            rng = self._rng(generation + 1, SymbiosisPart.POINTS)
            self.points.refresh(load_matches(), self._settings.replaced_points, rng)

    def _enter_hall(self, teams: LimitTeams, scores: MatchScores, optimizer: Symbiosis) -> None:
        """Adds a team; a full hall drops the team dominated by most others."""
        ranking = scores.ranking(slice(0, len(teams))).tolist()
        new = next((i for i in ranking if teams.teams[i] not in self.hall.teams), None)
        if new is None:
            return
        known, letters, n = self.behaviours, scores.played[new].letters, len(self.hall)
        compression, distances = optimizer.compression(), np.zeros((n + 1, n + 1))
        distances[:n, :n] = known.distances
        distances[n, :n] = distances[:n, n] = [compression(letters, one) for one in known.texts]
        self.behaviours = BehaviourArchive([*known.texts, letters], distances)
        self._fitness = np.append(self._fitness, scores.fitness[new])
        self.hall = LimitTeams.join(self.hall, teams[new : new + 1])
        if len(self.hall) > self._settings.hall_of_fame:
            leaves = most_dominated(self._fitness, distances.sum(axis=1) / n)
            stay = np.delete(np.arange(n + 1), leaves)
            self.behaviours.keep(stay)
            self.hall, self._fitness = self.hall[stay], self._fitness[stay]

    def halls(self) -> list[LimitTeams]:
        """Members of the hall."""
        return [self.hall]

    def describe(self) -> dict[str, Any]:
        """Members of the hall."""
        return {"hall": len(self.hall)}

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        arrays = {
            "fitness": self._fitness,
            **prefixed("hall", self.hall.to_arrays()),
            **prefixed("behaviours", self.behaviours.to_arrays()),
        }
        return arrays | ({} if self.points is None else prefixed("points", self.points.to_arrays()))

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self._fitness, points = state["fitness"], part("points", state)
        self.hall = LimitTeams().with_arrays(part("hall", state))
        self.behaviours = BehaviourArchive.from_arrays(part("behaviours", state))
        self.points = Points.from_arrays(points, self._settings.slots) if points else None


@dataclass(eq=False)
class Points:
    """A population of matches.

    Attributes:
        matches: ``(9, n)`` numbers of matches, a row for each category. Column j belongs to the
            opponent in slot ``j % slots``.
        slots: Number of opponents.
        oldest: Column of the oldest match of each category.
    """

    matches: I64
    slots: int
    oldest: int = 0

    @classmethod
    def draw(cls, library: MatchLibrary, n: int, slots: int, rng: np.random.Generator) -> Points:
        """At most ``n`` matches, in equal numbers for each category and slot."""
        each = n // (CATEGORIES * slots) * slots
        rows = [library.draw_of(category, each, rng) for category in range(CATEGORIES)]
        return cls(np.array(rows), slots)

    def refresh(self, library: MatchLibrary, share: float, rng: np.random.Generator) -> None:
        """Replaces the oldest share of each category by matches not yet included."""
        n = self.matches.shape[1]
        columns = (self.oldest + np.arange(round(share * n))) % n
        if not len(columns):
            return
        for category, row in enumerate(self.matches):
            drawn = library.draw_of(category, n + len(columns), rng)
            row[columns] = drawn[~np.isin(drawn, row)][: len(columns)]
        self.oldest = int((self.oldest + len(columns)) % n)

    def sessions(self, opponents: Sequence[CompiledPlayer]) -> list[Session]:
        """The matches against the opponent of each slot, alternating between categories."""
        return [
            Session(player, np.ascontiguousarray(self.matches[:, slot :: self.slots].T.ravel()))
            for slot, player in enumerate(opponents)
        ]

    def to_arrays(self) -> dict[str, AnyArray]:
        """The points as named arrays."""
        return {"matches": self.matches.copy(), "oldest": np.array(self.oldest)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], slots: int) -> Points:
        """Points from the arrays of ``to_arrays``."""
        return cls(arrays["matches"].copy(), slots, int(arrays["oldest"]))


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
        slots = len(RULES) + bayesian
        for key in ("validation_points", "champion_points"):
            least, most = CATEGORIES * slots, most_points(slots)
            whole_number(key, getattr(self, key), least=least, most=most)

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


def most_points(slots: int, replaced: float = 0.0) -> int:
    """Largest number of points that every category has matches for, and for a replaced share.

    >>> most_points(6, 0.2)
    8693
    """
    each = int(SMALLEST_CATEGORY / (1.0 + replaced))
    return (each // slots + 1) * CATEGORIES * slots - 1  # the number of points is rounded down


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
