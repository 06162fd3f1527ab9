"""Rounds: their list, one of them, and what two people say of it afterwards."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase

from house import approvals
from house.approvals import Approvable
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from jackpot import at_once, late_claims, permissions, queries, terms, waiting_rounds
from jackpot.finish_round import find_round
from jackpot.models import Round
from jackpot.pages.round_forms import LateClaimForm, RoundEndForm
from jackpot.rules.policies import Game
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(permissions.VIEW)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.rounds(),
        name="jackpot-rounds",
        order="-started_at",
        search=("table__code", "why"),
        filters={
            "link": lambda rows, code: rows.filter(terms__link__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Round", lambda row: row.pk),
            Column("Table", lambda row: row.table.code, order="table__code"),
            Column("Started", lambda row: row.started_at, order="started_at"),
            Column("Displayed", lambda row: " + ".join(row.displayed.values()), css="right"),
            Column("Wagers", lambda row: row.wagers_in, css="right"),
            Column("State", lambda row: row.status),
            Column("Why", lambda row: row.why),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "jackpot/rounds.html",
        listing=found,
        codes=queries.link_codes(),
        states=Round.Status.values,
    )


@page(permissions.VIEW)
def one(request: Visit, number: int) -> HttpResponseBase:
    """What was displayed, what became of each box; no cards: whoever verifies a hit has not seen them."""
    found = find_round(number)
    may_propose = request.actor.may(PROPOSE)
    by_hand = terms.of(found.terms).rules.game is not Game.MYSTERY
    return show(
        request,
        "jackpot/round.html",
        found=found,
        boxes=queries.boxes_of(found),
        claims_late=may_propose and by_hand and found.status == Round.Status.FINISHED,
        says_end=may_propose and found.status == Round.Status.OPEN and at_once.is_overdue(found),
    )


@page(PROPOSE)
def claim_late(request: Visit, number: int) -> HttpResponseBase:
    """A hand that was not named when the round ended: one person says so with its cards, another decides."""
    found = find_round(number)
    rules = terms.of(found.terms).rules
    boxes = queries.unnamed_boxes(found)
    form = LateClaimForm(request.POST or None, boxes=boxes, declared_clause=rules.declared_clause)
    if (said := _proposed(request, found, form, late_claims.LATE_CLAIM)) is not None:
        return said
    pieces = form.pieces(rules.game)
    return show(request, "jackpot/claim_late.html", form=form, found=found, link=found.terms.link, pieces=pieces)


@page(PROPOSE)
def say_end(request: Visit, number: int) -> HttpResponseBase:
    """A won jackpot waits for this round, and its table does not end it: one person says how it ended."""
    found = find_round(number)
    form = RoundEndForm(request.POST or None)
    if (said := _proposed(request, found, form, waiting_rounds.WAITING_ROUND)) is not None:
        return said
    return show(request, "jackpot/say_end.html", form=form, found=found, link=found.terms.link)


def _proposed(
    request: Visit, found: Round, form: LateClaimForm | RoundEndForm, kind: Approvable[Any]
) -> HttpResponseBase | None:
    if not form.is_valid():
        return None
    subject, new = found.terms.link.subject, form.new(found)
    proposal = attempt(form, approvals.propose, kind=kind, subject=subject, new=new, why=form.why, by=request.actor)
    return done(request, proposed(proposal), "approval", proposal.pk) if proposal else None
