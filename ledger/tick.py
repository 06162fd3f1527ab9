"""Every second: see to the witness. Sealing is the sealer's own (``sealer.py``)."""

from __future__ import annotations

from datetime import datetime

from ledger.ask import ask_waiting
from ledger.cosign import cosign_due
from ledger.witnesses import claim_turn, current


def tick(now: datetime) -> None:
    if current() is not None and claim_turn():
        ask_waiting()
        cosign_due(now)
