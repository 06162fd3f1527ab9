"""The log (acts and transfers) and the seals over it, to look at. The proof is the export, which needs none of this."""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponseBase

from console.steps import audit_steps
from house import people
from house.pages.days import choices
from house.permissions import VIEW_AUDIT
from ledger import queries
from web import act_words
from web.lists import Column, Listing, asked
from web.page import Visit, page, show

Row = TypeVar("Row", bound=Model)

_ROW_COLUMNS: Final = (
    Column("No.", lambda row: row.pk, order="id"),
    Column("When", lambda row: row.at),
    Column("Gaming day", lambda row: row.day, shown=False),
)


# What people did comes first; what the machines wrote down is folded away behind a choice.
_ACTS_BY: Final = {
    "people": queries.acts_of_people,
    "machines": queries.acts_of_machines,
    "everybody": queries.acts,
}


@page(VIEW_AUDIT)
def acts(request: Visit) -> HttpResponseBase:
    who = asked(request, "who")
    who = who if who in _ACTS_BY else "people"
    found = Listing(
        request,
        _ACTS_BY[who](),
        name="acts",
        order="-id",
        search=("kind", "subject", "actor"),
        filters={"day": _of_day},
        columns=(
            *_ROW_COLUMNS,
            Column("What happened"),
            Column("Act", lambda row: row.kind, shown=False),
            Column("About", lambda row: row.subject, shown=False),
            Column("By", lambda row: row.actor, shown=False),
            Column("Data", lambda row: json.dumps(row.data, sort_keys=True), shown=False),
            Column("Sealed", css="right"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    last = queries.last_seal()
    names = people.names([row.actor for row in found.rows])
    found.rows[:] = _folded(found.rows)
    for row in found.rows:
        row.person = names.get(row.actor, row.actor)
        row.sealed = last is not None and row.tx < last.tx_upto
        row.sentence = act_words.of_whom(row.person, row.kind, row.subject, row.data)
        row.details = [(key, value) for key, value in row.data.items() if value not in ("", None, [], {})]
    sealed = _hexed(last) if last else None
    return show(
        request,
        "console/audit/acts.html",
        here="acts",
        listing=found,
        who=who,
        day_choices=choices(),
        last=sealed,
        audit_steps=audit_steps(request.actor),
    )


@page(VIEW_AUDIT)
def transfers(request: Visit) -> HttpResponseBase:
    """The money, row by row, to the micro-dollar."""
    found = Listing(
        request,
        queries.transfers(),
        name="transfers",
        order="-id",
        search=("kind", "reference", "actor"),
        filters={"day": _of_day},
        columns=(
            *_ROW_COLUMNS,
            Column("Kind", lambda row: row.kind),
            Column("From", lambda row: row.credit.code),
            Column("To", lambda row: row.debit.code),
            Column("About", lambda row: row.reference),
            Column("By", lambda row: row.actor),
            Column("Amount", lambda row: row.amount, css="right"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names([row.actor for row in found.rows])
    for row in found.rows:
        row.person = names.get(row.actor, row.actor)
    return show(
        request,
        "console/audit/transfers.html",
        here="transfers",
        listing=found,
        day_choices=choices(),
        audit_steps=audit_steps(request.actor),
    )


@page(VIEW_AUDIT)
def seals(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.seals(),
        name="seals",
        order="-number",
        columns=(
            Column("No.", lambda row: row.number, order="number"),
            Column("Sealed", lambda row: row.at),
            Column("Rows", lambda row: row.size - row.first, css="right"),
            Column("Rows in all", lambda row: row.size, css="right"),
            Column("Root", lambda row: bytes(row.root).hex()),
            Column("Key", lambda row: row.key),
            Column("Signature", lambda row: bytes(row.signature).hex(), shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        _hexed(row)
    return show(
        request, "console/audit/seals.html", here="seals", listing=found, audit_steps=audit_steps(request.actor)
    )


def _folded(rows: list[Any]) -> list[Any]:
    """What one did to one thing again and again is one line: the twenty numbers of a game."""
    shown: list[Any] = []
    for row in rows:
        before = shown[-1] if shown else None
        if before is not None and (before.kind, before.subject, before.actor) == (row.kind, row.subject, row.actor):
            before.alike.append(row)
        else:
            row.alike = []
            shown.append(row)
    return shown


def _hexed(seal: Any) -> object:
    seal.root_hex, seal.rows = bytes(seal.root).hex(), seal.size - seal.first
    return seal


def _of_day(rows: QuerySet[Row], day: str) -> QuerySet[Row]:
    return rows.filter(day=day) if any(each.date.isoformat() == day for each in choices()) else rows.none()
