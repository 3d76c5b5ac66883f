"""Record of the Alberta line: Loki, Poki, PsOpti and Vexbot."""

from __future__ import annotations

from functools import partial

from agents.rooms import PlayerRecord, Room

_FACTORIES = "agents.theses.billings.factories"
_PSEUDO_OPTIMAL = "agents.theses.billings.pseudo_optimal"
_limit = partial(PlayerRecord, seats=2, betting="fixed-limit", by_name=True)
_psopti = partial(
    _limit,
    make=f"{_FACTORIES}:psopti",
    costly=("buckets", "max_bets", "splits", "iterations", "deals"),
)
_vexbot = partial(_limit, make=f"{_FACTORIES}:vexbot", memory=True)
_alberta = partial(
    PlayerRecord, make=f"{_FACTORIES}:alberta", memory=True, speed="slow", by_name=True
)

ROOM = Room(
    does="the Alberta line: Loki, Poki, PsOpti and Vexbot",
    players=(
        _psopti("psopti-0", "heads-up fixed-limit: calls before the flop, pseudo-optimal after it"),
        _psopti("psopti-1", "as psopti-0, but plays the equilibrium of the round before the flop"),
        _psopti(
            "psopti-2",
            "pseudo-optimal on all streets, with a model for each pre-flop betting sequence",
        ),
        _vexbot(
            "vexbot",
            "heads-up fixed-limit: models its opponent and searches for the best response",
        ),
        _vexbot(
            "anti-poki",
            "heads-up fixed-limit: plays the best response to a fixed model of poki",
        ),
        _vexbot("hobbybot", "as anti-poki, but slowly adapts to its opponent"),
        _alberta("loki-1", "the formula of Alberta: weights the possible hands of every opponent"),
        _alberta(
            "loki-2",
            "simulates the rest of the hand with opponents' hands dealt by these weights",
        ),
        _alberta("poki", "as loki-1, with a model of each opponent's actions"),
        _alberta("poki-sim", "as loki-2, with the best of three predictors"),
    ),
    kinds={
        "loki": "agents.theses.billings.poki.formula",
        "loki-2": "agents.theses.billings.poki.simulation",
        "pseudo-optimal": f"{_PSEUDO_OPTIMAL}.player",
        "vexbot": "agents.theses.billings.vexbot.player",
    },
    names={
        "BucketGame": f"{_PSEUDO_OPTIMAL}.bucket_game",
        "BucketSolver": f"{_PSEUDO_OPTIMAL}.bucket_game",
        "BucketWalks": f"{_PSEUDO_OPTIMAL}.bucket_game",
        "Network": f"{_PSEUDO_OPTIMAL}.bucket_game",
        "Sizes": f"{_PSEUDO_OPTIMAL}.sizes",
        "pseudo_optimal_player": f"{_PSEUDO_OPTIMAL}.build_book",
    },
)
