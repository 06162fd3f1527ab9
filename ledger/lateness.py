"""Whether the seals keep up, and whether the clocks agree: this machine's, the database's and the witness's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.db import connection

from kernel.rooms import Lateness
from ledger.models import Cosignature
from ledger.readiness import LATE, seal_state

CLOCK_SECONDS: Final = 5.0


def seals(now: datetime) -> float:
    """For how long the oldest row has waited for its seal, counted from the last one where that is later."""
    state = seal_state()
    if state.waiting_since is None:
        return 0.0
    return (now - max(state.waiting_since, state.at or state.waiting_since)).total_seconds()


def clocks(now: datetime) -> float:
    """By how much the clocks differ. The database's is asked now; the witness's has signed when it saw the last head:
    not before that was made, and not after now."""
    with connection.cursor() as cursor:
        asked = datetime.now(UTC)
        cursor.execute("SELECT clock_timestamp()")
        (there,) = cursor.fetchone()
        answered = datetime.now(UTC)
    apart: list[float] = [(asked - there).total_seconds(), (there - answered).total_seconds()]
    seen = Cosignature.objects.select_related("seal").order_by("-seal_id").first()
    if seen is not None:
        apart += [(seen.at - there).total_seconds(), (seen.seal.at - seen.at).total_seconds() - 1]  # whole seconds
    return max(0.0, *apart)


SEALS = Lateness("seals", "Rows wait for their seal", LATE.total_seconds(), seals)
CLOCKS = Lateness("clock", "The clocks of this machine, the database and the witness differ", CLOCK_SECONDS, clocks)
