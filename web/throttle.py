"""How often an address may ask. Counted in Redis, across processes.

Where Redis is away, a guess that must not be made is not allowed at all; what only costs us work is counted by each
process for itself.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from django.http import HttpRequest
from redis import RedisError

from kernel import redis
from web.address import address_of
from web.problems import TooMany, Unavailable

WINDOW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Throttle:
    """At most *tries* a minute from one address."""

    what: str
    tries: int
    closed_without_counter: bool = True
    _here: Counter[str] = field(default_factory=Counter, compare=False, repr=False)

    def count(self, request: HttpRequest) -> None:
        now = time.time()
        key = f"throttle:{self.what}:{address_of(request)}:{int(now) // WINDOW_SECONDS}"
        if self._counted(key) > self.tries:
            left = WINDOW_SECONDS - int(now) % WINDOW_SECONDS
            raise TooMany("too-many-tries", f"At most {self.tries} tries a minute.", retry_after_seconds=left)

    def _counted(self, key: str) -> int:
        try:
            with redis.client() as client, client.pipeline() as pipe:
                pipe.incr(key)
                pipe.expire(key, WINDOW_SECONDS)
                return int(pipe.execute()[0])
        except RedisError:
            if self.closed_without_counter:
                raise Unavailable("unavailable", "Tries cannot be counted just now, so none is allowed.") from None
        if key not in self._here and len(self._here) > 10_000:
            self._here.clear()  # of minutes that are over, mostly
        self._here[key] += 1
        return self._here[key]
