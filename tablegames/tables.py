"""Tables and their signs: the pay tables chosen for each, as approved versions."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from django.db import transaction

from house import approved
from house.log import record_act
from house.models import ApprovedValue, Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from tablegames import sign
from tablegames.acts import TableOpened, TermsSet
from tablegames.models import GamingTable
from tablegames.rules import catalogue
from tablegames.rules.terms import Terms

SIGN: Final = "tablegames.terms"
"""The kind of approved value that a table's sign is; its code is the table's."""
CODE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)


def find_table(code: str) -> GamingTable:
    table = GamingTable.objects.filter(code=code).first()
    if table is None:
        raise NotFound("no-such-table", f"There is no gaming table {code}.", field="table")
    return table


def in_force(table: GamingTable, *, at: datetime | None = None) -> ApprovedValue:
    """What the sign says now, or said at an earlier moment. Before its first there was only the first."""
    found = approved.in_force(SIGN, table.code, at=at) or approved.first(SIGN, table.code)
    if found is None:
        raise NotFound("no-such-table", f"The sign of {table} has not been approved.")
    return found


def authority_over(game: str) -> Authority:
    """Tables, cards and tiles of the ACT are approved by an inspector; the others leave the sign to the house."""
    return Authority.INSPECTOR if catalogue.find(game).document.startswith("act-") else Authority.HOUSE


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
    record_act(TableOpened(table=code, game=game), by=by)
    set_terms(table=table, terms=terms, by=by, proposal=proposal)
    return table


@transaction.atomic
def set_terms(*, table: GamingTable, terms: Terms, by: Actor, proposal: Proposal | None = None) -> ApprovedValue:
    """Put a version of the sign in force, from now on."""
    catalogue.find(table.game).check_terms(terms)
    data, authority = terms.as_data(), authority_over(table.game)
    version = (
        approved.install(SIGN, table.code, data, by=by, authority=authority)
        if proposal is None
        else approved.put_in_force(SIGN, table.code, data, by=by, proposal=proposal)
    )
    record_act(
        TermsSet(
            table=table.code,
            version=version.version,
            terms=data,
            proposal=proposal.pk if proposal else None,
            since=version.since,
        ),
        by=by,
    )
    return version


def terms_of(version: ApprovedValue) -> Terms:
    return sign.read(version.value)


def table_sign(table: GamingTable) -> dict[str, object]:
    """What the sign at the table must show (vu-lp:5.6, 5.12, nz-lp:5.6, 5.9, 5.12, nsw-csp:10.2, act-cp:8.2)."""
    version = in_force(table)
    standing = approved.standing(version)
    return {
        "code": table.code,
        "game": table.game,
        "title": catalogue.find(table.game).title,
        "terms": version.value,
        "version": version.version,
        "effective_at": version.since,
        "authority": str(standing.authority),
        "basis": str(standing.basis),
        "by_letter": standing.by_letter,
        "countersigned_at": standing.countersigned_at,
        "standing": standing,
    }
