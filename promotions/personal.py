"""Who may know who has entered. Looking is a right of few posts; taking a list away is an act in the log."""

from __future__ import annotations

import csv
from io import StringIO

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions.acts.entries import PersonalDataExported
from promotions.locks import find_promotion
from promotions.models import Entrant
from promotions.permissions import EXPORT, PERSONAL
from promotions.steps import must_be_known
from web.csv import guarded

COLUMNS = ("entrant", "identity", "name", "address", "telephone", "email", "entries")


def people(*, code: str, by: Actor) -> QuerySet[Entrant]:
    """The entrants of a promotion with what is known of them and how often they have entered."""
    by.require(PERSONAL)
    return (
        Entrant.objects.filter(promotion=find_promotion(code))
        .select_related("person")
        .annotate(entry_count=Count("entries", filter=Q(entries__withdrawn_at=None)))
    )


@transaction.atomic
def export_people(*, code: str, why: str, by: Actor) -> str:
    """The list as CSV. That it was taken, by whom and why, is in the log; who is on it is not."""
    by.require(EXPORT)
    if not why.strip():
        raise Refusal("reason-missing", "Say what the list is for: it stays on record.", field="why")
    promotion = find_promotion(code)
    must_be_known(promotion)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    count = 0
    for entrant in people(code=code, by=by).order_by("id").iterator(chunk_size=5_000):
        person = getattr(entrant, "person", None)
        told = (person.name, person.address, person.telephone, person.email) if person else ("", "", "", "")
        entry_count: int = entrant.entry_count  # type: ignore[attr-defined]  # annotated above
        writer.writerow((entrant.pk, guarded(entrant.identity or ""), *(guarded(cell) for cell in told), entry_count))
        count += 1
    record_act(PersonalDataExported(promotion=code, entrants=count, why=why.strip()), by=by)
    return out.getvalue()
