"""Teams of programs: text, introns, the interpreter against plain Python, players and files."""

import numpy as np
import pytest
from helpers import choose
from hypothesis import example, given
from hypothesis import strategies as st
from programs import plain_program

import agents
import nlhe_env
from agents.theses.bonson.dealt import bid_profile, make_matches, play_matches, rule_player
from agents.theses.bonson.programs import opponent_model
from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    OPERATORS,
    Instruction,
    Program,
    random_instruction,
    run_program,
)
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer
from agents.theses.bonson.programs.team_players import TeamPlayer

# The two programs that the thesis prints (section 4.1.2).
PRINTED = (
    ("r[0] = r[0] + i[2]", "r[0] = r[0] / i[9]"),
    ("r[3] = r[3] + i[13]", "if r[3] >= r[0]:", "    if r[3] < i[3]:", "        r[0] = ln(r[0])"),
)

N_INPUTS = 35
sources = st.integers(0, N_REGISTERS - 1) | st.integers(FIRST_INPUT, FIRST_INPUT + N_INPUTS - 1)
instructions = st.builds(
    Instruction, st.integers(0, N_REGISTERS - 1), st.integers(0, len(OPERATORS) - 1), sources
)
programs = st.builds(
    Program, st.integers(0, 4), st.lists(instructions, min_size=1, max_size=40).map(tuple)
)
inputs = st.lists(
    st.floats(-1e4, 1e4, width=32) | st.sampled_from([0.0, -0.0, 1.0, 1e-30]),
    min_size=N_INPUTS,
    max_size=N_INPUTS,
).map(lambda values: np.array(values, np.float32))


def bid(code, seen):
    """The bid that the kernel computes for these instructions."""
    registers = np.zeros(N_REGISTERS, np.float32)
    codes = np.array([each.code for each in code], np.float32)
    run_program(codes, 0, len(codes), seen, registers)
    return registers


@pytest.mark.parametrize("lines", PRINTED)
def test_printed_programs_round_trip(lines):
    assert tuple(Program.read(1, *lines).lines()) == lines


@given(programs)
def test_printed_programs_read_back_unless_a_source_is_lost(program):
    again = Program.read(program.action, *program.lines())
    assert again.lines() == program.lines()
    assert all(
        one == other or one.reads is None
        for one, other in zip(again.instructions, program.instructions, strict=True)
    )


@given(instructions)
def test_an_instruction_survives_encoding_as_float32(each):
    assert Instruction.of_code(int(np.float32(each.code))) == each


@given(st.lists(instructions, min_size=1, max_size=40), inputs)
def test_the_kernel_matches_plain_python(code, seen):
    code = [each for each in code if OPERATORS[each.operator] not in ("ln", "exp", "cos")]
    expected = plain_program(code, seen)
    assert bid(code, seen).tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ["ln", "exp", "cos"])
@given(x=st.floats(-80, 80, width=32))
@example(x=2.2420775429197073e-44)  # denormal
def test_functions_match_the_math_module(name, x):
    code = Program.read(0, "r[0] = r[0] + i[0]", f"r[0] = {name}(r[0])").instructions
    expected = plain_program(code, np.float32([x]))
    np.testing.assert_allclose(bid(code, np.float32([x])), expected, rtol=3e-7, atol=1e-7)


@pytest.mark.parametrize(
    ("line", "value"),
    [("r[0] = ln(r[0])", -3.0), ("r[0] = exp(r[0])", 100.0), ("r[0] = r[0] / r[1]", 2.0)],
)
def test_non_finite_results_leave_the_register_unchanged(line, value):
    code = Program.read(0, "r[0] = r[0] + i[0]", line).instructions
    assert bid(code, np.float32([value]))[0] == value


def test_consecutive_guards_must_all_hold_for_one_instruction():
    code = Program.read(
        0,
        "if r[0] < i[0]:",
        "    if r[0] < i[1]:",
        "        r[0] = r[0] + i[2]",
        "r[0] = r[0] + i[3]",
    ).instructions
    for first, second in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        seen = np.float32([first, second, 10, 100])
        assert bid(code, seen)[0] == (110 if first > 0 < second else 100)


@given(programs, inputs)
def test_introns_never_change_a_bid(program, seen):
    whole, effective = bid(program.instructions, seen), bid(program.effective(), seen)
    assert whole[0].tobytes() == effective[0].tobytes()


def test_introns_are_removed():
    program = Program.read(
        0,
        "r[1] = r[1] + i[0]",
        "r[2] = r[2] + i[1]",
        "if r[2] < i[4]:",
        "    r[0] = r[0] + r[1]",
        "r[1] = cos(r[1])",
        "if r[3] < i[3]:",
        "    r[4] = r[4] + i[2]",
    )
    assert program.lines(effective=True) == program.lines()[:4]
    assert program.inputs() == {0, 1, 4}


CONSTANT = "r[0] = r[0] + i[{}]"


