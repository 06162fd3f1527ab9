"""Requests from so many clients at once: by ``wrk`` where it is installed (Debian has it), else by a client of ours."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

import psutil

HOST = "127.0.0.1"

# A new request key for each request, the tokens in turn. What it found is the last line that it prints.
_WRK = """
wrk.method = "POST"
wrk.body = %(body)s
local tokens = {%(tokens)s}
local sent, started = 0, %(started)d
function request()
  sent = sent + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. tokens[sent %% #tokens + 1],
    ["Idempotency-Key"] = started .. "-" .. sent,
  }
  return wrk.format(nil, nil, headers)
end
function done(summary, latency)
  local refused = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  print(string.format('{"requests": %%d, "seconds": %%f, "p99": %%f, "refused": %%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e6, refused))
end
"""


@dataclass(frozen=True, slots=True)
class Load:
    requests: int
    seconds: float
    p99: float  # seconds
    client: float  # seconds of processor that the client took


def client_name() -> str:
    return "wrk" if shutil.which("wrk") else "our own client"


def hammer(port: int, path: str, body: str, tokens: Sequence[str], seconds: float) -> Load:
    """As many clients as tokens, each sending one request after the other."""
    if shutil.which("wrk"):
        return _by_wrk(port, path, body, tokens, seconds)
    began = time.process_time()
    taken = _by_threads(port, path, body, tokens, seconds)
    return Load(len(taken), seconds, quantiles(taken, n=100)[98], time.process_time() - began)


def _by_wrk(port: int, path: str, body: str, tokens: Sequence[str], seconds: float) -> Load:
    script = _WRK % {"body": json.dumps(body), "tokens": ", ".join(map(json.dumps, tokens)), "started": time.time_ns()}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        before = psutil.Process().cpu_times()
        said = subprocess.run(
            ["wrk", "-t1", f"-c{len(tokens)}", f"-d{seconds:.0f}s", "-s", file.name, f"http://{HOST}:{port}{path}"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        after = psutil.Process().cpu_times()
    found = json.loads(said.strip().splitlines()[-1])
    if found["refused"]:
        raise RuntimeError(said)
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Load(found["requests"], found["seconds"], found["p99"], spent)


def _by_threads(port: int, path: str, body: str, tokens: Sequence[str], seconds: float) -> list[float]:
    """How long each request took."""
    taken: list[list[float]] = [[] for _ in tokens]
    until = time.perf_counter() + seconds

    def client(place: int, token: str) -> None:
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        while (started := time.perf_counter()) < until:
            key = f"{time.time_ns()}-{place}"
            connection.request("POST", path, body, {**headers, "Idempotency-Key": key})
            answer = connection.getresponse()
            said = answer.read()
            if answer.status != 201:
                raise RuntimeError(f"{answer.status}: {said[:300]!r}")
            taken[place].append(time.perf_counter() - started)
        connection.close()

    threads = [threading.Thread(target=client, args=pair) for pair in enumerate(tokens)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for each in taken for one in each]
