"""Every promotion, and one of them: where it stands, what is next, its terms."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone

from console import compare, people
from console.forms import Sheet
from console.page import Visit, page, show
from console.tables import Column, Listing
from house.refusal import NotFound
from promotions import paper
from promotions.amend import AMENDABLE
from promotions.draw_permissions import CLAIM
from promotions.lifecycle import Status
from promotions.locks import find_promotion
from promotions.models import Edition, EntryList, Promotion, Statuses, Submission, TermsVersion
from promotions.permissions import AMEND, DRAFT, ENTER, EXPORT, IMPORT, PERSONAL, SEE, SUBMIT
from promotions.rules.editions import SUBMITTED_BEFORE
from promotions.rules.terms import check
from promotions.versions import edition_of, in_force

# Where it stands in the life of a promotion, for the row of steps on its page.
LIFE = ("draft", "submitted", "running", "closed", "sealed", "drawn", "finished")


def _entries(promotion: Promotion) -> int:
    """How many stand; a sealed list has been counted."""
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).only("count").first()
    return sealed.count if sealed else promotion.entries.filter(withdrawn_at=None).count()


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Promotion.objects.all(),
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
            Column("Entries", _entries, css="right"),
            Column("Drafted", lambda row: row.made_at, order="made_at", shown=False),
            Column("Submitted", lambda row: row.submitted_at, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.standing = _entries(row)
    return show(
        request,
        "console/promotions/list.html",
        listing=found,
        states=Statuses.values,
        editions=Edition.choices,
        may_draft=request.actor.may(DRAFT),
        may_enter=request.actor.may(ENTER),
    )


@page(SEE)
def one(request: Visit, code: str) -> HttpResponseBase:
    return show_one(request, code)


def show_one(request: Visit, code: str, *, bound: Sheet | None = None) -> HttpResponseBase:
    promotion, may = find_promotion(code), request.actor.may
    rules, status = edition_of(promotion), promotion.status
    version = in_force(promotion) or TermsVersion.objects.filter(promotion=promotion).latest("number")
    submissions: list[Any] = list(
        Submission.objects.filter(promotion=promotion).select_related("version").defer("pdf").order_by("-id")
    )
    names = people.names([promotion.made_by, *(each.by for each in submissions)])
    for each in submissions:
        each.person = names[each.by]
    earliest = promotion.submitted_at + SUBMITTED_BEFORE if promotion.submitted_at else None
    missing = check(version.data, rules) if status == Status.DRAFT else []
    now = timezone.now()
    return show(
        request,
        "console/promotions/one.html",
        form=bound,
        promotion=promotion,
        rules=rules,
        version=version,
        missing=missing,
        particulars=[] if missing else list(paper.particulars(version.data)),
        prizes=[
            {"name": prize["name"], "lines": list(paper.prize_lines(prize, rules))}
            for prize in version.data.get("prizes", [])
        ]
        if not missing
        else [],
        life=_life(promotion),
        submissions=submissions,
        sealed=EntryList.objects.filter(promotion=promotion, voided_at=None).first(),
        entries=_entries(promotion),
        entrants=promotion.entrants.count(),
        maker=names[promotion.made_by],
        earliest=earliest,
        seconds=max(0, int((earliest - now).total_seconds())) if earliest and status == Status.SUBMITTED else None,
        versions=TermsVersion.objects.filter(promotion=promotion).count(),
        may_edit=may(DRAFT) and status == Status.DRAFT,
        may_submit=may(SUBMIT) and status == Status.DRAFT and not missing,
        may_redraft=may(DRAFT) and status == Status.SUBMITTED,
        may_start=may(SUBMIT) and status == Status.SUBMITTED,
        may_close=may(SUBMIT) and status == Status.RUNNING,
        may_seal=may(SUBMIT) and status == Status.CLOSED,
        may_give_up=may(SUBMIT) and status in {Status.DRAFT, Status.SUBMITTED},
        may_amend=may(AMEND) and status in AMENDABLE,
        may_import=may(IMPORT) and status == Status.RUNNING,
        may_enter=may(ENTER) and status == Status.RUNNING,
        may_export=may(EXPORT) and promotion.erased_at is None,
        may_personal=may(PERSONAL),
        may_room=status not in {Status.DRAFT, Status.SUBMITTED},
        may_claim=may(CLAIM) and promotion.drawn_at is not None,
    )


def _life(promotion: Promotion) -> list[dict[str, Any]]:
    """The way from draft to finished, with when each step was or, by the terms, will be."""
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
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
    at = LIFE.index(here) if here in LIFE else -1
    return [
        {"step": step, "at": when[step], "state": "done" if place < at else "here" if place == at else ""}
        for place, step in enumerate(LIFE)
    ]


@page(SEE)
def versions(request: Visit, code: str) -> HttpResponseBase:
    """Two versions of the terms side by side: those asked for, else the newest beside the one before it."""
    promotion = find_promotion(code)
    every: list[Any] = list(TermsVersion.objects.filter(promotion=promotion).order_by("number"))
    names = people.names(each.made_by for each in every)
    for each in every:
        each.person = names[each.made_by]
    by_number = {str(each.number): each for each in every}
    new = by_number.get(request.GET.get("new", ""), every[-1])
    old = by_number.get(request.GET.get("old", ""), every[max(0, every.index(new) - 1)])
    return show(
        request,
        "console/promotions/versions.html",
        promotion=promotion,
        versions=every,
        old=old,
        new=new,
        lines=compare.side_by_side(_flat(old.data), _flat(new.data)),
        in_force=in_force(promotion),
    )


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    """Terms with a line for each particular and each prize, under the headings players read."""
    flat = {}
    for key, value in data.items():
        try:
            flat[paper.heading(key)] = value
        except KeyError:
            if key != "prizes":
                flat[key] = value
    return flat | {f"Prize {at}": prize for at, prize in enumerate(data.get("prizes", []), start=1)}


@page(SEE)
def submission_paper(request: Visit, number: int) -> HttpResponseBase:
    """The terms as the regulator got them."""
    found = Submission.objects.filter(pk=number).select_related("promotion", "version").first()
    if found is None:
        raise NotFound("no-such-submission", f"There is no submission {number}.")
    name = f"{found.promotion.code}-terms-{found.version.number}.pdf"
    return pdf(bytes(found.pdf), name)


def pdf(content: bytes, name: str) -> HttpResponse:
    named = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(content, content_type="application/pdf", headers=named)
