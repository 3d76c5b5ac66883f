"""Leagues of players of any kind; each call continues the previous one.

The results of a round depend only on the league settings, the names in the match and the round
number, not on the number of calls, the order of the rounds or the number of threads.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from agents.external.http_player import HttpPlayer
from agents.external.known_games import check_knows_game
from agents.external.player_lifecycle import take_seats
from agents.match.playing import PlayedPart, play_all
from agents.match.schedules import Blocks
from agents.match.workers.base import Workers
from agents.measure.leagues.league_matches import LeagueSettings, Match, matches_of
from agents.measure.leagues.league_store import GameBatch, LeagueStore
from agents.measure.leagues.league_table import LeagueTable
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.statistics.estimates import CONFIDENCE, Interval, MeanEstimate
from agents.statistics.stop_rules import StopRule, excludes_0
from nlhe_env.errors import IllegalActionError
from nlhe_env.system.command_interrupts import interrupts_wait

LEAST_ROUNDS = 2
"""Minimum rounds of a match; fewer have no standard error."""
PASSES = 8
"""Passes through all matches, so that an interrupted league has results of each."""

STORE_EVERY_S = 1.0
"""Seconds between writes: waiting for the disk takes as long as many hands."""
LOOKS = 24
"""Maximum number of looks at a league; each has a fifth more games than the last."""
_GROWTH = 1.2
_PLANNED = 4
"""Fraction of the maximum games at which intervals are narrowest."""


def rounds_for(names: Sequence[str], settings: LeagueSettings, games: int) -> dict[Match, int]:
    """Rounds per match for at least this total number of games.

    Args:
        names: Names of the players.
        settings: Settings of the league.
        games: Hands of cash games, or tournaments.

    Raises:
        ValueError: There are fewer than two players, a name occurs twice, or no games are wanted.
    """
    if len(names) < 2:
        raise ValueError(f"a league needs at least 2 players; got {len(names)}")
    doubled = sorted({name for name in names if list(names).count(name) > 1})
    if doubled:
        raise ValueError(f"players must have different names; more than once: {', '.join(doubled)}")
    if games < 1:
        what = "hands" if settings.cash else "tournaments"
        raise ValueError(f"{what} must be at least 1; got {games}")
    matches = matches_of(names, settings)
    share = -(-games // len(matches))
    return {match: max(LEAST_ROUNDS, -(-share // match.games)) for match in matches}


def play_league(
    players: Mapping[str, Player],
    store: LeagueStore,
    *,
    games: int,
    workers: Workers,
    on_progress: Callable[[int, int], None] | None = None,
) -> int:
    """Play and store the missing rounds of a league.

    On Ctrl-C, finished rounds are stored. Workers play the matches of compiled players; other
    matches are played in sequence through the environment.

    Args:
        players: By name, at least two.
        store: Store of the league, with its settings.
        games: Total hands or tournaments of the league, including stored ones; rounded up to
            complete rounds, equal for all matches.
        workers: Workers, whose number does not affect the result.
        on_progress: Called with the games and hands of each finished chunk.

    Returns:
        The number of games played by this call.

    Raises:
        ValueError: As ``rounds_for`` and ``LeagueStore.admit``.
        RuntimeError: A player refuses to play, such as a program that does not start; no game was
            played. Or a player fails, and the message has its name and the line; finished rounds
            are stored.
    """
    rounds = rounds_for(list(players), store.settings, games)
    fingerprints = {name: fingerprint(player) for name, player in players.items()}
    missing = {match: store.missing(match, count) for match, count in rounds.items()}
    playing = [match for match, gaps in missing.items() if gaps]
    take_seats([players[name] for match in playing for name in match.names])
    taking_part = {(name, match.seats) for match in playing for name in match.names}
    game = store.settings.make_game()
    for name, seats in sorted(taking_part):
        try:
            check_knows_game(players[name], game, seats)
        except ValueError as error:
            raise ValueError(f"{name} cannot play this league: {error}") from None
    store.admit(fingerprints)
    gaps = _in_passes([(match, gap) for match, gaps in missing.items() for gap in gaps])
    try:
        _play_gaps(gaps, players, store, workers, on_progress)
    finally:
        store.merge(rounds)
    return sum(len(gap) * match.games for match, gap in gaps)


def _in_passes(gaps: Sequence[tuple[Match, range]]) -> list[tuple[Match, range]]:
    """The gaps reordered: an eighth of every match, then the next eighth of each."""
    parts = []
    for k in range(PASSES):
        for match, gap in gaps:
            part = gap[len(gap) * k // PASSES : len(gap) * (k + 1) // PASSES]
            if part:
                parts.append((match, part))
    return parts


def _play_gaps(
    gaps: Sequence[tuple[Match, range]],
    players: Mapping[str, Player],
    store: LeagueStore,
    workers: Workers,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Plays rounds of several matches and stores them every ``STORE_EVERY_S`` seconds."""
    packed = {
        match: match.play_task(
            [players[name] for name in match.names],
            Blocks(0),
            match.settings.load_variance_reduction(),
        )
        for match, _ in gaps
    }
    plays = [replace(packed[match], schedule=Blocks(len(gap), gap[0])) for match, gap in gaps]
    waiting: list[GameBatch] = []
    stored_at = time.monotonic()

    def store_waiting() -> None:
        with interrupts_wait():  # what is stored must not be stored again
            store.add(waiting)
            waiting.clear()

    def keep(parts: list[PlayedPart]) -> None:
        nonlocal stored_at
        new = []
        for part in parts:
            match, gap = gaps[part.number]
            new.append(GameBatch(match, gap[part.first], part.tally.scored_in(match.unit)))
        waiting.extend(new)
        if time.monotonic() - stored_at > STORE_EVERY_S:
            store_waiting()
            stored_at = time.monotonic()
        if on_progress is not None:
            on_progress(
                sum(stretch.tally.count * stretch.match.games for stretch in new),
                sum(stretch.tally.hands for stretch in new),
            )

    try:
        play_all(workers, plays, on_parts=keep)
    except IllegalActionError as error:
        raise RuntimeError(str(error)) from error
    except Exception as error:
        if notes := getattr(error, "__notes__", None):  # a player's own error
            raise RuntimeError(notes[-1]) from error
        raise
    finally:
        store_waiting()


