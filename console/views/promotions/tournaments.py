"""Tournaments of any game: approved conditions, entries, scores, places and prizes (act-cp:16 and its like)."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    DateTimeField,
    DecimalField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Now
from django.http import HttpResponseBase

from console import people, words
from console.forms.promotions.people import ConditionsForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from console.words import money
from house import approvals
from house.refusal import NotFound, Refusal
from ledger.fields import MoneyField
from promotions import tournaments
from promotions.draw_permissions import ENTER_TOURNAMENT, RUN_TOURNAMENT
from promotions.models import Tournament, TournamentConditions, TournamentEntry
from promotions.permissions import SEE

DOLLARS = DecimalField(max_digits=14, decimal_places=2)
MICROS = 1_000_000  # of a dollar
STATES = ("open", "closed", "scored", "finished", "cancelled")


def _look(request: Visit) -> None:
    """Who may enter a player may see what for, though no other promotion."""
    if not request.actor.may(ENTER_TOURNAMENT):
        request.actor.require(SEE)


def _listed() -> QuerySet[Any]:
    """The conditions in force, or those a tournament is played under where somebody has entered: one row a code."""
    played = Tournament.objects.filter(code=OuterRef("code"))
    latest = TournamentConditions.objects.filter(code=OuterRef("code")).order_by("-id")
    entries = TournamentEntry.objects.filter(tournament__code=OuterRef("code")).order_by().values("tournament__code")
    return (
        TournamentConditions.objects.annotate(
            in_force=Coalesce(
                Subquery(played.values("conditions_id")[:1]),
                Subquery(latest.values("pk")[:1]),
                output_field=BigIntegerField(),
            ),
        )
        .filter(pk=F("in_force"), value__isnull=False)
        .annotate(
            title=KT("value__name"),
            game=KT("value__game"),
            fee=Cast(
                Cast(KT("value__entry_fee"), DecimalField(max_digits=14, decimal_places=2)) * MICROS, MoneyField()
            ),
            retained=Cast(KT("value__retained"), IntegerField()),
            closes_at=Cast(KT("value__closes_at"), DateTimeField()),
            players=Coalesce(Subquery(entries.annotate(count=Count("pk")).values("count")), 0),
            state=Case(
                When(Exists(played.filter(finished_at__isnull=False)), then=Value("finished")),
                When(Exists(played.filter(cancelled_at__isnull=False)), then=Value("cancelled")),
                When(closes_at__gt=Now(), then=Value("open")),
                When(Exists(played.filter(scored_at__isnull=False)), then=Value("scored")),
                default=Value("closed"),
            ),
        )
    )


@page()
def listing(request: Visit) -> HttpResponseBase:
    _look(request)
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
            Column("Retained", lambda row: f"{row.retained / 100:g}%", order="retained", css="right"),
            Column("Entries close", lambda row: row.closes_at, order="closes_at"),
            Column("Entries", lambda row: row.players, order="players", css="right"),
            Column("State", lambda row: row.state, order="state"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "console/promotions/tournaments.html",
        listing=found,
        states=STATES,
        may_propose=request.actor.may("approvals.propose"),
    )


@page()
def one(request: Visit, code: str) -> HttpResponseBase:
    _look(request)
    row = _listed().filter(code=code).first()
    if row is None:
        raise NotFound("no-such-tournament", f"There is no approved tournament {code}.")
    played, may = Tournament.objects.filter(code=code).first(), request.actor.may
    scorer = played.scored_by if played else None
    names = people.names([row.approved_by, scorer])
    return show(
        request,
        "console/promotions/tournament.html",
        row=row,
        terms=row.value,
        fee=row.fee,
        prizes=[f"{share / 100:g}%" for share in row.value["prizes"]],
        played=played,
        approver=names[row.approved_by],
        approved_at=row.approved_at,
        players=list(played.entries.order_by("place", "id")) if played else [],
        methods=list(tournaments.PAID_BY),
        may_enter=may(ENTER_TOURNAMENT) and row.state == "open",
        may_score=may(RUN_TOURNAMENT) and row.state in {"closed", "scored"} and played is not None,
        may_finish=may(RUN_TOURNAMENT)
        and row.state == "scored"
        and played is not None
        and played.scored_by != request.actor.identity,
        may_cancel=may(RUN_TOURNAMENT) and played is not None and row.state in {"open", "closed", "scored"},
        may_pay=may(RUN_TOURNAMENT) and row.state == "finished",
        scorer=names.get(scorer or "", ""),
    )


@page("approvals.propose")
def propose(request: Visit) -> HttpResponseBase:
    form = ConditionsForm(request.POST or None)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind="promotions.tournament",
            subject=f"tournament:{form.cleaned_data['code'].strip().upper()}",
            new=form.new,
            why=form.cleaned_data["why"],
            by=request.actor,
        )
        if proposal:
            return done(request, "Proposed. Needs a second person.", "approval", proposal.pk)
    return show(request, "console/promotions/propose_tournament.html", form=form)


@page(ENTER_TOURNAMENT, post=True)
def enter(request: Visit, code: str) -> HttpResponseBase:
    made = tournaments.enter_tournament(code=code, player=request.POST.get("player", ""), by=request.actor)
    return done(request, f"{made.player} is in: {money(made.fee)} taken.", "tournament", code)


@page(RUN_TOURNAMENT, post=True)
def run(request: Visit, code: str, step: str) -> HttpResponseBase:
    if step == "score":
        ranked = tournaments.score_tournament(code=code, scores=_scores(request), by=request.actor)
        said = f"{words.count(len(ranked), 'score')} written down. Somebody else finishes it."
    elif step == "finish":
        tournaments.finish_tournament(code=code, by=request.actor)
        said = f"{code} is finished, and its prizes are shared out to the cent."
    elif step == "cancel":
        tournaments.cancel_tournament(code=code, why=request.POST.get("comment", ""), by=request.actor)
        said = f"{code} is cancelled. Every fee goes back."
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


@page(RUN_TOURNAMENT, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    paid = tournaments.pay_tournament_prize(
        entry_id=number, method=request.POST.get("method", "cash"), by=request.actor
    )
    assert paid.prize is not None
    return done(request, f"{money(paid.prize)} is paid to {paid.player}.", "tournament", paid.tournament.code)
