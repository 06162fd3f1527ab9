"""Winners: those who must be told first of all, then everybody; called, told, their claims taken."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from house import people
from kernel.refusal import NotFound
from promotions import calls, claims, losses, prize_steps, queries, steps
from promotions.models import Win, WinStatus
from promotions.notify import is_overdue, overdue, record_notification
from promotions.pages.people_forms import NotifyForm, WinnersClaimForm
from promotions.permissions import CLAIM, DRAW, LOSE, NOTIFY, PERSONAL, SCRUTINISE, SEE
from promotions.versions import edition_of, terms_in_force
from promotions.wins import find_win
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show

_NEXT = "Another person seconds it, and the scrutineer signs: then the prize goes on."


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.wins_with_attempts(),
        name="promotion-winners",
        order="-won_at",
        search=("promotion__code", "prize__name"),
        filters={
            "promotion": lambda rows, code: rows.filter(promotion__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Prize", lambda row: row.prize.name, order="prize__name"),
            Column("Promotion", lambda row: row.promotion.code, order="promotion__code"),
            Column("Value", lambda row: row.value, order="value", css="right"),
            Column("Entry", lambda row: row.pick.number, css="right"),
            Column("Won", lambda row: row.won_at, order="won_at"),
            Column("To be told by", lambda row: row.notify_by, order="notify_by"),
            Column("Attempts", lambda row: row.attempts, css="right"),
            Column("State", lambda row: row.status, order="status"),
            Column("Told", lambda row: row.told_at, shown=False),
            Column("Claim by", lambda row: row.claim_by, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    late: list[Any] = list(overdue()[:20])
    return show(
        request,
        "promotions/winners.html",
        listing=found,
        late=late,
        now=timezone.now(),
        codes=queries.with_wins(),
        states=WinStatus.values,
        steps=steps.of_room(request.actor),
    )


@page(SEE)
def one(request: Visit, number: int) -> HttpResponseBase:
    return _show(request, number)


def _show(request: Visit, number: int, *, bound: PageForm | None = None) -> HttpResponseBase:
    win, now = find_win(number), timezone.now()
    promotion, sees_people = win.promotion, request.actor.may(PERSONAL)
    _, terms = terms_in_force(promotion)
    told: list[Any] = list(queries.notifications(win).order_by("-id"))
    names = people.names(each.by for each in told)
    for each in told:
        each.person = names[each.by]
    person = queries.winner_of(win) if sees_people else None
    known = {"name": person.name, "address": person.address} if person else {}
    forms: dict[str, PageForm] = {
        "notify": NotifyForm(auto_id="notify-%s", methods=terms.notification),
        "claim": WinnersClaimForm(auto_id="claim-%s", initial=known, terms=terms),
    }
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    made = queries.claims_of(win)
    return show(
        request,
        "promotions/winner.html",
        form=bound,
        win=win,
        rules=edition_of(promotion),
        terms=terms,
        told=told,
        forms=forms,
        reopened=reopened,
        who=person,
        claims=made,
        overdue=is_overdue(win, now),
        cases=queries.loss_cases(win),
        says_next=_NEXT,
        steps=prize_steps.of_win(win, claims=made, by=request.actor, now=now),
    )


@page(NOTIFY, post=True)
def notify(request: Visit, number: int) -> HttpResponseBase:
    form = NotifyForm(request.POST, auto_id="notify-%s")
    if form.is_valid():
        made = attempt(
            form,
            record_notification,
            win_id=number,
            how=form.how,
            reached=form.reached,
            at=form.at,
            notes=form.notes,
            by=request.actor,
        )
        if made:
            said = "The winner knows." if made.reached else "The attempt is on record."
            return done(request, said, "promotion-winner", number)
    return _show(request, number, bound=form)


@page(CLAIM, post=True)
def claim(request: Visit, number: int) -> HttpResponseBase:
    _, terms = terms_in_force(find_win(number).promotion)
    form = WinnersClaimForm(request.POST, auto_id="claim-%s", terms=terms)
    if form.is_valid():
        made = attempt(form, claims.make_claim, win_id=number, **form.claimant, shown=form.shown, by=request.actor)
        if made:
            return done(request, f"Claim {made.pk} is taken, and waits to be decided.", "promotion-claim", made.pk)
    return _show(request, number, bound=form)


@page(CLAIM, post=True)
def decline(request: Visit, number: int) -> HttpResponseBase:
    claims.decline_prize(win_id=number, by=request.actor)
    return done(request, f"Declined. {_NEXT}", "promotion-winner", number)


@page(LOSE, post=True)
def loss(request: Visit, number: int, step: str) -> HttpResponseBase:
    """What is found out after the draw: two people say so, and the scrutineer signs."""
    about: dict[str, Any] = {"win_id": number, "by": request.actor}
    if step == "ineligible":
        losses.winner_ineligible(**about, why=request.POST.get("comment", ""))
        said = f"Noted: not eligible. {_NEXT}"
    elif step == "unclaimed":
        losses.winner_unclaimed(**about)
        said = f"Noted: not claimed in time. {_NEXT}"
    elif step == "second":
        losses.second_loss(**about)
        said = "Seconded. The scrutineer signs next."
    elif step == "withdraw":
        losses.withdraw_loss(**about)
        said = "Taken back: the prize stays the winner’s."
    else:
        raise NotFound("no-such-page", "There is no such page.")
    return done(request, said, "promotion-winner", number)


@page(SCRUTINISE, post=True)
def sign_loss(request: Visit, number: int) -> HttpResponseBase:
    """The scrutineer, at his own screen."""
    heirs = losses.sign_loss(win_id=number, by=request.actor)
    return done(request, f"Signed: the prize is lost. {_heirs(heirs)}", "promotion-winner", number)


@page(DRAW, post=True)
def call(request: Visit, number: int, step: str) -> HttpResponseBase:
    """17.7.8, 15.7.8: called, come forward, or absent: two people and the scrutineer say so, then the next wins."""
    code = find_win(number).promotion.code
    if step == "call":
        called = calls.call_winner(win_id=number, by=request.actor)
        said = f"Entry {called.pick.number} is called. The clock runs."
    elif step == "present":
        said = f"Entry {calls.winner_present(win_id=number, by=request.actor).pick.number} has come forward."
    elif step == "absent":
        calls.winner_absent(win_id=number, by=request.actor)
        said = f"Absent. {_NEXT}"
    else:
        raise NotFound("no-such-page", "There is no such page.")
    return done(request, said, "promotion-room", code)


def _heirs(heirs: list[Win]) -> str:
    return f"Entry {heirs[0].pick.number} wins it now." if heirs else "Nobody wins it."
