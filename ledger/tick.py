"""Every second: see to the witness. Sealing is the sealer's own (``sealer.py``)."""

from __future__ import annotations

from datetime import datetime

from ledger.ask import ask_waiting, waiting_count
from ledger.cosign import cosign_due, is_head_cosigned
from ledger.witnesses import claim_turn, current


def tick(now: datetime) -> None:
    if _has_something_to_do() and claim_turn():
        ask_waiting()
        cosign_due(now)


def due(now: datetime) -> datetime | None:
    """At once, and again, while the witness has not said what it was asked or has not cosigned the latest head."""
    return now if _has_something_to_do() else None


def _has_something_to_do() -> bool:
    return current() is not None and (waiting_count() > 0 or not is_head_cosigned())
