"""The example package for verifiers: an evaluation from its command line to the rewards."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chat_server import Raw, chat_server
from client_libraries import need

need("verifiers.v1")

PACKAGE = Path(__file__).parents[2] / "examples" / "verifiers_holdem"
EVAL = "from verifiers.v1.cli.eval.main import main; main()"


def streamed(text):
    """An answer in the form of a stream, for which the library asks."""
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    chunks = [{**base, "choices": [delta]}, {**base, "choices": [end]}]
    chunks.append({**base, "choices": [], "usage": usage})
    lines = [*map(json.dumps, chunks), "[DONE]"]
    body = "".join(f"data: {line}\n\n" for line in lines).encode()
    return Raw(body=body, headers={"Content-Type": "text/event-stream"})


@pytest.mark.parametrize("variance_reduction", ["none", "aivat"])
def test_two_models_play_and_are_rewarded(variance_reduction, tmp_path):
    def answer(request):
        turn = request["messages"][-1]["content"]
        action = "call" if "- call" in turn else "check"
        return streamed(f'I {action}.\n```json\n{{\n "action": "{action}"\n}}\n```\nDone.')

    path = os.pathsep.join([str(PACKAGE), *sys.path])
    with chat_server(answer) as server:
        command = [
            *(sys.executable, "-c", EVAL, "verifiers_holdem", "-m", "m", "--no-push"),
            *("--select.limit", "1", "--output-dir", str(tmp_path)),
            *("--env.variance-reduction", variance_reduction),
            *("--client.base-url", server.url, "--client.api-key-var", "NLHE_ENV_TEST_KEY"),
        ]
        environment = {**os.environ, "PYTHONPATH": path, "NLHE_ENV_TEST_KEY": "no secret"}
        subprocess.run(command, check=True, env=environment, cwd=tmp_path, timeout=300)
    assert "You play Texas hold'em" in server.requests[0]["messages"][0]["content"]
    (file,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    assert [len(episode["traces"]) for episode in episodes] == [2]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    rewards = [trace["rewards"]["big_blinds"]["score"] for trace in traces]
    metrics = [trace["metrics"] for trace in traces]
    plain = [each["plain_big_blinds"] for each in metrics]
    assert sum(rewards) == pytest.approx(0)
    assert sum(plain) == pytest.approx(0)
    assert (rewards == plain) == (variance_reduction == "none")
    assert {each["decisions"] for each in metrics} == {4.0}  # a street each
    assert {each["illegal"] for each in metrics} == {0.0}
