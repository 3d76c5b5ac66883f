"""An evaluator and a brute force that share nothing with the package: cards are counted by rank."""

import numpy as np

from nlhe_env.jit.compilation import allocating_kernel, kernel


@kernel
def _highest_straight(present):
    """The high card of the best straight among ranks marked present, -1 for none."""
    for high in range(12, 2, -1):
        length = 0
        for i in range(5):
            rank = high - i
            if rank < 0:
                rank = 12  # the ace below the deuce
            if present[rank] > 0:
                length += 1
        if length == 5:
            return high
    return -1


@kernel
def _score(category, counts, least, n):
    """A number that orders hands: category, then the n highest ranks held ``least`` times."""
    score = category
    for rank in range(12, -1, -1):
        if counts[rank] >= least and n > 0:
            score = score * 13 + rank
            n -= 1
    return score


@kernel
def _rank_seven(cards, counts, of_suit):
    """A number that orders seven cards as poker does; scratch ``(13,)`` and ``(4, 13)``."""
    counts[:] = 0
    of_suit[:] = 0
    flush = -1
    for i in range(7):
        counts[cards[i] // 4] += 1
        of_suit[cards[i] % 4, cards[i] // 4] = 1
    for suit in range(4):
        if of_suit[suit].sum() >= 5:
            flush = suit
    if flush >= 0:
        high = _highest_straight(of_suit[flush])
        if high >= 0:
            return (8 * 13**5) + high
        score = _score(0, of_suit[flush], 1, 5)
        return 5 * 13**5 + score
    quads, trips, pair_1, pair_2 = -1, -1, -1, -1
    for rank in range(12, -1, -1):
        if counts[rank] == 4:
            quads = rank
        elif counts[rank] == 3 and trips < 0:
            trips = rank
        elif counts[rank] >= 2:
            if pair_1 < 0:
                pair_1 = rank
            elif pair_2 < 0:
                pair_2 = rank
    if quads >= 0:
        counts[quads] = 0
        return 7 * 13**5 + _score(quads, counts, 1, 1)
    if trips >= 0 and pair_1 >= 0:
        return 6 * 13**5 + trips * 13 + pair_1
    high = _highest_straight(counts)
    if high >= 0:
        return 4 * 13**5 + high
    if trips >= 0:
        counts[trips] = 0
        return 3 * 13**5 + _score(trips, counts, 1, 2)
    if pair_2 >= 0:
        counts[pair_1] = 0
        counts[pair_2] = 0
        return 2 * 13**5 + _score(pair_1 * 13 + pair_2, counts, 1, 1)
    if pair_1 >= 0:
        counts[pair_1] = 0
        return 13**5 + _score(pair_1, counts, 1, 3)
    return _score(0, counts, 1, 5)


@allocating_kernel
def _showdowns(holes, board, completions, results):
    cards = np.empty(7, np.int64)
    counts = np.empty(13, np.int64)
    of_suit = np.empty((4, 13), np.int64)
    scores = np.empty((52, 52), np.int64)
    free = np.empty(52, np.bool_)
    n_board = len(board)
    for i in range(len(completions)):
        free[:] = True
        for j in range(5):
            cards[j] = board[j] if j < n_board else completions[i, j - n_board]
            free[cards[j]] = False
        for a in range(52):
            for b in range(a):
                if free[a] and free[b]:
                    cards[5] = a
                    cards[6] = b
                    scores[a, b] = _rank_seven(cards, counts, of_suit)
        for h in range(len(holes)):
            high = max(holes[h, 0], holes[h, 1])
            low = min(holes[h, 0], holes[h, 1])
            if not (free[high] and free[low]):
                results[h, i] = -1
                continue
            wins = 0
            ties = 0
            for a in range(52):
                for b in range(a):
                    apart = a != high and a != low and b != high and b != low
                    if free[a] and free[b] and apart:
                        wins += scores[high, low] > scores[a, b]
                        ties += scores[high, low] == scores[a, b]
            results[h, i, 0] = wins
            results[h, i, 1] = ties


def showdowns(holes, board):
    """Opposing holdings beaten and tied on every completion of a board.

    Args:
        holes: ``(m, 2)`` card codes.
        board: ``(k,)`` three to five card codes.

    Returns:
        ``(m, n_completions, 2)`` wins and ties out of 990; -1 where a hole shares a card with the
        completion.
    """
    board = np.array(board, np.int64)
    deck = np.setdiff1d(np.arange(52), board)
    n_more = 5 - len(board)
    places = np.array(np.meshgrid(*[deck] * n_more)).reshape(n_more, -1).T if n_more else None
    if places is None:
        completions = np.empty((1, 0), np.int64)
    else:
        completions = np.ascontiguousarray(places[(np.diff(places, axis=1) > 0).all(axis=1)])
    results = np.empty((len(holes), len(completions), 2), np.int64)
    _showdowns(np.array(holes, np.int64), board, completions, results)
    return results
