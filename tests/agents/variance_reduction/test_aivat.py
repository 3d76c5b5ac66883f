"""AIVAT during play: the same hands, less variance, no bias for any player."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_equal

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.variance_reduction.aivat_logs import AivatEvaluator
from nlhe_env.assessment.estimators.aivat_values import N_CELLS, value_by_table
from nlhe_env.hand_history import HandError

PAIR = ("old-best", "random")
TABLE = ("push-or-fold", "random", "tight-aggressive", "old-best")
NO_LIMIT = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=1, score="big_blinds")


def make(*names: str) -> list[agents.Player]:
    return [agents.make(name) for name in names]


def reduced(names, schedule, game=NO_LIMIT, *, seed=1, by="aivat", **more) -> agents.Tally:
    """The tally of a match of players or their names, with its rows."""
    players = [agents.make(each) if isinstance(each, str) else each for each in names]
    more = {"rows": True, "variance_reduction": by, **more}
    return agents.play(players, schedule, game, seed=seed, **more)


def noise(seed: int) -> agents.ValueFunction:
    numbers = np.random.default_rng(seed).normal(0, 0.7, N_CELLS)
    return agents.ValueFunction("noise", value_by_table, numbers)


WAYS = {
    "equity": agents.Aivat(),
    "noise": agents.Aivat(value=noise(1)),
    "one side": agents.Aivat(known=(1,)),
    "imagined": agents.Aivat(imagined=0, hands=5),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("names", [PAIR, TABLE], ids=["pair", "table"])
def test_both_backends_give_the_same_estimates(names, way):
    schedule = agents.Blocks(6)
    inside = reduced(names, schedule, seed=4, by=way)
    outside = play_in_environment(
        make(*names), schedule, NO_LIMIT, seed=4, rows=True, variance_reduction=way
    )
    assert_equal(inside.plain, outside.plain)
    np.testing.assert_array_equal(inside.rows.points, outside.rows.points)
    assert inside.totals.sum() == 0
    assert_equal(inside.plain, reduced(names, schedule, seed=4, by="none"))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(
    ("names", "game", "hands"),
    [(PAIR, NO_LIMIT, 8_000), (PAIR, LIMIT, 8_000), (TABLE, NO_LIMIT, 3_000)],
    ids=["pair", "limit", "table"],
)
def test_aivat_leaves_the_mean_unchanged(names, game, hands, way):
    tally = reduced(names, agents.Tournaments(hands), game, seed=9, by=way)
    difference = tally.row_scores - tally.plain.row_scores
    errors = difference.std(axis=0, ddof=1) / np.sqrt(hands)
    assert (np.abs(difference.mean(axis=0)) < 4 * errors).all()
    if way is not WAYS["noise"]:
        assert (tally.deviations < 0.85 * tally.plain.deviations).all()


def test_hole_card_equity_takes_half_of_two_callers_blinds():
    # They put in a big blind each and never decide anything: by equity, a big blind of the pot's
    # two is taken off for hole cards, and the board brings nothing.
    hands: list = []
    tally = reduced(["caller"] * 2, agents.Tournaments(6), seed=3, record=hands)
    for hand, row in zip(hands, tally.row_scores, strict=True):
        shares = nlhe_env.equities(list(hand.hole_cards), threads=1).equity
        for name, share in zip(hand.players, shares, strict=True):
            assert row[int(name[-1])] == pytest.approx(share - 0.5, abs=1e-6)


def test_a_fitted_table_removes_all_variance_of_callers():
    players = make("caller", "caller")
    table = agents.fit_value_function(players, NO_LIMIT, hands=60_000, seed=5)
    tally = reduced(players, agents.Tournaments(2000), by=agents.Aivat(value=table))
    assert tally.plain.deviations[0] > 0.9
    assert tally.deviations[0] < 0.02


def test_a_table_fitted_on_other_hands_reduces_more_than_equity():
    players = make("random", "random")
    table = agents.fit_value_function(players, NO_LIMIT, hands=60_000, seed=5)
    schedule = agents.Tournaments(5000)
    by = [
        reduced(players, schedule, by=agents.Aivat(value=value, known=known))
        for value, known in (("equity", ()), ("equity", None), (table, None), (table, ()))
    ]
    cards, equity, fitted, fitted_cards = (float(tally.deviations[0]) for tally in by)
    assert cards < 0.9 * by[0].plain.deviations[0]
    assert equity < 0.8 * cards
    assert fitted < 0.6 * equity
    assert fitted_cards > 2 * fitted


class Dice(agents.ChipPlayer):
    """Calls, raises or folds at random, and reports the probabilities."""

    def __init__(self, explained_by: bool = True, wrong: bool = False) -> None:
        self.wrong = wrong
        self.random = np.random.default_rng(3)
        if not explained_by:
            self.chances = None

    def chances(self, turn):
        if self.wrong:
            return {agents.CHECK_OR_CALL: 0.5}
        least = turn["min_raise_to"]
        found = {agents.FOLD: 0.2} if turn["to_call"] > 0 else {}
        if least > 0:
            found[least] = 0.3
        return found | {agents.CHECK_OR_CALL: 1 - sum(found.values())}

    def decide(self, turn):
        action_probabilities = Dice.chances(self, turn)
        return int(
            self.random.choice(list(action_probabilities), p=list(action_probabilities.values()))
        )


@pytest.mark.slow
def test_external_players_may_report_action_probabilities():
    schedule = agents.Tournaments(400)
    deviations = [
        reduced([Dice(explained_by), Dice(explained_by)], schedule).deviations[0]
        for explained_by in (True, False)
    ]
    assert deviations[0] < 0.9 * deviations[1]
    silent = reduced([Dice(False)] * 2, schedule)
    hidden = reduced([Dice(), Dice()], schedule, by=agents.Aivat(known=()))
    assert silent.count == hidden.count
    with pytest.raises(ValueError, match="legal actions and sum to 1"):
        reduced([Dice(wrong=True), Dice()], schedule)


class Pairs(Dice):
    """Raises pairs and high cards more often, and reports the probabilities with every hand."""

    HOLES = np.sort(nlhe_env.Range.parse("*").combos // 4, axis=1)

    def chances_of_hands(self, turn):
        strong = (self.HOLES[:, 0] == self.HOLES[:, 1]) | (self.HOLES[:, 0] > 7)
        found = {agents.FOLD: np.where(strong, 0.0, 0.5)} if turn["to_call"] > 0 else {}
        if turn["min_raise_to"] > 0:
            found[turn["min_raise_to"]] = np.where(strong, 0.8, 0.1)
        return found | {agents.CHECK_OR_CALL: 1 - sum(found.values())}

    def chances(self, turn):
        low, high = sorted(nlhe_env.parse_cards(turn["hole_cards"]))
        number = high * (high - 1) // 2 + low
        return {action: row[number] for action, row in self.chances_of_hands(turn).items()}

    def decide(self, turn):
        found = self.chances(turn)
        return int(self.random.choice(list(found), p=list(found.values())))


@pytest.mark.slow
def test_the_hole_cards_of_a_player_in_python_are_imagined_otherwise():
    game = nlhe_env.Game.cash(num_hands=1, starting_stack=2_000, blinds=(50, 100))
    tallies = [
        reduced([Pairs(), "random"], agents.Blocks(300), game, by=agents.Aivat(imagined=imagined))
        for imagined in (None, 0)
    ]
    without, imagined = tallies
    assert_equal(without.plain, imagined.plain)
    assert imagined.deviations[0] < 0.97 * without.deviations[0]
    difference = imagined.row_scores[:, 0] - without.row_scores[:, 0]
    assert abs(difference.mean()) < 4 * difference.std() / len(difference) ** 0.5
    with pytest.raises(ValueError, match="or one with a method chances_of_hands"):
        reduced([Dice(), Dice()], agents.Blocks(1), game, by=agents.Aivat(imagined=0))


def test_value_functions_are_frozen_named_and_hashed(tmp_path):
    table = noise(1)
    with pytest.raises(ValueError, match="read-only"):
        table.numbers[0] = 1.0
    assert table.digest != noise(2).digest
    assert table.digest != agents.ValueFunction("equity").digest
    assert str(table) == f"noise ({table.digest})"
    again = agents.load_value_function(table.save(tmp_path / "noise.npz"))
    assert (again.name, again.digest) == (table.name, table.digest)
    assert agents.Aivat(value=tmp_path / "noise.npz").value_function.digest == table.digest
    with pytest.raises(ValueError, match="only tables"):
        agents.ValueFunction("equity").save(tmp_path / "equity.npz")
    (tmp_path / "text.npz").write_text("nothing")
    with pytest.raises(ValueError, match="is not a value function"):
        agents.load_value_function(tmp_path / "text.npz")
    with pytest.raises(ValueError, match="all finite"):
        agents.ValueFunction("wrong", value_by_table, np.array([np.nan]))


def test_known_and_imagined_name_block_players_in_both_backends():
    players = make("old-best", "opponent-frequency", "random")
    schedule = agents.Blocks(3, players=[1, 0])

    totals = []
    for record in (None, [].append):

        def play(record=record, **options):
            return reduced(players, schedule, by=agents.Aivat(**options), record=record)

        totals.append(play(known=[1], imagined=1).totals)
        with pytest.raises(ValueError, match="player 0 remembers its hole cards"):
            play(known=[0], imagined=0)
        with pytest.raises(ValueError, match="must be below 2 here; got 2"):
            play(known=[2])
    np.testing.assert_array_equal(*totals)


def test_unsupported_input_is_refused_with_a_reason():
    with pytest.raises(ValueError, match="one of the known players"):
        agents.Aivat(known=(1,), imagined=0)
    with pytest.raises(ValueError, match="hands must be"):
        agents.Aivat(hands=1)
    with pytest.raises(ValueError, match="scored by places"):
        reduced(PAIR, agents.Blocks(1), nlhe_env.Game.tournament())
    with pytest.raises(ValueError, match="one table of at most 10"):
        reduced(["caller"] * 12, agents.Tournaments(1), nlhe_env.Game.tournament(score="chips"))
    lineups = agents.LineupBlocks(np.array([[0, 1]]), np.array([0]))
    with pytest.raises(ValueError, match="leave them out for lineups"):
        reduced(PAIR, lineups, by=agents.Aivat(known=(0,)))


# --- logged hands ---------------------------------------------------------------------------------


DEEP = nlhe_env.Game.cash(num_hands=1)
NAMES = ("random", "tight-aggressive", "push-or-fold")


def played(names, hands, variance_reduction):
    found: list = []
    players = [agents.make(name) for name in names]
    schedule = agents.Tournaments(hands)
    tally = reduced(players, schedule, DEEP, seed=2, by=variance_reduction, record=found)
    return found, tally, {f"player_{i}": player for i, player in enumerate(players)}


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("known", [None, (), (0,)])
def test_logged_hands_get_the_same_estimates_as_played_hands(n, known):
    hands, tally, players = played(NAMES[:n], 40, agents.Aivat(known=known))
    asked = players if known is None else {f"player_{i}": players[f"player_{i}"] for i in known}
    found = AivatEvaluator(players=asked).evaluate(hands)
    for hand, row, expected in zip(hands, found, tally.row_scores, strict=True):
        numbers = [int(name[-1]) for name in hand.players]
        np.testing.assert_allclose(row[:n], expected[numbers], atol=1e-3)


def test_logs_that_cannot_be_evaluated_are_refused_with_a_reason():
    hands, *_ = played(NAMES[:2], 12, "none")
    hidden = [*hands[:3], replace(hands[3], hole_cards=("", hands[3].hole_cards[1]))]
    with pytest.raises(HandError, match=r"unknown are those of player_\d") as error:
        AivatEvaluator().evaluate(hidden)
    assert error.value.hand == 3
    with pytest.raises(HandError, match="player given for player_0 never takes this action"):
        AivatEvaluator(players={"player_0": agents.make("caller")}).evaluate(hands)
    with pytest.raises(ValueError, match="depends on earlier hands"):
        AivatEvaluator(players={"player_0": agents.make("lstm")})
