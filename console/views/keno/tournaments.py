"""Keno tournaments (15): players entered for a fee, the standing, places and prizes paid to the cent."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponseBase

from console import people
from console.forms import Sheet
from console.forms.keno_tournaments import EntryForm, PrizeForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from console.words import count, money
from house.refusal import NotFound
from keno import approved, tournaments
from keno.models import Approved, TournamentEntry
from keno.pay import THRESHOLD
from keno.permissions import PAY, PAY_LARGE, SEE, SELL, TOURNAMENT
from keno.tournaments import TournamentStanding
from ledger.money import ZERO, Money

_ENTRIES = TournamentEntry.objects.filter(tournament=OuterRef("code")).order_by()


def _conditions() -> QuerySet[Approved]:
    """One row a tournament: the conditions somebody entered under, or else those in force."""
    rows = Approved.objects.filter(kind=approved.TOURNAMENT)
    latest = Approved.objects.filter(kind=approved.TOURNAMENT, code=OuterRef("code")).order_by("-id").values("pk")[:1]
    entered = Exists(_ENTRIES)
    return rows.annotate(
        entered=entered,
        finished=Exists(_ENTRIES.filter(place__isnull=False)),
        entries=Coalesce(Subquery(_ENTRIES.values("tournament").annotate(n=Count("id")).values("n")), 0),
    ).filter(
        Q(pk__in=TournamentEntry.objects.order_by().values("conditions"))
        | Q(entered=False, value__isnull=False, pk=Subquery(latest))
    )


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        _conditions(),
        name="keno-tournaments",
        order="-since",
        search=("code", "value__name"),
        filters={"state": lambda rows, state: rows.filter(finished=state == "finished")},
        columns=(
            Column("Tournament", lambda row: row.code, order="code"),
            Column("Name", lambda row: row.value["name"], shown=False),
            Column("Games", lambda row: f"{row.value['first_game']}-{row.value['last_game']}"),
            Column("Approved", lambda row: row.since, order="since"),
            Column("State", lambda row: "finished" if row.finished else ""),
            Column("Entries", lambda row: row.entries, order="entries", css="right"),
            Column("Fee", lambda row: row.value["entry_fee"], shown=False),
            Column("Retained, basis points", lambda row: row.value["retained"], shown=False),
            Column("Fees", css="right"),
            Column("Prizes", css="right"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.standing = tournaments.standing_of(row)
    return show(
        request, "console/keno/tournaments.html", listing=found, may_propose=request.actor.may("approvals.propose")
    )


_PAID: dict[str, Q] = {
    "paid": Q(paid_at__isnull=False),
    "owing": Q(paid_at__isnull=True, prize__gt=ZERO),
    "nothing": Q(prize=ZERO),
}


@page(SEE)
def one(request: Visit, code: str) -> HttpResponseBase:
    return _one(request, tournaments.find_tournament(code))


def _one(
    request: Visit, standing: TournamentStanding, *, form: Sheet | None = None, paying: int | None = None
) -> HttpResponseBase:
    ranked = standing.state == "finished"
    found = Listing(
        request,
        TournamentEntry.objects.filter(tournament=standing.code),
        name=f"keno-tournament-{standing.code}",
        order="place" if ranked else "id",
        search=("player",),
        filters={"state": lambda rows, state: rows.filter(_PAID.get(state, Q(pk=None)))},
        columns=(
            Column("Entry", lambda row: row.pk, order="id"),
            Column("Player", lambda row: row.player, order="player"),
            Column("Numbers", lambda row: " ".join(map(str, row.numbers))),
            Column("Entered", lambda row: row.entered_at, order="entered_at"),
            Column("Fee", lambda row: row.fee, css="right"),
            Column("Score", lambda row: row.score, css="right"),
            Column("Place", lambda row: row.place, order="place" if ranked else "", css="right"),
            Column("Prize", lambda row: row.prize, order="prize" if ranked else "", css="right"),
            Column("Paid", lambda row: row.paid_at, shown=False),
            Column("Paid by", lambda row: row.paid_by, shown=False),
            Column("Cheque", lambda row: row.cheque_number, shown=False),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    rows = found.rows
    if standing.state in ("playing", "played"):
        for row, so_far in zip(rows, tournaments.scores_so_far(rows, standing.terms), strict=True):
            row.so_far = so_far
    names = people.names([standing.conditions.approved_by, *(row.authorised_by for row in rows)])
    may, identity = request.actor.may, request.actor.identity
    limit = approved.amount(approved.SUPERVISED_ABOVE)
    for row in rows:
        row.authoriser = names.get(row.authorised_by or "", "")
        unpaid = bool(row.prize) and row.paid_at is None
        row.large = unpaid and row.prize > limit
        row.by_cheque = unpaid and row.prize >= THRESHOLD
        row.may_authorise = row.large and row.authorised_by is None and may(PAY_LARGE)
        cleared = row.authorised_by != identity and (not row.large or row.authorised_by is not None)
        row.may_pay = unpaid and cleared and may(PAY)
        row.form = form if row.pk == paying and form is not None else PrizeForm(auto_id=f"pay-{row.pk}-%s")
        row.paying = row.pk == paying
    terms = standing.terms
    return show(
        request,
        "console/keno/tournament.html",
        form=form,
        entry_form=form if isinstance(form, EntryForm) else EntryForm(spots=terms["spots"]),
        entering=isinstance(form, EntryForm),
        listing=found,
        standing=standing,
        terms=terms,
        fee=Money.parse(terms["entry_fee"]),
        stake=Money.parse(terms["stake"]),
        places=[f"{share / 100:g}%" for share in terms["prizes"]],
        unpaid=standing.prizes - standing.paid,
        approver=names[standing.conditions.approved_by],
        may_enter=may(SELL) and standing.state == "open",
        may_finish=may(TOURNAMENT) and standing.state == "played" and standing.entries > 0,
    )


@page(SELL, post=True)
def enter(request: Visit, code: str) -> HttpResponseBase:
    standing = tournaments.find_tournament(code)
    form = EntryForm(request.POST, spots=standing.terms["spots"])
    if form.is_valid():
        made = attempt(form, tournaments.enter_tournament, code=code, by=request.actor, **form.cleaned_data)
        if made:
            said = f"{made.player} is entry {made.pk}: {money(made.fee)} taken."
            return done(request, said, "keno-tournament", code)
    return _one(request, standing, form=form)


@page(TOURNAMENT, post=True)
def finish(request: Visit, code: str) -> HttpResponseBase:
    ranked = tournaments.finish_tournament(code=code, by=request.actor)
    said = (
        f"Tournament {code} is over: {count(len(ranked), 'entry', 'entries')} ranked, every cent of the balance shared."
    )
    return done(request, said, "keno-tournament", code)


def _entry(number: int) -> TournamentEntry:
    found = TournamentEntry.objects.filter(pk=number).first() if number < 2**63 else None
    if found is None:
        raise NotFound("no-such-entry", f"There is no tournament entry {number}.")
    return found


@page(PAY_LARGE, post=True)
def authorise(request: Visit, number: int) -> HttpResponseBase:
    entry = tournaments.authorise_prize(entry_id=number, by=request.actor)
    assert entry.prize is not None
    said = f"You stand by the payment of {money(entry.prize)} to {entry.player}. Another person pays it."
    return done(request, said, "keno-tournament", entry.tournament)


@page(PAY, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    entry, form = _entry(number), PrizeForm(request.POST, auto_id=f"pay-{number}-%s")
    if form.is_valid():
        given: dict[str, Any] = form.given()
        paid = attempt(form, tournaments.pay_tournament_prize, entry_id=number, by=request.actor, **given)
        if paid:
            how = f"by cheque {paid.cheque_number}" if paid.cheque_number else "in cash"
            return done(
                request, f"{money(paid.prize)} is paid to {paid.player}, {how}.", "keno-tournament", paid.tournament
            )
    return _one(request, tournaments.find_tournament(entry.tournament), form=form, paying=number)