def confidence_sequences(
    table: LeagueTable, *, games: int, confidence: float = CONFIDENCE
) -> dict[tuple[str, str], Interval]:
    """Confidence sequences for the scores of all pairs, valid at any number of looks.

    Args:
        table: Results of a league.
        games: Maximum games of the league, fixed in advance.
        confidence: Probability that all intervals cover the true values at all times.

    Returns:
        Bounds of ``LeagueTable.pair`` minus ``LeagueTable.middle`` by pair of names; 0 means equal
        strength.
    """
    names = table.names
    pairs = list(combinations(range(len(names)), 2))
    planned = max(1, max(rounds_for(names, table.settings, games).values()) // _PLANNED)
    tests = [table.pair(first, second) for first, second in pairs]
    estimates = [
        MeanEstimate(
            test.difference - table.middle,
            test.error,
            int(test.degrees) + 1 if test.degrees > 0 else 0,
        )
        for test in tests
    ]
    rule = StopRule(most=games, planned=planned, confidence=confidence)
    found = zip(pairs, rule.sequences(estimates), strict=True)
    return {(names[first], names[second]): bounds for (first, second), bounds in found}


def unresolved_pairs(intervals: Mapping[tuple[str, str], Interval]) -> list[tuple[str, str]]:
    """Pairs with intervals that contain 0."""
    return [pair for pair, interval in intervals.items() if not excludes_0(interval)]


def play_until_resolved(
    players: Mapping[str, Player],
    store: LeagueStore,
    *,
    games: int,
    workers: Workers,
    confidence: float = CONFIDENCE,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[tuple[str, str], Interval]:
    """Play a league like ``play_league``, but stop as soon as every pair is resolved.

    The rounds are those of a full league; the results only decide the stopping time.

    Args:
        players: See ``play_league``.
        store: See ``play_league``.
        games: Maximum games of the league.
        workers: See ``play_league``.
        confidence: Joint confidence of the intervals of all pairs.
        on_progress: See ``play_league``.

    Returns:
        ``confidence_sequences`` of the games played.

    Raises:
        ValueError: As ``play_league``.
        RuntimeError: As ``play_league``.
    """
    names = list(players)
    goals = sorted({max(1, int(games / _GROWTH**k)) for k in range(LOOKS)})
    intervals: dict[tuple[str, str], Interval] = {}
    for goal in goals:
        play_league(players, store, games=goal, workers=workers, on_progress=on_progress)
        intervals = confidence_sequences(
            LeagueTable.of(names, store), games=games, confidence=confidence
        )
        if not unresolved_pairs(intervals):
            break
    return intervals


def fingerprint(player: Player) -> str:
    """Fingerprint of a player: a hash of a compiled player, else its class and identity.

    The identity is the attribute ``identity`` (for a program its command), else ``name``. A player
    behind an address has none: its name in the league stands for its version.
    """
    if not isinstance(player, CompiledPlayer):
        kind, identity = type(player), ""
        if not isinstance(player, HttpPlayer):
            identity = getattr(player, "identity", getattr(player, "name", ""))
        return f"{kind.__module__}.{kind.__qualname__} {identity}".rstrip()
    about = f"{player.kind.name} {player.inputs} {player.sizes.tolist()} "
    if player.interpretation.code:
        about += f"{player.interpretation.as_dict()} "
    book = b"" if player.book is None else player.book.tobytes()
    return hashlib.sha256(about.encode() + player.weights.tobytes() + book).hexdigest()
