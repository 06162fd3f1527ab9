"""Promotions in the frame and on the home page: winners to be told, claims and draws that wait."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from kernel.actors import Actor
from promotions import queries
from promotions.models import ClaimStatus, Promotion, Win
from promotions.notify import overdue
from promotions.permissions import DRAW, IMPORT, LOSE, NOTIFY, SCRUTINISE, SEE
from web import sections, words
from web.frame import Action, Found, Item, NavigationEntry, NavigationGroup, SearchIn, Waiting

WINNER_SHOWN_BEFORE: Final = dt.timedelta(days=3)
ITEMS_SHOWN: Final = 10
DRAWS_SHOWN: Final = 5


def _untold_count(_: Actor) -> int:
    return overdue().count()


def _untold(actor: Actor) -> list[Item]:
    """17.8, 15.8: winners who should have been told, or must be within the day."""
    if not actor.may(NOTIFY):
        return []
    now = timezone.now()
    found = []
    for win in queries.wins_to_tell_before(now + WINNER_SHOWN_BEFORE)[:ITEMS_SHOWN]:
        assert win.notify_by is not None
        late = win.notify_by < now
        span = words.span(now - win.notify_by)
        found.append(
            Item(
                icon="alert" if late else "wait",
                tone="is-stopped" if late else "is-attention",
                sentence=f"Tell the winner of {win.prize.name}, entry {win.pick.number} in {win.promotion.code}",
                state=f"Overdue by {span}" if late else f"Due in {span}",
                second=f"won {words.moment(win.won_at)}",
                url=reverse("console:promotion-winner", args=[win.pk]),
                action="Tell",
            )
        )
    return found


def _claims_count(actor: Actor) -> int:
    return queries.claims_for(actor).count()


def _claims(actor: Actor) -> list[Item]:
    return [
        Item(
            icon="claim",
            tone="is-money",
            sentence=f"{'Decide' if claim.status == ClaimStatus.MADE else 'Pay'} claim {claim.pk}: {claim.what}, "
            f"{words.money(claim.value)}",
            state="To be decided" if claim.status == ClaimStatus.MADE else "Accepted, to be paid",
            second=f"{claim.promotion.code}, made {words.moment(claim.made_at)}",
            url=reverse("console:promotion-claim", args=[claim.pk]),
            action="Decide" if claim.status == ClaimStatus.MADE else "Pay",
        )
        for claim in queries.claims_for(actor)[:ITEMS_SHOWN]
    ]


def _draws(actor: Actor) -> list[Item]:
    """Draws that are due and wait for a person, and those that this person is to oversee."""
    found = []
    if actor.may(DRAW):
        for each in queries.promotions_to_draw(timezone.now())[:DRAWS_SHOWN]:
            assert each.draw_at is not None
            found.append(_draw(each, f"Draw {each.title}", "Its time has come", words.moment(each.draw_at)))
        for each in queries.promotions_drawing()[:DRAWS_SHOWN]:
            found.append(_draw(each, f"The draw of {each.title} waits", "The witness does not answer", each.code))
    if actor.may(SCRUTINISE):
        for draw in queries.draws_scrutinised_by(actor.identity)[:DRAWS_SHOWN]:
            what = "Sign" if draw.drawn_at else "Attend"
            sentence = f"{what} the draw of {draw.promotion.title}"
            found.append(_draw(draw.promotion, sentence, "You are its scrutineer", draw.promotion.code))
    return found


def _draw(promotion: Promotion, sentence: str, state: str, second: str) -> Item:
    return Item(
        icon="gift",
        tone="is-attention",
        sentence=sentence,
        state=state,
        second=second,
        url=reverse("console:promotion-room", args=[promotion.code]),
        action="Open",
    )


def _imports(actor: Actor) -> list[Item]:
    """Files that another person brought in, or said is to be rejected: this one may be the second."""
    if not actor.may(IMPORT):
        return []
    return [
        Item(
            icon="drawer",
            tone="is-attention",
            sentence=f"{'Reject' if made.rejection_said_at else 'Confirm'} import {made.pk}, “{made.name}”: "
            f"{made.entered:,} entries in {made.promotion.code}",
            state="Needs a second person",
            second=f"brought in {words.moment(made.made_at)}; until then the list is not sealed",
            url=reverse("console:promotion-import", args=[made.pk]),
            action="Open",
        )
        for made in queries.imports_for(actor)[:ITEMS_SHOWN]
    ]


def _losses(actor: Actor) -> list[Item]:
    """What another person said of a winner's loss, and prizes that nobody claimed in time."""
    found = []
    for win in queries.losses_for(actor)[:ITEMS_SHOWN]:
        found.append(_loss(win, f"Second or sign that entry {win.pick.number} loses {win.prize.name}", "Noted"))
    if actor.may(LOSE):
        for win in queries.wins_unclaimed(timezone.now())[:ITEMS_SHOWN]:
            found.append(_loss(win, f"Nobody claimed {win.prize.name}, entry {win.pick.number}", "Not claimed in time"))
    return found


