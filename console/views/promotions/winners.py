"""Winners: those who must be told first of all, then everybody; called, told, their claims taken."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpResponseBase
from django.utils import timezone

from console import people
from console.forms import Sheet
from console.forms.promotions.people import ClaimForm, NotifyForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house.refusal import NotFound
from promotions import calls, claims
from promotions.draw_permissions import CLAIM, DRAW, NOTIFY
from promotions.models import Claim, Promotion, Win, WinStatus
from promotions.notify import overdue, record_notification
from promotions.permissions import PERSONAL, SEE
from promotions.versions import edition_of, terms_in_force
from promotions.wins import find_win


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Win.objects.select_related("promotion", "prize", "pick").annotate(attempts=Count("notifications")),
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
        "console/promotions/winners.html",
        listing=found,
        late=late,
        now=timezone.now(),
        codes=Promotion.objects.filter(wins__isnull=False).distinct().values_list("code", flat=True),
        states=WinStatus.values,
        may_notify=request.actor.may(NOTIFY),
    )


@page(SEE)
def one(request: Visit, number: int) -> HttpResponseBase:
    return _show(request, number)


def _show(request: Visit, number: int, *, bound: Sheet | None = None) -> HttpResponseBase:
    win: Any = find_win(number)
    may, promotion = request.actor.may, win.promotion
    _, terms = terms_in_force(promotion)
    told: list[Any] = list(win.notifications.order_by("-id"))
    names = people.names(each.by for each in told)
    for each in told:
        each.person = names[each.by]
    forms: dict[str, Sheet] = {
        "notify": NotifyForm(auto_id="notify-%s", methods=terms.notification),
        "claim": ClaimForm(auto_id="claim-%s", initial=_known(win) if may(PERSONAL) else {}),
    }
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    now, waits = timezone.now(), win.status == "drawn"
    under_way = Claim.objects.filter(win=win).exclude(status="denied").first()
    return show(
        request,
        "console/promotions/winner.html",
        form=bound,
        win=win,
        rules=edition_of(promotion),
        terms=terms,
        told=told,
        forms=forms,
        reopened=reopened,
        entrant=win.pick.entry.entrant if may(PERSONAL) else None,
        claims=list(Claim.objects.filter(win=win).order_by("-id")),
        overdue=waits and win.told_at is None and win.notify_by is not None and win.notify_by < now,
        seconds=int((win.call_ends_at - now).total_seconds()) if waits and win.call_ends_at else None,
        may_notify=may(NOTIFY) and win.status != "lost" and win.notify_by is not None,
        may_claim=may(CLAIM) and waits and under_way is None,
        may_call=may(DRAW) and waits and terms.must_be_present and win.present_at is None,
    )


def _known(win: Win) -> dict[str, str]:
    person = getattr(win.pick.entry.entrant, "person", None)
    return {"name": getattr(person, "name", ""), "address": getattr(person, "address", "")}


@page(NOTIFY, post=True)
def notify(request: Visit, number: int) -> HttpResponseBase:
    form = NotifyForm(request.POST, auto_id="notify-%s")
    if form.is_valid():
        made = attempt(form, record_notification, win_id=number, by=request.actor, **form.cleaned_data)
        if made:
            said = "The winner knows." if made.reached else "The attempt is on record."
            return done(request, said, "promotion-winner", number)
    return _show(request, number, bound=form)


@page(CLAIM, post=True)
def claim(request: Visit, number: int) -> HttpResponseBase:
    form = ClaimForm(request.POST, auto_id="claim-%s")
    if form.is_valid():
        made = attempt(form, claims.make_claim, win_id=number, by=request.actor, **form.cleaned_data)
        if made:
            return done(request, f"Claim {made.pk} is taken, and waits to be decided.", "promotion-claim", made.pk)
    return _show(request, number, bound=form)


@page(CLAIM, post=True)
def decline(request: Visit, number: int) -> HttpResponseBase:
    heirs = claims.decline_prize(win_id=number, by=request.actor)
    return done(request, f"Declined. {_heirs(heirs)}", "promotion-winner", heirs[0].pk if heirs else number)


@page(DRAW, post=True)
def call(request: Visit, number: int, step: str) -> HttpResponseBase:
    """17.7.8, 15.7.8: called, come forward, or absent: then the next in the drawn order wins."""
    code = find_win(number).promotion.code
    if step == "call":
        called = calls.call_winner(win_id=number, by=request.actor)
        said = f"Entry {called.pick.number} is called. The clock runs."
    elif step == "present":
        said = f"Entry {calls.winner_present(win_id=number, by=request.actor).pick.number} has come forward."
    elif step == "absent":
        said = f"Absent. {_heirs(calls.winner_absent(win_id=number, by=request.actor))}"
    else:
        raise NotFound("no-such-page", "There is no such page.")
    return done(request, said, "promotion-room", code)


def _heirs(heirs: list[Win]) -> str:
    return f"Entry {heirs[0].pick.number} wins it now." if heirs else "Nobody wins it."
