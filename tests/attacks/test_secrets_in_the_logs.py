"""Somebody who reads the logs makes the house stumble while others type their passwords and codes, and looks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from house.devices import provisioning_code, register_device
from kernel.actors import Actor
from tests.attacks.counter import sell
from tests.attacks.insider import House, Person
from tests.world.served.breaking import HEADER
from tests.world.server import ROOT, database_url, free_port

PASSWORD = "Correct-Horse-Battery-17"
WAYS = ("error", "row", "value")


def logs(house: House, config: pytest.Config) -> str:
    """Everything that the running copy and its database have written down."""
    services: Any = config.pluginmanager.get_plugin("meterhouse-services")
    files = [house.server.log, *Path(services.data).glob("log/*.log")]
    return "\n".join(file.read_text(errors="replace") for file in files)


def test_a_stumble_tells_where_and_not_what(house: House, pytestconfig: pytest.Config) -> None:
    writer = house.insider("writer")
    assert writer.token
    sold = sell(writer)
    reference = f"{sold['serial']}:{sold['security_code']}"
    with house.unchanged():
        for way in WAYS:
            body = {"numbers": [1], "stake": "1.00", "tender": [{"type": "ticket", "reference": reference}]}
            answer = writer.post("keno/tickets", body, **{HEADER: way})
            assert answer.status in (400, 500)
            assert answer.body["code"] in ("unexpected", "malformed")
            assert reference not in str(answer.body)
            page = Person(house.server).post("/sign-in/", {"username": "m", "password": PASSWORD}, **{HEADER: way})
            assert page.status in (400, 500)
            assert "Traceback" not in page.body
            assert PASSWORD not in page.body
    manager = Actor("staff:manager", "Manager", frozenset({"devices.manage"}))
    device = register_device(name="Counter 9", kind="writer-terminal", by=manager)
    secret = provisioning_code(code=device.code, by=manager).secret
    issued = house.stranger().post("devices/provision", {"code": secret}).ok()
    for query in (f"next=/&code={secret}", f"token={writer.token}", "password=Open-Sesame"):
        for path in ("/sign-in/", "/api/v1/me", "/nowhere"):
            house.stranger().get(f"{path}?{query}")

    written = logs(house, pytestconfig)
    assert "something that nobody thought of" in written
    assert "house/sign_in.py" in written  # where it was
    for hidden in (PASSWORD, sold["security_code"], writer.token, secret, issued["token"], "Open-Sesame"):
        assert hidden not in written
        assert hidden[-12:] not in written


WORKER = """
import django
django.setup()
from config.celery import app
from django.conf import settings
from django.db import connection

settings.DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 0.5

@app.task(name="tests.fails")
def fails(password):
    code = f"{password} is the code"
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::int", [code])

fails.apply(args=["Swordfish-99"])
"""


@pytest.mark.django_db
def test_nor_does_a_task_that_fails_or_a_database_that_is_away() -> None:
    """In a process of its own, as a worker's: its database is there, and then it is another that does not answer."""
    surroundings = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    away = f"postgresql://meter:Sword%2Ffish-99@127.0.0.1:{free_port()}/house"
    for address, error in ((database_url(), "invalid input syntax"), (away, "connection")):
        env = surroundings | {"DATABASE_URL": address}
        command = [sys.executable, "-c", WORKER]
        done = subprocess.run(command, check=False, cwd=ROOT, env=env, capture_output=True, text=True)
        said = done.stdout + done.stderr
        assert "tests.fails" in said
        assert error in said
        for hidden in ("Swordfish-99", "Sword/fish-99", "Sword%2Ffish-99"):
            assert hidden not in said
