from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.committed import stands_on
from tests.world.demo_house import demo_house

if TYPE_CHECKING:
    from tests.clients.counter import Counter
    from tests.world.server import Server


@pytest.fixture
@stands_on(demo_house)
def counter(server: Server, settings: Any, tmp_path: Path) -> Iterator[Counter]:
    """A writer's terminal at the demo venue, over a line that the test may spoil."""
    from house.devices import service_token
    from tests.clients.counter import Counter
    from tests.world.bad_line import bad_line

    settings.DEMO = True
    server.send("GET", "/healthz")  # the copy forgets the test before
    with bad_line(server.port) as line:
        yield Counter(line, token=service_token(role="writer").secret, journal=tmp_path / "counter.journal")
