"""Keno tournaments (15): players entered for a fee, the scores, places and prizes paid to the cent."""

from __future__ import annotations

from functools import partial

from django.db.models import Q
from django.http import HttpResponseBase

from house import people
from house.pages.forms.cash import IdentityForm
from keno import tournaments
from keno.pages.tournament_forms import KenoEntryForm, PrizeForm
from keno.permissions import PAY, PAY_LARGE, SEE, SELL, TOURNAMENT
from keno.steps import room_steps
from keno.tournament_conditions import versions
from keno.tournaments import KENO, KenoTournament, refund_steps
from kernel.money import ZERO, Money
from tournaments import queries
from tournaments.permissions import NAMES
from tournaments.steps import TournamentStatus, prize_steps, tournament_steps
from web import words
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show
from web.words import count, money


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.listed(versions(), KENO),
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
        row.tournament = tournaments.find_tournament(row.code)
    return show(request, "keno/tournaments.html", listing=found, steps=room_steps(request.actor))


_PAID: dict[str, Q] = {
    "refunded": Q(refunded_at__isnull=False),
    "paid": Q(paid_at__isnull=False),
    "owing": Q(paid_at__isnull=True, prize__gt=ZERO),
    "nothing": Q(prize=ZERO),
}


@page(SEE)
def one(request: Visit, code: str) -> HttpResponseBase:
    return show_tournament(request, tournaments.find_tournament(code))


def _entries(request: Visit, tournament: KenoTournament) -> Listing:
    ranked = tournament.status == TournamentStatus.FINISHED
    return Listing(
        request,
        queries.entries_of(KENO, tournament.code),
        name=f"keno-tournament-{tournament.code}",
        order="place" if ranked else "id",
        search=("player",),
        personal={"player": NAMES},
        filters={"state": lambda rows, state: rows.filter(_PAID.get(state, Q(pk=None)))},
        columns=(
            Column("Entry", lambda row: row.pk, order="id"),
            Column("Player", partial(queries.shown_player, by=request.actor), order="player"),
            Column("Numbers", lambda row: " ".join(map(str, row.numbers))),
            Column("Entered", lambda row: row.entered_at, order="entered_at"),
            Column("Fee", lambda row: row.fee, css="right"),
            Column("Score", lambda row: None if row.score is None else Money(row.score), css="right"),
            Column("Place", lambda row: row.place, order="place" if ranked else "", css="right"),
            Column("Prize", lambda row: row.prize, order="prize" if ranked else "", css="right"),
            Column("Paid", lambda row: row.paid_at, shown=False),
            Column("Paid by", lambda row: row.paid_by, shown=False),
            Column("Cheque", lambda row: row.cheque_number, shown=False),
            Column("Fee given back", lambda row: row.refunded_at, shown=False),
            Column("", css="act"),
        ),
    )


def show_tournament(
    request: Visit, tournament: KenoTournament, *, form: PageForm | None = None, paying: int | None = None
) -> HttpResponseBase:
    found = _entries(request, tournament)
    if found.wants_csv:
        return found.csv()
    rows, terms = found.rows, tournament.terms
    so_far = {}
    if tournament.status in (TournamentStatus.PLAYING, TournamentStatus.PLAYED):
        so_far = tournaments.scores_so_far(rows, terms)
    names = people.names([tournament.approved_by, *(row.authorised_by for row in rows)])
    for row in rows:
        row.so_far, row.called = so_far.get(row.pk), queries.shown_player(row, request.actor)
        row.points = None if row.score is None else Money(row.score)
        row.authoriser = names.get(row.authorised_by or "", "")
        row.steps = prize_steps(KENO, row, request.actor)
        row.text = str(row.pk)
        row.refund = refund_steps(row, tournament, request.actor)
        row.paying = row.pk == paying
        fresh = IdentityForm(auto_id=f"refund-{row.pk}-%s") if row.refund.pay else PrizeForm(auto_id=f"pay-{row.pk}-%s")
        row.form = form if row.paying and form is not None else fresh
    return show(
        request,
        "keno/tournament.html",
        form=form,
        entry_form=form if isinstance(form, KenoEntryForm) else KenoEntryForm(spots=terms.spots),
        entering=isinstance(form, KenoEntryForm),
        listing=found,
        tournament=tournament,
        terms=terms,
        fee=terms.entry_fee,
        stake=terms.stake,
        places=[words.rate(share) for share in terms.prizes],
        approver=names[tournament.approved_by],
        steps=tournament_steps(KENO, tournament.status, tournament.opened, request.actor),
        call_off=tournaments.may_call_off(tournament, request.actor),
        to_be_called_off=tournaments.waits_to_be_called_off(tournament.code),
    )


@page(SELL, post=True)
def enter(request: Visit, code: str) -> HttpResponseBase:
    tournament = tournaments.find_tournament(code)
    form = KenoEntryForm(request.POST, spots=tournament.terms.spots)
    if form.is_valid():
        made = attempt(
            form,
            tournaments.enter_tournament,
            code=code,
            numbers=form.numbers,
            **form.entrant,
            by=request.actor,
        )
        if made:
            said = f"{made.player} is entry {made.pk}: {money(made.fee)} taken."
            return done(request, said, "keno-tournament", code)
    return show_tournament(request, tournament, form=form)


@page(TOURNAMENT, post=True)
def finish(request: Visit, code: str) -> HttpResponseBase:
    ranked = tournaments.finish_tournament(code=code, by=request.actor)
    said = (
        f"Tournament {code} is over: {count(len(ranked), 'entry', 'entries')} ranked, every cent of the balance shared."
    )
    return done(request, said, "keno-tournament", code)


@page(PAY_LARGE, post=True)
def authorise(request: Visit, number: int) -> HttpResponseBase:
    entry = tournaments.authorise_prize(entry_id=number, by=request.actor)
    assert entry.prize is not None
    whom = queries.shown_player(entry, request.actor)
    said = f"You have authorised the payment of {money(entry.prize)} to {whom}. Another person pays it."
    return done(request, said, "keno-tournament", entry.tournament.code)


@page(PAY, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    entry, form = queries.find_entry(KENO, number), PrizeForm(request.POST, auto_id=f"pay-{number}-%s")
    code = entry.tournament.code
    if form.is_valid():
        cheque, who = form.cheque_number, form.identity()
        verb = tournaments.pay_tournament_prize
        paid = attempt(form, verb, entry_id=number, cheque_number=cheque, identity=who, by=request.actor)
        if paid:
            how = f"by cheque {paid.cheque_number}" if paid.cheque_number else "in cash"
            return done(
                request,
                f"{money(paid.prize)} is paid to {queries.shown_player(paid, request.actor)}, {how}.",
                "keno-tournament",
                code,
            )
    return show_tournament(request, tournaments.find_tournament(code), form=form, paying=number)
