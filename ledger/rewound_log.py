"""Whether the log went back and nobody has decided yet how to go on: then no money moves (see ``rewound.py``)."""

from __future__ import annotations

from typing import Final

from kernel.refusal import Busy
from ledger.acts import LogRewound, WitnessAppointed
from ledger.models import Act

# For whoever moves money, within the statement that does: one look into an index.
STANDS_STILL: Final = f"""EXISTS (
    SELECT FROM ledger_act r WHERE r.kind = '{LogRewound.kind}'
    AND NOT EXISTS (SELECT FROM ledger_act a WHERE a.kind = '{WitnessAppointed.kind}' AND a.id > r.id))"""  # noqa: S608


def log_rewound() -> Busy:
    return Busy(
        "log-rewound",
        "This database is an older copy of the house's books: no money moves until another witness is appointed.",
    )


def stands_still() -> bool:
    """Whether the log went back and nobody has decided yet how to go on."""
    found = Act.objects.filter(kind=LogRewound.kind).order_by("-id").values_list("id", flat=True).first()
    return found is not None and not Act.objects.filter(kind=WitnessAppointed.kind, id__gt=found).exists()
