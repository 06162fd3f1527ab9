"""Tournaments of any game: approved conditions, entries, scores, places and prizes (act-cp:16 and its like)."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from console import people, words
from console.forms.promotions.people import ConditionsForm
from console.page import Visit, attempt, done, page, show
from console.words import money
from house import approvals
from house.refusal import NotFound, Refusal
from ledger.money import Money
from promotions import tournaments
from promotions.draw_permissions import ENTER_TOURNAMENT, RUN_TOURNAMENT
from promotions.models import Tournament, TournamentConditions
from promotions.permissions import SEE
from promotions.rules.terms import instant


def _look(request: Visit) -> None:
    """Who may enter a player may see what for, though no other promotion."""
    if not request.actor.may(ENTER_TOURNAMENT):
        request.actor.require(SEE)


@page()
def listing(request: Visit) -> HttpResponseBase:
    """The conditions in force, with the tournament played under them where somebody has entered."""
    _look(request)
    latest: dict[str, Any] = {}
    for each in TournamentConditions.objects.order_by("id"):
        latest[each.code] = each
    played: dict[str, Any] = {each.code: each for each in Tournament.objects.select_related("conditions")}
    rows = [
        _row(code, played[code].conditions if code in played else conditions, played.get(code))
        for code, conditions in latest.items()
        if code in played or conditions.value is not None
    ]
    return show(
        request,
        "console/promotions/tournaments.html",
        rows=sorted(rows, key=lambda row: row["closes_at"], reverse=True),
        may_propose=request.actor.may("approvals.propose"),
    )


def _row(code: str, conditions: TournamentConditions, played: Tournament | None) -> dict[str, Any]:
    terms: dict[str, Any] = conditions.value or {}
    closes = instant(terms["closes_at"])
    return {
        "code": code,
        "terms": terms,
        "fee": Money.parse(terms["entry_fee"]),
        "retained": terms["retained"],
        "prizes": [f"{share / 100:g}%" for share in terms["prizes"]],
        "closes_at": closes,
        "tournament": played,
        "entries": played.entries.count() if played else 0,
        "state": _state(played, open_=closes > timezone.now()),
    }


def _state(played: Tournament | None, *, open_: bool) -> str:
    if played is not None and played.finished_at:
        return "finished"
    if played is not None and played.cancelled_at:
        return "cancelled"
    if open_:
        return "open"
    return "scored" if played is not None and played.scored_at else "closed"


@page()
def one(request: Visit, code: str) -> HttpResponseBase:
    _look(request)
    played: Any = Tournament.objects.filter(code=code).select_related("conditions").first()
    conditions = played.conditions if played else tournaments.conditions_in_force(code)
    if conditions is None:
        raise NotFound("no-such-tournament", f"There is no approved tournament {code}.")
    row, may = _row(code, conditions, played), request.actor.may
    names = people.names([conditions.approved_by, played.scored_by if played else None])
    return show(
        request,
        "console/promotions/tournament.html",
        row=row,
        terms=row["terms"],
        approver=names[conditions.approved_by],
        approved_at=conditions.approved_at,
        players=list(played.entries.order_by("place", "id")) if played else [],
        methods=list(tournaments.PAID_BY),
        may_enter=may(ENTER_TOURNAMENT) and row["state"] == "open",
        may_score=may(RUN_TOURNAMENT) and row["state"] in {"closed", "scored"} and played is not None,
        may_finish=may(RUN_TOURNAMENT) and row["state"] == "scored" and played.scored_by != request.actor.identity,
        may_cancel=may(RUN_TOURNAMENT) and played is not None and row["state"] in {"open", "closed", "scored"},
        may_pay=may(RUN_TOURNAMENT) and row["state"] == "finished",
        scorer=names.get(played.scored_by or "") if played else "",
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
