from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.utils import timezone

from console import people
from console.forms import Sheet
from console.forms.players import CardForm, LimitForm, RegisterForm, RestrictForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house.models import Player, PlayLine, Restriction
from house.players import cards, limits, restrict
from house.refusal import NotFound

STATES = ("excluded", "limited")


def _in_state(rows: QuerySet[Player], state: str) -> QuerySet[Player]:
    if state == "excluded":
        return rows.filter(pk__in=_lasting().values("player_id"))
    return rows.filter(limit_changes__isnull=False).distinct() if state == "limited" else rows


def _lasting() -> QuerySet[Restriction]:
    now = timezone.now()
    return Restriction.objects.filter(Q(until=None) | Q(until__gt=now), lifted_at=None)


def _card(player: Player) -> str:
    return next((card.number for card in player.cards.all() if card.cancelled_at is None), "")


@page("players.view")
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Player.objects.prefetch_related("cards").distinct(),  # found by an old card and a new one: once
        name="players",
        order="-registered_at",
        search=("number", "name", "cards__number"),
        filters={"state": _in_state},
        columns=(
            Column("Player", lambda row: row.number, order="number"),
            Column("Name", lambda row: row.name, order="name"),
            Column("Card", _card),
            Column("Registered", lambda row: row.registered_at, order="registered_at"),
            Column("State"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    kept_out = set(_lasting().filter(player__in=found.rows).values_list("player_id", flat=True))
    for row in found.rows:
        row.card, row.kept_out = _card(row), row.pk in kept_out
    return show(
        request,
        "console/players/list.html",
        listing=found,
        states=STATES,
        may_manage=request.actor.may("players.manage"),
    )


@page("players.manage")
def register(request: Visit) -> HttpResponseBase:
    form = RegisterForm(request.POST or None)
    if form.is_valid() and (made := attempt(form, cards.register_player, by=request.actor, **form.cleaned_data)):
        return done(request, f"{made.name} is registered as {made.number}.", "player", made.number)
    return show(request, "console/players/register.html", form=form)


@page("players.view")
def player(request: Visit, number: str) -> HttpResponseBase:
    return _show_player(request, number)


def _show_player(request: Visit, number: str, *, bound: Sheet | None = None) -> HttpResponseBase:
    found = Player.objects.prefetch_related("cards").filter(number=number).first()
    if found is None:
        raise NotFound("no-such-player", f"There is no player {number}.")
    now = timezone.now()
    restrictions: list[Any] = list(found.restrictions.all()[:50])
    names = people.names([each.made_by for each in restrictions])
    for each in restrictions:
        each.lasts = each.lifted_at is None and (each.until is None or each.until > now)
        each.person = names.get(each.made_by, each.made_by)
        each.mine = each.made_by == request.actor.identity
    forms: dict[str, Sheet] = {
        "card": CardForm(auto_id="card-%s"),
        "limit": LimitForm(auto_id="limit-%s"),
        "restrict": RestrictForm(auto_id="restrict-%s"),
    }
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    return show(
        request,
        "console/players/player.html",
        form=bound,
        player=found,
        card=_card(found),
        standings=limits.standings(found),
        restrictions=restrictions,
        kept_out=any(each.lasts for each in restrictions),
        play=PlayLine.objects.filter(player=found)[:20],
        forms=forms,
        reopened=reopened,
        may_manage=request.actor.may("players.manage"),
        may_limit=request.actor.may("players.limits"),
        may_restrict=request.actor.may("players.restrict"),
    )


@page("players.manage", post=True)
def issue(request: Visit, number: str) -> HttpResponseBase:
    form = CardForm(request.POST, auto_id="card-%s")
    if form.is_valid() and (
        made := attempt(form, cards.issue_card, player=number, by=request.actor, **form.cleaned_data)
    ):
        return done(request, f"Card {made.number} is issued; the ones before it have stopped.", "player", number)
    return _show_player(request, number, bound=form)


@page("players.manage", post=True)
def cancel(request: Visit, number: str, card: str) -> HttpResponseBase:
    cards.cancel_card(card=card, reason=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Card {card} is cancelled.", "player", number)


@page("players.limits", post=True)
def limit(request: Visit, number: str) -> HttpResponseBase:
    form = LimitForm(request.POST, auto_id="limit-%s")
    if form.is_valid() and (made := attempt(form, limits.set_limit, player=number, by=request.actor, **form.asked)):
        at_once = made.from_at == made.asked_at
        said = "The limit counts from now on." if at_once else "The limit is kept; it counts once it has cooled off."
        return done(request, said, "player", number)
    return _show_player(request, number, bound=form)


@page("players.restrict", post=True)
def keep_out(request: Visit, number: str) -> HttpResponseBase:
    form = RestrictForm(request.POST, auto_id="restrict-%s")
    if form.is_valid() and attempt(form, restrict.restrict, player=number, by=request.actor, **form.cleaned_data):
        return done(request, "It counts from now on.", "player", number)
    return _show_player(request, number, bound=form)


@page("players.restrict", post=True)
def lift(request: Visit, number: str, restriction: int) -> HttpResponseBase:
    restrict.lift(restriction_id=restriction, by=request.actor)
    return done(request, "It is lifted.", "player", number)
