"""What is sealed of a stocked house, and a call that was lost."""

from __future__ import annotations

from django.utils import timezone

from ledger.models import Act, Seal
from ledger.seal import seal_now
from tests.world.stock import Gaps
from web.models import RequestKey


def log() -> Gaps:
    """What is sealed; only of what was committed."""
    seal_now()
    width = min(Seal.objects.latest("number").size, 255)
    RequestKey.objects.create(
        actor="staff:manager", key="lost", method="POST", path="/api/v1/incidents/", body_hash=bytes(32), status=204,
        answer="", created_at=timezone.now(),
    )  # fmt: skip
    return {
        "log/tile/": ("0",),
        "log/tile/{}/": (f"000.p/{width}",),
        "log/tile/entries/": (f"000.p/{width}",),
        "audit/rows/": (str(Act.objects.order_by("id")[0].pk),),
        "audit/seals/": ("1",),
        "audit/seals/{}/to/": (str(Seal.objects.count()),),
        "requests/": ("lost",),
    }
