"""Leagues: players of any kind meet, and every call goes on where the last one ended.

The results of a round depend on the settings of the league, the names in the match and the number
of the round alone. So it does not matter in how many calls, in what order or on how many threads
the rounds are played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import agents
from agents.compiled.players import Agent, CompiledPlayer
from agents.outside.seating import take_seats
from evolve.evaluation.fingerprints import fingerprint, fingerprint_of_0_1
from evolve.evaluation.league_door import outside_tables
from evolve.evaluation.league_matches import (
    CompiledTables,
    LeagueSettings,
    Match,
    MatchSums,
    PlayTables,
    matches_of,
    play_rounds,
)
from evolve.evaluation.league_store import LeagueStore, Stretch
from evolve.workers import Workers, thread_workers
from evolve.workers.chunks import run_chunks

LEAST_ROUNDS = 2
"""Of every match: fewer have no standard error."""
PASSES = 8
"""So often it goes through all matches: one that is interrupted knows something of each."""

STORE_EVERY_S = 1.0
"""To wait for the disk takes as long as many hands."""


def rounds_for(names: Sequence[str], settings: LeagueSettings, games: int) -> dict[Match, int]:
    """How many rounds of every match make at least so many games in all.

    Args:
        names: The players.
        settings: What is played.
        games: Hands of cash games, or tournaments.

    Raises:
        ValueError: There are fewer than two players, a name occurs twice, or no games are wanted.
    """
    if len(names) < 2:
        raise ValueError(f"a league needs at least 2 players; got {len(names)}")
    doubled = sorted({name for name in names if list(names).count(name) > 1})
    if doubled:
        raise ValueError(f"players must have different names; more than once: {doubled}")
    if games < 1:
        what = "hands" if settings.cash else "tournaments"
        raise ValueError(f"{what} must be at least 1; got {games}")
    matches = matches_of(names, settings)
    share = -(-games // len(matches))
    return {match: max(LEAST_ROUNDS, -(-share // match.games)) for match in matches}


def play_league(
    players: Mapping[str, Agent],
    store: LeagueStore,
    *,
    games: int,
    workers: Workers,
    on_progress: Callable[[int, int], None] | None = None,
) -> int:
    """Plays what is missing of a league and stores it.

    On Ctrl-C, what is finished is stored. Matches of compiled players are played by the workers;
    the others one after the other, through the environment.

    Args:
        players: By name, at least two.
        store: Its settings say what is played.
        games: Hands, or tournaments, of the whole league, those already stored included; rounded up
            to whole rounds, the same number in every match.
        workers: Who plays; their number does not change the result.
        on_progress: Called with the number of games, and of hands, that a chunk has finished.

    Returns:
        The games that were played now.

    Raises:
        ValueError: See ``rounds_for``, and ``LeagueStore.admit``.
        RuntimeError: A player that has something to play refuses its seat, such as a program that
            does not start; nothing has been played.
    """
    rounds = rounds_for(list(players), store.settings, games)
    fingerprints = {name: fingerprint(player) for name, player in players.items()}
    before = {name: fingerprint_of_0_1(player) for name, player in players.items()}
    missing = {match: store.missing(match, count) for match, count in rounds.items()}
    compiled = [match for match in rounds if _all_compiled(match, players)]
    outside = [match for match in rounds if match not in compiled]
    take_seats([players[name] for match in outside if missing[match] for name in match.names])
    store.admit(fingerprints, before=before)
    plays = {match: _compiled(match, players) for match in compiled if missing[match]}
    plays |= {match: _outside(match, players) for match in outside if missing[match]}
    played = 0
    try:
        with thread_workers(1) as alone:
            for group, group_workers in ((compiled, workers), (outside, alone)):
                gaps = _in_passes([(match, gap) for match in group for gap in missing[match]])
                _play_gaps(gaps, plays, store, group_workers, on_progress)
                played += sum(len(gap) * match.games for match, gap in gaps)
    finally:
        store.merge(rounds)
    return played


def _all_compiled(match: Match, players: Mapping[str, Agent]) -> bool:
    return all(isinstance(players[name], CompiledPlayer) for name in match.names)


def _compiled(match: Match, players: Mapping[str, Agent]) -> PlayTables:
    members = [players[name] for name in match.names]
    field = agents.pack([player for player in members if isinstance(player, CompiledPlayer)])
    return CompiledTables(field, match)


def _outside(match: Match, players: Mapping[str, Agent]) -> PlayTables:
    return outside_tables([players[name] for name in match.names], match)


def _in_passes(gaps: Sequence[tuple[Match, range]]) -> list[tuple[Match, range]]:
    """The same rounds, an eighth of every match after the other."""
    parts = []
    for k in range(PASSES):
        for match, gap in gaps:
            part = gap[len(gap) * k // PASSES : len(gap) * (k + 1) // PASSES]
            if part:
                parts.append((match, part))
    return parts


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds of several matches, numbered one after the other, as a task for workers.

    Attributes:
        gaps: Matches and the rounds to play of each.
        plays: What plays a match.
    """

    gaps: tuple[tuple[Match, range], ...]
    plays: Mapping[Match, PlayTables]

    def __call__(self, first: int, count: int) -> list[Stretch]:
        """The sums of these rounds, of every match for itself."""
        begin = 0
        stretches = []
        for match, gap in self.gaps:
            part = gap[max(0, first - begin) : max(0, first + count - begin)]
            begin += len(gap)
            if part:
                sums = play_rounds(match, self.plays[match], part[0], len(part))
                stretches.append(Stretch(match, part[0], sums))
        return stretches


def _play_gaps(
    gaps: Sequence[tuple[Match, range]],
    plays: Mapping[Match, PlayTables],
    store: LeagueStore,
    workers: Workers,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Plays rounds of several matches in chunks that may reach from one into the next."""
    waiting: list[Stretch] = []
    stored_at = time.monotonic()

    def keep(_: int, new: list[Stretch]) -> None:
        nonlocal stored_at
        waiting.extend(new)
        if time.monotonic() - stored_at > STORE_EVERY_S:
            store.add(waiting)
            waiting.clear()
            stored_at = time.monotonic()
        if on_progress is not None:
            on_progress(
                sum(stretch.sums.rounds * stretch.match.games for stretch in new),
                sum(stretch.sums.hands for stretch in new),
            )

    task = Rounds(tuple(gaps), {match: plays[match] for match, _ in gaps})
    total = sum(len(gap) for _, gap in gaps)
    try:
        run_chunks(task, total, workers=workers, on_part=keep)
    finally:
        store.add(waiting)


def results_of(names: Sequence[str], store: LeagueStore) -> dict[Match, MatchSums]:
    """What the matches of these players have come to so far."""
    return {match: store.sums(match) for match in matches_of(names, store.settings)}
