"""The core of the table in the browser, without a web: games, views, setups."""

from __future__ import annotations

import random

import pytest
from web_tables import cards_in, may_know, new_game

from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer, VotingPlayer
from agents.theses.bonson.programs.team_players import TeamPlayer
from agents.web.hands.replays import Replay
from agents.web.table.game import FAILED, GAME_OVER, HUMAN_TO_ACT, LiveGame, Refusal
from agents.web.table.setup import GameSetup, participant_name
from agents.web.table.view import table_view
from nlhe_env.hand_history import read_hands, write_hands


def play_out(game, choose=lambda options: ("call", 0), limit=3000):
    """Play to the end; yields the game after everything that happens."""
    for _ in range(limit):
        if game.phase in (GAME_OVER, FAILED):
            return
        if game.phase == HUMAN_TO_ACT:
            action, to = choose(game.state().options)
            game.act(game.actor, game.turn, action, to)
        else:
            game.advance()
        yield game
    raise AssertionError("the game does not end")


def at_random(generator):
    def choose(options):
        actions = ["call"] + ["fold"] * bool(options["to_call"])
        actions += ["raise"] * bool(options["max_raise_to"])
        to = generator.choice((options["min_raise_to"], options["max_raise_to"]))
        return generator.choice(actions), to

    return choose


@pytest.mark.parametrize("seed", range(3))
def test_no_viewer_sees_hidden_cards(seed):
    game = new_game("human", "old-best", "human", "loose-aggressive", seed=seed, hands_per_level=3)
    hidden = shown = 0
    for _ in play_out(game, at_random(random.Random(seed))):
        state = game.state()
        snapshot = state.snapshot
        for viewer in (None, 0, 2):
            view = table_view(snapshot, state.names, viewer)
            known = may_know(
                snapshot.table, viewer, over=snapshot.over, open_cards=snapshot.open_cards
            )
            assert cards_in(view) <= known
            hidden += any(seat.get("cards") == ["", ""] for seat in view["seats"])
            shown += bool(snapshot.over and view["result"]["hands"])
            if not snapshot.open_cards:
                shown_seats = {seat for seat in range(4) if snapshot.table["shown"][seat]}
                assert {explained["seat"] for explained in view["explanations"]} <= (
                    shown_seats if snapshot.over else set()
                )
    assert hidden > 10
    assert shown > 3


def test_a_tournament_is_played_to_its_final_places():
    game = new_game("human", "caller", "raiser", hands_per_level=2)
    for _ in play_out(game):
        table = game.snapshot.table
        assert int(table["stack"].sum() + table["pot"]) == 3000
    state = game.state()
    assert sorted(state.places) == [0, 1, 2]
    # Players who go out in the same hand share their places.
    assert sum(first + last for first, last in state.places.values()) == 2 * 6
    assert min(state.places.values()) == (1, 1)
    assert sum(state.net) == 0
    assert state.net[min(state.places, key=state.places.get)] == 2000
    assert len(game.hands) == state.hands_played


def test_every_hand_pauses_at_its_payout():
    game = new_game("human", "human", mode="cash", num_hands=5)
    over = []
    for _ in play_out(game):
        if game.snapshot.over:
            over.append(int(game.snapshot.table["hand"]))
            assert int(game.snapshot.table["won"].sum()) > 0
    assert over == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("seat", "turn", "action", "to", "problem"),
    [
        (1, 0, "call", 0, "not your turn"),
        (0, 7, "call", 0, "too late"),
        (0, 0, "raise", 39, "a raise must be to 40 to 1000 chips; got 39"),
        (0, 0, "raise", 1001, "a raise must be to"),
        (0, 0, "raise", -5, "a raise must be to"),
        (0, 0, "dance", 0, "fold, call or raise"),
    ],
)
def test_illegal_requests_change_nothing(seat, turn, action, to, problem):
    game = new_game("human", "human", seed=1)
    if game.actor != 0:
        game.act(1, 0, "call")
    turn += game.turn
    before = game.snapshot.table.tobytes()
    with pytest.raises(Refusal, match=problem):
        game.act(seat, turn, action, to)
    assert game.snapshot.table.tobytes() == before


