"""How often an address may try. Counted in Redis, across processes; where Redis is away nobody may try."""

from __future__ import annotations

import time
from dataclasses import dataclass

from redis import RedisError
from rest_framework.request import Request

from config import redis
from house.api.problems import TooMany, Unavailable

MINUTE = 60


@dataclass(frozen=True, slots=True)
class Throttle:
    """At most *tries* a minute from one address."""

    what: str
    tries: int

    def count(self, request: Request) -> None:
        window = int(time.time()) // MINUTE
        key = f"throttle:{self.what}:{request.META.get('REMOTE_ADDR', '')}:{window}"
        try:
            with redis.client() as client, client.pipeline() as pipe:
                pipe.incr(key)
                pipe.expire(key, MINUTE)
                count = pipe.execute()[0]
        except RedisError:
            raise Unavailable("unavailable", "Tries cannot be counted just now, so none is allowed.") from None
        if count > self.tries:
            raise TooMany("too-many-tries", f"At most {self.tries} tries a minute. Wait a minute.")
