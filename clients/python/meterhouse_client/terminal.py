"""A terminal: it asks until it is answered, under one key a request, and remembers what it asked.

with Terminal("https://house.example", token=token, journal="counter-1.journal") as counter:
    for asked in counter.unanswered():
        counter.settle(asked)
    ticket = counter.keno.sell({"numbers": [3, 14, 15], "stake": "2.00"})
"""

from __future__ import annotations

import random
import ssl
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast
from urllib.parse import quote

from meterhouse_client.jackpot import Jackpot
from meterhouse_client.journal import Asked, Journal
from meterhouse_client.keno import Keno
from meterhouse_client.line import LOST, Answer, Line
from meterhouse_client.problems import Json, NotAnswered, NotYet, Refused, Trouble

KEY: Final = "Idempotency-Key"
FIRST_PAUSE_SECONDS: Final = 0.2
PAUSE_SECONDS_LIMIT: Final = 5.0
# The house ends what stands still in a transaction after a minute: what is not done by then will not be.
UNDER_WAY_SECONDS: Final = 300.0
# Given before the house looks under the key, so they say nothing of an earlier request whose answer was lost.
SAYS_NOTHING_OF_BEFORE: Final = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a request: what it was answered, then or now."""

    asked: Asked
    status: int
    answer: Json

    @property
    def done(self) -> bool:
        return self.status < 400


class Terminal:
    def __init__(
        self,
        address: str,
        *,
        token: str,
        journal: str | Path,
        patience_seconds: float = 30.0,
        timeout_seconds: float = 10.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._line = Line(address, token=token, timeout_seconds=timeout_seconds, context=tls)
        self._patience_seconds = patience_seconds
        self.journal = Journal(journal)
        self._identity = ""
        self._held = threading.local()
        self.keno = Keno(self)
        self.jackpot = Jackpot(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._line.hang_up()
        self.journal.close()

    @property
    def identity(self) -> str:
        """What the house knows this terminal by: ``device:W-0001``. Asked once."""
        if not self._identity:
            self._identity = str(cast("dict[str, Json]", self.get("me"))["identity"])
        return self._identity

    def get(self, path: str) -> Json:
        """A call that only looks; asked again until it is answered."""
        return _said(self._until_answered("GET", path, None, key=None)[0])

    def look(self, path: str, body: Json = None) -> Json:
        """A POST that changes nothing (``keno/quote``): it needs no key."""
        return _said(self._until_answered("POST", path, body, key=None)[0])

    def post(self, path: str, body: Json = None, *, key: str | None = None) -> Json:
        """A call that does something: in the journal before it is sent, under one key until it is answered.

        ``NotAnswered`` where patience ends: then it stays in the journal, for ``unanswered`` and ``settle``.
        """
        asked = self.journal.write(
            key=key or str(uuid.uuid4()), whose=self.identity, method="POST", path=path, body=body
        )
        answer, settles = self._until_answered("POST", path, body, key=asked.key)
        if settles:
            self._done(asked.key)
        return _said(answer)

    @contextmanager
    def until_done(self) -> Iterator[None]:
        """What is asked within stays in the journal until the block ends well: until the ticket is printed, say."""
        if getattr(self._held, "keys", None) is not None:
            raise NotYet("One block that is to end well cannot be within another.")
        self._held.keys = []
        try:
            yield
            for key in self._held.keys:
                self.journal.done(key)
        finally:
            self._held.keys = None

    def unanswered(self) -> list[Asked]:
        """What was asked, by this run or one before it, and is not done with; the oldest first."""
        return self.journal.unanswered()

    def settle(self, asked: Asked) -> Settled:
        """Find out what became of it. Where nothing has been done under its key, it is asked again, under its key."""
        known = self.what_became_of(asked)
        if known is None:
            answer, settles = self._until_answered(asked.method, asked.path, asked.body, key=asked.key, lost=True)
            if not settles:
                raise Refused(answer.status, _document(answer))
            known = Settled(asked, answer.status, answer.body)
        self._done(asked.key)
        return known

    def what_became_of(self, asked: Asked) -> Settled | None:
        """None: nothing so far. It may still be under way. Changes nothing, here or there."""
        self._own(asked)
        answer, _ = self._until_answered("GET", f"requests/{quote(asked.key, safe='')}", None, key=None)
        if answer.status == 404 and _document(answer).get("code") == "request-unknown":
            return None
        kept = cast("dict[str, Json]", _said(answer))
        return Settled(asked, cast("int", kept["status"]), kept["answer"])

    def abandon(self, asked: Asked) -> None:
        """Ask it no more: the customer has gone. Refused while it may be under way, and where the house has done it."""
        if (age_seconds := time.time() - asked.at) < UNDER_WAY_SECONDS:
            raise NotYet(
                f"It was asked {age_seconds:.0f} s ago and may still be under way: "
                f"wait until it is {UNDER_WAY_SECONDS:.0f} s, or settle it."
            )
        if (known := self.what_became_of(asked)) is not None and known.done:
            raise NotYet("The house has done it: settle it, then cancel what came of it.")
        self.journal.done(asked.key)

    def _own(self, asked: Asked) -> None:
        if asked.whose != self.identity:
            raise Trouble(
                f"It was asked by {asked.whose}, and this terminal is {self.identity}: "
                "sent from here it would be another request, and might be done twice."
            )

    def _done(self, key: str) -> None:
        held: list[str] | None = getattr(self._held, "keys", None)
        if held is None:
            self.journal.done(key)
        else:
            held.append(key)

    def _until_answered(
        self, method: str, path: str, body: Json, *, key: str | None, lost: bool = False
    ) -> tuple[Answer, bool]:
        """The answer, and whether it says what became of the key: not where an earlier answer was lost and this one was
        given before the house looked."""
        headers = {KEY: key} if key is not None else {}
        ends = time.monotonic() + self._patience_seconds
        pause, why = FIRST_PAUSE_SECONDS, ""
        while True:
            wanted = 0.0
            try:
                answer = self._line.ask(method, path, body, **headers)
            except LOST as error:
                lost, why = True, f"{type(error).__name__}: {error}"
            else:
                if answer.status < 500 and answer.status != 429:
                    return answer, not (lost and answer.status in SAYS_NOTHING_OF_BEFORE)
                lost = lost or answer.status != 429  # a 5xx may be a proxy's that lost the answer
                why = f"the house answered {answer.status}"
                wanted = _seconds(answer.headers.get("retry-after", ""))
            pause_seconds = max(wanted, pause * random.uniform(0.5, 1.0))  # noqa: S311  no secret
            if time.monotonic() + pause_seconds > ends:
                raise NotAnswered(key or path, why)
            time.sleep(pause_seconds)
            pause = min(pause * 2, PAUSE_SECONDS_LIMIT)


def _seconds(said: str) -> float:
    return float(said) if said.isascii() and said.isdigit() else 0.0


def _document(answer: Answer) -> dict[str, Json]:
    return answer.body if isinstance(answer.body, dict) else {}


def _said(answer: Answer) -> Json:
    if answer.status >= 400:
        raise Refused(answer.status, _document(answer))
    return answer.body
