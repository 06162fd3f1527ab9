"""Letters of an authority, for people: put one on record, read the document, confirm, countersign or dispute it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpResponseBase

from house import approvals
from house.approvals import letters
from house.models import DOCUMENT_BYTES_LIMIT, Letter, LetterStatus, Proposal
from house.pages import proposals
from house.pages.forms.letters import LetterForm
from house.permissions import AS_INSPECTOR, RECORD_LETTERS, VIEW_APPROVALS
from kernel.refusal import NotFound
from web.page import Visit, attempt, done, page, show, takes_file


@takes_file(DOCUMENT_BYTES_LIMIT + 10_000)
@page(RECORD_LETTERS)
def record(request: Visit, number: int) -> HttpResponseBase:
    [row] = proposals.described([approvals.proposal_numbered(number)], request.actor)
    form = LetterForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        letter: Letter | None = attempt(
            form,
            letters.record_letter,
            proposal_id=number,
            signed_by=form.signed_by,
            office=form.office,
            reference=form.reference,
            dated=form.dated,
            document=form.document,
            by=request.actor,
        )
        if letter is not None:
            return done(request, "On record. Another person confirms it.", "approval", number)
    return show(request, "house/approvals/letter.html", form=form, proposal=row)


@page(VIEW_APPROVALS)
def document(request: Visit, number: int) -> HttpResponseBase:
    """As a file to keep, never as a page."""
    return letters.as_file(approvals.letter_with_document(number)).response()


def _confirm(request: Visit, number: int) -> str:
    read = request.POST.get("sha256", "")
    decided = letters.confirm_letter(
        proposal_id=number, sha256=read, comment=request.POST.get("comment", ""), by=request.actor
    )
    return f"Confirmed. {proposals.came_of(decided)} An inspector has still to countersign."


def _discard(request: Visit, number: int) -> str:
    letters.discard_letter(proposal_id=number, comment=request.POST.get("comment", ""), by=request.actor)
    return "Discarded. The letter is kept, and decides nothing."


def _countersign(request: Visit, number: int) -> str:
    letters.countersign(proposal_id=number, comment=request.POST.get("comment", ""), by=request.actor)
    return "Countersigned."


def _dispute(request: Visit, number: int) -> str:
    letters.dispute(proposal_id=number, comment=request.POST.get("comment", ""), by=request.actor)
    return "Disputed. An incident is open."


_ACTS: Final[dict[str, Callable[[Visit, int], str]]] = {
    "confirm": _confirm,
    "discard": _discard,
}
_ANSWERS: Final[dict[str, Callable[[Visit, int], str]]] = {"countersign": _countersign, "dispute": _dispute}


@page(RECORD_LETTERS, post=True)
def act(request: Visit, number: int, name: str) -> HttpResponseBase:
    if name not in _ACTS:
        raise NotFound("no-such-decision", "A letter is confirmed or discarded.")
    return done(request, _ACTS[name](request, number), "approval", number)


@page(AS_INSPECTOR, post=True)
def answer(request: Visit, number: int, name: str) -> HttpResponseBase:
    if name not in _ANSWERS:
        raise NotFound("no-such-decision", "A letter is countersigned or disputed.")
    return done(request, _ANSWERS[name](request, number), "approval", number)


def shown(proposal: Proposal) -> list[Any]:
    """The letters of a proposal as its page shows them, the one that counts first."""
    rows: list[Any] = list(proposal.letters.defer("document"))
    rows.sort(key=lambda row: row.status == LetterStatus.DISCARDED)
    return proposals.named(rows, "recorded_by", "confirmed_by", "answered_by", "discarded_by")
