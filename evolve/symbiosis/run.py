"""A run of symbiotic evolution: teams, the points that they are tested on, and a hall of fame.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4. In every generation all teams play the same matches; half of them are
kept, by fitness and diversity as the model says, and have as many children. The teams of the last
generation that were kept are the result. In a second layer, of the code published with the thesis,
new teams begin whose programs bid for teams that were kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.matches import MatchLibrary, MatchPlayer, bid_profile, scores_of
from agents.players.programs.opponent_model import N_INPUTS
from evolve import seeds
from evolve.genomes.teams import Team
from evolve.symbiosis.diversity import (
    SYMBOL_DISTANCES,
    CompressionDistance,
    action_shares_of,
    entropy_distances,
    genotypic_distances,
    hamming_symbols,
    shared_fitness,
    sparseness,
)
from evolve.symbiosis.novelty_archive import NoveltyArchive
from evolve.symbiosis.play_sessions import (
    Played,
    Session,
    play_sessions,
    static_opponents,
    training_opponents,
)
from evolve.symbiosis.point_population import Points
from evolve.symbiosis.selection import best_together, keep, most_dominated
from evolve.symbiosis.settings import MODELS, Measure, SymbiosisSettings
from evolve.symbiosis.teams import Individual, frozen, shared
from evolve.workers import Workers
from nlhe_env.jit.array_types import F32, F64

_POINTS, _TESTS, _FIRST, _CHILDREN, _HALL, _SAMPLE = range(6)
_SAMPLE_CHANCE = 0.05
_N_ACTIONS = 3


@dataclass(eq=False)
class Symbiosis:
    """A run after some generation; it changes in place.

    Attributes:
        settings: Settings of the run.
        points: The matches of the next generation.
        teams: Before the first generation and between generations: survivors, then children. At
            the end the survivors alone.
        hall: The hall of fame.
        hall_distances: Compression distances between its members.
        archive: Memory of the search for novelty.
        sample: ``(n, 14)`` inputs on which actions are compared.
        generation: Finished.
        hands: Played in training.
        champion: The best team of the last validation; None before.
        below: In the second layer the teams of the first that programs bid for.
    """

    settings: SymbiosisSettings
    points: Points
    teams: list[Individual]
    hall: list[Individual] = field(default_factory=list)
    hall_distances: F64 = field(default_factory=lambda: np.zeros((0, 0)))
    archive: NoveltyArchive = field(default_factory=NoveltyArchive)
    sample: F32 = field(default_factory=lambda: np.zeros((0, N_INPUTS), np.float32))
    generation: int = 0
    hands: int = 0
    champion: Individual | None = None
    below: tuple[Team, ...] = ()

    @classmethod
    def begin(cls, settings: SymbiosisSettings, library: MatchLibrary) -> Symbiosis:
        """A run before its first generation: teams of two random programs with other actions.

        Raises:
            ValueError: Its teams and matches cannot fit into memory.
        """
        settings.check_memory()
        teams = _new_teams(settings, seeds.generator(settings.seed, seeds.SYMBIOSIS, 0, _FIRST))
        rng = seeds.generator(settings.seed, seeds.SYMBIOSIS, 0, _POINTS)
        return cls(settings, Points.draw(library, settings.points, settings.slots, rng), teams)

    @property
    def is_over(self) -> bool:
        """Whether all generations are finished."""
        return self.generation >= self.settings.generations

    def _rng(self, part: int) -> np.random.Generator:
        return seeds.generator(self.settings.seed, seeds.SYMBIOSIS, self.generation, part)

    def step(self, library: MatchLibrary, workers: Workers) -> dict[str, Any]:
        """One generation; returns its line of metrics."""
        settings = self.settings
        self.generation += 1
        if self.generation > 1:
            self.points.refresh(library, settings.replaced_points, self._rng(_POINTS))
        found = self._evaluate(library, workers)
        fitness = np.array([team.fitness for team in self.teams])
        line: dict[str, Any] = {
            "generation": self.generation,
            "hands": self.hands,
            "mean_fitness": float(fitness.mean()),
            "best_fitness": float(fitness.max()),
            "programs": float(np.mean([len(team.programs) for team in self.teams])),
        }
        measure, diversity = self._diversity(found, workers)
        if measure is not None and diversity is not None:
            line |= {"measure": measure, "mean_diversity": float(diversity.mean())}
        if self.generation % settings.validate_every == 0 or self.is_over:
            line |= self._validate(library, workers)
        self._enter_hall(workers)
        line["hall"] = len(self.hall)
        by_fitness = fitness if MODELS[settings.model].by_fitness else None
        kept = keep(settings.kept, by_fitness, diversity)
        self.teams = [self.teams[i] for i in kept]
        if self.is_over or self.generation == settings.first_layer:
            for team in self.teams:
                team.drop_idle()
        if self.generation == settings.first_layer and settings.second_layer:
            self._begin_second_layer(np.array([scores_of(found[i].outcomes) for i in kept]))
        elif not self.is_over:
            self._make_room()
            self.teams += self._children()
        return line

    # --- playing ---------------------------------------------------------------------------------

    def _sessions(self) -> list[Session]:
        """Opponents of a generation with their matches."""
        opponents = training_opponents(self.settings.bayesian)
        guests = min(self.settings.hall_opponents(self.generation), len(self.hall))
        if guests:
            chosen = self._rng(_HALL).choice(len(self.hall), guests, replace=False)
            opponents += [self.hall[i].player() for i in chosen]
        return [Session(player, self.points.of_slot(slot)) for slot, player in enumerate(opponents)]

    def _evaluate(self, library: MatchLibrary, workers: Workers) -> list[Played]:
        new_bids = MODELS[self.settings.model].new_bids
        sessions = self._sessions()
        found = play_sessions(
            library,
            [team.player() for team in self.teams],
            sessions,
            workers=workers,
            betting=self.settings.betting,
            wants_letters=True,
            sample_chance=_SAMPLE_CHANCE if new_bids else 0.0,
        )
        for team, played in zip(self.teams, found, strict=True):
            team.fitness = float(scores_of(played.outcomes).mean())
            team.letters = played.letters
            team.active |= {
                program for program, won in zip(team.programs, played.active, strict=False) if won
            }
            self.hands += len(played.outcomes)
        if new_bids:
            self._renew_sample(found)
        return found

    def _renew_sample(self, found: list[Played]) -> None:
        """New inputs come, and the oldest leave."""
        new = np.concatenate([played.samples for played in found])
        order = self._rng(_SAMPLE).permutation(len(new))
        self.sample = np.concatenate([self.sample, new[order]])[-self.settings.bid_sample :]

    # --- diversity -------------------------------------------------------------------------------

    def _diversity(
        self, found: list[Played], workers: Workers
    ) -> tuple[Measure | None, F64 | None]:
        """This generation's measure, and its value for every team."""
        measures = MODELS[self.settings.model].measures
        if not measures:
            return None, None
        measure = measures[(self.generation - 1) % len(measures)]
        k = self.settings.neighbours
        if measure == "genotypic":
            return measure, sparseness(genotypic_distances([t.active for t in self.teams]), k)
        outcomes = np.array([played.outcomes for played in found])
        if measure == "sharing":
            return measure, shared_fitness(scores_of(outcomes))
        if measure == "entropy":
            return measure, sparseness(entropy_distances(action_shares_of(outcomes)), k)
        if measure in SYMBOL_DISTANCES:
            return measure, sparseness(SYMBOL_DISTANCES[measure](hamming_symbols(outcomes)), k)
        compression = CompressionDistance(self.settings.compressor, workers.count)
        texts = [team.letters for team in self.teams]
        if measure == "ncd":
            return measure, sparseness(compression.distances(texts), k)
        distances = compression.distances(texts, self.archive.texts)
        novelty = sparseness(distances, k)
        self.archive.extend(
            texts,
            distances,
            novelty,
            size=self.settings.archive_size,
            turnover=self.settings.archive_turnover,
            k=k,
        )
        return measure, novelty

    # --- the hall of fame, layers, children ------------------------------------------------------

    def _enter_hall(self, workers: Workers) -> None:
        """The fittest team that is not there enters; whom most dominate leaves."""
        there = {member.programs for member in self.hall}
        for team in sorted(self.teams, key=lambda team: -team.fitness):
            if team.programs not in there:
                break
        else:
            return
        compression = CompressionDistance(self.settings.compressor)
        n = len(self.hall)
        distances = np.zeros((n + 1, n + 1))
        distances[:n, :n] = self.hall_distances
        for i, member in enumerate(self.hall):
            distances[i, n] = distances[n, i] = compression(team.letters, member.letters)
        self.hall.append(frozen(team))
        self.hall_distances = distances
        if len(self.hall) > self.settings.hall_size:
            fitness = np.array([member.fitness for member in self.hall])
            leaves = most_dominated(fitness, distances.sum(axis=1) / n)
            del self.hall[leaves]
            self.hall_distances = np.delete(np.delete(distances, leaves, 0), leaves, 1)

    def _begin_second_layer(self, scores: F64) -> None:
        """New teams come, whose programs bid for teams of this generation or of the hall."""
        teams = self.hall if self.settings.layer_of == "hall" else self.teams
        if self.settings.layer_of == "top":
            teams = [self.teams[i] for i in best_together(self.settings.layer_top, scores)]
        self.below = tuple(team.programs for team in teams)
        self.teams = _new_teams(self.settings, self._rng(_CHILDREN), self.below)

    def _make_room(self) -> None:
        """A team of full size loses one of its idle programs."""
        rng = self._rng(_FIRST)
        for team in self.teams:
            if len(team.programs) < self.settings.variation.most_programs:
                continue
            idle = [program for program in team.programs if program not in team.active]
            if idle:
                program = idle[int(rng.integers(len(idle)))]
                if team.may_lose(program):
                    team.without(program)

    def _children(self) -> list[Individual]:
        """Children of the teams that were kept, of a parent each."""
        rng, settings = self._rng(_CHILDREN), self.settings
        new_bids = MODELS[settings.model].new_bids and len(self.sample) > 0
        pool, n_actions = shared(self.teams), len(self.below) or _N_ACTIONS
        known = {self._profile(team) for team in self.teams} if new_bids else set()
        children = list[Individual]()
        for _ in range(settings.teams - len(self.teams)):
            child = self.teams[int(rng.integers(len(self.teams)))].programs
            for _ in range(settings.bid_retries if new_bids else 1):
                child = settings.variation.child(child, pool, N_INPUTS, n_actions, rng)
                if not new_bids:
                    break
                profile = self._profile(Individual(child, below=self.below))
                if profile not in known:
                    known.add(profile)
                    break
            children.append(Individual(child, below=self.below))
        return children

    def _profile(self, team: Individual) -> bytes:
        """Actions of a team on the sample of inputs."""
        return bid_profile(team.player(), self.sample).tobytes()

    # --- validation ------------------------------------------------------------------------------

    def _validate(self, library: MatchLibrary, workers: Workers) -> dict[str, Any]:
        """All teams meet the opponents at fixed matches, and the best at others."""
        settings = self.settings
        rng = seeds.generator(settings.seed, seeds.SYMBIOSIS, 0, _TESTS)
        opponents = static_opponents()
        if settings.bayesian:
            opponents = training_opponents(settings.bayesian)
        n = len(opponents)
        validation = Points.draw(library, settings.validation_points, n, rng)
        last = Points.draw(library, settings.champion_points, n, rng)

        def scores(teams: list[Individual], points: Points) -> F64:
            sessions = [Session(player, points.of_slot(i)) for i, player in enumerate(opponents)]
            found = play_sessions(
                library,
                [team.player() for team in teams],
                sessions,
                workers=workers,
                betting=settings.betting,
            )
            return np.array([scores_of(played.outcomes).reshape(n, -1).mean(1) for played in found])

        all_scores = scores(self.teams, validation).mean(axis=1)
        self.champion = frozen(self.teams[int(all_scores.argmax())])
        of_champion = scores([self.champion], last)[0]
        return {
            "validation_mean": float(all_scores.mean()),
            "validation_best": float(all_scores.max()),
            "champion": float(of_champion.mean()),
            "champion_by_opponent": dict(
                zip([player.name for player in opponents], of_champion.tolist(), strict=True)
            ),
        }


def _new_teams(
    settings: SymbiosisSettings, rng: np.random.Generator, below: tuple[Team, ...] = ()
) -> list[Individual]:
    """Teams of two random programs, for two actions or for two of the teams below."""
    new, teams = settings.variation.new_program, list[Individual]()
    for _ in range(settings.teams):
        chosen = rng.choice(len(below) or _N_ACTIONS, size=2, replace=False).tolist()
        programs = tuple(new(action, N_INPUTS, rng) for action in chosen)
        teams.append(Individual(programs, below=below))
    return teams


def match_players(run: Symbiosis) -> list[MatchPlayer]:
    """The teams of a run that is over, as players of matches."""
    return [team.player(f"team {i}") for i, team in enumerate(run.teams)]
