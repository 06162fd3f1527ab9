"""Entries: the list without names, one by hand, a file with its progress, one taken out, the list of people."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render

from promotions import enter, import_steps, imports, personal, queries, reject_import, steps, withdraw
from promotions.import_rows import COLUMNS, FILE_BYTES_LIMIT
from promotions.locks import find_promotion
from promotions.models import Source
from promotions.pages.people_forms import EnterForm, ImportForm
from promotions.permissions import ENTER, EXPORT, IMPORT, PERSONAL, SEE, WITHDRAW
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show, takes_file

REFUSED_ROWS_SHOWN = 200
IMPORTS_SHOWN = 5


@page(SEE)
def listing(request: Visit, code: str) -> HttpResponseBase:
    promotion = find_promotion(code)
    names = request.actor.may(PERSONAL)
    found = Listing(
        request,
        queries.entries(promotion, with_people=names).select_related("withdrawal"),
        name=f"entries-{code}",
        order="-pk",  # by the index of the list, however many have entered
        search=("reference", "entrant__identity") if names else ("reference",),
        filters={
            "source": lambda rows, source: rows.filter(source=source),
            "state": lambda rows, state: rows.filter(withdrawn_at__isnull=state != "withdrawn"),
        },
        columns=(
            Column("Entry", lambda row: row.pk, order="pk"),
            Column("Entered", lambda row: row.entered_at),
            Column("From", lambda row: row.source),
            Column("Reference", lambda row: row.reference, order="reference"),
            Column("Wagered", lambda row: row.wagered, css="right"),
            Column("State", lambda row: "withdrawn" if row.withdrawn_at else "stands"),
            # Names leave the house by the export alone, which is an act with a reason.
            *((Column("Entrant"),) if names else ()),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "promotions/entries.html",
        listing=found,
        promotion=promotion,
        names=names,
        sources=Source.values,
        sealed=queries.sealed_list(promotion),
        imports=list(queries.imports(promotion)[:IMPORTS_SHOWN]),
        steps=steps.of_promotion(promotion, request.actor),
    )


@page(ENTER)
def add(request: Visit) -> HttpResponseBase:
    """One entry, by hand: for the counter, which sees no list."""
    form = EnterForm(request.POST or None, initial={"code": request.GET.get("promotion", "")})
    if form.is_valid():
        made = attempt(
            form,
            enter.enter,
            code=form.code,
            card=form.card,
            contact=form.contact,
            reference=form.reference,
            wagered=form.wagered,
            by=request.actor,
        )
        if made:
            said = f"Entry {made.pk} in {form.code}: {made.reference}."
            return done(request, said, "promotion-enter")
    return show(request, "promotions/enter.html", form=form, steps=steps.of_room(request.actor))


@page(WITHDRAW, post=True)
def take_out(request: Visit, code: str, number: int) -> HttpResponseBase:
    entry = withdraw.withdraw_entry(code=code, number=number, why=request.POST.get("comment", ""), by=request.actor)
    said = "is withdrawn." if entry.withdrawn_at else "stands until another person says so, too."
    return done(request, f"Entry {number} {said}", "promotion-entries", code)


@takes_file(FILE_BYTES_LIMIT)
@page(IMPORT)
def bring_in(request: Visit, code: str) -> HttpResponseBase:
    promotion = find_promotion(code)
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        content, name = form.file.file, form.file.name
        assert content is not None  # it was sent, and has a name
        assert name is not None
        try:
            lines = io.TextIOWrapper(content, encoding="utf-8-sig", newline="")
            made = attempt(
                form,
                imports.begin_import,
                code=code,
                name=name,
                lines=lines,
                all_or_nothing=form.all_or_nothing,
                by=request.actor,
            )
        except UnicodeDecodeError:
            made = None
            form.add_error("file", "The file is not text in UTF-8: save it as CSV (UTF-8).")
        if made:
            return done(request, f"{made.total:,} rows are read and wait to be checked.", "promotion-import", made.pk)
    return show(request, "promotions/bring_in.html", form=form, promotion=promotion, columns=COLUMNS)


def _import(number: int, request: Visit) -> dict[str, Any]:
    made: Any = imports.find_import(number)
    made.settled = made.entered + made.refused
    bad = queries.refused_rows(made).order_by("line")
    made_steps = import_steps.of_import(made, request.actor)
    return {
        "made": made,
        "most": queries.most_entered(made.promotion) if "confirm" in made_steps else [],
        "bad": list(bad[:REFUSED_ROWS_SHOWN]) if made.finished_at or made.state == "checked" else [],
        "steps": made_steps,
    }


@page(SEE)
def progress(request: Visit, number: int) -> HttpResponseBase:
    return show(request, "promotions/import.html", **_import(number, request))


@page(SEE, poll=True)
def progress_live(request: Visit, number: int) -> HttpResponseBase:
    return render(request, "promotions/_import.html", _import(number, request))


@page(IMPORT, post=True)
def stop(request: Visit, number: int) -> HttpResponseBase:
    imports.cancel_import(import_id=number, by=request.actor)
    return done(request, "The import stops after the batch at hand.", "promotion-import", number)


@page(IMPORT, post=True)
def confirm(request: Visit, number: int) -> HttpResponseBase:
    imports.confirm_import(import_id=number, by=request.actor)
    return done(request, "The import is confirmed: what it entered may be sealed.", "promotion-import", number)


@page(WITHDRAW, post=True)
def reject(request: Visit, number: int) -> HttpResponseBase:
    made = reject_import.reject_import(import_id=number, why=request.POST.get("comment", ""), by=request.actor)
    rejected = "is rejected: what it entered is withdrawn."
    said = rejected if made.rejected_at else "is rejected once another person says so, too."
    return done(request, f"The import {said}", "promotion-import", number)


@page(EXPORT, post=True)
def export(request: Visit, code: str) -> HttpResponseBase:
    """The list of people, with names. That it was taken, and why, is in the log."""
    text = personal.export_people(code=code, why=request.POST.get("comment", ""), by=request.actor)
    named = {"Content-Disposition": f'attachment; filename="entrants-{code}.csv"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=named)
