"""Players of this package and their traits, read without importing any of them."""

from __future__ import annotations

from functools import partial
from typing import Any

from agents.rooms import PlayerRecord, find_rooms, installed_rooms


def _player(module: str, name: str, function: str, does: str, **traits: Any) -> PlayerRecord:
    return PlayerRecord(name, does, f"agents.{module}:{function}", **traits)


def _saved(name: str, does: str, **traits: Any) -> PlayerRecord:
    return PlayerRecord(name, does, f"agents:data/{name}.npz", **traits)


_static = partial(_player, "players.rules.static", observation="nothing")
_rules = partial(_player, "players.rules.rule_players")
_made = partial(_player, "player_factories", by_name=True)
_python = partial(_made, seats=2, observation="cards", speed="python")

# fmt: off
_PLAYERS = (
    _static("random", "random_player", "folds, calls or raises with probability 1/3 each"),
    _static("folder", "folder", "folds to any bet; otherwise checks"),
    _static("caller", "caller", "always calls or checks"),
    _static("raiser", "raiser", "always raises; calls if no raise is allowed"),
    _static("call-or-raise", "call_or_raise", "calls or raises with probability 1/2 each"),
    _player("players.topographies", "old-start", "old_start",
            "an expert's action topography", observation="features"),
    _saved("old-best", "a topography evolved from that of old-start", observation="features"),
    _saved("old-scratch", "a topography evolved from equal probabilities",
           observation="features"),
    _rules("tight-passive", "tight_passive", "plays the best 20% of hands, mostly calls"),
    _rules("tight-aggressive", "tight_aggressive", "plays the best 20% of hands, mostly raises"),
    _rules("loose-passive", "loose_passive", "plays 80% of hands, mostly calls"),
    _rules("loose-aggressive", "loose_aggressive", "plays 80% of hands, mostly raises"),
    _rules("pot-odds", "pot_odds_player",
           "compares its win chance with the pot odds and an equal share of the pot",
           observation="features"),
    _rules("formula", "formula_player",
           "effective hand strength, pot odds, semi-bluffs and bluffs"),
    _rules("push-or-fold", "push_or_fold_player",
           "folds or goes all-in with short stacks; otherwise tight-aggressive"),
    _rules("scared-limper", "scared_limper", "limps, then calls with the nuts only"),
    _made("hothead-maniac", "profile", "always raises half the pot or the pot"),
    _made("calling-machine", "profile", "always checks or calls"),
    _made("candid-statistician", "profile", "bets as much as its hand is worth"),
    _made("ashe-loose-aggressive", "profile", "bets and raises hard with a wide range"),
    _made("ashe-loose-passive", "profile", "calls with most hands, seldom raises"),
    _made("ashe-tight-passive", "profile", "calls with good hands, seldom raises"),
    _made("ashe-tight-aggressive", "profile", "raises good hands, bluffs a little"),
    _rules("early-scared-limper", "early_limper",
           "limps, then bets and calls with almost nothing but the nuts"),
    _made("early-hothead-maniac", "profile", "bets the pot and raises by two pots with any cards"),
    _rules("early-candid-statistician", "early_statistician",
           "bets a share of its stack that is a power of its equity"),
    _rules("random-gambler", "random_gambler_player",
           "switches every 50 hands between maniac, caller, limper and statistician", memory=True),
    _rules("half-a-pro", "half_a_pro_player",
           "tight-aggressive with floats, check-raises and barrels"),
    _rules("opponent-frequency", "opponent_frequency_player",
           "counts opponents' actions: bluffs folders, and value-bets thinly against callers",
           memory=True),
    _saved("self-play-quick", "tournaments of ten: an evolved network that has only played itself",
           observation="features_core"),
    _saved("self-play-es", "heads-up cash games: an evolved network that has only played itself",
           observation="features_cash"),
    _player("players.networks.lstm", "lstm", "recurrent_player",
            "a recurrent network with random weights", memory=True,
            costly=("game_blocks", "game_cell", "opponent_blocks", "opponent_cell", "hidden")),
    # What can be won from them is measured in docs/results/bench.md and docs/results/strength.md.
    _made("equilibrium-limit", "blueprint",
          "near equilibrium in heads-up fixed-limit; the best known response wins"
          " about 0.4 bb a hand", memory=True),
    _made("equilibrium-nolimit", "blueprint",
          "near equilibrium in a simplified heads-up no-limit, 10 to 200 big blinds;"
          " the best known response wins 2 bb a hand", memory=True),
    _python("nlbot-1", "nlbot", "heads-up, in Python: remembers shown hands", memory=True),
    _python("nlbot-2", "nlbot", "as nlbot-1, without memory"),
    _python("nlbot-3", "nlbot", "remembers how often the opponent bets", memory=True),
    _python("nlbot-4", "nlbot", "remembers shown hands and bluffs", memory=True),
)
# fmt: on

_ROOMS = find_rooms("agents.theses")

PLAYERS = {one.name: one for one in (*_PLAYERS, *(one for room in _ROOMS for one in room.players))}
"""Records by name, in the order of lists; those of other packages: ``find_record``."""

_HTTP = _made("http", "http", "an agent behind an address, asked over HTTP", speed="python")
REMOTE = {
    "chat": _made("chat", "chat", "a chat model, called over the network", speed="python"),
    "http": _HTTP,
    "https": _HTTP,
}
"""Players that cannot be made by their names alone."""

KIND_MODULES = {
    "aggression": "agents.players.rules.aggression",
    "argmax-network": "agents.players.networks.argmax_networks",
    "ashe-opponent": "agents.players.rules.ashe_opponents",
    "blueprint": "agents.players.blueprint.player",
    "formula": "agents.players.rules.formula",
    "half-a-pro": "agents.players.rules.ashe_opponents",
    "lstm": "agents.players.networks.lstm",
    "mixed-pot-sized-network": "agents.players.networks.argmax_networks",
    "network": "agents.players.networks.networks",
    "opponent-frequency": "agents.players.rules.opponent_frequency",
    "pot-odds": "agents.players.rules.pot_odds",
    "pot-sized-network": "agents.players.networks.argmax_networks",
    "push-or-fold": "agents.players.rules.push_or_fold",
    "random-gambler": "agents.players.rules.ashe_opponents",
    "scared-limper": "agents.players.rules.ashe_opponents",
    "sparse-network": "agents.players.networks.sparse_network",
    "static": "agents.players.rules.static",
    "style": "agents.players.rules.styles",
    "topography": "agents.players.topographies",
    **{kind: module for room in _ROOMS for kind, module in room.kinds.items()},
}
"""Modules that register the kinds of players, by name of the kind."""


def installed_records() -> dict[str, PlayerRecord]:
    """Records of players in rooms of other packages, by name."""
    return {one.name: one for room in installed_rooms() for one in room.players}


def find_record(name: str) -> PlayerRecord | None:
    """Record of a player of this package, or of a room of another; None for other names."""
    # Last of all in other packages: looking through all that are installed takes milliseconds.
    return PLAYERS.get(name) or REMOTE.get(name) or installed_records().get(name)


def find_kind_module(kind: str) -> str | None:
    """Module that registers a kind; None for other names."""
    found = KIND_MODULES.get(kind)
    return found or next((one.kinds[kind] for one in installed_rooms() if kind in one.kinds), None)
