"""Inspectors are let in by their own authority, with codes that it signs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from house import inspectorate, sign_in, staff
from house.inspectorate import REPLACES
from house.models import InspectorateKey, Staff
from house.venue import venue
from kernel.refusal import NotSignedIn
from ledger.models import Transfer
from tests.house.conftest import Log, MakeBrowser, MakePerson
from tests.house.test_staff import session_of
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db
PASSWORD = "a password of my own"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


@pytest.fixture
def named() -> InspectorateKey:
    return inspectorate.name_inspectorate(name="The Inspectorate", public_key=public(KEY))


@pytest.fixture
def signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def make(username: str = "ines", *more: str, key: Ed25519PrivateKey = KEY, of: str = "") -> str:
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (tmp_path / "key.pem").write_bytes(pem)
        here = of or venue().code
        call_command("inspector_code", username, "Ines C.", "--key", str(tmp_path / "key.pem"), "--venue", here, *more)
        return capsys.readouterr().out.strip()

    return make


def test_an_inspector_comes_in_with_his_authoritys_code(
    named: InspectorateKey, signed: Any, browser: MakeBrowser, log: Log
) -> None:
    request = browser()
    code = signed()
    ines = inspectorate.enrol(request=request, code=code, password=PASSWORD)
    assert (staff.roles_of(ines), ines.username) == (["inspector"], "ines")
    assert sign_in.next_step(request) == "enrol"  # the second step next, and then he is in
    assert log.kinds[-2:] == ["staff.hired", "inspector.enrolled"]
    refused(lambda: inspectorate.enrol(request=browser(), code=code, password=PASSWORD), "code-not-valid", NotSignedIn)
    session_of(ines)
    inspectorate.enrol(request=browser(), code=signed(), password="another of my own")  # a telephone was lost
    assert Staff.objects.get(username="ines").check_password("another of my own")
    assert not Session.objects.filter(session_data__contains="_auth_user_id").exists()
    inspectorate.withdraw(code=signed("ines", "--withdraw"))
    assert not Staff.objects.get(username="ines").is_active


@pytest.mark.parametrize("wrong", ["key", "venue", "late", "changed", "empty", "withdrawal"])
def test_nothing_else_lets_one_in(named: InspectorateKey, signed: Any, browser: MakeBrowser, wrong: str) -> None:
    codes: dict[str, Callable[[], str]] = {
        "key": lambda: signed(key=OTHER),
        "venue": lambda: signed(of="ELSE"),
        "late": lambda: signed("ines", "--days", "-3"),
        "changed": lambda: signed()[:-4] + "AAAA",
        "empty": lambda: "mhi1..",
        "withdrawal": lambda: signed("ines", "--withdraw"),
    }
    code = codes[wrong]()
    refused(lambda: inspectorate.enrol(request=browser(), code=code, password=PASSWORD), "code-not-valid", NotSignedIn)
    assert not Staff.objects.exists()


def test_nobody_of_the_house_becomes_one(
    named: InspectorateKey, signed: Any, browser: MakeBrowser, person: MakePerson
) -> None:
    person("mona", "manager")
    code = signed("mona")
    refused(lambda: inspectorate.enrol(request=browser(), code=code, password=PASSWORD), "inspector-not-ours")
    assert staff.roles_of(Staff.objects.get()) == ["manager"]


def test_the_authority_is_named_once_and_replaced_by_itself(named: InspectorateKey, log: Log) -> None:
    def name(signature: str = "") -> None:
        call_command("inspectorate", "Another", public(OTHER), f"--signature={signature}")

    for signature in ("", "00" * 64, OTHER.sign(REPLACES + public(OTHER).encode()).hex()):
        with pytest.raises(CommandError, match="only a message signed with its key names another"):
            name(signature)
    name(KEY.sign(REPLACES + public(OTHER).encode()).hex())
    found = inspectorate.key_in_force()
    assert found is not None
    assert found.public_key == public(OTHER)
    assert log.kinds == ["inspectorate.named", "inspectorate.named"]


def test_not_once_the_books_are_in_use(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DEMO = False
    monkeypatch.setattr(Transfer.objects, "exists", lambda: True)
    with pytest.raises(CommandError, match="The books are in use"):
        call_command("inspectorate", "Me", public(KEY))
    assert not InspectorateKey.objects.exists()
