"""Parts of the house on machines of their own: what each is told, what it refuses, what it never makes in passing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import override_settings
from kombu.utils.url import _parse_url

from config import keys as house_keys
from config import nodes
from config.services import addresses
from kernel import environment, keys
from kernel.environment import ROOT, Trouble

ELSEWHERE = {
    "DATABASE_URL": "postgresql://meter:secret@db/house",
    "REDIS_URL": "redis://cache/0",
    "WITNESS_URL": "https://witness.example.com",
}


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ELSEWHERE.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("elsewhere")
def test_a_node_runs_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for only, programs, prepares in (
        ("", set(keys.PROGRAMS), True),
        ("web,streams", {"web", "streams"}, False),
        ("worker", {"worker", "sealer"}, False),  # where there are workers there is a sealer
        (" beat , sealer ", {"beat", "sealer"}, False),
        ("prepare", set[str](), True),
        ("witness", set[str](), False),
    ):
        monkeypatch.setenv("ONLY", only)
        mine = nodes.share()
        assert (set(mine.programs), mine.prepares) == (programs, prepares), only
        assert mine.only_witness == (only == "witness")


def test_and_says_in_a_sentence_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    for only, sentence in (
        ("web", "A node that runs only a part of the house needs DATABASE_URL and REDIS_URL and WITNESS_URL."),
        ("web,draws", "ONLY may name prepare, web, streams, worker, beat, sealer, witness, not “draws”."),
        ("web,witness", "ONLY=witness stands alone: a witness on a machine of the house binds nobody."),
    ):
        monkeypatch.setenv("ONLY", only)
        with pytest.raises(Trouble, match=re.escape(sentence)):
            nodes.share()
    monkeypatch.setenv("HOST", "everywhere")
    with pytest.raises(Trouble, match="HOST must be an address of this machine"):
        environment.host()


@pytest.mark.usefixtures("elsewhere")
def test_a_node_without_a_key_makes_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METERHOUSE_KEYS", str(tmp_path / "keys"))
    with pytest.raises(Trouble, match=r"The key .* is missing: restore .*, or in a new house make it with “python -m"):
        house_keys.ensure(["web"])
    assert not (tmp_path / "keys").exists()
    monkeypatch.setenv("METERHOUSE_KEY_INSPECTOR_ESCROW", "0" * 64)
    house_keys.make()
    house_keys.ensure()
    for sealing in (tmp_path / "keys" / "seals").iterdir():
        sealing.unlink()
    (tmp_path / "keys" / "export").unlink()
    house_keys.ensure(["web", "streams"])  # neither seals nor exports
    with pytest.raises(Trouble, match="The key seals"):
        house_keys.ensure(["sealer"])
    with pytest.raises(Trouble, match="The key export"):
        house_keys.ensure(["worker"])
    assert not list((tmp_path / "keys" / "seals").iterdir())


def test_demo_people_are_for_the_embedded_database_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("METERHOUSE_DEMO")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert environment.demo()
    monkeypatch.setenv("DATABASE_URL", ELSEWHERE["DATABASE_URL"])
    assert not environment.demo()
    monkeypatch.setenv("METERHOUSE_DEMO", "1")
    assert environment.demo()


def test_an_address_of_two_servers_means_the_one_that_is_written_to() -> None:
    pair = addresses.django_database("postgresql://meter:a%2Fb@db1:5432,db2:5433/house?sslmode=require")
    assert (pair["HOST"], pair["PORT"], pair["USER"], pair["PASSWORD"], pair["NAME"]) == (
        *("db1,db2", "5432,5433", "meter", "a/b", "house"),
    )
    options: dict[str, Any] = pair["OPTIONS"]
    assert (options["target_session_attrs"], options["sslmode"]) == ("read-write", "require")
    one = addresses.django_database("postgresql://meter@%2Frun%2Fpg/house?target_session_attrs=any")
    assert (one["HOST"], one["OPTIONS"]) == ("/run/pg", {"target_session_attrs": "any"})


def test_celery_finds_a_redis_at_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    monkeypatch.setenv("REDIS_URL", "unix:///run/redis.sock?db=3")
    assert addresses.broker_url() == "redis+socket:///run/redis.sock?virtual_host=3"
    monkeypatch.setenv("REDIS_URL", "unix://:se%2Fcret@/run/redis.sock")
    *_, password, path, query = _parse_url(addresses.broker_url())
    assert (password, path, query) == ("se/cret", "run/redis.sock", {"virtual_host": "0"})
    monkeypatch.setenv("CELERY_BROKER_URL", "amqp://guest@mq//")
    assert addresses.broker_url() == "amqp://guest@mq//"


def test_a_check_before_the_doors_open_names_everything_that_is_not_fit() -> None:
    def found() -> set[str]:
        return {str(message.id) for message in run_checks(include_deployment_checks=True) if not message.is_silenced()}

    with override_settings(DEMO=True, HTTPS=False, WITNESS_URL="", PUBLIC_URL="http://x", ALLOWED_HOSTS=["*"]):
        assert {"config.E010", "config.W012", "config.W013", "config.W014", "config.W015"} <= found()


FIT = {
    "METERHOUSE_DEMO": "0",
    "METERHOUSE_HTTPS": "1",
    "METERHOUSE_PUBLIC_URL": "https://keno.example.com",
    "DATABASE_OWNER_URL": "postgresql://owner:s@db/house",
    "DATABASE_SEALER_URL": "postgresql://sealer:s@db/house",
    **ELSEWHERE,
}


def test_and_finds_nothing_at_a_house_that_is() -> None:
    """As it is called, in a process that has read these settings."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        check=False,
        cwd=ROOT,
        env=os.environ | FIT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
