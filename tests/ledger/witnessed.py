"""What tests of the house beside its witness do: seal a set, declare an attempt void, have an export checked."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ledger import witnesses
from ledger.acts import AttemptVoid, OccasionSealed
from ledger.export import export
from ledger.log import write_act
from ledger.seal import last_seal, seal_now
from tests.world.books import ANNA
from verify.result import Result
from verify.verifier import verify

GAME: dict[str, Any] = {"venue": "DEMO", "purpose": "drill", "occasion": "1042"}


def seal_set(occasion: str = "1042", *, root: bytes = bytes(range(32))) -> int:
    return write_act(OccasionSealed(**GAME | {"occasion": occasion}, root=root, count=14), by=ANNA)


def seal_beyond(size: int) -> None:
    """Seal until the head is over more rows. What can be sealed waits for every transaction of the server, and another
    database of it may have one under way."""
    until = time.monotonic() + 30
    while (head := last_seal()) is None or head.size <= size:
        assert time.monotonic() < until, "nothing could be sealed"
        seal_now()
        time.sleep(0.01)


def declare_void(attempt: int = 1, *, occasion: str = "1042") -> int:
    act = AttemptVoid(**GAME | {"occasion": occasion}, attempt=attempt, cause="power cut", numbers=[1, 2])
    return write_act(act, by=ANNA)


def trouble() -> str:
    return witnesses.state().trouble


def checked(path: Path, **pins: Any) -> Result:
    with path.open("wb") as file:
        export(to=file, by=ANNA, venue="Test Casino")
    with path.open("rb") as file:
        return verify(file, **pins)
