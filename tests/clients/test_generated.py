"""A public generator makes a working client from the API's document: one that sells a ticket at the running copy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.clients.counter import Counter
from tests.world.fuzzing import written as document

pytestmark = pytest.mark.django_db(transaction=True)
A_FEW = {"sellTicket", "getCurrentGame", "getMe"}
SELLS = """
import sys
from generated import AuthenticatedClient
from generated.api.keno import get_current_game, sell_ticket
from generated.models import KenoSoldOut, KenoTicketIn, Problem

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
game = get_current_game.sync(client=client)
sold = sell_ticket.sync(client=client, body=KenoTicketIn(numbers=[3, 14, 15], stake="2.00"), idempotency_key="k-1")
assert isinstance(sold, KenoSoldOut), sold
assert sold.first_game == game.number
refused = sell_ticket.sync(client=client, body=KenoTicketIn(numbers=[81], stake="2.00"), idempotency_key="k-2")
assert isinstance(refused, Problem), refused
print(sold.serial)
"""


def generate(described: dict[str, Any], folder: Path) -> None:
    (folder / "openapi.json").write_text(json.dumps(described))
    (folder / "config.yaml").write_text("post_hooks: []\n")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none"]
    command += ["--config", "config.yaml", "--output-path", "generated", "--fail-on-warning"]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr


def sells(counter: Counter, folder: Path) -> None:
    command = [sys.executable, "-c", SELLS, counter.line.address, counter.token]
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert counter.sold() == [done.stdout.strip()]


def some(whole: dict[str, Any]) -> dict[str, Any]:
    """A few calls of the document with every type that they need."""
    part = deepcopy(whole)
    part["paths"] = {
        path: kept
        for path, methods in part["paths"].items()
        if (kept := {name: call for name, call in methods.items() if call["operationId"] in A_FEW})
    }
    schemas = part["components"].pop("schemas")
    needed: set[str] = set()
    waiting = {"Problem", *_refs(part)}
    while waiting:
        needed |= waiting
        waiting = {name for each in waiting for name in _refs(schemas[each])} - needed
    part["components"]["schemas"] = {name: schemas[name] for name in schemas if name in needed}
    return part


def _refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "/schemas/" in (ref := str(node.get("$ref", ""))):
            yield ref.rpartition("/")[2]
        for inner in node.values():
            yield from _refs(inner)
    elif isinstance(node, list):
        for each in node:
            yield from _refs(each)


def test_some_calls_generated_sell_a_ticket(counter: Counter, tmp_path: Path) -> None:
    generate(some(document()), tmp_path)
    sells(counter, tmp_path)


@pytest.mark.long
def test_everything_generated_sells_a_ticket(counter: Counter, tmp_path: Path) -> None:
    generate(document(), tmp_path)
    calls = {path.stem for path in tmp_path.glob("generated/api/*/*.py")} - {"__init__"}
    assert len(calls) == sum(len(methods) for methods in document()["paths"].values())
    sells(counter, tmp_path)
