"""What web serves, with the tests' own settings."""

import os
from collections.abc import Iterable
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.world.served.settings"

from config.wsgi import door
from tests.world.served import breaking, killing, worst_moments

_ASKS = [
    f"HTTP_{header.upper().replace('-', '_')}"
    for header in (breaking.HEADER, killing.HEADER, worst_moments.HOLD, worst_moments.UNLOCKED)
]


def application(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """What a test asks for is done by middleware, so that such a request goes step by step, past the door."""
    asks = any(header in environ for header in _ASKS)
    answer: Iterable[bytes] = (door.application if asks else door)(environ, start)
    return answer


__all__ = ["application"]
