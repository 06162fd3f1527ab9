"""People of the demo venue, signed in as after both steps of the door.

Rooms are imported inside the fixtures: pytest reads this file before Django is set up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.worlds import kept

if TYPE_CHECKING:
    from django.test import Client

    from tests.console.browser import Person


@pytest.fixture(autouse=True)
def demo_on(settings: Any) -> None:
    settings.DEMO = True


def build_venue() -> None:
    from django.test import override_settings

    from house import demo, gaming_days

    gaming_days.forget()  # what this process remembers of another test's days
    with override_settings(DEMO=True):
        demo.build_demo()


venue = kept(build_venue)


@pytest.fixture
def signed_in(venue: None) -> Callable[[str], Client]:
    from tests.world.demo import sign_in

    return sign_in


@pytest.fixture
def person(browser: Any, live_server: Any, transactional_db: None) -> Iterator[Callable[..., Person]]:
    """People at screens of their own, in the demo venue, signed in already where they have a name."""
    from house import demo, gaming_days
    from tests.console.browser import Person

    gaming_days.forget()
    demo.build_demo()
    here: list[Person] = []

    def arrive(username: str | None = None, **screen: Any) -> Person:
        somebody = Person(browser, live_server.url, **screen)
        here.append(somebody)
        return somebody.enter(username) if username else somebody

    yield arrive
    for somebody in here:
        somebody.leave()
