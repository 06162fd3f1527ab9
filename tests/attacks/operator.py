"""An operator with root on the house's machine: every row of the log, the sealing key, and a line to the witness.

He can write any history he likes and sign it. What he does not have is the witness's memory.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel.questions import Link
from ledger import keys
from ledger.acts import OccasionSealed
from ledger.ask import Answer, ask
from ledger.log import write_act
from ledger.proofs import rows
from ledger.seal import SEALER, last_seal, log_origin, seal_now
from tests.world.witness import RunningWitness, ToyHouse

GAME: dict[str, Any] = {"venue": "DEMO", "purpose": "keno", "occasion": "48213"}


def drawn(occasion: str = "48213") -> Answer:
    """A set is sealed and the witness has answered: what the operator does not like."""
    write_act(OccasionSealed(**GAME | {"occasion": occasion}, root=bytes(range(32)), count=14), by=SEALER)
    given = ask(**GAME | {"occasion": occasion}, attempt=1)
    assert given is not None
    return given


class Operator:
    def __init__(self, witness: RunningWitness) -> None:
        self.witness = witness

    def history(self, upto: int | None = None) -> ToyHouse:
        """The house's own log as far as it is sealed, or its first rows, to be rewritten; signed by its own key."""
        seal_now()
        head = last_seal()
        assert head is not None
        forged = ToyHouse(log_origin())
        raw = (keys.folder() / head.key).read_bytes()
        forged.private = Ed25519PrivateKey.from_private_bytes(raw)
        forged.rows = [row.encode() for row in rows(0, upto or head.size)]
        return forged

    def post(self, path: str, body: bytes | dict[str, Any]) -> tuple[int, Any]:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(self.witness.url + path, raw, timeout=30) as answer:
                return answer.status, _read(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _read(error.read())

    def ask(self, request: dict[str, Any]) -> tuple[int, Any]:
        return self.post("/ask", request)

    @property
    def witnessed(self) -> tuple[int, int]:
        """How many answers the witness has given, and how many rows it has cosigned."""
        state = self.witness.memory.state
        return state.number, max((log.size for log in state.logs.values()), default=0)

    @property
    def alarms(self) -> list[str]:
        return [what for _, _, what in self.witness.memory.alarms(limit=99)]


def link_in(said: Any) -> Link:
    return Link.from_json(said["link"])


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode()
