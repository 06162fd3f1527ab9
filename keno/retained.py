"""What Keno keeps of people, and how it is forgotten: claimants, usual tickets."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.db.models import Q, QuerySet

from keno.models import Claim, Favourite
from kernel.retention import ERASED, YEARS_BY_LAW, ErasedByTwo, Kept

_ERASED: Final = {"name": ERASED, "address": ERASED, "contact": ERASED}


def _over(before: date) -> QuerySet[Claim]:
    """Paid, or long past: one that is undecided after years is nobody's any more."""
    return Claim.objects.exclude(claimant=_ERASED).filter(
        Q(paid_at__date__lt=before) | Q(paid_at=None, made_at__date__lt=before)
    )


CLAIMS: Final = ErasedByTwo(
    name="claims",
    label="Claimants of Keno prizes: name, address, how they are reached",
    kept="seven years after it was paid (AML/CTF Act 2006, s 107)",
    ends="two people: “Personal data”",
    years=YEARS_BY_LAW,
    held=Claim.objects.exclude(claimant=_ERASED).count,
    due=lambda before, only: _over(before).count(),
    erase=lambda before, only: _over(before).update(claimant=_ERASED, grounds=ERASED),
)
USUAL_TICKETS: Final = Kept(
    name="usual-tickets",
    label="A player’s usual tickets",
    kept="until he says otherwise",
    ends="his own word at the counter",
    held=Favourite.objects.count,
)