def _loss(win: Win, sentence: str, state: str) -> Item:
    return Item(
        icon="alert",
        tone="is-attention",
        sentence=sentence,
        state=state,
        second=win.promotion.code,
        url=reverse("console:promotion-winner", args=[win.pk]),
        action="Open",
    )


def _waiting(actor: Actor) -> list[Item]:
    return [*_untold(actor), *_claims(actor), *_losses(actor), *_imports(actor), *_draws(actor)]


def _find(actor: Actor, query: str) -> list[Found]:
    if not actor.may(SEE):
        return []
    found = queries.promotions().filter(Q(code__iexact=query) | Q(title__icontains=query))[:ITEMS_SHOWN]
    return [
        Found("gift", each.title, words.label(each.status), reverse("console:promotion", args=[each.code]))
        for each in found
    ]


OFFERS: Final = (
    NavigationGroup(
        50,
        sections.PROMOTIONS,
        (
            NavigationEntry(
                "Promotions",
                "promotions",
                "gift",
                help="Promotions from draft to closing: terms, approval, entries, draw and winners. A checklist on "
                "each says what is missing.",
            ),
            NavigationEntry(
                "Enter a player",
                "promotion-enter",
                "plus",
                help="Enter a player in a promotion that is running, by card or by contact details where its terms "
                "allow it.",
            ),
            NavigationEntry(
                "Winners",
                "promotion-winners",
                "hits",
                _untold_count,
                "not told in time",
                "is-stopped",
                help="Winners who have to be told, and by when. Record every attempt; take the claim when the winner "
                "comes.",
            ),
            NavigationEntry(
                "Prize claims",
                "promotion-claims",
                "claim",
                _claims_count,
                "need your attention",
                "is-money",
                help="Prizes that were claimed: decide, then pay or hand over. Two people act on each.",
            ),
            NavigationEntry(
                "Tournaments",
                "tournaments",
                "chart",
                help="Tournaments at tables: entries, seats, scores, places and prizes.",
            ),
            NavigationEntry(
                "Excluded cards",
                "promotion-excluded",
                "off",
                help="Cards that may not take part in promotions, with the reason and who confirmed it.",
            ),
            NavigationEntry(
                "Personal data",
                "promotions-personal",
                "lock",
                help="What is kept of people who entered, for how long, and how much may be erased. Two people erase.",
            ),
        ),
    ),
    NavigationGroup(
        51,
        sections.REPORTS,
        (
            NavigationEntry(
                "Promotion reports",
                "promotion-reports",
                "list",
                help="Promotions’ entries, prizes and claims by day, as CSV or PDF.",
            ),
        ),
    ),
    Waiting(40, _waiting),
    SearchIn(25, _find, "Promotions"),
    Action("Plan a promotion", "promotion-new", "gift"),
)
