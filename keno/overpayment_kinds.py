"""How the books call what becomes of an overpayment: also for those who add it up."""

from __future__ import annotations

from typing import Final

AT_COUNTER: Final = "keno.overpaid-at-counter"  # overpaid -> over and short: more was handed out than was owed
RECEIVED: Final = "keno.overpaid-received"  # cash -> overpaid: it was given back
WRITTEN_OFF: Final = "keno.overpaid-written-off"  # overpaid, written off -> overpaid: two people have given it up
