"""One promotion under each edition in the demo venue, both running, with some entries."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from draws.commit import publish
from house.permissions import MANAGE_PLAYERS
from house.players.cards import find_card, register_player
from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions.attempts import promise_of
from promotions.draft import draft_promotion
from promotions.enter import enter
from promotions.lifecycle import Status
from promotions.locks import database_time
from promotions.models import Entry, Promotion
from promotions.people import Contact
from promotions.permissions import DRAFT, ENTER, SUBMIT
from promotions.run import start
from promotions.submit import submit_promotion

_BUILDER: Final = Actor(
    identity="system:demo", name="demo", permissions=frozenset({DRAFT, SUBMIT, ENTER, MANAGE_PLAYERS})
)
_PEOPLE: Final = (
    ("C-1001", Contact("Anna Marsh", "1 High Street, Canberra", "0400 111 222", "anna@example.org")),
    ("C-1002", Contact("Bo Lindqvist", "22 Lake Road, Canberra", "0400 111 333", "bo@example.org")),
    ("C-1003", Contact("Carmen Diaz", "7 Mint Lane, Queanbeyan", "0400 111 444", "carmen@example.org")),
)
ENTRIES: Final = 60


def build_demo() -> list[Promotion]:
    """Furnish the demo venue with promotions, or complete what is missing. What was changed since stays changed.

    Not one transaction: a promotion starts once the witness has seen its promise, which is committed before. Where the
    witness is away it stays submitted, the tick starts it, and the next run puts the entries in.
    """
    if not settings.DEMO:
        raise Refusal("demo-off", "The demo setting is off (METERHOUSE_DEMO): there is no demo to build.")
    begin = database_time().replace(minute=0, second=0, microsecond=0) - timedelta(days=1)
    return [
        _made("SPRING-CAR", "2025", "Win a car in spring", spring(begin), begin),
        _made("LUNAR", "2019", "Lunar New Year draw", lunar(begin), begin),
    ]


def _made(code: str, edition: str, title: str, terms: dict[str, object], begin: datetime) -> Promotion:
    _submitted(code, edition, title, terms, begin - timedelta(days=3))
    promotion = Promotion.objects.get(code=code)
    if promotion.status == Status.SUBMITTED and promotion.starts_at is not None:
        starts = max(begin, promotion.starts_at)
        promotion = start(code=code, by=_BUILDER, now=starts)
        promised = promise_of(promotion)
        if promotion.status == Status.SUBMITTED and promised is not None and publish(promised):
            promotion = start(code=code, by=_BUILDER, now=starts)
    if promotion.status == Status.RUNNING and not Entry.objects.filter(promotion=promotion).exists():
        _enter(code)
    return Promotion.objects.get(code=code)


@transaction.atomic
def _submitted(code: str, edition: str, title: str, terms: dict[str, object], at: datetime) -> None:
    if Promotion.objects.filter(code=code).exists():
        return
    draft_promotion(code=code, edition_code=edition, title=title, terms=terms, by=_BUILDER, now=at)
    submit_promotion(code=code, by=_BUILDER, how="portal", reference=f"{edition}/{code}", goods_confirmed=True, now=at)


@transaction.atomic
def _enter(code: str) -> None:
    for n in range(ENTRIES):
        card, contact = _PEOPLE[n] if n < len(_PEOPLE) else (f"C-{1001 + n}", Contact())
        if find_card(card) is None:
            register_player(name=contact.name or f"Player {1001 + n}", card=card, by=_BUILDER)
        enter(code=code, card=card, contact=contact, reference=f"coupon {n + 1:04d}", by=_BUILDER)


def spring(begin: datetime) -> dict[str, object]:
    """2025: a car, a voucher and casino dollars, none of it in cash; an entry for every $20 of Keno."""
    return {
        **_times(begin, days=14),
        "manner": "One draw from all entries by a random number generator that anybody can check.",
        "awarded_where": "At the main stage of the casino",
        "eligibility": "Members aged 18 and over. Employees and people of their households cannot take part.",
        "minimum_age": 18,
        "households_excluded": True,
        "minimum_wager": "none",
        "nature": "A motor vehicle, dinner vouchers and casino dollars.",
        "reservations": "The colour of the car is the dealer’s choice. The prizes are guaranteed.",
        "place": "The casino and its Keno lounge",
        "claim": "In person at the cage, with the player card and photo identification.",
        "must_be_present": False,
        "claim_within_days": 28,
        "unclaimed": "alternate",
        "notification": ["telephone", "email", "mail"],
        "publication": "On this page, on the boards and at the cage, within a day of the draw.",
        "card_required": True,
        "limit_per_person": 500,
        "earning": {"on": ["keno"], "per": "20.00", "entries": 1},
        "retention_days": 120,
        "prizes": [
            {
                "name": "A small car",
                "kind": "vehicle",
                "value": "24990.00",
                "alternates": 3,
                "conditions": "The winner needs a driving licence to drive it away.",
                "payment": ["handed-over", "transfer"],
                "alternative": "20000.00",
                "details": {
                    "make": "Kestrel",
                    "model": "Wren 1.2",
                    "accessories": "Floor mats and a first-aid kit",
                    "on_road_costs": True,
                },
            },
            {
                "name": "Dinner for two",
                "kind": "voucher",
                "value": "250.00",
                "quantity": 4,
                "alternates": 1,
                "conditions": "Drinks are not included.",
                "payment": ["issued"],
                "details": {"redeemable_at": "Any restaurant of the casino", "expires": "Six months after the draw"},
            },
            {
                "name": "A hundred casino dollars",
                "kind": "casino-dollars",
                "value": "100.00",
                "quantity": 10,
                "conditions": "Not exchanged for money.",
                "payment": ["issued"],
                "details": {"usable_on": "Any table game", "expires": "Three months after the draw"},
            },
        ],
    }


def lunar(begin: datetime) -> dict[str, object]:
    """2019: a cash prize above $10,000, paid as the winner chooses; entrants must be present."""
    return {
        **_times(begin, days=7),
        "manner": "One draw from all entries; a winner who does not come forward in time is drawn again.",
        "awarded_where": "At the main stage of the casino",
        "eligibility": "Anybody aged 18 and over with a player card. Employees cannot take part.",
        "minimum_age": 18,
        "households_excluded": False,
        "minimum_wager": "none",
        "nature": "Cash, and a coffee machine.",
        "reservations": "none",
        "place": "The casino",
        "claim": "At the stage when the number is called.",
        "must_be_present": True,
        "call_seconds": 120,
        "claim_within_days": 1,
        "unclaimed": "redraw",
        "notification": ["face-to-face"],
        "publication": "On this page and on the boards.",
        "limit_per_person": 10,
        "prizes": [
            {
                "name": "Twelve thousand dollars",
                "kind": "money",
                "value": "12000.00",
                "conditions": "none",
                "payment": ["cash", "cheque", "transfer"],
            },
            {
                "name": "A coffee machine",
                "kind": "appliance",
                "value": "899.00",
                "conditions": "none",
                "payment": ["handed-over", "cash"],
                "alternative": "600.00",
                "details": {"make": "Crema", "model": "Duo 3", "accessories": "Grinder"},
            },
        ],
    }


def _times(begin: datetime, *, days: int) -> dict[str, str]:
    closes = begin + timedelta(days=days)
    return {
        "starts_at": begin.isoformat(),
        "entries_close_at": closes.isoformat(),
        "draw_at": (closes + timedelta(hours=2)).isoformat(),
        "awarded_at": (closes + timedelta(hours=3)).isoformat(),
    }
