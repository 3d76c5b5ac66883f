"""Teams of programs as genomes: what children may be, and that they survive as arrays."""

import numpy as np
import pytest
from helpers import with_constants

from agents.theses.bonson.programs.instructions import FIRST_INPUT
from evolve.genomes.base import Parents
from evolve.theses.bonson.teams import TeamKind, Teams, TeamVariation


def rng(seed=0):
    return np.random.default_rng(seed)


def first(n=50, variation=None, **values):
    return TeamKind(**values).first(n, variation or TeamVariation(), rng=rng())


def bred(teams, n=200, **values):
    return with_constants(TeamVariation, **values).children(Parents(teams, most=1), n, rng=rng(1))


def after(generations, **values):
    """A population after many mutations."""
    variation = with_constants(TeamVariation, **values)
    teams = first(20, variation)
    for i in range(generations):
        teams = variation.children(Parents(teams, most=1), 20, rng=rng(i))
    return teams


def test_the_first_teams_have_two_programs_for_different_actions():
    teams = first(200, n_actions=3).teams
    assert {len(team) for team in teams} == {2}
    assert all(team[0].action != team[1].action for team in teams)
    assert {program.action for team in teams for program in team} == {0, 1, 2}
    lengths = {len(program.instructions) for team in teams for program in team}
    assert lengths == set(range(5, 41))


def test_children_stay_within_the_rules():
    teams = after(60, most_programs=6, least_instructions=2, most_instructions=8).teams
    assert {len(team) for team in teams} <= set(range(2, 7))
    for team in teams:
        assert len({program.action for program in team}) > 1
        for program in team:
            assert 2 <= len(program.instructions) <= 8
            assert 0 <= program.action < 5
            assert all(each.source < FIRST_INPUT + 35 for each in program.instructions)


def test_children_share_programs_with_their_parents_and_change_at_least_one():
    teams = after(20)
    known = {program for team in teams.teams for program in team}
    new = [sum(program not in known for program in team) for team in bred(teams).teams]
    shared = [sum(program in known for program in team) for team in bred(teams).teams]
    assert np.mean([count > 0 for count in new]) > 0.98  # a change may give the same again
    assert np.mean(shared) > 1


def test_programs_join_and_leave_at_the_configured_rates():
    """With room enough, 1 + 0.7 + 0.7 * 0.49 + ... of each, about 2.19 (of a chance of 0.7)."""
    variation = with_constants(TeamVariation, most_programs=64, mutate_program=1e-9)
    pool = first(400).teams
    large = tuple(program for team in pool[:15] for program in team)
    others = Teams(pool, "features_unit", 5)
    sizes = []
    for seed in range(400):
        team = list(large)
        variation._add(team, [p for t in others.teams for p in t], rng(seed))
        joined = len(team)
        variation._delete(team, rng(seed + 1000))
        sizes.append((joined - len(large), joined - len(team)))
    expected = sum(np.prod([0.7**j for j in range(k + 1)]) for k in range(20))
    assert expected == pytest.approx(2.19, abs=0.02)
    for mean in np.mean(sizes, axis=0):
        assert mean == pytest.approx(expected, abs=4 * np.std(sizes) / 20 + 0.05)


def test_teams_round_trip_through_arrays():
    teams = after(10)
    again = TeamKind().from_arrays(teams.to_arrays())
    assert again == teams or again.teams == teams.teams
    assert [again.key(i) for i in range(len(again))] == [teams.key(i) for i in range(len(teams))]
    assert Teams.join(teams[:3], teams[3:]).teams == teams.teams


def test_team_metrics_describe_programs_and_instructions():
    team_metrics = TeamVariation().describe(first(10))
    assert team_metrics["programs"] == 2.0
    assert 0 <= team_metrics["effective_instructions"] <= 40


def test_teams_need_inputs_of_fixed_size():
    with pytest.raises(ValueError, match="inputs must be one of"):
        TeamKind(inputs="cards")
