"""Answers of users' own players, and how they declare their action spaces."""

import numpy as np
import pytest

import agents
import nlhe_env

ENCODINGS = ("chips", (0.5, 1.0))


class Chips(agents.ChipPlayer):
    """Answers the same in chips, always."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def decide(self, turn):
        return self.answer


class Ids:
    """Answers the same id, always."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def act(self, observation, info):
        return self.answer


class EventObserver(Ids):
    """The same, followed from hand to hand."""

    def on_hand_end(self, info) -> None:
        pass


def play(player, actions="chips"):
    env = nlhe_env.raw_env(2, mode="cash", actions=actions)
    return agents.play_episode(env, {"player_0": player, "player_1": agents.make("caller")}, seed=1)


# --- answers in chips -----------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ENCODINGS)
@pytest.mark.parametrize("answer", [None, "call", 60.9, True, np.True_, -5, 10**30])
def test_an_answer_that_is_not_an_action_is_named(answer, actions):
    with pytest.raises(nlhe_env.IllegalActionError) as caught:
        play(Chips(answer), actions)
    assert str(caught.value) == (
        f"player_0 returned {answer!r}; expected agents.FOLD, agents.CHECK_OR_CALL or a whole "
        "number of chips to raise to"
    )


def test_a_direct_call_of_act_gives_the_same_error():
    env = nlhe_env.env(2, actions="chips", infos="full")
    env.reset(seed=1)
    observation, *_, info = env.last()
    with pytest.raises(nlhe_env.IllegalActionError, match=r"Chips returned 60\.9; expected"):
        Chips(60.9).act(observation, info)
    assert Chips(np.int64(60)).act(observation, info) == 60


@pytest.mark.parametrize("actions", ENCODINGS)
def test_numpy_integers_are_accepted_as_chips(actions):
    assert play(Chips(np.int64(60)), actions) == play(Chips(60), actions)


def test_amounts_above_the_stack_become_the_largest_raise():
    assert play(Chips(2**63 - 1), (0.5, 1.0)) == play(Chips(2000), (0.5, 1.0))


# --- ids ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Ids, EventObserver])
@pytest.mark.parametrize("answer", [-5, 10**30])
def test_an_illegal_id_is_named_for_every_kind_of_player(kind, answer):
    with pytest.raises(nlhe_env.IllegalActionError, match="must be a legal id for player_0") as it:
        play(kind(answer))
    assert f"got {answer!r}" in str(it.value)


@pytest.mark.parametrize("kind", [Ids, EventObserver])
@pytest.mark.parametrize("answer", [None, "call", 1.9, True])
def test_a_non_integer_id_is_named_for_every_kind_of_player(kind, answer):
    with pytest.raises(nlhe_env.IllegalActionError) as caught:
        play(kind(answer))
    assert str(caught.value) == (
        f"player_0 returned {answer!r}; expected the id of an action, a whole number"
    )


@pytest.mark.parametrize(
    ("answer", "what"), [(None, "returned None; expected the id"), (10**30, "must be a legal id")]
)
def test_an_illegal_id_is_named_with_aivat_too(answer, what):
    game = nlhe_env.Game.cash(num_hands=1)
    with pytest.raises(nlhe_env.IllegalActionError, match=what):
        agents.play(
            [Ids(answer), agents.make("caller")],
            agents.Tournaments(1),
            game,
            seed=1,
            variance_reduction="aivat",
        )


# --- a numbering of one's own ---------------------------------------------------------------------


class RaisesThePot:
    """Raises by the pot where it may, and calls else."""

    def __init__(self, actions) -> None:
        self.actions = actions

    def act(self, observation, info):
        assert observation["action_mask"].shape == (5,)
        return 3 if observation["action_mask"][3] else 1


@pytest.mark.parametrize("wish", [[0.5, 1.0], [0.5, 1], np.array([0.5, 1.0])])
def test_fractions_may_be_in_a_list(wish):
    assert play(RaisesThePot(wish)) == play(RaisesThePot((0.5, 1.0)))


def test_fractions_in_a_list_are_checked():
    with pytest.raises(ValueError, match=r"rising pot fractions .*got \[1\.0, 0\.5\]"):
        play(RaisesThePot([1.0, 0.5]))


def test_an_attribute_named_actions_does_not_set_the_action_space():
    class Remembers:
        def __init__(self) -> None:
            self.actions: list[int] = []

        def act(self, observation, info):
            self.actions.append(1)
            return 1

    player = Remembers()
    assert play(player) == play(player) == play(agents.make("caller"))
    assert len(player.actions) > 4
