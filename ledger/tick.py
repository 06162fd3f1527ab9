"""Every second: seal what can be sealed."""

from __future__ import annotations

from datetime import datetime

from ledger.seal import seal


def tick(now: datetime) -> None:
    seal()
