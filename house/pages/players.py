from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from house import people, queries, steps
from house.pages.forms.players import BirthForm, CardForm, LimitForm, RegisterForm, RestrictForm
from house.permissions import LIMIT_PLAYERS, MANAGE_PLAYERS, NAME_PLAYERS, RESTRICT_PLAYERS, VIEW_PLAYERS
from house.players import age, cards, limits, restrict, statement
from web.files import FileAnswer
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show

STATES = ("excluded", "limited")


@page(VIEW_PLAYERS)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.all_players().distinct(),  # found by an old card and a new one: once
        name="players",
        order="-registered_at",
        search=("number", "name", "cards__number"),
        filters={"state": queries.players_in_state},
        personal={"name": NAME_PLAYERS},
        columns=(
            Column("Player", lambda row: row.number, order="number"),
            Column("Name", lambda row: request.actor.shown(NAME_PLAYERS, row.name), order="name"),
            Column("Card", queries.valid_card),
            Column("Registered", lambda row: row.registered_at, order="registered_at"),
            Column("State"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    kept_out = set(queries.lasting_restrictions().filter(player__in=found.rows).values_list("player_id", flat=True))
    for row in found.rows:
        row.card, row.kept_out = queries.valid_card(row), row.pk in kept_out
        row.called = request.actor.shown(NAME_PLAYERS, row.name)
    return show(
        request,
        "house/players/list.html",
        listing=found,
        states=STATES,
        steps=steps.players_steps(request.actor),
    )


@page(MANAGE_PLAYERS)
def register(request: Visit) -> HttpResponseBase:
    form = RegisterForm(request.POST or None)
    if form.is_valid() and (
        made := attempt(form, cards.register_player, name=form.name, card=form.card, by=request.actor)
    ):
        return done(request, f"{made.name} is registered as {made.number}.", "player", made.number)
    return show(request, "house/players/register.html", form=form)


@page(VIEW_PLAYERS)
def player(request: Visit, number: str) -> HttpResponseBase:
    return _show_player(request, number)


def _show_player(request: Visit, number: str, *, bound: PageForm | None = None) -> HttpResponseBase:
    found = queries.player_numbered(number)
    now = timezone.now()
    restrictions: list[Any] = list(found.restrictions.all()[:50])
    names = people.names([who for each in restrictions for who in (each.made_by, each.confirmed_by) if who])
    for each in restrictions:
        each.lasts = each.lifted_at is None and (each.until is None or each.until > now)
        each.person = names.get(each.made_by, each.made_by)
        each.second = each.confirmed_by and names.get(each.confirmed_by, each.confirmed_by)
        each.steps = steps.restriction_steps(each, request.actor, now=now)
        each.mine = each.lasts and request.actor.identity in (each.made_by, each.lifting_said_by)
    forms: dict[str, PageForm] = {
        "birth": BirthForm(auto_id="birth-%s"),
        "card": CardForm(auto_id="card-%s"),
        "limit": LimitForm(auto_id="limit-%s"),
        "restrict": RestrictForm(auto_id="restrict-%s"),
    }
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    return show(
        request,
        "house/players/player.html",
        form=bound,
        player=found,
        called=request.actor.shown(NAME_PLAYERS, found.name),
        card=queries.valid_card(found),
        limits=limits.limit_statuses(found),
        restrictions=restrictions,
        kept_out=any(each.lasts for each in restrictions),
        play=queries.latest_play(found, lines=20),
        forms=forms,
        reopened=reopened,
        steps=steps.players_steps(request.actor),
    )


@page(VIEW_PLAYERS)
def statement_page(request: Visit, number: str) -> HttpResponseBase:
    """Whether he may play, his limits, and what went in and came back, in words."""
    found = queries.player_numbered(number)
    return show(
        request,
        "house/players/statement.html",
        player=found,
        called=request.actor.shown(NAME_PLAYERS, found.name),
        said=statement.in_words(found),
        accounts=statement.accounts(found),
        may_write=request.actor.may(NAME_PLAYERS),
    )


@page(NAME_PLAYERS)
def statement_pdf(request: Visit, number: str) -> HttpResponseBase:
    """The letter for him: it bears his name."""
    found = queries.player_numbered(number)
    content = statement.letter_for(found)
    return FileAnswer("application/pdf", content, f"statement-{found.number}.pdf").response()


@page(MANAGE_PLAYERS, post=True)
def issue(request: Visit, number: str) -> HttpResponseBase:
    form = CardForm(request.POST, auto_id="card-%s")
    if form.is_valid() and (
        made := attempt(form, cards.issue_card, player_number=number, card=form.card, by=request.actor)
    ):
        return done(request, f"Card {made.number} is issued; the ones before it have stopped.", "player", number)
    return _show_player(request, number, bound=form)


@page(MANAGE_PLAYERS, post=True)
def birth(request: Visit, number: str) -> HttpResponseBase:
    form = BirthForm(request.POST, auto_id="birth-%s")
    if form.is_valid() and (
        found := attempt(form, age.record_birth, player_number=number, born=form.born, by=request.actor)
    ):
        return done(request, "The date of birth is on record.", "player", found.number)
    return _show_player(request, number, bound=form)


@page(MANAGE_PLAYERS, post=True)
def cancel(request: Visit, number: str, card: str) -> HttpResponseBase:
    cards.cancel_card(card=card, reason=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Card {card} is cancelled.", "player", number)


@page(LIMIT_PLAYERS, post=True)
def limit(request: Visit, number: str) -> HttpResponseBase:
    form = LimitForm(request.POST, auto_id="limit-%s")
    if form.is_valid() and (
        made := attempt(
            form,
            limits.set_limit,
            player_number=number,
            kind=form.kind,
            period=form.period,
            amount=form.amount,
            by=request.actor,
        )
    ):
        at_once = made.from_at == made.asked_at
        said = "The limit counts from now on." if at_once else "The limit is kept; it counts once it has cooled off."
        return done(request, said, "player", number)
    return _show_player(request, number, bound=form)


@page(RESTRICT_PLAYERS, post=True)
def keep_out(request: Visit, number: str) -> HttpResponseBase:
    form = RestrictForm(request.POST, auto_id="restrict-%s")
    if form.is_valid():
        made = attempt(
            form,
            restrict.restrict,
            player_number=number,
            kind=form.kind,
            scope=form.scope,
            until=form.until,
            breach_since=form.breach_since,
            reason=form.reason,
            by=request.actor,
        )
        if made:
            return done(request, "It counts from now on.", "player", number)
    return _show_player(request, number, bound=form)


@page(RESTRICT_PLAYERS, post=True)
def confirm(request: Visit, number: str, restriction: int) -> HttpResponseBase:
    restrict.confirm(restriction_id=restriction, by=request.actor)
    return done(request, "It is confirmed: what was entered before is left out of draws, too.", "player", number)


@page(RESTRICT_PLAYERS, post=True)
def lift(request: Visit, number: str, restriction: int) -> HttpResponseBase:
    found = restrict.lift(restriction_id=restriction, by=request.actor)
    said = "It is lifted." if found.lifted_at else "It is lifted once another person says so, too."
    return done(request, said, "player", number)
