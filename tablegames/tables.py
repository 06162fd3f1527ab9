"""Tables and their signs: the pay tables chosen for each, as approved versions."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.models import Proposal
from house.refusal import Conflict, NotFound, Refusal
from tablegames.models import GamingTable, TableTerms
from tablegames.rules import catalogue
from tablegames.rules import terms as rules
from tablegames.rules.terms import Terms

CODE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)


def find_table(code: str) -> GamingTable:
    table = GamingTable.objects.filter(code=code).first()
    if table is None:
        raise NotFound("no-such-table", f"There is no gaming table {code}.", field="table")
    return table


def in_force(table: GamingTable, *, at: datetime | None = None) -> TableTerms:
    """What the sign says now, or said at an earlier moment. Before its first there was only the first."""
    versions = TableTerms.objects.filter(table=table).order_by("-version")
    found = versions.first()
    if found is not None and at is not None and found.effective_at > at:
        found = versions.filter(effective_at__lte=at).first() or versions.last()
    if found is None:
        raise NotFound("no-such-table", f"The sign of {table} has not been approved.")
    return found


def check_table(code: str, *, game: str, terms: Terms) -> None:
    """Whether a table could be opened so."""
    if not CODE.fullmatch(code):
        raise Refusal("table-not-allowed", "A table has a code of up to 16 capitals, digits and dashes.", field="code")
    if GamingTable.objects.filter(code=code).exists():
        raise Conflict("table-exists", f"There is a gaming table {code} already.", field="code")
    catalogue.find(game).check_terms(terms)


@transaction.atomic
def open_table(*, code: str, game: str, terms: Terms, by: Actor, proposal: Proposal | None = None) -> GamingTable:
    """Open a table under a sign that was approved."""
    check_table(code, game=game, terms=terms)
    table = GamingTable.objects.create(code=code, game=game)
    acts.record(kind="tablegames.table-opened", subject=table.subject, by=by, data={"game": game})
    set_terms(table=table, terms=terms, by=by, proposal=proposal)
    return table


@transaction.atomic
def set_terms(*, table: GamingTable, terms: Terms, by: Actor, proposal: Proposal | None = None) -> TableTerms:
    """Put a version of the sign in force, from now on."""
    catalogue.find(table.game).check_terms(terms)
    newest = TableTerms.objects.filter(table=table).order_by("-version").first()
    version = TableTerms.objects.create(
        table=table,
        version=newest.version + 1 if newest else 1,
        data=terms.as_data(),
        effective_at=timezone.now(),
        proposal=proposal,
        set_by=by.identity,
    )
    acts.record(
        kind="tablegames.terms-set",
        subject=table.subject,
        by=by,
        data={
            "version": version.version,
            "terms": version.data,
            "proposal": proposal.pk if proposal else None,
        },
    )
    return version


def terms_of(version: TableTerms) -> Terms:
    return rules.read(version.data)


def sign(table: GamingTable) -> dict[str, Any]:
    """What the sign at the table must show (vu-lp:5.6, 5.12, nz-lp:5.6, 5.9, 5.12, nsw-csp:10.2, act-cp:8.2)."""
    version = in_force(table)
    return {
        "code": table.code,
        "game": table.game,
        "title": catalogue.find(table.game).title,
        "terms": version.data,
        "version": version.version,
        "effective_at": version.effective_at,
    }
