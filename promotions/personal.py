"""Who may know who has entered. Looking is a right of few posts; taking a list away is an act in the log."""

from __future__ import annotations

import csv
from io import StringIO

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from house import acts
from house.actors import Actor
from house.refusal import Conflict, Refusal
from house.reports import guarded
from promotions.locks import find_promotion
from promotions.models import Entrant
from promotions.permissions import EXPORT, PERSONAL

COLUMNS = ("entrant", "identity", "name", "address", "telephone", "email", "entries")


def people(*, code: str, by: Actor) -> QuerySet[Entrant]:
    """The entrants of a promotion with what is known of them and how often they have entered."""
    by.require(PERSONAL)
    return (
        Entrant.objects.filter(promotion=find_promotion(code))
        .select_related("person")
        .annotate(standing=Count("entries", filter=Q(entries__withdrawn_at=None)))
    )


@transaction.atomic
def export_people(*, code: str, why: str, by: Actor) -> str:
    """The list as CSV. That it was taken, by whom and why, is in the log; who is on it is not."""
    by.require(EXPORT)
    if not why.strip():
        raise Refusal("reason-missing", "Say what the list is for: it stays on record.", field="why")
    promotion = find_promotion(code)
    if promotion.erased_at is not None:
        raise Conflict("entrant-forgotten", f"The personal data of {code} was deleted, as its terms say.")
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    count = 0
    for entrant in people(code=code, by=by).order_by("id").iterator(chunk_size=5_000):
        person = getattr(entrant, "person", None)
        told = (person.name, person.address, person.telephone, person.email) if person else ("", "", "", "")
        standing: int = entrant.standing  # type: ignore[attr-defined]  # annotated above
        writer.writerow((entrant.pk, guarded(entrant.identity or ""), *(guarded(cell) for cell in told), standing))
        count += 1
    acts.record(
        kind="promotion.personal-data-exported",
        subject=promotion.subject,
        by=by,
        data={"entrants": count, "why": why.strip()},
    )
    return out.getvalue()
