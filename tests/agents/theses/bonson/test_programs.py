"""Teams of programs: text, introns, the interpreter against plain Python, players and files."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import choose
from hypothesis import example, given
from hypothesis import strategies as st
from programs import plain_program, random_team

import agents
from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    OPERATORS,
    Instruction,
    Program,
    run_program,
)
from agents.theses.bonson.programs.team_players import TeamPlayer

# The two programs that the thesis prints (section 4.1.2).
PRINTED = (
    ("r[0] = r[0] + i[2]", "r[0] = r[0] / i[9]"),
    (
        "r[3] = r[3] + i[13]",
        "if r[3] >= r[0]:",
        "    if r[3] < i[3]:",
        "        r[0] = ln(r[0])",
    ),
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


def test_a_saved_team_is_the_same_player(tmp_path):
    team = random_team(1)
    agents.save_player(tmp_path / "team.npz", team)
    again = agents.load_player(tmp_path / "team.npz")
    assert isinstance(again, TeamPlayer)
    assert again.programs == team.programs
    assert str(again) == str(team)


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
