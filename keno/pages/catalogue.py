"""What the venue has had approved: set bets, bonuses, tournaments and amounts. Changed by a proposal, never here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from house import approvals, people
from house import approved as house_approved
from house.approvals import Standing
from house.approved import standing
from house.models import ApprovedValue, Proposal
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from keno import approved
from keno.jackpots import RATIO
from keno.pages.catalogue_forms import (
    BonusForm,
    CatalogueForm,
    ConfigurationForm,
    DeviceForm,
    EntryFormForm,
    EquipmentForm,
    RatioForm,
    SetBetForm,
    Special3Form,
    ToJackpotForm,
    TournamentForm,
    VoucherRegisterForm,
    VoucherTypeForm,
    written,
)
from keno.permissions import SEE_ALL
from keno.queries.games import draws_of_set
from keno.steps import room_steps
from keno.voucher_register import registered
from kernel.authority import Authority
from kernel.refusal import NotFound
from web import words
from web.page import Visit, attempt, done, page, show

# Kind → its title, and the form it is proposed with. Amounts have the settings' page.
KINDS: dict[str, tuple[str, type[CatalogueForm] | None]] = {
    approved.SET_BET: ("Set bets", SetBetForm),
    approved.BONUS: ("Bonus prizes", BonusForm),
    approved.TOURNAMENT: ("Tournaments", TournamentForm),
    approved.SPECIAL_3: ("Special 3", Special3Form),
    RATIO: ("Jackpot ratio", RatioForm),
    approved.AMOUNT: ("Amounts", None),
    approved.VOUCHER_TYPE: ("Voucher types", VoucherTypeForm),
    approved.CONFIGURATION: ("Configuration", ConfigurationForm),
    approved.ENTRY_FORM: ("Entry forms", EntryFormForm),
    approved.BALL_SET: ("Ball sets", EquipmentForm),
    approved.DRAW_DEVICE: ("Draw devices", DeviceForm),
}
# What is proposed beside it and replaces nothing; where one comes from.
VOUCHERS, TO_JACKPOT = "voucher-register", "unclaimed-to-jackpot"
BESIDE: dict[str, tuple[str, type[CatalogueForm], str, list[str]]] = {
    VOUCHERS: ("Register vouchers", VoucherRegisterForm, "console:keno-catalogue", [approved.VOUCHER_TYPE]),
    TO_JACKPOT: ("Add unclaimed prizes to a jackpot", ToJackpotForm, "console:keno-unclaimed", []),
}
CLAUSES = {
    approved.SET_BET: "act-keno:4.7h",
    approved.BONUS: "act-keno:4.7e",
    approved.TOURNAMENT: "act-keno:15.2",
    approved.SPECIAL_3: "act-keno:8.4",
    RATIO: "act-keno:5.3",
    approved.VOUCHER_TYPE: "act-keno:4.6",
    VOUCHERS: "act-keno:4.6",
    TO_JACKPOT: "act-keno:11.2",
    approved.CONFIGURATION: "act-keno:1.1",
    approved.ENTRY_FORM: "act-keno:4.4-form",
    approved.BALL_SET: "act-keno:2.1",
    approved.DRAW_DEVICE: "act-keno:1.1",
}


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise NotFound("no-such-kind", "There is no such list of approved values.")
    return kind


@dataclass(frozen=True, slots=True)
class Shown:
    """A version of an approved value as a page shows it."""

    code: str
    version: int
    since: datetime
    proposal: int | None
    withdrawn: bool
    title: str
    said: list[tuple[str, str]]
    person: str
    standing: Standing


def _as_shown(row: ApprovedValue, names: dict[str, str], *more: tuple[str, str]) -> Shown:
    return Shown(
        code=row.code,
        version=row.version,
        since=row.since,
        proposal=row.proposal_id,
        withdrawn=row.value is None,
        title=row.value.get("name", row.code) if isinstance(row.value, dict) else row.code,
        said=[*(_lines(row.value) if row.value is not None else ()), *more],
        person=names[row.approved_by],
        standing=standing(row),
    )


@page()
def listing(request: Visit, kind: str = approved.SET_BET) -> HttpResponseBase:
    title, form = KINDS[_kind(kind)]
    found = approved.all_in_force(kind)
    names = people.names(row.approved_by for row in found)
    vouchers = registered() if kind == approved.VOUCHER_TYPE else None

    def counted(code: str) -> list[tuple[str, str]]:
        return [] if vouchers is None else [("Registered", words.number(vouchers.get(code, 0)))]

    rows = [_as_shown(row, names, *counted(row.code)) for row in found]
    return show(
        request,
        "keno/catalogue.html",
        kind=kind,
        title=title,
        rows=rows,
        clause=CLAUSES.get(kind, ""),
        kinds=[{"kind": each, "title": name, "here": each == kind} for each, (name, _) in KINDS.items()],
        steps=room_steps(request.actor),
        can_add=form is not None and form.is_for_more({row.code for row in rows}),
        vouchers=vouchers is not None,
        withdrawn=sorted({each.code for each in approved.versions(kind)} - {row.code for row in rows}),
    )


@page()
def history(request: Visit, kind: str, code: str) -> HttpResponseBase:
    """Every version of one value, the latest first; of a set of balls also the draws that it was counted for."""
    title, _ = KINDS[_kind(kind)]
    versions = list(house_approved.versions(kind=approved.full_name(kind), code=code).order_by("-version"))
    if not versions:
        raise NotFound("no-such-value", "Nothing of this name was ever approved.")
    draws = draws_of_set(code) if kind == approved.BALL_SET and request.actor.may(SEE_ALL) else []
    names = people.names([*(row.approved_by for row in versions), *(draw.counted_by for draw in draws)])
    return show(
        request,
        "keno/approved.html",
        kind=kind,
        code=code,
        title=title,
        clause=CLAUSES.get(kind, ""),
        versions=[_as_shown(row, names) for row in versions],
        draws=[(draw, names[draw.counted_by or ""]) for draw in draws],
    )


def _lines(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        return [("Value", str(value))]
    return [(words.label(name), _said(each)) for name, each in value.items() if name != "name"]


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(written(value))


@page(PROPOSE)
def propose(request: Visit, kind: str, code: str = "") -> HttpResponseBase:
    """A new value or another one for a code that is there: as a proposal, which somebody else decides."""
    form_class: type[CatalogueForm] | None
    if kind in BESIDE:
        title, form_class, back, named = BESIDE[kind]
    else:
        (title, form_class), back, named = KINDS[_kind(kind)], "console:keno-catalogue", [kind]
    if form_class is None:
        return redirect("console:keno-settings-amount", code) if code else redirect("console:keno-settings")
    now = approved.value(kind, code) if code and kind in KINDS else None
    form: Any = form_class(request.POST or None, code=code, now=now)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=f"keno.{kind}",
            subject=form.subject(kind),
            new=form.value(),
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return _proposed(request, proposal)
    return show(
        request,
        "keno/propose.html",
        form=form,
        title=title,
        code=code,
        clause=CLAUSES.get(kind, ""),
        beside=kind in BESIDE,
        back=reverse(back, args=named),
        back_to=KINDS[named[0]][0] if named else "Not collected",
        inspector=approvals.kinds()[f"keno.{kind}"].fixed_authority is Authority.INSPECTOR,
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
