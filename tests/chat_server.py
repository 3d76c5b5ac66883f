"""A server of chat completions on the loopback that does as it is told."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep  # which tests replace for the client
from typing import Any

Answer = Callable[[dict[str, Any]], "str | Raw"]


@dataclass
class Raw:
    """An answer as it goes over the wire."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """Promised length, if it is another than that of the body."""
    pause: float = 0.0
    """Seconds before every byte."""


@dataclass
class Server:
    """The server, and what it has been asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def completion(text: str | None, tokens: tuple[int, int] | None = (100, 10)) -> Raw:
    """An answer of a model."""
    response: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    if tokens is not None:
        response["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return Raw(body=json.dumps(response).encode())


@contextmanager
def chat_server(*answers: str | Raw | Answer) -> Iterator[Server]:
    """A server that gives these answers in turn, and the last one for ever.

    A text is what a model says; a function makes the answer of the request.
    """
    server = Server("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.headers.append(dict(self.headers))
            server.paths.append(self.path)
            answer: Any = answers[min(len(server.requests), len(answers)) - 1]
            if callable(answer):
                answer = answer(request)
            reply = completion(answer) if isinstance(answer, str) else answer
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            length = len(reply.body) if reply.length is None else reply.length
            self.send_header("Content-Length", str(length))
            self.end_headers()
            try:
                if not reply.pause:
                    self.wfile.write(reply.body)
                    return
                for byte in reply.body:
                    sleep(reply.pause)
                    self.wfile.write(bytes([byte]))
            except OSError:  # the client has gone
                return

        def log_message(self, *_: Any) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_port}/v1"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()
