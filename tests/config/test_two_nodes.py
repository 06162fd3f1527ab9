"""Two nodes on one database: what one sells the other knows, and a node with keys of its own is sent away."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from config.services import addresses
from config.services.postgres import Postgres
from config.services.redis import Redis
from kernel.environment import ROOT
from tests.world.copies import PATIENCE, RUN, Copy, environment, own_folder, refused_start
from tests.world.server import free_port

pytestmark = pytest.mark.long


def keys_made(data: Path, **more: str) -> None:
    env = environment(data) | more
    subprocess.run([sys.executable, "-m", "config.keys", "make"], check=True, cwd=ROOT, env=env, capture_output=True)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[dict[str, str]]:
    """The servers that the nodes share, and how they are reached."""
    data = own_folder()
    services = Postgres(data, durable=False), Redis(data)
    for service in services:
        service.start()
    yield {
        "DATABASE_URL": addresses.embedded_database_url(data, addresses.RUNTIME),
        "DATABASE_OWNER_URL": addresses.embedded_database_url(data, addresses.OWNER),
        "DATABASE_SEALER_URL": addresses.embedded_database_url(data, addresses.SEALER),
        "REDIS_URL": services[1].url,
        "METERHOUSE_DEMO": "1",
    }
    for service in reversed(services):
        service.stop()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def nodes(elsewhere: dict[str, str]) -> Iterator[tuple[Copy, Copy]]:
    """A whole one, and one beside it that has everything but the witness and the right to migrate."""
    first, second = Copy(own_folder(), **elsewhere), Copy(own_folder(), **elsewhere)
    try:
        keys_made(first.data)
        shutil.copytree(first.data / "keys", second.data / "keys")
        first.start()
        witness = (first.data / "witness-address").read_text().strip()
        second.env |= {"ONLY": "web,streams,worker,beat", "WITNESS_URL": witness}
        second.start()
        yield first, second
    finally:
        for copy in (second, first):
            if hasattr(copy, "process"):
                copy.process.kill()
                psutil.wait_procs(copy.processes(), PATIENCE)
            shutil.rmtree(copy.data, ignore_errors=True)


def post(copy: Copy, path: str, body: Any, *, token: str, key: str) -> tuple[int, Any]:
    line = http.client.HTTPConnection("127.0.0.1", copy.port, timeout=60)
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": key}
    try:
        line.request("POST", f"/api/v1/{path}", json.dumps(body), sent)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()


def test_what_one_node_does_the_other_knows(nodes: tuple[Copy, Copy]) -> None:
    first, second = nodes
    made = subprocess.run(
        [sys.executable, "manage.py", "token", "writer"], check=True, cwd=ROOT, env=first.env, capture_output=True
    )
    token, key = made.stdout.decode().split()[-1], str(uuid.uuid4())
    ticket = {"numbers": [1, 2, 3], "stake": "1.00", "tender": [{"type": "cash"}]}
    status, sold = post(first, "keno/tickets", ticket, token=token, key=key)
    assert status == 201, sold
    again = post(second, "keno/tickets", ticket, token=token, key=key)
    assert again == (201, sold), "the same key at the other node is the same sale"
    code = {"security_code": sold["security_code"]}
    for node in nodes:
        path = f"keno/tickets/{sold['serial']}/look-up"
        assert post(node, path, code, token=token, key=str(uuid.uuid4()))[0] == 200
        assert node.get("/readyz") == 200
    status, refund = post(second, f"keno/tickets/{sold['serial']}/cancel", code, token=token, key=str(uuid.uuid4()))
    assert (status, refund["refund"]) == (200, "1.00")


def test_a_node_with_keys_of_its_own_or_none_is_sent_away(nodes: tuple[Copy, Copy], elsewhere: dict[str, str]) -> None:
    data = own_folder()
    more = {**elsewhere, "ONLY": "web", "PORT": str(free_port()), "WITNESS_URL": nodes[1].env["WITNESS_URL"]}
    try:
        said = refused_start(RUN, environment(data, **more))
        assert "is missing: restore" in said
        keys_made(data, METERHOUSE_KEY_INSPECTOR_ESCROW="0" * 64)
        strange = environment(data, METERHOUSE_KEY_INSPECTOR_ESCROW="0" * 64, **more)
        done = subprocess.run(RUN, check=False, cwd=ROOT, env=strange, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1
        assert "here is not the one that this house's log names" in done.stdout
        assert "Traceback" not in done.stdout + done.stderr
    finally:
        shutil.rmtree(data, ignore_errors=True)
