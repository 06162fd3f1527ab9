"""Terminals that sell while everything goes wrong, each with a journal of its own: what it was told, and nothing else.

A terminal keeps to the contract: a request has a key, and whoever does not know what became of it asks again under the
same key until he does.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.world.copies import Copy

PATIENCE_SECONDS = 8.0
GIVES_UP_SECONDS = 600.0


@dataclass(slots=True)
class Journal:
    sold: dict[str, int] = field(default_factory=dict)  # serial: cents
    cancelled: dict[str, int] = field(default_factory=dict)
    contributed: dict[str, int] = field(default_factory=dict)  # message: wagers
    refused: dict[str, int] = field(default_factory=dict)  # by code
    asked_again: int = 0
    server_errors: int = 0
    longest_seconds: float = 0.0  # that a request took, with everything that was asked again


class Terminal(threading.Thread):
    def __init__(self, copy: Copy, *, token: str, table_token: str, seed: int, until: float) -> None:
        super().__init__(daemon=True)
        self.copy, self.token, self.table_token, self.until = copy, token, table_token, until
        self.chance, self.journal = Random(seed), Journal()
        self.number, self.trouble = seed, ""

    def run(self) -> None:
        try:
            while time.monotonic() < self.until:
                self._one()
        except Exception as error:  # told at the end: it is a failure of the soak
            self.trouble = f"{type(error).__name__}: {error}"

    def _one(self) -> None:
        if self.chance.random() < 0.3:
            self._contribute()
            return
        numbers = sorted(self.chance.sample(range(1, 81), self.chance.randint(1, 10)))
        stake = self.chance.choice(["1.00", "2.00", "5.00"])
        ticket = {"numbers": numbers, "stake": stake, "tender": [{"type": "cash"}]}
        status, sold = self._surely("keno/tickets", ticket, self.token)
        if status != 201:
            self._note(sold)
            time.sleep(0.5)
            return
        assert sold["serial"] not in self.journal.sold, "one serial for two sales"
        self.journal.sold[sold["serial"]] = _cents(sold["price"])
        if self.chance.random() < 0.2 and "security_code" in sold:
            code = {"security_code": sold["security_code"]}
            status, back = self._surely(f"keno/tickets/{sold['serial']}/cancel", code, self.token)
            if status == 200:
                self.journal.cancelled[sold["serial"]] = _cents(back["refund"])
            else:
                self._note(back)

    def _contribute(self) -> None:
        """Some messages of a controller. Sent again they have the same ids, under whatever key."""
        said = [
            {
                "id": uuid.UUID(int=self.chance.getrandbits(128)).hex,
                "table": "CSP-01",
                "wagers": self.chance.randint(1, 7),
                "at": datetime.now(UTC).isoformat(),
            }
            for _ in range(self.chance.randint(1, 20))
        ]
        status, answer = self._surely("jackpot/contributions", said, self.table_token)
        if status not in (200, 201):
            self._note(answer)
            return
        strange = {str(each["id"]) for name in ("conflicts", "held", "refused") for each in answer[name]}
        for each in said:
            if each["id"] not in strange:
                self.journal.contributed[str(each["id"])] = int(each["wagers"])  # type: ignore[call-overload]

    def _surely(self, path: str, body: Any, token: str) -> tuple[int, Any]:
        """The answer, whatever happens on the way: the same request under the same key until there is one."""
        key, began = str(uuid.uuid4()), time.monotonic()
        while True:
            try:
                status, answer = self.post(path, body, token, key)
                if status < 500 and status != 429:
                    break
                self.journal.server_errors += status == 500
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self.journal.asked_again += 1
            if time.monotonic() - began > GIVES_UP_SECONDS:
                raise TimeoutError(f"no answer to {path} for {GIVES_UP_SECONDS:.0f} s")
            time.sleep(self.chance.uniform(0.2, 1.0))
        self.journal.longest_seconds = max(self.journal.longest_seconds, time.monotonic() - began)
        return status, answer

    def post(self, path: str, body: Any, token: str, key: str) -> tuple[int, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.copy.port, timeout=PATIENCE_SECONDS)
        sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": key}
        try:
            line.request("POST", f"/api/v1/{path}", json.dumps(body), sent)
            if self.chance.random() < 0.03:
                raise ConnectionResetError("the answer is lost on the way")
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            line.close()

    def _note(self, answer: Any) -> None:
        code = str(answer.get("code", "?")) if isinstance(answer, dict) else "?"
        self.journal.refused[code] = self.journal.refused.get(code, 0) + 1


def token(copy: Copy, role: str) -> tuple[str, str]:
    """The code and the secret of a new device."""
    made = subprocess.run(
        [sys.executable, "manage.py", "token", role],
        check=True,
        cwd=copy.tree,
        env=copy.env,
        capture_output=True,
        text=True,
    )
    *_, line, secret = made.stdout.strip().splitlines()
    return line.split(",")[0], secret


def _cents(amount: str) -> int:
    dollars, _, cents = amount.partition(".")
    return int(dollars) * 100 + int(cents or 0)
