"""The calls of a table with a jackpot: rounds that a dealer plays, and what a controller counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast
from urllib.parse import urlsplit

from meterhouse_client import jackpot_shapes as shapes
from meterhouse_client.calls import Asks, at
from meterhouse_client.problems import Json

ROOM = "jackpot"


class Jackpot:
    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    def pools(self) -> Iterator[shapes.JackpotPoolRow]:
        """Every link, page after page."""
        path = at(ROOM, "pools")
        while True:
            page = cast("dict[str, Json]", self._asks.get(path))
            yield from cast("list[shapes.JackpotPoolRow]", page["results"])
            if not (following := page["next"]):
                return
            path = f"{at(ROOM, 'pools')}?{urlsplit(str(following)).query}"

    def pool(self, code: str) -> shapes.JackpotPoolOut:
        return cast("shapes.JackpotPoolOut", self._asks.get(at(ROOM, "pools", code)))

    def start_round(self, table: str, body: shapes.JackpotRoundIn, *, key: str | None = None) -> shapes.JackpotRoundOut:
        path = at(ROOM, "tables", table, "rounds")
        return cast("shapes.JackpotRoundOut", self._asks.post(path, cast("Json", body), key=key))

    def finish_round(
        self, number: int, body: shapes.JackpotFinishIn, *, key: str | None = None
    ) -> shapes.JackpotFinishedOut:
        path = at(ROOM, "rounds", number, "finish")
        return cast("shapes.JackpotFinishedOut", self._asks.post(path, cast("Json", body), key=key))

    def void_round(self, number: int, body: shapes.JackpotVoidIn, *, key: str | None = None) -> shapes.JackpotRoundOut:
        path = at(ROOM, "rounds", number, "void")
        return cast("shapes.JackpotRoundOut", self._asks.post(path, cast("Json", body), key=key))

    def heartbeat(self, table: str) -> shapes.JackpotHeardOut:
        return cast("shapes.JackpotHeardOut", self._asks.post(at(ROOM, "tables", table, "heartbeat")))

    def contribute(
        self, messages: Sequence[shapes.JackpotContributionIn], *, key: str | None = None
    ) -> shapes.JackpotCountedOut:
        """Each id counts once ever; look at ``held``, ``refused`` and ``conflicts`` of the answer."""
        body = cast("Json", list(messages))
        return cast("shapes.JackpotCountedOut", self._asks.post(at(ROOM, "contributions"), body, key=key))

    def read_meters(
        self, readings: Sequence[shapes.JackpotReadingIn], *, key: str | None = None
    ) -> shapes.JackpotMetersOut:
        body = cast("Json", list(readings))
        return cast("shapes.JackpotMetersOut", self._asks.post(at(ROOM, "meters"), body, key=key))