def test_folding_without_a_bet_is_refused():
    game = new_game("human", "human", seed=1)
    game.act(game.actor, 0, "call")
    with pytest.raises(Refusal, match="you can check"):
        game.act(game.actor, game.turn, "fold")


def test_network_internals_are_shown_when_only_programs_play():
    game = new_game("old-best", "old-scratch", "caller")
    seen = 0
    for _ in play_out(game):
        view = table_view(game.snapshot, game.names, None)
        for explained in view["explanations"]:
            assert explained["n_inputs"] == 35
            assert sum(len(entry["values"]) for entry in explained["inputs"]) == 35
            assert sum(action["probability"] for action in explained["actions"]) == pytest.approx(1)
            assert all(a["legal"] or a["probability"] == 0 for a in explained["actions"])
            seen += 1
    assert seen > 10


PROGRAMS = (
    Program.read(2, "r[0] = r[0] + i[0]", "r[1] = r[1] + i[2]"),
    Program.read(1, "r[0] = r[0] + i[1]"),
    Program(0, ()),
)


def explanations_of(team, betting):
    """The insights of a team at every decision against itself."""
    setup = GameSetup.read({"seats": ["one", "other"], "seed": 1, "betting": betting})
    game = LiveGame(setup, [team, team], ["one", "other"])
    for _ in play_out(game):
        yield from table_view(game.snapshot, game.names, None)["explanations"]


def check_winner(votes):
    """The first of some votes, which alone won."""
    first, *others = votes
    assert first["won"]
    assert not any(vote["won"] for vote in others)
    assert all(vote["bid"] <= first["bid"] for vote in others if vote["legal"])
    return first


def taken(explained):
    (one,) = (action["name"] for action in explained["actions"] if action["probability"] == 1)
    return one


@pytest.mark.parametrize("limit", [True, False])
def test_teams_show_which_program_won_the_bid(limit):
    team = LimitTeamPlayer(PROGRAMS) if limit else TeamPlayer(PROGRAMS)
    seen = set()
    for explained in explanations_of(team, "fixed-limit" if limit else "no-limit"):
        (ballot,) = explained["ballots"]
        first = check_winner(ballot["votes"])
        assert taken(explained) == first["label"]
        seen.add(tuple(first["lines"]))
        assert explained["n_inputs"] == (14 if limit else 35)
    name = "hand strength" if limit else "i[0]"
    assert (f"r[0] = r[0] + {name}",) in seen


def test_voting_teams_show_their_votes():
    """One that raises, one by the cards, and one that folds."""
    teams = [[Program(2, ())], PROGRAMS[:2], [Program(0, ())]]
    seen = set()
    for explained in explanations_of(VotingPlayer(teams), "fixed-limit"):
        (ballot,) = explained["ballots"]
        votes = {vote["label"].split(", ")[0]: vote for vote in ballot["votes"]}
        assert votes.keys() == {"team 0", "team 1", "team 2"}
        for vote in votes.values():
            assert vote["won"] == vote["label"].endswith(f", {taken(explained)}")
        assert not votes["team 0"]["lines"]
        assert len(votes["team 1"]["lines"]) == 1
        seen.add(ballot["title"])
    assert any(title.startswith("votes: 2 ") for title in seen)


def test_layers_show_which_team_was_chosen():
    above = [Program(1, PROGRAMS[0].instructions), Program(0, PROGRAMS[1].instructions)]
    team = LayeredTeamPlayer(above, [PROGRAMS[:2], [Program(1, ())]])
    seen = set()
    for explained in explanations_of(team, "fixed-limit"):
        chosen, below = explained["ballots"]
        assert below["title"] == check_winner(chosen["votes"])["label"]
        assert taken(explained) == check_winner(below["votes"])["label"]
        seen.add(below["title"])
    assert seen == {"team 0", "team 1"}


