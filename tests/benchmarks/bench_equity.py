"""Prints how fast the equity calculator answers, beside others that count all deals.

Run ``python tests/benchmarks/bench_equity.py``; ``pip install eval7 pokerfast xiapl poker-equity``
for the comparison. Every line gives the CPU time of all threads, the median of many calls, and the
equity found; those of one question have to agree.
"""

import importlib

from harness import median_seconds, seconds

from nlhe_env.equity import equities

ANY = "22+, 32+, 42+, 52+, 62+, 72+, 82+, 92+, T2+, J2+, Q2+, K2+, A2+"
BOARD = "Qs7h2h3c4d"
WIDE = "22+, A2s+, KTs+, QTs+, JTs, AJo+"
TIGHT = "99+, AQs+, AQo+, KQs"
QUESTIONS = {
    "hand against hand, before the flop": ("AhKc", "QsJd", ""),
    "hand against any two, before the flop": ("AhKc", "*", ""),
    "range against range, before the flop": ("QQ+, AKs", "TT+, AQ+", ""),
    "hand against any two, flop": ("AhKh", "*", BOARD[:6]),
    "range against range, flop": (WIDE, TIGHT, BOARD[:6]),
    "any two against any two, flop": ("*", "*", BOARD[:6]),
    "hand against any two, river": ("AhKh", "*", BOARD),
    "hand against range, river": ("AhKh", TIGHT, BOARD),
}


def ours(first, second, board):
    return lambda: equities([first, second], board).equity[0]


def eval7(first, second, board):
    module = importlib.import_module("eval7")
    if len(board) < 10 or len(first) != 4:
        return None  # it counts no boards
    hand = [module.Card(first[i : i + 2]) for i in (0, 2)]
    others = module.HandRange((ANY if second == "*" else second).replace(" ", ""))
    cards = [module.Card(board[i : i + 2]) for i in range(0, 10, 2)]
    return lambda: module.py_hand_vs_range_exact(hand, others, cards)


def pokerfast(first, second, board):
    module = importlib.import_module("pokerfast.equity")
    if len(first) == 4 and second == "*":
        return lambda: module.equity_vs_random(first, board)
    return None


def xiapl(first, second, board):
    module = importlib.import_module("xiapl")
    options = module.simulation.SimulationOptions.exact()
    options.threads = 1

    def mask(text):
        names = [text[i : i + 2] for i in range(0, len(text), 2)]
        return module.utils.cards_to_mask([module.card.Card.from_string(name) for name in names])

    board_mask = mask(board)
    if second != "*" and "," not in first + second:
        holes = [mask(first), mask(second)]
        solve = module.simulation.calculate_equity
        return lambda: solve(holes, board_mask, options).players[0].equity
    if not board:
        return None  # minutes
    ranges = [
        module.range.Range.all() if text == "*" else module.range.Range.from_string(text)
        for text in (first.replace(" ", ""), second.replace(" ", ""))
    ]
    solve = module.simulation.calculate_range_equity
    return lambda: solve(*ranges, board_mask, options).hero_aggregate_equity


def poker_equity(first, second, board):
    module = importlib.import_module("poker_equity")
    if "," in first + second or first == "*" or (not board and second == "*"):
        return None  # it knows no ranges; minutes, and no answer
    hands = [text.replace("*", "**") for text in (first, second)]
    n_deals = equities([first, second], board).n_deals
    cards = " ".join(board[i : i + 2] for i in range(0, len(board), 2))
    return lambda: module.exact_from_text("holdem", hands, board=cards)["share_sum"][0] / n_deals


def measure(call):
    """Median CPU seconds of a call, of as many as take about a second, after two that compile."""
    call()
    return median_seconds(call, min(1000, max(3, int(1 / max(seconds(call), 1e-6)))))


def main():
    for question, spot in QUESTIONS.items():
        print(question)
        for calculator in (ours, eval7, pokerfast, xiapl, poker_equity):
            try:
                call = calculator(*spot)
            except ImportError:
                continue
            if call:
                print(
                    f"    {calculator.__name__:<14}{measure(call) * 1e3:>11.3f} ms   {call():.6f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
