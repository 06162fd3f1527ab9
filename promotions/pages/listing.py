"""Every promotion, and one of them: where it stands, what is next, its terms."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone

from house import people
from house.pages import compare
from promotions import queries, steps, terms_text
from promotions.amend import standing
from promotions.entered_by import entered_by
from promotions.lifecycle import NOT_STARTED, OPEN_IN, Status, Step
from promotions.locks import find_promotion
from promotions.models import Edition, Promotion, Statuses
from promotions.permissions import SEE
from promotions.rules import editions
from promotions.rules.amendments import changes, lost_by_players
from promotions.rules.editions import SUBMITTED_BEFORE
from promotions.rules.prohibited import hints
from promotions.rules.terms import check
from promotions.versions import edition_of, in_force
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, page, show

# Where it stands in the life of a promotion, for the row of steps on its page.
LIFE = ("draft", "submitted", "running", "closed", "sealed", "drawn", "finished")


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.promotions(),
        name="promotions",
        order="-made_at",
        search=("code", "title"),
        filters={
            "status": lambda rows, status: rows.filter(status=status),
            "edition": lambda rows, edition: rows.filter(edition=edition),
        },
        columns=(
            Column("Promotion", lambda row: row.title, order="title"),
            Column("Code", lambda row: row.code, order="code"),
            Column("Edition", lambda row: row.edition),
            Column("State", lambda row: row.status, order="status"),
            Column("Starts", lambda row: row.starts_at, order="starts_at"),
            Column("Closes", lambda row: row.closes_at, order="closes_at"),
            Column("Draw", lambda row: row.draw_at, order="draw_at"),
            Column("Entries", queries.entry_count, css="right"),
            Column("Drafted", lambda row: row.made_at, order="made_at", shown=False),
            Column("Submitted", lambda row: row.submitted_at, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.entry_count = queries.entry_count(row)
    return show(
        request,
        "promotions/list.html",
        listing=found,
        states=Statuses.values,
        editions=Edition.choices,
        steps=steps.of_room(request.actor),
    )


@page(SEE)
def one(request: Visit, code: str) -> HttpResponseBase:
    return show_one(request, code)


def show_one(request: Visit, code: str, *, bound: PageForm | None = None) -> HttpResponseBase:
    promotion = find_promotion(code)
    rules, version = edition_of(promotion), queries.newest_version(promotion)
    submissions: list[Any] = list(queries.submissions(promotion).order_by("-id"))
    names = people.names([promotion.made_by, *(each.by for each in submissions)])
    for each in submissions:
        each.person = names[each.by]
    missing = check(version.data, rules) if promotion.status == Status.DRAFT else []
    return show(
        request,
        "promotions/one.html",
        form=bound,
        promotion=promotion,
        rules=rules,
        version=version,
        missing=missing,
        hints=hints(version.data),
        particulars=[] if missing else list(terms_text.particulars(version.data)),
        prizes=[] if missing else terms_text.prizes(version.data, rules),
        life=_life(promotion),
        submissions=submissions,
        sealed=queries.sealed_list(promotion),
        entries=queries.entry_count(promotion),
        entrants=queries.entrant_count(promotion),
        entered=entered_by(promotion) if promotion.status in OPEN_IN[Step.WITHDRAW] else None,
        maker=names[promotion.made_by],
        seconds=_seconds_to_start(promotion),
        versions=queries.versions(code).count(),
        has_room=promotion.status not in NOT_STARTED,
        steps=steps.of_promotion(promotion, request.actor),
    )


def _seconds_to_start(promotion: Promotion) -> int | None:
    """How long until the regulator has had the terms for 24 hours."""
    if promotion.status != Status.SUBMITTED or promotion.submitted_at is None:
        return None
    earliest = promotion.submitted_at + SUBMITTED_BEFORE
    return max(0, int((earliest - timezone.now()).total_seconds()))


def _life(promotion: Promotion) -> list[dict[str, object]]:
    """The way from draft to finished, with when each step was or, by the terms, will be."""
    sealed = queries.sealed_list(promotion)
    when = {
        "draft": promotion.made_at,
        "submitted": promotion.submitted_at,
        "running": promotion.started_at or promotion.starts_at,
        "closed": promotion.closed_at or promotion.closes_at,
        "sealed": sealed and sealed.sealed_at,
        "drawn": promotion.drawn_at or promotion.draw_at,
        "finished": promotion.finished_at,
    }
    here = promotion.resumes_as or promotion.status
    if here == Status.DRAWING:
        here = Status.DRAWN
    reached = LIFE.index(here) if here in LIFE else -1
    return [
        {"step": step, "at": when[step], "state": "done" if place < reached else "here" if place == reached else ""}
        for place, step in enumerate(LIFE)
    ]


@page(SEE)
def versions(request: Visit, code: str) -> HttpResponseBase:
    """Two versions of the terms side by side: those asked for, else the newest beside the one before it."""
    promotion = find_promotion(code)
    every: list[Any] = list(queries.versions(code).order_by("number"))
    names = people.names(each.made_by for each in every)
    for each in every:
        each.person, each.standing = names[each.made_by], standing(each)
    by_number = {str(each.number): each for each in every}
    new = by_number.get(request.GET.get("new", ""), every[-1])
    old = by_number.get(request.GET.get("old", ""), every[max(0, every.index(new) - 1)])
    return show(
        request,
        "promotions/versions.html",
        promotion=promotion,
        versions=every,
        old=old,
        new=new,
        lines=compare.side_by_side(_flat(old.data, edition_of(promotion)), _flat(new.data, edition_of(promotion))),
        losses=list(lost_by_players(old.data, new.data)),
        changes=changes(old.data, new.data),
        in_force=in_force(promotion),
    )


def _flat(data: dict[str, object], rules: editions.Edition) -> dict[str, object]:
    """Terms with a line for each particular and each prize, as players read them; a draft that cannot be read so, as it
    was written."""
    try:
        said: dict[str, object] = {heading: words for heading, words, _ in terms_text.particulars(data)}
        for at, prize in enumerate(terms_text.prizes(data, rules), start=1):
            lines = "; ".join(f"{label.lower()} {value}" for label, value in prize.lines)
            said[f"Prize {at}"] = f"{prize.name}: {lines}"
    except (KeyError, TypeError, ValueError, AttributeError):
        return _as_written(data)
    return said


def _as_written(data: dict[str, Any]) -> dict[str, object]:
    flat = {}
    for key, value in data.items():
        try:
            flat[terms_text.heading(key)] = value
        except KeyError:
            if key != "prizes":
                flat[key] = value
    return flat | {f"Prize {at}": prize for at, prize in enumerate(data.get("prizes") or [], start=1)}


@page(SEE)
def submission_paper(request: Visit, number: int) -> HttpResponseBase:
    """The terms as the regulator got them."""
    found = queries.find_submission(number)
    name = f"{found.promotion.code}-terms-{found.version.number}.pdf"
    return pdf(bytes(found.pdf), name)


def pdf(content: bytes, name: str) -> HttpResponse:
    named = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(content, content_type="application/pdf", headers=named)
