"""Measurements of players of ASHE: adaptation, action statistics and ranges."""

import numpy as np
import pytest

import agents
import nlhe_env
from agents.policy.kinds import make_sizes
from agents.policy.session import Session
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import ModelShape, places_of
from evolve.theses.li.measurements import measure_actions, measure_adaptation, measure_ranges

GAME = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=30)
MANIAC, CALLER = (agents.make_compiled(name) for name in ("early-hothead-maniac", "caller"))


def played(player, opponent, hands, *, memory=None, holds_memory=False, **options):
    """Chips that a player won in each hand of a session, and its memory in the end."""
    session = Session([player, opponent], GAME, **options)
    if memory is not None:
        session.memory[0] = memory
    return session.play(hands, holds_memory=holds_memory)[:, 0], session.memory[0]


def test_copies_of_the_memory_are_measured_independently():
    found = measure_adaptation(
        "ashe-1.0", [MANIAC, MANIAC], [MANIAC, CALLER], GAME, every=20, hands=40, seed=2
    )
    assert found.after.tolist() == [0, 20, 40]
    assert found.scores.shape == found.errors.shape == (3, 2)
    assert found.session.shape == (2,)
    # The first copy knows nothing: as a stranger it plays as in its first hand, again and again.
    player = agents.make_compiled("ashe-1.0")
    blank = played(player, CALLER, 0, seed=2)[1]
    pair = [
        played(player, CALLER, 40, seed=2, seat=k, memory=blank, holds_memory=True)[0]
        for k in (0, 1)
    ]
    assert found.scores[0, 1] == pytest.approx(np.mean(pair) / 100)


def test_players_without_memory_are_refused():
    with pytest.raises(ValueError, match="must have a memory; 'caller' has none"):
        measure_adaptation(CALLER, [MANIAC], [MANIAC], GAME)


# --- action statistics ----------------------------------------------------------------------------


LONG = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=60)
STREETS = {0: 0, 3: 1, 4: 2, 5: 3}


def test_a_maniac_raises_wherever_it_can():
    found = measure_actions(agents.make("early-hothead-maniac"), agents.make("caller"), LONG)
    assert found.raise_frequency.tolist() == [1.0] * 4
    # A bet of the pot before the flop: to 300 in the small blind, or in the big blind, over 100.
    assert found.mean_raise[0] == pytest.approx(2.0)
    assert found.mean_raise[1:].tolist() == pytest.approx([6.0, 18.0, 54.0], rel=0.15)
    assert (found.hands, found.faced, found.opponent_raises) == (60, 0, 0)
    assert np.isnan(found.fold_frequency)


def test_counts_match_the_hands():
    player, opponent = agents.make("half-a-pro"), agents.make("ashe-loose-aggressive")
    hands = []
    env = nlhe_env.raw_env(game=LONG, num_players=2, actions="chips", record=hands)
    agents.play_episode(
        env, dict(zip(env.possible_agents, (player, opponent), strict=True)), seed=4
    )
    found = measure_actions(player, opponent, LONG, seed=4)
    raises, folds, others = np.zeros(4, int), 0, 0
    for hand in hands:
        me = hand.players.index("player_0")
        for action in hand.actions:
            if action.position == me:
                raises[STREETS[action.board_cards]] += action.kind == "cbr"
                folds += action.kind == "f"
            else:
                others += action.kind == "cbr"
    assert found.raises.tolist() == raises.tolist()
    assert found.opponent_raises == others
    assert 0 < found.folds <= folds  # some before the flop, to the blind alone
    assert found.folds <= found.faced
    assert (found.raises <= found.could_raise).all()


def test_tournaments_are_refused():
    with pytest.raises(ValueError, match="cash games"):
        measure_actions(agents.make("caller"), agents.make("folder"), nlhe_env.Game.tournament())


# --- accuracy of ranges ---------------------------------------------------------------------------


SHAPE = ModelShape(2, 3, 4, min_node_visits=0, nodes=64, level=3, boards=3)


@pytest.mark.slow
def test_a_constant_range_guess_has_the_base_rate_accuracy():
    weights = np.zeros(sum(SHAPE.parts), np.float32)
    _, first_cells, _ = places_of(make_sizes(*SHAPE), 1)
    biases = SHAPE.parts[0] + first_cells - 9
    weights[biases] = 5.0  # of the strongest hands: it never bets, and so sees rivers
    found = measure_ranges(ModelPlayer(weights, shape=SHAPE), agents.make("caller"), GAME)
    assert len(found.hands) > 8
    assert set(found.predicted) == {0}
    assert (np.diff(found.hands) >= 0).all()
    assert found.hands.max() < 30
    assert found.right() == pytest.approx((found.actual == 0).mean())
    # The weakest range is that of a third of all holdings, the strongest one of a fortieth.
    assert found.most_frequent() > found.right()
    late = found.actual[found.hands >= 15]
    assert found.right(15) == pytest.approx((late == 0).mean())


def test_players_without_range_estimates_are_refused():
    with pytest.raises(ValueError, match=r"only ASHE 2\.3 estimates ranges"):
        measure_ranges(agents.make("caller"), agents.make("caller"), GAME)
