"""The calls of a Keno counter. Money is text with two decimals, ``"2.00"``; what makes a ticket: the API guide."""

from __future__ import annotations

from typing import cast

from meterhouse_client import keno_shapes as shapes
from meterhouse_client.calls import Asks, at
from meterhouse_client.problems import Json

ROOM = "keno"


class Keno:
    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    def quote(self, ticket: shapes.KenoTicketIn) -> shapes.KenoQuoteOut:
        """What it would cost; changes nothing."""
        return cast("shapes.KenoQuoteOut", self._asks.look(at(ROOM, "quote"), cast("Json", ticket)))

    def sell(self, ticket: shapes.KenoTicketIn, *, key: str | None = None) -> shapes.KenoSoldOut:
        return cast("shapes.KenoSoldOut", self._asks.post(at(ROOM, "tickets"), cast("Json", ticket), key=key))

    def ticket(self, serial: str) -> shapes.KenoTicketResultOut:
        """What is printed on it; what it won is for whoever has it in hand (``look_up``)."""
        return cast("shapes.KenoTicketResultOut", self._asks.get(at(ROOM, "tickets", serial)))

    def look_up(self, serial: str, security_code: str) -> shapes.KenoTicketResultOut:
        code: Json = {"security_code": security_code}
        return cast("shapes.KenoTicketResultOut", self._asks.look(at(ROOM, "tickets", serial, "look-up"), code))

    def cancel(self, serial: str, body: shapes.KenoCancelIn, *, key: str | None = None) -> shapes.KenoCancelledOut:
        path = at(ROOM, "tickets", serial, "cancel")
        return cast("shapes.KenoCancelledOut", self._asks.post(path, cast("Json", body), key=key))

    def pay(self, serial: str, body: shapes.KenoPayIn, *, key: str | None = None) -> shapes.KenoPaidOut:
        path = at(ROOM, "tickets", serial, "pay")
        return cast("shapes.KenoPaidOut", self._asks.post(path, cast("Json", body), key=key))

    def print(self, serial: str, body: shapes.KenoPrintIn, *, key: str | None = None) -> shapes.KenoPrintedOut:
        """Once: a second paper is a supervisor's, and marked."""
        path = at(ROOM, "tickets", serial, "print")
        return cast("shapes.KenoPrintedOut", self._asks.post(path, cast("Json", body), key=key))

    def redeem(self, code: str, body: shapes.KenoRedeemIn, *, key: str | None = None) -> shapes.KenoVoucherOut:
        path = at(ROOM, "vouchers", code, "redeem")
        return cast("shapes.KenoVoucherOut", self._asks.post(path, cast("Json", body), key=key))

    def current_game(self) -> shapes.KenoGameStateOut:
        return cast("shapes.KenoGameStateOut", self._asks.get(at(ROOM, "games", "current")))

    def game(self, number: int) -> shapes.KenoGameStateOut:
        return cast("shapes.KenoGameStateOut", self._asks.get(at(ROOM, "games", number)))

    def open_shift(self, body: shapes.KenoShiftIn, *, key: str | None = None) -> shapes.KenoShiftOut:
        return cast("shapes.KenoShiftOut", self._asks.post(at(ROOM, "shifts"), cast("Json", body), key=key))

    def current_shift(self) -> shapes.KenoShiftOut:
        return cast("shapes.KenoShiftOut", self._asks.get(at(ROOM, "shifts", "current")))

    def close_shift(self, number: int, body: shapes.KenoDrawerIn, *, key: str | None = None) -> shapes.KenoDrawerOut:
        path = at(ROOM, "shifts", number, "close")
        return cast("shapes.KenoDrawerOut", self._asks.post(path, cast("Json", body), key=key))
