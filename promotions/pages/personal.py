"""Whose cards may not enter, and whose data is still kept: what the house knows of people, and when it forgets them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.utils import timezone

from house import people
from promotions import erase, exclude, queries, steps
from promotions.locks import find_promotion
from promotions.models import Exclusion, Promotion
from promotions.pages.people_forms import ExcludeForm
from promotions.permissions import ERASE, EXCLUDE, PERSONAL
from promotions.versions import edition_of
from web import words
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show

READMITTED = "readmitted"
STATES = ("kept", "forgotten")


@page(PERSONAL)
def excluded(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.excluded_cards(),
        name="excluded-cards",
        order="-added_at",
        search=("card", "note"),
        filters={
            "why": lambda rows, why: rows.filter(why=why),
            "state": lambda rows, state: rows.filter(removed_at__isnull=state != READMITTED),
        },
        columns=(
            Column("Card", lambda row: row.card, order="card"),
            Column("Why", lambda row: row.get_why_display(), order="why"),
            Column("Note", lambda row: row.note),
            Column("Excluded", lambda row: row.added_at, order="added_at"),
            Column("By", lambda row: row.added_by, shown=False),
            Column("Confirmed", lambda row: row.confirmed_at, shown=False),
            Column("Confirmed by", lambda row: row.confirmed_by, shown=False),
            Column("Readmission said by", lambda row: row.readmission_said_by, shown=False),
            Column("Readmitted", lambda row: row.removed_at, shown=False),
            Column("Readmitted by", lambda row: row.removed_by, shown=False),
            Column("State", lambda row: READMITTED if row.removed_at else "excluded"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    names = people.names(each for row in found.rows for each in (row.added_by, row.confirmed_by, row.removed_by))
    for row in found.rows:
        row.adder, row.confirmer, row.remover = map(names.get, (row.added_by, row.confirmed_by, row.removed_by))
    return show(
        request,
        "promotions/excluded.html",
        listing=found,
        reasons=Exclusion.choices,
        states=("excluded", READMITTED),
        steps=steps.of_room(request.actor),
    )


@page(EXCLUDE)
def exclude_one(request: Visit) -> HttpResponseBase:
    form = ExcludeForm(request.POST or None)
    if form.is_valid() and (
        made := attempt(
            form,
            exclude.exclude_card,
            card=form.card,
            why=form.why,
            note=form.note,
            by=request.actor,
        )
    ):
        said = f"Card {made.card} enters no promotion any more. Another person confirms it for what was entered before."
        return done(request, said, "promotion-excluded")
    return show(request, "promotions/exclude.html", form=form)


@page(EXCLUDE, post=True)
def confirm(request: Visit, number: int) -> HttpResponseBase:
    found = queries.find_exclusion(number)
    exclude.confirm_exclusion(card=found.card, by=request.actor)
    return done(request, f"Card {found.card}: what it entered before is left out, too.", "promotion-excluded")


@page(EXCLUDE, post=True)
def readmit(request: Visit, number: int) -> HttpResponseBase:
    found = queries.find_exclusion(number)
    found = exclude.readmit_card(card=found.card, by=request.actor)
    said = "may enter promotions again." if found.removed_at else "stays excluded until another person says so, too."
    return done(request, f"Card {found.card} {said}", "promotion-excluded")


def _in_state(rows: QuerySet[Promotion], state: str) -> QuerySet[Promotion]:
    return rows.filter(erased_at__isnull=state != "forgotten")


@page(PERSONAL)
def listing(request: Visit) -> HttpResponseBase:
    """Promotions that are over: until when their terms keep what is known of people, and what is forgotten."""
    found = Listing(
        request,
        queries.promotions_over(),
        name="personal-data",
        order="-over_at",
        search=("code", "title"),
        filters={"state": _in_state},
        columns=(
            Column("Promotion", lambda row: row.title, order="title"),
            Column("Code", lambda row: row.code, order="code"),
            Column("Over", lambda row: row.over_at, order="over_at"),
            Column("People", queries.known_people, css="right"),
            Column("Kept until", erase.kept_until),
            Column("Forgotten", lambda row: row.erased_at),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.until, row.known = erase.kept_until(row), queries.known_people(row)
    return show(request, "promotions/personal.html", listing=found, states=STATES, now=timezone.now())


@page(PERSONAL)
def one(request: Visit, code: str) -> HttpResponseBase:
    """What is known of the people of one promotion, what is deleted of it, and what stays."""
    promotion = find_promotion(code)
    until, now = erase.kept_until(promotion), timezone.now()
    return show(
        request,
        "promotions/personal_one.html",
        promotion=promotion,
        held=erase.held(promotion),
        denied_clause=edition_of(promotion).clause("refusal"),
        until=until,
        due=until is not None and until <= now and promotion.erased_at is None,
        steps=steps.of_people(promotion, request.actor, until=until, now=now),
    )


@page(ERASE, post=True)
def forget(request: Visit, code: str) -> HttpResponseBase:
    forgotten = erase.erase_personal_data(code=code, by=request.actor)
    said = f"{words.count(forgotten, 'person', 'people')} of {code} forgotten. Its draw can still be checked."
    return done(request, said, "promotion-personal", code)
