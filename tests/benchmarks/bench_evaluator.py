"""Prints how many hands a second are evaluated, beside the evaluators of other packages.

Run ``python tests/benchmarks/bench_evaluator.py``. Packages that are not installed are named and
left out: ``pip install eval7 holdem_hand_evaluator phevaluator pkrbot poker-equity pokerfast
xiapl`` for all of them. Each gets its hands in its own form, made outside the timed part, and is
called through its batch function if it has one, else once a hand in a Python loop.

Figures are millions of hands per CPU second, medians. "Random" hands are a million different deals;
"in order" are consecutive sets of an enumeration.
"""

from __future__ import annotations

import functools
import importlib
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb

import numpy as np
from harness import medians, seconds

from nlhe_env.cards import CARD_NAMES
from nlhe_env.evaluator import CLASS_NAMES, evaluate, hand_class, rank_set, rank_sets
from nlhe_env.jit.compilation import allocating_kernel, kernel

N_HANDS = 1 << 20
N_PEER_HANDS = 20_000
N_TIMES = 9


# -------------------------------------------------------------------------------- other packages


def names(hand):
    return [CARD_NAMES[card] for card in hand]


def eval7_objects(hands):
    import eval7

    cards = [eval7.Card(name) for name in CARD_NAMES]
    forms = [[cards[card] for card in hand] for hand in hands]
    function = eval7.evaluate

    def call():
        for form in forms:
            function(form)

    return call


def pkrbot_objects(hands):
    import pkrbot

    cards = [pkrbot.Card(name) for name in CARD_NAMES]
    forms = [[cards[card] for card in hand] for hand in hands]
    function = pkrbot.evaluate

    def call():
        for form in forms:
            function(form)

    return call


def pkrbot_raw(hands):
    import pkrbot

    forms = [
        (bytes(card >> 2 for card in hand), bytes(card & 3 for card in hand), len(hand))
        for hand in hands
    ]
    function = pkrbot.evaluate_raw

    def call():
        for ranks, suits, n_cards in forms:
            function(ranks, suits, n_cards)

    return call


def xiapl_masks(hands):
    import xiapl

    cards = [xiapl.card.Card(code // 4 + 2, name[1]) for code, name in enumerate(CARD_NAMES)]
    forms = [xiapl.utils.cards_to_mask([cards[card] for card in hand]) for hand in hands]
    function = xiapl.eval.evaluate_mask

    def call():
        for form in forms:
            function(form)

    return call


def phevaluator_integers(hands):
    import phevaluator

    function = phevaluator.evaluate_cards

    def call():
        for hand in hands:
            function(*hand)

    return call


def holdem_hand_evaluator_texts(hands):
    import holdem_hand_evaluator

    forms = ["".join(names(hand)) for hand in hands]
    function = holdem_hand_evaluator.evaluate_hand

    def call():
        for form in forms:
            function(form)

    return call


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


def rates(calls, clock=time.process_time):
    """Calls a second of each."""
    measures = {i: lambda call=call: seconds(call, clock) for i, call in enumerate(calls)}
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


def bench_threads():
    hands = np.tile(random_hands(7, np.random.default_rng(1)), (8, 1))
    calls = [lambda n=n: evaluate(hands, n_threads=n) for n in (1, 2)]
    for n_threads, figure in zip((1, 2), rates(calls, time.perf_counter), strict=True):
        what = f"evaluate, 8 million hands, threads: {n_threads}"
        print(f"{what:<44}{figure * len(hands) / 1e6:>13.0f} (wall time)")


# ------------------------------------------------------------------------------------ enumeration


@allocating_kernel
def count_classes(highest, lower_sets, n_lower):
    """Counts of classes of the sets of some highest cards and any four below them."""
    sets = np.empty(1 << 12, np.int64)
    ranks = np.empty(1 << 12, np.int64)
    at_least = np.zeros(len(CLASS_NAMES) + 1, np.int64)
    for i in range(len(highest)):
        for start in range(0, n_lower[i], len(sets)):
            n = min(n_lower[i] - start, len(sets))
            for j in range(n):
                sets[j] = lower_sets[start + j] | highest[i]
            rank_sets(sets[:n], ranks[:n])
            # Comparing all with each class in turn is done by vector; counting one by one is not.
            for made_class in range(len(CLASS_NAMES)):
                n_at_least = 0
                for j in range(n):
                    n_at_least += hand_class(ranks[j]) >= made_class
                at_least[made_class] += n_at_least
    return at_least[:-1] - at_least[1:]


def all_seven_card_sets():
    """Arguments of ``count_classes``: sets of three cards, and of four in order of the highest."""
    bit = [1 << (card % 4 * 16 + card // 4) for card in range(52)]
    above = list(combinations(range(4, 52), 3))
    highest = np.array([bit[a] | bit[b] | bit[c] for a, b, c in above])
    n_lower = np.array([comb(a, 4) for a, _, _ in above])
    lower = [
        bit[a] | bit[b] | bit[c] | bit[d]
        for a in range(3, 49)
        for b in range(2, a)
        for c in range(1, b)
        for d in range(c)
    ]
    return highest, np.array(lower), n_lower


def bench_enumeration():
    highest, lower_sets, n_lower = all_seven_card_sets()

    def count(n_threads):
        # Every n-th set of highest cards, so that threads get as much to do.
        with ThreadPoolExecutor(n_threads) as executor:
            tasks = [
                executor.submit(
                    count_classes, highest[i::n_threads], lower_sets, n_lower[i::n_threads]
                )
                for i in range(n_threads)
            ]
        return sum(task.result() for task in tasks)

    counts = count(1)
    n_sets = int(counts.sum())
    assert n_sets == comb(52, 7)
    print(f"all {n_sets:,} sets of seven cards, with the counts of classes:")
    for what, n_threads, clock in (
        ("CPU time, one thread", 1, time.process_time),
        ("wall time, one thread", 1, time.perf_counter),
        ("wall time, two threads", 2, time.perf_counter),
    ):
        elapsed_s = 1 / rates([lambda n=n_threads: count(n)], clock)[0]
        print(f"    {what:<40}{elapsed_s:>13.3f} s{n_sets / elapsed_s / 1e6:>9.0f} M/s")
    for name, n in zip(CLASS_NAMES, counts.tolist(), strict=True):
        print(f"    {name:<40}{n:>13,}")


def main():
    bench_comparison()
    bench_threads()
    bench_enumeration()


if __name__ == "__main__":
    main()