def test_shown_inputs_match_the_table():
    game = new_game("old-best", "old-best")
    while not game.snapshot.explanations:
        before = game.snapshot.table.copy()
        game.advance()
        assert not game.error
    explained = table_view(game.snapshot, game.names, None)["explanations"][0]
    values = {entry["label"]: entry["values"] for entry in explained["inputs"]}
    seat = explained["seat"]
    to_call = int(before["current_bet"]) - int(before["street_bet"][seat])
    assert values["amount to call"] == [to_call]
    assert values["stack"][:2] == [float(before["stack"][seat]), float(before["stack"][1 - seat])]
    assert 0 < values["win chance"][0] < 1


def test_vexbots_action_values_are_shown():
    game = new_game("vexbot", "raiser", mode="cash", betting="fixed-limit")
    while not game.snapshot.explanations:
        game.advance()
        assert not game.error
    explained = table_view(game.snapshot, game.names, None)["explanations"][0]
    actions = {action["name"]: action for action in explained["actions"]}
    assert list(actions) == ["fold", "check or call", "bet or raise"]
    assert explained["n_inputs"] == 0
    assert sum(action["probability"] for action in actions.values()) == pytest.approx(1)
    legal = {name: action["value"] for name, action in actions.items() if action["legal"]}
    assert all(value is not None for value in legal.values())
    chosen = max(legal, key=legal.get)
    assert actions[chosen]["probability"] == 1


def test_a_failing_player_ends_the_game_with_the_reason():
    class Broken:
        name = "Broken"

        def act(self, observation, info):
            raise ZeroDivisionError("no idea")

    setup = GameSetup.read({"seats": ["human", "caller"], "seed": 1})
    game = LiveGame(setup, [None, Broken()], ["You", "Caller"])
    for _ in play_out(game):
        pass
    assert game.phase == FAILED
    assert "Broken" not in game.error  # it is called by the name of its seat
    assert "ZeroDivisionError: no idea" in game.error


def test_the_hands_of_a_game_can_be_replayed():
    game = new_game("old-best", "formula", "raiser", hands_per_level=3)
    for _ in play_out(game):
        pass
    hands = [hand for hand, _ in game.hands]
    replay = Replay(write_hands(hands), "game.phhs")
    contents = replay.contents()
    assert [hand["number"] for hand in contents["hands"]] == [hand.number for hand in hands]
    last = replay.steps(len(hands) - 1)["steps"][-1]
    live = table_view(game.snapshot, game.names, None)
    for key in ("board", "button", "history", "result", "blinds", "hand"):
        assert last[key] == live[key], key
    assert [seat["name"] for seat in last["seats"]][:2] == [seat["name"] for seat in live["seats"]][
        :2
    ]
    with pytest.raises(IndexError, match="the file has hands 0 to"):
        replay.steps(len(hands))


def test_a_replay_shows_only_cards_in_the_file():
    game = new_game("human", "caller", "caller", num_hands=1)
    for _ in play_out(game, lambda options: ("fold", 0) if options["to_call"] else ("call", 0)):
        pass
    ((hand, _),) = game.hands
    text = write_hands([hand.seen_by(None)])
    views = Replay(text, "x").steps(0)["steps"]
    known = {read_hands(text)[0].board[i : i + 2] for i in range(0, 10, 2)}
    for cards in read_hands(text)[0].hole_cards:
        known |= {cards[:2], cards[2:]}
    assert cards_in(views) <= known


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        ([], "described by an object"),
        ({"seats": "caller"}, "list of seats"),
        ({"seats": ["caller"]}, "2 to 10 seats"),
        ({"seats": ["caller"] * 11}, "2 to 10 seats"),
        ({"seats": ["caller", 3]}, "list of seats"),
        (
            {"seats": ["caller"] * 2, "starting_stack": 10**9},
            "Starting stack: enter a whole number from 2 to 1,000,000",
        ),
        ({"seats": ["caller"] * 2, "starting_stack": True}, "Starting stack"),
        ({"seats": ["caller"] * 2, "mode": "sit and go"}, "mode must be"),
        ({"seats": ["caller"] * 2, "blinds": "10-20"}, "look like 10/20"),
        ({"seats": ["caller"] * 2, "blinds": "20/10"}, "small blind comes first"),
        ({"seats": ["caller"] * 2, "blinds": 5}, "Blinds are text"),
        ({"seats": ["caller"] * 2, "mode": "cash", "blinds": "5/10 10/20"}, "do not rise"),
        ({"seats": ["caller"] * 2, "blinds": "10/20 5/30"}, "cannot go down; got 5/30/0"),
        ({"seats": ["caller"] * 2, "blinds": "0/1"}, "at least 2 chips"),
        (
            {"seats": ["caller"] * 3, "straddle": "button", "betting": "fixed-limit"},
            'straddle must be "none" in fixed-limit',
        ),
        (
            {"seats": ["caller"] * 2, "mode": "cash", "starting_stack": 20},
            "more than big blind plus ante",
        ),
        ({"seats": ["caller"] * 2, "seed": -1}, "Card seed"),
        ({"seats": ["caller"] * 2, "seed": "1e3"}, "Card seed"),
        ({"seats": ["caller"] * 2, "cheat": 1}, "a field of a game"),
    ],
)
def test_invalid_setups_are_refused_with_a_reason(description, problem):
    with pytest.raises(ValueError, match=problem):
        GameSetup.read(description)


