"""Whole matches of chat players: luck-reduced, logged, replayed, resumed, with memory."""

import json
from dataclasses import replace

import numpy as np
import pytest
from chat_server import Raw, chat_server
from test_chat_player import by_rule

import agents
import nlhe_env
from agents.external.chat import BudgetError, ChatError
from agents.external.chat.exchange_log import Exchange
from agents.external.chat.player import MOST_CHARACTERS, MOST_HANDS
from nlhe_env.game import style_counts as index

GAME = nlhe_env.Game.cash(num_hands=3)
BLOCKS = agents.Blocks(4)


def play(player, tmp_path, name, **options):
    """Tally of a match of duplicate blocks, and the bytes of its recorded hands."""
    record = tmp_path / f"{name}.phhs"
    tally = agents.play(
        [player, "pot-odds"], BLOCKS, GAME, seed=3, rows=True, record=record, **options
    )
    return tally, record.read_bytes()


@pytest.mark.parametrize("answer", ["action", "distribution"])
def test_a_match_is_replayed_byte_for_byte(answer, tmp_path):
    log = tmp_path / "log.jsonl"
    flaky = [Raw(503), Raw(400, b"response_format"), by_rule]
    options = {"answer": answer, "log": str(log), "price_in": 2.0}
    with chat_server(*flaky) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.external.chat.client.time.sleep", lambda seconds: None)
        player = agents.ChatPlayer("m", url=server.url, **options)
        tally, hands = play(player, tmp_path, "first", variance_reduction="aivat")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["request"] for line in lines] == server.requests
    assert [line["status"] for line in lines[:3]] == [503, 400, 200]
    assert tally.plain.count == 4
    assert player.report.failed == player.report.illegal == 0

    copy = tmp_path / "copy.jsonl"
    again = agents.ChatPlayer("m", url=server.url, **options | {"log": str(copy)}, replay=str(log))
    replayed, same_hands = play(again, tmp_path, "second", variance_reduction="aivat")
    assert same_hands == hands
    np.testing.assert_array_equal(replayed.scores, tally.scores)
    np.testing.assert_array_equal(replayed.deviations, tally.deviations)
    assert copy.read_text().splitlines() == log.read_text().splitlines()[1:]  # without the failure
    counts = replace(player.report, failures=0, replayed=player.report.requests)
    assert again.report == counts

    alone = agents.ChatPlayer("m", url=server.url, **options | {"log": ""}, replay=str(copy))
    assert play(alone, tmp_path, "third")[1] == hands
    with pytest.raises(ChatError, match="no \\(unused\\) answer"):
        play(alone, tmp_path, "fourth")


def test_a_match_goes_on_where_a_budget_stopped_it(tmp_path):
    log = str(tmp_path / "log.jsonl")
    with chat_server(by_rule) as server:
        whole = agents.ChatPlayer("m", url=server.url)
        _, hands = play(whole, tmp_path, "whole")
        player = agents.ChatPlayer("m", url=server.url, log=log, replay=log, max_requests=10)
        with pytest.raises(BudgetError):
            play(player, tmp_path, "stopped")
        with open(log, "ab") as file:
            file.write(b'{"sha256": "an unfinished li')
        asked = len(server.requests)
        resumed = agents.ChatPlayer("m", url=server.url, log=log, replay=log)
        assert play(resumed, tmp_path, "resumed")[1] == hands
        assert resumed.report.requests == whole.report.requests
        assert resumed.report.replayed == 10
        assert len(server.requests) - asked == whole.report.requests - 10
    alone = agents.ChatPlayer("m", url=server.url, replay=log)
    assert play(alone, tmp_path, "replayed")[1] == hands


@pytest.mark.parametrize(
    "line",
    [
        "rubbish",
        "{}",
        "[]",
        '{"sha256": "", "request": {}, "url": "", "status": 200, "response": {}, "error": "", '
        '"seconds": 0}',
        Exchange({}, "", 400, "no", "", 0.1).line().strip(),
        Exchange({}, "", 0, None, "late", "x").line().strip(),
    ],
)
def test_files_that_are_no_logs_are_refused(line, tmp_path):
    file = tmp_path / "log.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(ValueError, match="line 1 is not an exchange"):
        agents.ChatPlayer("m", replay=str(file))


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04 an archive", b"text\nmore", b"{}\n", b"\xff\n", b"x"]
)
def test_a_file_that_is_no_log_stays_untouched(content, tmp_path):
    file = tmp_path / "precious"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"log=.*is another file, and stays as it is"):
        agents.ChatPlayer("m", url="http://127.0.0.1:9", log=str(file))
    assert file.read_bytes() == content


