"""People of the demo venue, signed in the way people sign in: password, then a code of the second step.

Rooms are imported inside the fixtures: pytest reads this file before Django is set up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from tests.console.browser import Person


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


@pytest.fixture
def stocked(venue: None) -> dict[str, str]:
    """Something behind every number in the addresses; the answer says what it is called here."""
    from tests.console.addresses import stock

    return stock()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.browser import chromium

    with chromium() as running:
        yield running


@pytest.fixture
def person(browser: Any, live_server: Any, transactional_db: None) -> Iterator[Callable[..., Person]]:
    """People at screens of their own, in the demo venue."""
    from house import demo, gaming_days
    from tests.console.browser import Person

    gaming_days.forget()
    demo.build_demo()
    here: list[Person] = []

    def arrive(username: str | None = None, **screen: Any) -> Person:
        somebody = Person(browser, live_server.url, **screen)
        here.append(somebody)
        return somebody.sign_in(username) if username else somebody

    yield arrive
    for somebody in here:
        somebody.leave()