def test_the_highest_legal_bid_wins():
    team = TeamPlayer(
        [Program.read(action, CONSTANT.format(i)) for i, action in enumerate((4, 0, 2))]
    )
    seen = np.zeros(35, np.float32)
    seen[:3] = 3.0, 1.0, 2.0
    everything, no_all_in = np.ones(5, np.int8), np.array([1, 1, 1, 1, 0], np.int8)
    assert [each.bid for each in team.bids(seen, everything)] == [3.0, 1.0, 2.0]
    assert choose(team, seen, everything, 0.5) == 4
    assert choose(team, seen, no_all_in, 0.5) == 2
    assert choose(team, seen, np.array([0, 1, 0, 0, 0], np.int8), 0.5) == 1  # no program may bid
    seen[:3] = 2.0
    assert choose(team, seen, everything, 0.5) == 4  # the first of equal bids


@pytest.mark.parametrize(
    ("team", "message"),
    [
        ([], "number of programs must be in 1 .. 64; got 0"),
        ([Program.read(5, CONSTANT.format(0))], "action of a program must be in 0 .. 4; got 5"),
        ([Program.read(0, CONSTANT.format(35))], "there are 35 inputs; a program reads number 35"),
    ],
)
def test_invalid_teams_are_refused(team, message):
    with pytest.raises(ValueError, match=message):
        TeamPlayer(team)


def test_an_invalid_instruction_line_is_named():
    with pytest.raises(ValueError, match=r"'r\[0\] = 3' is not an instruction"):
        Program.read(0, "r[0] = 3")


# --- teams of teams -------------------------------------------------------------------------------


def some_programs(seed, actions):
    """Some for each action."""
    rng = np.random.default_rng(seed)
    return tuple(
        Program(action, tuple(random_instruction(opponent_model.N_INPUTS, rng) for _ in range(12)))
        for action in (*actions, *actions)
    )


TEAMS = [some_programs(seed, (0, 1, 2)) for seed in range(5)]
ABOVE = some_programs(8, range(5))


def test_the_upper_layer_chooses_the_deciding_team():
    """Against programs run in plain Python; which team is chosen depends on the inputs."""
    samples = (
        np.random.default_rng(1).uniform(0, 10, (300, opponent_model.N_INPUTS)).astype(np.float32)
    )
    expected, chosen = [], []
    for seen in samples:
        chosen.append(_decide(ABOVE, seen))
        expected.append(_decide(TEAMS[chosen[-1]], seen))
    assert bid_profile(LayeredTeamPlayer(ABOVE, TEAMS), samples).tolist() == expected
    assert len(set(chosen)) > 2
    assert len(set(expected)) == 3


def _decide(team, seen):
    """The action of the highest bid, the first of equal ones."""
    return max(team, key=lambda each: plain_program(each.effective(), seen)[0]).action


@pytest.mark.parametrize("which", [0, 2, 4])
def test_a_layer_that_always_chooses_one_team_plays_like_it(which):
    library = make_matches(200, seed=3)
    matches, opponent = np.arange(len(library)), rule_player(0.2, 0.4)
    always = [Program.read(which, "r[0] = exp(r[0])"), Program((which + 1) % 5, ())]
    both = [
        play_matches(library, matches, player, opponent, wants_letters=True)
        for player in (LayeredTeamPlayer(always, TEAMS), LimitTeamPlayer(TEAMS[which]))
    ]
    assert both[0].outcomes.tobytes() == both[1].outcomes.tobytes()
    assert both[0].letters == both[1].letters
    assert both[0].active.nonzero()[0].tolist() == [0]


def test_a_team_of_teams_is_printed():
    printed = str(LayeredTeamPlayer(ABOVE, TEAMS))
    assert printed.startswith("bids for team 0:")
    assert printed.count("team 4") == 3  # two programs bid for it


def test_bids_for_missing_teams_are_refused():
    with pytest.raises(ValueError, match=r"action of a program must be in 0 \.\. 1; got 2"):
        LayeredTeamPlayer(some_programs(7, (0, 2)), TEAMS[:2])
    with pytest.raises(ValueError, match=r"action of a program must be in 0 \.\. 2; got 3"):
        LayeredTeamPlayer(some_programs(7, (0, 1)), [TEAMS[0], some_programs(7, (0, 3))])
    with pytest.raises(ValueError, match=r"number of programs must be in 1 \.\. 64; got 0"):
        LayeredTeamPlayer([], TEAMS[:2])


@pytest.mark.slow
def test_the_shipped_team_of_teams_beats_its_training_opponents():
    player = agents.make("limit-layers")
    assert isinstance(player, LayeredTeamPlayer)
    assert len(player.teams) == 10
    assert {each.action for each in player.programs} <= set(range(10))
    game = nlhe_env.Game.cash(betting="fixed-limit", max_bets=4, num_hands=50)
    for name in ("loose-passive", "tight-aggressive", "tight-passive"):
        tally = agents.play([player, agents.make(name)], agents.Blocks(30), game, seed=3)
        assert tally.scores[0] > 2 * tally.errors[0], name
