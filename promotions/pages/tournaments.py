"""Tournaments of any game: approved conditions, entries, scores, places and prizes (act-cp:16 and its like)."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, DateTimeField, DecimalField, F, IntegerField, QuerySet, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Now
from django.http import HttpResponseBase

from house import approvals, people
from house.approved import standing
from house.pages.forms.cash import IdentityForm
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from kernel.refusal import NotFound, Refusal
from ledger.fields import MoneyField
from promotions import tournaments
from promotions.pages.people_forms import ConditionsForm, RebuyForm, TournamentPrizeForm
from promotions.permissions import (
    ENTER_TOURNAMENT,
    PAY_TOURNAMENT,
    REFUND_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENTS,
)
from promotions.rules.editions import CASH
from promotions.steps import of_room
from promotions.tournament_conditions import versions
from promotions.tournaments import ANY_GAME
from tournaments import queries
from tournaments.acts import SeatTaken
from tournaments.pages.forms import EntryForm
from tournaments.rules.final import final_of
from tournaments.rules.seats import LOT
from tournaments.stages import how_seated, stage_of
from tournaments.steps import (
    TournamentStatus,
    prize_steps,
    rebuys_of,
    refund_steps,
    tournament_steps,
)
from web import words
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show
from web.words import money

DOLLARS = DecimalField(max_digits=14, decimal_places=2)
MICROS = 1_000_000  # of a dollar
ORDER = ("place", F("in_final").desc(nulls_last=True), "id")
STATES = tuple(
    str(status) for status in TournamentStatus if status not in (TournamentStatus.PLAYING, TournamentStatus.PLAYED)
)


def _listed() -> QuerySet[Any]:
    """One row a code, with what its conditions say and how far it is."""
    rows: QuerySet[Any] = queries.listed(versions(), ANY_GAME).annotate(
        title=KT("value__name"),
        game=KT("value__game"),
        fee=Cast(Cast(KT("value__entry_fee"), DOLLARS) * MICROS, MoneyField()),
        retained=Cast(KT("value__retained"), IntegerField()),
        closes_at=Cast(KT("value__closes_at"), DateTimeField()),
        players=F("entries"),
        state=Case(
            When(finished=True, then=Value("finished")),
            When(cancelled=True, then=Value("cancelled")),
            When(qualified=True, final_confirmed=False, then=Value("final")),
            When(confirmed=True, then=Value("confirmed")),
            When(closes_at__gt=Now(), then=Value("open")),
            When(scored=True, then=Value("scored")),
            default=Value("closed"),
        ),
    )
    return rows


@page(SEE_TOURNAMENTS)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        _listed(),
        name="tournaments",
        order="-closes_at",
        search=("title", "code", "game"),
        filters={"state": lambda rows, state: rows.filter(state=state)},
        columns=(
            Column("Tournament", lambda row: row.title, order="title"),
            Column("Code", lambda row: row.code, order="code"),
            Column("Game", lambda row: row.game, order="game"),
            Column("Fee", lambda row: row.fee, order="fee", css="right"),
            Column("Retained", lambda row: words.rate(row.retained), order="retained", css="right"),
            Column("Entries close", lambda row: row.closes_at, order="closes_at"),
            Column("Entries", lambda row: row.players, order="players", css="right"),
            Column("State", lambda row: row.state, order="state"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "promotions/tournaments.html",
        listing=found,
        states=STATES,
        steps=of_room(request.actor),
    )


@page(SEE_TOURNAMENTS)
def one(request: Visit, code: str) -> HttpResponseBase:
    return _one(request, _row(code))


def _row(code: str) -> Any:
    row = _listed().filter(code=code).first()
    if row is None:
        raise NotFound("no-such-tournament", f"There is no approved tournament {code}.")
    return row


def _one(
    request: Visit,
    row: Any,
    *,
    form: IdentityForm | None = None,
    paying: int = 0,
    buying: int = 0,
    refunding: int = 0,
) -> HttpResponseBase:
    opened = queries.find_tournament(ANY_GAME, row.code)
    players: list[Any] = list(queries.entries_of(ANY_GAME, row.code).order_by(*ORDER))
    status = TournamentStatus(row.state)
    stage = stage_of(opened) if opened else None
    now_playing = {each.pk for each in stage.entries} if stage else set()
    held = (stage.round if stage.name else opened) if stage else None
    scorers = [held.scored_by, held.confirmed_by] if held else []
    names = people.names([row.approved_by, *scorers, *(each.authorised_by for each in players)])
    for each in players:
        each.steps = prize_steps(ANY_GAME, each, request.actor)
        each.called = queries.shown_player(each, request.actor)
        each.authoriser = names.get(each.authorised_by or "", "")
        each.paying = each.pk == paying
        each.plays, each.written = each.pk in now_playing, getattr(each, stage.scores) if stage else None
        each.refund = refund_steps(ANY_GAME, each, status, request.actor)
        each.buying, each.refunding = each.pk == buying, each.pk == refunding
        each.refund_form = form if each.refunding and form is not None else RebuyForm(auto_id=f"refund-{each.pk}-%s")
        each.rebuy_form = form if each.buying and form is not None else RebuyForm(auto_id=f"rebuy-{each.pk}-%s")
        each.form = form if each.paying and form is not None else TournamentPrizeForm(auto_id=f"pay-{each.pk}-%s")
    return show(
        request,
        "promotions/tournament.html",
        form=form,
        entering=isinstance(form, EntryForm),
        entry_form=form if isinstance(form, EntryForm) else EntryForm(auto_id="enter-%s"),
        row=row,
        terms=row.value,
        fee=row.fee,
        prizes=[words.rate(share) for share in row.value["prizes"]],
        played=opened,
        to_be_called_off=tournaments.waits_to_be_called_off(row.code),
        approver=names[row.approved_by],
        approved_at=row.since,
        standing=standing(row),
        players=players,
        methods=list(ANY_GAME.methods),
        steps=tournament_steps(ANY_GAME, status, opened, request.actor),
        scorers=[names[each] for each in scorers if each],
        final=final_of(row.value),
        stage=stage,
        by_lot=opened is not None and how_seated(opened) == LOT,
        rebuys=rebuys_of(opened) if opened else None,
    )


@page(PROPOSE)
def propose(request: Visit) -> HttpResponseBase:
    form = ConditionsForm(request.POST or None)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind="promotions.tournament",
            subject=f"tournament:{form.code.strip().upper()}",
            new=form.new,
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    return show(request, "promotions/propose_tournament.html", form=form)


@page(ENTER_TOURNAMENT, post=True)
def enter(request: Visit, code: str) -> HttpResponseBase:
    row, form = _row(code), EntryForm(request.POST, auto_id="enter-%s")
    if form.is_valid():
        made = attempt(form, tournaments.enter_tournament, code=code, **form.entrant, by=request.actor)
        if made:
            return done(request, f"{made.player} is in: {money(made.fee)} taken.", "tournament", code)
    return _one(request, row, form=form)


@page(RUN_TOURNAMENT, post=True)
def run(request: Visit, code: str, step: str) -> HttpResponseBase:
    if step == "score":
        opened = queries.find_tournament(ANY_GAME, code)
        playing = stage_of(opened).name if opened else None
        ranked = tournaments.score_tournament(code=code, scores=_scores(request), by=request.actor)
        stand = queries.are_confirmed(ANY_GAME, code, playing)
        then = "They stand." if stand else "They stand once somebody else has written down the same."
        said = f"{words.count(len(ranked), 'score')} written down. {then}"
    elif step == "seats":
        if seats := _seats(request):
            seated = tournaments.assign_seats(code=code, seats=seats, by=request.actor)
        else:
            seated = tournaments.draw_seats(code=code, by=request.actor)
        said = f"{words.count(len(seated), 'player')} seated."
    elif step == "close-heats":
        into = tournaments.close_heats(code=code, by=request.actor)
        said = f"The heats are closed: {words.count(len(into), 'player')} in the final."
    elif step == "finish":
        tournaments.finish_tournament(code=code, by=request.actor)
        said = f"{code} is finished, and its prizes are shared out to the cent."
    elif step == "cancel":
        made = tournaments.propose_calling_off(code=code, why=request.POST.get("comment", ""), by=request.actor)
        return done(request, proposed(made), "approval", made.pk)
    else:
        raise NotFound("no-such-page", "There is no such page.")
    return done(request, said, "tournament", code)


def _scores(request: Visit) -> dict[int, int]:
    scores = {}
    for name, value in request.POST.items():
        if name.startswith("score-") and name[6:].isdigit():
            try:
                scores[int(name[6:])] = int(str(value).replace(",", "").strip())
            except ValueError:
                raise Refusal("score-unreadable", "A score is a whole number.", field="scores") from None
    return scores


def _seats(request: Visit) -> list[SeatTaken]:
    """Each written like "1 LP-02 4": heat, table, seat."""
    seats = []
    for name, value in request.POST.items():
        if name.startswith("seat-") and name[5:].isdigit():
            match str(value).split():
                case [heat, table, seat] if heat.isdecimal() and seat.isdecimal() and len(heat) + len(seat) < 8:
                    seats.append(SeatTaken(int(name[5:]), int(heat), table, int(seat)))
                case _:
                    raise Refusal("seat-unreadable", "Choose a seat for every entry.", field="seats")
    return seats


@page(ENTER_TOURNAMENT, post=True)
def rebuy(request: Visit, number: int) -> HttpResponseBase:
    entry, form = queries.find_entry(ANY_GAME, number), RebuyForm(request.POST, auto_id=f"rebuy-{number}-%s")
    code = entry.tournament.code
    if form.is_valid():
        made = attempt(form, tournaments.rebuy, entry_id=number, identity=form.identity(), by=request.actor)
        if made:
            said = f"Rebuy {made.number} of entry {number}: {money(made.price)} taken."
            return done(request, said, "tournament", code)
    return _one(request, _row(code), form=form, buying=number)


@page(RUN_TOURNAMENT, post=True)
def authorise_refund(request: Visit, number: int) -> HttpResponseBase:
    entry = tournaments.authorise_refund(entry_id=number, why=request.POST.get("comment", ""), by=request.actor)
    said = f"You authorised the refund of {money(entry.paid_in)} for entry {entry.pk}. Another person hands it over."
    return done(request, said, "tournament", entry.tournament.code)


@page(REFUND_TOURNAMENT, post=True)
def refund(request: Visit, number: int) -> HttpResponseBase:
    code, form = (
        queries.find_entry(ANY_GAME, number).tournament.code,
        RebuyForm(request.POST, auto_id=f"refund-{number}-%s"),
    )
    if form.is_valid():
        paid = attempt(form, tournaments.refund_entry, entry_id=number, identity=form.identity(), by=request.actor)
        if paid:
            return done(request, f"{money(paid.paid_in)} is given back for entry {paid.pk}.", "tournament", code)
    return _one(request, _row(code), form=form, refunding=number)


@page(PAY_TOURNAMENT, post=True)
def authorise(request: Visit, number: int) -> HttpResponseBase:
    entry = tournaments.authorise_prize(entry_id=number, by=request.actor)
    assert entry.prize is not None
    whom = queries.shown_player(entry, request.actor)
    said = f"You have authorised the payment of {money(entry.prize)} to {whom}. Another person pays it."
    return done(request, said, "tournament", entry.tournament.code)


@page(PAY_TOURNAMENT, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    entry, form = queries.find_entry(ANY_GAME, number), TournamentPrizeForm(request.POST, auto_id=f"pay-{number}-%s")
    code = entry.tournament.code
    if form.is_valid():
        paid = attempt(
            form,
            tournaments.pay_tournament_prize,
            entry_id=number,
            method=form.method or CASH,
            cheque_number=form.cheque_number,
            identity=form.identity(),
            by=request.actor,
        )
        if paid:
            return done(
                request,
                f"{money(paid.prize)} is paid to {queries.shown_player(paid, request.actor)}.",
                "tournament",
                code,
            )
    return _one(request, _listed().get(code=code), form=form, paying=number)
