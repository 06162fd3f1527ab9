"""What the venue has had approved: set bets, bonuses, tournaments and amounts. Changed by a proposal, never here."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import redirect

from house import approvals, people
from house.approved import standing
from house.models import Proposal
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from keno import approved
from keno.jackpots import RATIO
from keno.pages.forms import BonusForm, EntryFormForm, EquipmentForm, SetBetForm, TournamentForm, ValueForm
from keno.steps import room_steps
from kernel.refusal import NotFound
from web import words
from web.forms import PageForm
from web.page import Visit, attempt, done, page, show

# Kind → its title, and the form it is proposed with; the others are written as they are stored.
KINDS: dict[str, tuple[str, type[PageForm] | None]] = {
    approved.SET_BET: ("Set bets", SetBetForm),
    approved.BONUS: ("Bonus prizes", BonusForm),
    approved.TOURNAMENT: ("Tournaments", TournamentForm),
    approved.SPECIAL_3: ("Special 3", None),
    RATIO: ("Jackpot ratio", None),
    approved.AMOUNT: ("Amounts", None),
    approved.VOUCHER_TYPE: ("Voucher types", None),
    approved.CONFIGURATION: ("Configuration", None),
    approved.ENTRY_FORM: ("Entry forms", EntryFormForm),
    approved.BALL_SET: ("Ball sets", EquipmentForm),
    approved.DRAW_DEVICE: ("Draw devices", EquipmentForm),
}
CLAUSES = {
    approved.SET_BET: "act-keno:4.7h",
    approved.BONUS: "act-keno:4.7e",
    approved.TOURNAMENT: "act-keno:15.2",
    approved.SPECIAL_3: "act-keno:8.4",
    RATIO: "act-keno:5.3",
    approved.VOUCHER_TYPE: "act-keno:4.6",
    approved.CONFIGURATION: "act-keno:1.1",
    approved.ENTRY_FORM: "act-keno:4.4-form",
    approved.BALL_SET: "act-keno:2.1",
    approved.DRAW_DEVICE: "act-keno:1.1",
}


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise NotFound("no-such-kind", "There is no such list of approved values.")
    return kind


@page()
def listing(request: Visit, kind: str = approved.SET_BET) -> HttpResponseBase:
    title, form = KINDS[_kind(kind)]
    rows: list[Any] = list(approved.all_in_force(kind))
    names = people.names(row.approved_by for row in rows)
    for row in rows:
        row.said, row.person = _lines(row.value), names[row.approved_by]
        row.standing = standing(row)
        row.title = row.value.get("name", row.code) if isinstance(row.value, dict) else row.code
    return show(
        request,
        "keno/catalogue.html",
        kind=kind,
        title=title,
        rows=rows,
        clause=CLAUSES.get(kind, ""),
        kinds=[{"kind": each, "title": name, "here": each == kind} for each, (name, _) in KINDS.items()],
        steps=room_steps(request.actor),
        can_add=form is not None,
    )


def _lines(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        return [("Value", str(value))]
    return [(words.label(name), _said(each)) for name, each in value.items() if name != "name"]


def _said(value: object) -> str:
    if isinstance(value, list):
        parts = [" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value]
        return " | ".join(parts) if any(isinstance(each, list) for each in value) else " ".join(parts)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


@page(PROPOSE)
def propose(request: Visit, kind: str, code: str = "") -> HttpResponseBase:
    """A new value or another one for a code that is there: as a proposal, which somebody else decides."""
    title, form_class = KINDS[_kind(kind)]
    now = approved.value(kind, code) if code else None
    if form_class is not None and not code:
        form: Any = form_class(request.POST or None)
    else:
        form = ValueForm(request.POST or None, initial={"new": json.dumps(now, indent=2, ensure_ascii=False)})
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=f"keno.{kind}",
            subject=f"{kind}:{code or form.code.strip()}",
            new=form.value() if hasattr(form, "value") else form.new,
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return _proposed(request, proposal)
    return show(
        request, "keno/propose.html", form=form, kind=kind, title=title, code=code, clause=CLAUSES.get(kind, "")
    )


@page(PROPOSE, post=True)
def withdraw(request: Visit, kind: str, code: str) -> HttpResponseBase:
    proposal = approvals.propose(
        kind=f"keno.{_kind(kind)}",
        subject=f"{kind}:{code}",
        new=None,
        why=request.POST.get("comment", ""),
        by=request.actor,
    )
    return _proposed(request, proposal)


def _proposed(request: Visit, proposal: Proposal) -> HttpResponseBase:
    return done(request, proposed(proposal), "approval", proposal.pk)


@page()
def to_first(request: Visit) -> HttpResponseBase:
    return redirect("console:keno-catalogue", approved.SET_BET)
