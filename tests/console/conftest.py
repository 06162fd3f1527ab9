"""People of the demo venue, signed in the way people sign in: password, then a code of the second step.

Rooms are imported inside the fixtures: pytest reads this file before Django is set up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client


@pytest.fixture(autouse=True)
def plain_passwords(settings: Any) -> None:
    """Argon2 is slow on purpose; what is tested here is the pages."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.DEMO = True


@pytest.fixture
def venue(db: None) -> None:
    from house import demo, gaming_days

    gaming_days.forget()  # what this process remembers of another test's days
    demo.build_demo()


@pytest.fixture
def signed_in(venue: None) -> Callable[[str], Client]:
    from django.test import Client

    from tests.console.people import credential

    def sign_in(username: str) -> Client:
        client, person = Client(), credential(username)
        answer = client.post("/sign-in/", {"username": username, "password": person.password})
        assert answer.headers["Location"] == "/sign-in/second-step/"
        answer = client.post("/sign-in/second-step/", {"code": person.code})
        assert answer.status_code == 302
        return client

    return sign_in