def test_a_first_line_that_was_interrupted_is_begun_again(tmp_path):
    for content in (b"", b'{"sha', b'{"sha256": "0f'):
        file = tmp_path / "log.jsonl"
        file.write_bytes(content)
        agents.ChatPlayer("m", url="http://127.0.0.1:9", log=str(file))
        assert file.read_bytes() == b""


@pytest.mark.slow
def test_chances_of_a_chat_model_reduce_the_variance(tmp_path):
    schedule = agents.Blocks(30)
    deviations = {}
    for answer in ("action", "distribution"):
        with chat_server(by_rule) as server:
            player = agents.ChatPlayer("m", url=server.url, answer=answer)
            tally = agents.play(
                [player, "caller"],
                schedule,
                nlhe_env.Game.cash(num_hands=2),
                seed=1,
                rows=True,
                variance_reduction="aivat",
            )
            assert player.report.requests == player.report.decisions == len(server.requests)
        deviations[answer] = tally.deviations[0] / tally.plain.deviations[0]
        assert tally.scores.sum() == pytest.approx(0)
    assert deviations["distribution"] < 0.9


def test_the_draws_of_a_distribution_follow_from_the_seed(tmp_path):
    with chat_server(by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, answer="distribution")
        first, same = (play(player, tmp_path, name)[1] for name in ("a", "b"))
        assert first == same
        agents.play([player, "caller"], BLOCKS, GAME, seed=4, record=tmp_path / "c.phhs")
    text = first.decode()
    assert " cbr 200" in text
    assert " cbr 210" in text


def test_one_chat_player_may_sit_in_several_seats(tmp_path):
    with chat_server(by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, memory="transcript")
        env = nlhe_env.env(5, table_size=3, actions="chips", starting_stack=100)
        totals = agents.play_episode(env, dict.fromkeys(env.possible_agents, player), seed=2)
    assert sum(totals.values()) == 0
    assert player.report.failed == 0
    seen = [request["messages"][1]["content"] for request in server.requests]
    for text in seen:  # nobody is reminded of cards that others held
        held = text.count("you held")
        assert held <= MOST_HANDS
        assert "player" not in text.replace("a player who left", "")


def test_statistics_are_those_of_poker_trackers(tmp_path):
    with chat_server(by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, memory="statistics")
        env = nlhe_env.raw_env(4, mode="cash", num_hands=40, actions="chips")
        names = ["random", "tight-aggressive", "caller"]
        players = dict(zip(env.possible_agents, [player, *map(agents.make, names)], strict=True))
        agents.play_episode(env, players, seed=6)
    counts = env.players["style_counts"]
    memory = player._sessions["player_0"].memory._counts
    for number in range(1, 4):
        found = memory[f"player_{number}"]
        assert (found.hands, found.entered, found.raised, found.flops, found.showdowns) == tuple(
            counts[number][[index.PREFLOP_HANDS, index.ENTERED, index.RAISED_PREFLOP]]
        ) + tuple(counts[number][[index.FLOPS, index.SHOWDOWNS]])
        assert (found.bets, found.calls, found.faced, found.folds) == tuple(
            counts[number][[index.BETS, index.CALLS, index.FACED, index.FOLDS_FACED]]
        )
    last = server.requests[-1]["messages"][1]["content"]
    assert "seat 1: " in last
    assert "VPIP" in last
    assert "seat 0: " not in last.split("Hand ")[0]
    assert "VPIP" not in server.requests[0]["messages"][1]["content"]


def test_a_transcript_has_the_last_hands_of_this_session_only(tmp_path):
    with chat_server(by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, memory="transcript")
        env = nlhe_env.raw_env(3, mode="cash", num_hands=2 * MOST_HANDS, actions="chips")
        players = dict.fromkeys(env.possible_agents, agents.make("random")) | {"player_1": player}
        agents.play_episode(env, players, seed=6)
        views = [request["messages"][1]["content"] for request in server.requests]
        assert f"hand {2 * MOST_HANDS - 1}: you held" in views[-1]
        assert views[-1].count("you held") == MOST_HANDS
        assert max(map(len, views)) < MOST_CHARACTERS + 5_000
        agents.play_episode(env, players, seed=6)
        first = server.requests[len(views)]["messages"][1]["content"]
    assert "you held" not in first