def test_a_setup_is_read_from_text():
    setup = GameSetup.read(
        {"seats": ["human", "caller"], "blinds": "10/20, 15/30/5", "hands_per_level": "4"}
    )
    assert setup.game.blinds.levels == ((10, 20, 0), (15, 30, 5))
    assert setup.game.blinds.hands_per_level == 4
    assert setup.humans == (0,)


OPTIONS = {
    "mode": "cash",
    "blinds": "10/20/20",
    "ante_by": "big blind",
    "straddle": "under the gun",
    "rake": "5%/30",
    "boards": 2,
}


def test_a_table_with_options_shows_both_boards_and_the_rake():
    game = new_game("human", "human", "human", "human", num_hands=3, **OPTIONS)
    assert table_view(game.snapshot, game.names, 0)["straddle"] == 40
    assert table_view(game.snapshot, game.names, 0)["ante_by"] == "big blind"
    two_boards = 0
    for _ in play_out(
        game,
        lambda options: (
            ("raise", options["max_raise_to"]) if options["max_raise_to"] else ("call", 0)
        ),
    ):
        snapshot = game.state().snapshot
        for viewer in (None, 0):
            view = table_view(snapshot, game.names, viewer)
            known = may_know(
                snapshot.table, viewer, over=snapshot.over, open_cards=snapshot.open_cards
            )
            assert cards_in(view) <= known
        if snapshot.over:
            result = table_view(snapshot, game.names, None)["result"]
            assert result["rake"] == 30
            assert len(result["second_board"]) == 5
            assert set(result["second_hands"]) == set(result["hands"])
            assert result["pots"][0]["second_winners"]
            two_boards += 1
    assert two_boards == 3


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        ({"ante_by": "all"}, "ante_by must be one of"),
        ({"straddle": "utg"}, "straddle must be one of"),
        ({"rake": "much"}, "rake must be a share"),
        ({"rake": 5}, "rake must be a share"),
        ({"boards": 3}, "boards must be"),
    ],
)
def test_invalid_options_are_refused_with_a_reason(description, problem):
    with pytest.raises(ValueError, match=problem):
        GameSetup.read({"seats": ["caller"] * 2, "mode": "cash", **description})


def test_tournaments_have_no_rake_whatever_the_page_sends():
    setup = GameSetup.read({"seats": ["caller"] * 2, "rake": "5%"})
    assert setup.game.rake is None


def test_participant_names_are_sanitised():
    assert participant_name("  Ann \n  Lee ") == "Ann Lee"
    assert participant_name("a\u202eb\ud800") == "ab"
    for name in ("", "   ", "x" * 21, None, 5):
        with pytest.raises(ValueError, match="Your name"):
            participant_name(name)
    assert new_game("human", "human", "human").names == ["You", "You 2", "You 3"]
