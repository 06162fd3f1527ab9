from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.committed import stands_on
from tests.world.demo_house import demo_house

if TYPE_CHECKING:
    from jackpot.models import Link
    from tests.attacks.insider import House
    from tests.attacks.operator import Operator
    from tests.world.server import Server
    from tests.world.witness import RunningWitness


@pytest.fixture
@stands_on(demo_house)
def house(server: Server, settings: Any) -> House:
    """The demo venue with its links and Keno (its promotions: ``promotions.demo.build_demo``), over HTTP."""
    from kernel import redis
    from tests.attacks.insider import House

    with redis.client() as client:
        for key in client.scan_iter("throttle:*"):  # nobody has tried in this minute
            client.delete(key)
    settings.DEMO = True
    return House(server)


@pytest.fixture
def operator(witness: RunningWitness, house: House) -> Operator:
    """Root on the house's machine, beside a witness whose memory is not his."""
    from tests.attacks.operator import Operator

    return Operator(witness)


@pytest.fixture
def must_hit_by(db: None) -> Link:
    """A must-hit-by link from $50 to $60 with three tables, and a second party at hand."""
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from tests.world.mystery_link import open_mystery_link

    forget()
    ensure_gaming_days()
    return open_mystery_link()
