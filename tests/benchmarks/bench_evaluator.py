"""Prints how many hands a second are evaluated, beside the evaluators of other packages.

Run ``python tests/benchmarks/bench_evaluator.py``. Packages that are not installed are named and
left out: ``pip install eval7 holdem_hand_evaluator phevaluator pkrbot poker-equity pokerfast
xiapl`` for all of them. Each gets its hands in its own form, made outside the timed part, and is
called through its batch function if it has one, else once a hand in a Python loop.

Figures are millions of hands per CPU second, medians. "Random" hands are a million different deals;
"in order" are consecutive sets of an enumeration.
"""

import functools
import importlib
from itertools import combinations
from math import comb

import numpy as np
from harness import medians, seconds

from nlhe_env.cards import CARD_NAMES
from nlhe_env.evaluator import evaluate, rank_set, rank_sets
from nlhe_env.jit.compilation import kernel

N_HANDS = 1 << 20
N_PEER_HANDS = 20_000
N_TIMES = 9


# -------------------------------------------------------------------------------- other packages


def names(hand):
    return [CARD_NAMES[card] for card in hand]


def one_by_one(function, forms):
    """What calls a function with every hand in its form."""

    def call():
        for form in forms:
            function(form)

    return call


def unpacked(function, forms):
    """The same for a function that takes several arguments."""

    def call():
        for form in forms:
            function(*form)

    return call


def eval7_objects(hands):
    import eval7

    cards = [eval7.Card(name) for name in CARD_NAMES]
    return one_by_one(eval7.evaluate, [[cards[card] for card in hand] for hand in hands])


def pkrbot_objects(hands):
    import pkrbot

    cards = [pkrbot.Card(name) for name in CARD_NAMES]
    return one_by_one(pkrbot.evaluate, [[cards[card] for card in hand] for hand in hands])


def pkrbot_raw(hands):
    import pkrbot

    forms = [
        (bytes(card >> 2 for card in hand), bytes(card & 3 for card in hand), len(hand))
        for hand in hands
    ]
    return unpacked(pkrbot.evaluate_raw, forms)


def xiapl_masks(hands):
    import xiapl

    cards = [xiapl.card.Card(code // 4 + 2, name[1]) for code, name in enumerate(CARD_NAMES)]
    forms = [xiapl.utils.cards_to_mask([cards[card] for card in hand]) for hand in hands]
    return one_by_one(xiapl.eval.evaluate_mask, forms)


def phevaluator_integers(hands):
    import phevaluator

    return unpacked(phevaluator.evaluate_cards, hands)


def holdem_hand_evaluator_texts(hands):
    import holdem_hand_evaluator

    forms = ["".join(names(hand)) for hand in hands]
    return one_by_one(holdem_hand_evaluator.evaluate_hand, forms)


def poker_equity_batch(hands):
    import poker_equity

    forms = ["".join(names(hand)) for hand in hands]
    return lambda: poker_equity.score_batch("high", forms)


def pokerfast_batch(hands):
    from pokerfast import equity

    forms = [tuple(names(hand)) for hand in hands]
    return lambda: equity.evaluate(forms)


PEERS = {
    "eval7, lists of cards": eval7_objects,
    "holdem_hand_evaluator, texts": holdem_hand_evaluator_texts,
    "phevaluator, integers": phevaluator_integers,
    "pkrbot, lists of cards": pkrbot_objects,
    "pkrbot evaluate_raw, bytes": pkrbot_raw,
    "poker_equity score_batch, texts": poker_equity_batch,
    "pokerfast equity.evaluate, batch of texts": pokerfast_batch,
    "xiapl evaluate_mask, integers": xiapl_masks,
}


@functools.cache
def installed_peers():
    """What can be compared with; the rest is named once."""
    found = {}
    for what, peer in PEERS.items():
        package = what.split()[0].rstrip(",")
        try:
            importlib.import_module(package)
        except ImportError as error:
            print(f"not measured: {package} ({error})")
        else:
            found[what] = peer
    return found


# ------------------------------------------------------------------------------------- comparison


def random_hands(n_cards, rng):
    return np.argsort(rng.random((N_HANDS, 52)), axis=1)[:, :n_cards].astype(np.uint8)


def hands_in_order(n_cards):
    """The last sets of an enumeration."""
    first = 52 - n_cards
    while comb(52 - first, n_cards) < N_HANDS and first > 0:
        first -= 1
    hands = np.array(list(combinations(range(first, 52), n_cards)), np.uint8)
    return np.ascontiguousarray(np.resize(hands, (N_HANDS, n_cards)))


def to_sets(hands):
    return (1 << (hands % 4 * np.int64(16) + hands // 4)).sum(axis=1)


@kernel
def rank_one_by_one(sets, ranks):
    for i in range(len(sets)):
        ranks[i] = rank_set(sets[i])


def rates(calls):
    """Calls a CPU second of each."""
    measures = {i: lambda call=call: seconds(call) for i, call in enumerate(calls)}
    return [1 / taken for taken in medians(measures, N_TIMES).values()]


def compare(hands):
    """Millions of hands a second by what evaluates them."""
    sets = to_sets(hands)
    wide = hands.astype(np.int64)
    ranks = np.empty(N_HANDS, np.int64)
    ours = {
        "evaluate, uint8": lambda: evaluate(hands),
        "evaluate, int64": lambda: evaluate(wide),
        "rank_sets, in a kernel": lambda: rank_sets(sets, ranks),
        "rank_set, one by one in a kernel": lambda: rank_one_by_one(sets, ranks),
    }
    few = hands[:N_PEER_HANDS].tolist()
    peers = {what: peer(few) for what, peer in installed_peers().items()}
    figures = rates([*ours.values(), *peers.values()])
    n_hands = [N_HANDS] * len(ours) + [N_PEER_HANDS] * len(peers)
    return {
        what: figure * n / 1e6
        for what, figure, n in zip([*ours, *peers], figures, n_hands, strict=True)
    }


def bench_comparison():
    rng = np.random.default_rng(0)
    tables = {}
    for n_cards in (5, 6, 7):
        tables[f"{n_cards} random"] = compare(random_hands(n_cards, rng))
        tables[f"{n_cards} in order"] = compare(hands_in_order(n_cards))
    print(f"{'':<44}" + "".join(f"{column:>13}" for column in tables))
    for what in next(iter(tables.values())):
        print(f"{what:<44}" + "".join(f"{table[what]:>13.2f}" for table in tables.values()))
    ratios = [
        table["evaluate, uint8"] / max(table[what] for what in table if what in PEERS)
        for table in tables.values()
        if set(table) & set(PEERS)
    ]
    if ratios:
        print(f"{'ratio to the fastest other':<44}" + "".join(f"{r:>13.0f}" for r in ratios))


if __name__ == "__main__":
    bench_comparison()
