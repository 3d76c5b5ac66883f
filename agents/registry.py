"""Players by name, with options."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from agents.external.chat import ChatPlayer
from agents.external.nlbot import VERSIONS, NLBot
from agents.external.player_factory import PlayerFactory
from agents.external.player_files import load_player_file
from agents.external.player_lifecycle import provide_as_player
from agents.external.plugins import load_plugin, plugin_names
from agents.external.process import ProcessPlayer
from agents.players.networks.lstm import recurrent_player
from agents.players.poki import players as alberta
from agents.players.pseudo_optimal import Sizes
from agents.players.rules import rule_players, static
from agents.players.topographies import topography_players as dynamic
from agents.players.vexbot import LIMIT, NOLIMIT, VexbotPlayer
from agents.players.vexbot.player import (
    COUNTER_SETTINGS,
    NOLIMIT_SETTINGS,
    SETTINGS,
    SLOW_SETTINGS,
    Variant,
)
from agents.policy import player_io
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env.arguments import one_of
from nlhe_env.system.python_files import read_form

_PROCESS = "process:"
_NAMED = re.compile(r"([\w.+-]+)=(.+)")
_DATA = Path(__file__).parent / "data"


def _shipped(name: str, does: str) -> PlayerFactory:
    """The player in a file that comes with the package."""
    return PlayerFactory(lambda: player_io.load_player(_DATA / f"{name}.npz"), does)


def _blueprint(name: str, does: str) -> PlayerFactory:
    def make(resolve: str = "none") -> Player:
        player = player_io.load_player(_DATA / f"{name}.npz")
        if one_of("resolve", resolve, ("none", "river", "turn")) == "none":
            return player
        # Imported here because solvers bring SciPy, which most processes do without.
        from agents.solvers import RiverSolver, TurnSolver

        return RiverSolver(player) if resolve == "river" else TurnSolver(player)

    return PlayerFactory(make, does)


def _profile(name: str, does: str) -> PlayerFactory:
    known = rule_players.profile_options(name)
    return PlayerFactory(partial(rule_players.profile_player, name), does, known=known)


def _nlbot(version: int, does: str) -> PlayerFactory:
    def make(**options: Any) -> NLBot:
        return NLBot(version, settings=replace(VERSIONS[version], **options))

    return PlayerFactory(make, does, known=asdict(VERSIONS[version]))


_COMPILED = {
    "random": PlayerFactory(
        static.random_player, "folds, calls or raises with probability 1/3 each"
    ),
    "folder": PlayerFactory(static.folder, "folds to any bet; otherwise checks"),
    "caller": PlayerFactory(static.caller, "always calls or checks"),
    "raiser": PlayerFactory(static.raiser, "always raises; calls if no raise is allowed"),
    "call-or-raise": PlayerFactory(
        static.call_or_raise, "calls or raises with probability 1/2 each"
    ),
    "old-start": PlayerFactory(dynamic.old_start, "an expert's action topography"),
    "old-best": _shipped("old-best", "a topography evolved from that of OldStart"),
    "old-scratch": _shipped("old-scratch", "a topography evolved from equal probabilities"),
    "tight-passive": PlayerFactory(
        rule_players.tight_passive, "plays the best 20% of hands, mostly calls"
    ),
    "tight-aggressive": PlayerFactory(
        rule_players.tight_aggressive, "plays the best 20% of hands, mostly raises"
    ),
    "loose-passive": PlayerFactory(rule_players.loose_passive, "plays 80% of hands, mostly calls"),
    "loose-aggressive": PlayerFactory(
        rule_players.loose_aggressive, "plays 80% of hands, mostly raises"
    ),
    "pot-odds": PlayerFactory(
        rule_players.pot_odds_player,
        "compares its win chance with the pot odds and an equal share of the pot",
    ),
    "formula": PlayerFactory(
        rule_players.formula_player, "effective hand strength, pot odds, semi-bluffs and bluffs"
    ),
    "push-or-fold": PlayerFactory(
        rule_players.push_or_fold_player,
        "folds or goes all-in with short stacks; otherwise tight-aggressive",
    ),
    "scared-limper": PlayerFactory(
        rule_players.scared_limper, "limps, then calls with the nuts only"
    ),
    "hothead-maniac": _profile("hothead-maniac", "always raises half the pot or the pot"),
    "calling-machine": _profile("calling-machine", "always checks or calls"),
    "candid-statistician": _profile("candid-statistician", "bets as much as its hand is worth"),
    "ashe-loose-aggressive": _profile(
        "ashe-loose-aggressive", "bets and raises hard with a wide range"
    ),
    "ashe-loose-passive": _profile("ashe-loose-passive", "calls with most hands, seldom raises"),
    "ashe-tight-passive": _profile("ashe-tight-passive", "calls with good hands, seldom raises"),
    "ashe-tight-aggressive": _profile(
        "ashe-tight-aggressive", "raises good hands, bluffs a little"
    ),
    "early-scared-limper": PlayerFactory(
        rule_players.early_limper, "limps, then bets and calls with almost nothing but the nuts"
    ),
    "early-hothead-maniac": _profile(
        "early-hothead-maniac", "bets the pot and raises by two pots with any cards"
    ),
    "early-candid-statistician": PlayerFactory(
        rule_players.early_statistician, "bets a share of its stack that is a power of its equity"
    ),
    "random-gambler": PlayerFactory(
        rule_players.random_gambler_player,
        "switches every 50 hands between maniac, caller, limper and statistician",
    ),
    "half-a-pro": PlayerFactory(
        rule_players.half_a_pro_player,
        "tight-aggressive with floats, check-raises and barrels",
    ),
    "opponent-frequency": PlayerFactory(
        rule_players.opponent_frequency_player,
        "counts opponents' actions: bluffs folders, and value-bets thinly against callers",
    ),
    "ashe-1.0": _shipped(
        "ashe-1.0", "heads-up: an evolved network with memory that adapts to its opponent"
    ),
    "ashe-1.0-tuned": _shipped(
        "ashe-1.0-tuned", "ashe-1.0 by an evolution strategy that starts from a calling network"
    ),
    "ashe-1.0-refined": _shipped(
        "ashe-1.0-refined", "ashe-1.0-tuned trained further, half of the time against statisticians"
    ),
    "lstm": PlayerFactory(recurrent_player, "a recurrent network with random weights"),
    # What can be won of them is measured in docs/results/exploitability.md and docs/solving.md.
    "equilibrium-limit": _blueprint(
        "equilibrium-limit",
        "near equilibrium in heads-up fixed-limit; the best known response wins 0.085 bb a hand",
    ),
    "equilibrium-nolimit": _blueprint(
        "equilibrium-nolimit",
        "near equilibrium in a simplified heads-up no-limit, 10 to 200 big blinds; "
        "the best known response wins 2 bb a hand",
    ),
}


def _psopti(number: int, does: str) -> PlayerFactory:
    def make(**options: Any) -> CompiledPlayer:
        # Imported here because solvers bring SciPy, which most processes do without.
        from agents.books.pseudo_optimal.players import pseudo_optimal_player

        return pseudo_optimal_player(number, **options)

    return PlayerFactory(make, does, known=asdict(Sizes.usual(number)))


def _vexbot(
    book: str,
    does: str,
    usual: dict[str, Any],
    variant: Variant = LIMIT,
) -> PlayerFactory:
    """A Vexbot with the book of a file that comes with the package."""

    def make(**options: Any) -> CompiledPlayer:
        shipped = player_io.load_player(_DATA / f"{book}.npz")
        assert shipped.book is not None
        return VexbotPlayer(shipped.book, variant, origin=shipped.origin, **{**usual, **options})

    return PlayerFactory(make, does, known=usual)


_HEADS_UP_LIMIT = {
    "psopti-0": _psopti(0, "heads-up fixed-limit: calls before the flop, pseudo-optimal after it"),
    "psopti-1": _psopti(1, "as psopti-0, but plays the equilibrium of the round before the flop"),
    "psopti-2": _psopti(
        2, "pseudo-optimal on all streets, with a model for each pre-flop betting sequence"
    ),
    "vexbot": _vexbot(
        "vexbot",
        "heads-up fixed-limit: models its opponent and searches for the best response",
        SETTINGS,
    ),
    "anti-poki": _vexbot(
        "anti-poki",
        "heads-up fixed-limit: plays the best response to a fixed model of poki",
        COUNTER_SETTINGS,
    ),
    "hobbybot": _vexbot(
        "anti-poki",
        "as anti-poki, but slowly adapts to its opponent",
        SLOW_SETTINGS,
    ),
    "limit-team": _shipped(
        "limit-team", "heads-up fixed-limit: a team of evolved programs that bid for each decision"
    ),
    "limit-vote": _shipped("limit-vote", "heads-up fixed-limit: nine such teams, which vote"),
    "limit-layers": _shipped(
        "limit-layers", "heads-up fixed-limit: bidding programs select one of ten teams to play"
    ),
}

_HEADS_UP_NOLIMIT = {
    "vexbot-nolimit": _vexbot(
        "vexbot-nolimit",
        "heads-up no-limit: as vexbot, by classes of bet sizes",
        NOLIMIT_SETTINGS,
        NOLIMIT,
    ),
    "ashe-2.0": _shipped("ashe-2.0", "heads-up: estimates the value of every line of play"),
    "ashe-2.0-tuned": _shipped(
        "ashe-2.0-tuned", "ashe-2.0 after ten million hands of an evolution strategy"
    ),
    "ashe-2.1": _shipped(
        "ashe-2.1", "small size: as ashe-2.0, with default trees and board clusters"
    ),
    "ashe-2.2": _shipped(
        "ashe-2.2", "small size: as ashe-2.1, with look-ahead to the end of the hand"
    ),
    "ashe-2.3": _shipped("ashe-2.3", "small size: as ashe-2.2, with opponent ranges"),
}


def _alberta(name: str, does: str) -> PlayerFactory:
    usual = alberta.PLAYERS[name][1]
    return PlayerFactory(partial(alberta.alberta_player, name), does, known=asdict(usual))


_THINKING = {
    "loki-1": _alberta(
        "loki-1", "the formula of Alberta: weights the possible hands of every opponent"
    ),
    "loki-2": _alberta(
        "loki-2", "simulates the rest of the hand with opponents' hands dealt by these weights"
    ),
    "poki": _alberta("poki", "as loki-1, with a model of each opponent's actions"),
    "poki-sim": _alberta("poki-sim", "as loki-2, with the best of three predictors"),
}

_OTHERS = {
    "nlbot-1": _nlbot(1, "heads-up, in Python: remembers shown hands"),
    "nlbot-2": _nlbot(2, "as nlbot-1, without memory"),
    "nlbot-3": _nlbot(3, "remembers how often the opponent bets"),
    "nlbot-4": _nlbot(4, "remembers shown hands and bluffs"),
}

_REMOTE = {"chat": PlayerFactory(ChatPlayer, "a chat model, called over the network")}
"""Players that cannot be made by their names alone."""

_GROUPS = (_COMPILED, _HEADS_UP_LIMIT, _HEADS_UP_NOLIMIT, _THINKING, _OTHERS)


def names(*, compiled: bool = False, plugins: bool = True) -> tuple[str, ...]:
    """Player names for ``make``, without files and commands; names of other packages are last.

    Args:
        compiled: Only names of fast compiled players for tournaments; see also
            ``names_that_think``.
        plugins: Include names of other packages.

    >>> {"nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4"} <= set(names()) - set(names(compiled=True))
    True
    """
    if compiled:
        return tuple(_COMPILED)
    ours = tuple(name for group in _GROUPS for name in group)
    plugin_players = plugin_names() if plugins else ()
    return (*ours, *(name for name in plugin_players if name not in ours))


def names_for_some_games(betting: str | None = None) -> tuple[str, ...]:
    """Names of compiled players for specific games.

    Args:
        betting: Only names for heads-up ``"fixed-limit"`` or ``"no-limit"``.

    >>> names_for_some_games("fixed-limit")[3:]
    ('vexbot', 'anti-poki', 'hobbybot', 'limit-team', 'limit-vote', 'limit-layers')
    >>> names_for_some_games("no-limit")
    ('vexbot-nolimit', 'ashe-2.0', 'ashe-2.0-tuned', 'ashe-2.1', 'ashe-2.2', 'ashe-2.3')
    """
    limit, nolimit = tuple(_HEADS_UP_LIMIT), tuple(_HEADS_UP_NOLIMIT)
    if betting is None:
        return (*limit, *nolimit)
    return (
        limit
        if one_of("betting", betting, ("fixed-limit", "no-limit")) == "fixed-limit"
        else nolimit
    )


def names_that_think() -> tuple[str, ...]:
    """Names of compiled players that are about a hundred times slower than others.

    >>> names_that_think()
    ('loki-1', 'loki-2', 'poki', 'poki-sim')
    """
    return tuple(_THINKING)


def split_name(text: str) -> tuple[str | None, str]:
    """Split ``PLAYER`` or ``NAME=PLAYER`` into the optional name and the player.

    >>> split_name("mine=process:./bot"), split_name("pot-odds:margin=0.1")
    (('mine', 'process:./bot'), (None, 'pot-odds:margin=0.1'))
    """
    named = _NAMED.fullmatch(text)
    return (named[1], named[2]) if named else (None, text)


def make(name: str) -> Player:
    """Create a player by name, or from a file or a program.

    ==============================  ================================================================
    ``"pot-odds"``                  a player of ``names()``, ours or of another package, see
                                    ``agents.external.plugins``
    ``"pot-odds:margin=0.1"``       the same with options, see ``options``; several with commas
    ``"my_bot.py:Careful"``         what ``Careful()`` makes in this file, with options as before;
                                    the name is not needed where there is one class with ``act``
    ``"process:python bot.py"``     a program, as a ``ProcessPlayer`` with the usual limits
    ``"chat:model=gpt-5,..."``      a chat model, as a ``ChatPlayer`` with these options
    ``"champion.npz"``              a saved player
    ==============================  ================================================================

    Raises:
        ValueError: The name or an option is unknown, a value is invalid, or the file or program
            does not exist.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> make("caller").name
    'caller'
    >>> make("tight-aggressive:threshold=0.6,size=1").name
    'tight-aggressive:threshold=0.6,size=1'
    """
    if isinstance(name, str) and name.startswith(_PROCESS):
        return ProcessPlayer(name.removeprefix(_PROCESS))
    if _is_saved(name):
        return player_io.load_player(Path(name))
    maker, text = _find(name)
    try:
        return maker.player(text)
    except ValueError as error:
        raise ValueError(f"{name!r}: {error}") from error


def short_name(name: str) -> str:
    """Short name of a player for tables, without the folders of a file.

    >>> short_name("runs/one/champion.npz"), short_name("bots/my_bot.py:Careful")
    ('champion', 'my_bot.py:Careful')
    """
    if _is_saved(name):
        return Path(name).stem
    in_file = read_form(name)
    return name if in_file is None else Path(in_file.path).name + name[len(in_file.path) :]


def _is_saved(name: object) -> bool:
    """Whether this is the path of a saved player; an option may end like one."""
    if not isinstance(name, str) or not name.endswith(".npz") or name.startswith(_PROCESS):
        return False
    return read_form(name) is None and name.partition(":")[0] not in names()


def options(name: str) -> dict[str, Any]:
    """Options of a player with their defaults.

    Args:
        name: As for ``make``; options in it are ignored.

    Returns:
        Defaults by name; ``inspect.Parameter.empty`` for a required option.

    Raises:
        ValueError: No player has this name.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> options("pot-odds")
    {'margin': 0.2, 'all_in_margin': 0.0}
    """
    return _find(name)[0].options()


def describe(name: str) -> str:
    """Description of a player, in one line; of other packages' players their docstring's first.

    Raises:
        ValueError: No player has this name.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> describe("caller")
    'always calls or checks'
    """
    return _find(name)[0].description


def _find(name: str) -> tuple[PlayerFactory, str | None]:
    """Factory of a player, and the options that were typed."""
    if not isinstance(name, str):
        one_of("a player", name, names())
    in_file = read_form(name)
    if in_file is not None:
        return load_player_file(in_file.path, in_file.name), in_file.options
    base, colon, text = name.partition(":")
    ours = next((group[base] for group in (*_GROUPS, _REMOTE) if base in group), None)
    # Last of all in other packages: looking through all that are installed takes milliseconds.
    factory = load_plugin(one_of("a player", base, names())) if ours is None else ours
    return replace(factory, name=base), text if colon else None


def make_compiled(name: str) -> CompiledPlayer:
    """``make`` for compiled players only.

    Raises:
        ValueError: The name is unknown, or the player is not compiled.

    >>> make_compiled("nlbot-1")
    Traceback (most recent call last):
        ...
    ValueError: 'nlbot-1' decides in Python and cannot take part in compiled tournaments
    """
    player = make(name)
    if not isinstance(player, CompiledPlayer):
        raise ValueError(f"{name!r} decides in Python and cannot take part in compiled tournaments")
    return player


def as_player(player: str | os.PathLike[str] | Player) -> Player:
    """Return a player object unchanged, or create it from a name or path, as in ``make``.

    Raises:
        ValueError: The value is not a player, name or path.

    >>> as_player("caller").name
    'caller'
    """
    if isinstance(player, (str, os.PathLike)):
        return make(os.fspath(player))
    if isinstance(player, type):
        raise ValueError(f"a player must be an object, not a class; got {player!r}: create one")
    if not isinstance(player, Player):
        raise ValueError(
            "a player must be a name, the path of a saved player, or an object with "
            f"act(observation, info); got {player!r}"
        )
    return player


provide_as_player(as_player)
