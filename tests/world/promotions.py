"""Promotions for tests: complete terms under either edition, people with the rights of their posts, a running one."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from draws.commit import publish
from kernel.actors import Actor
from promotions import leaves, versions
from promotions.attempts import promise_of
from promotions.draft import draft_promotion
from promotions.exclude import confirm_exclusion, exclude_card
from promotions.locks import database_time
from promotions.models import Entry, Promotion, TermsVersion
from promotions.run import start
from promotions.submit import submit_promotion
from promotions.tree import hash_list, packed_leaves
from tests.world.people import actor
from tests.world.players import on_record
from tests.world.refusals import refused_with
from tests.world.rows import rows_of

NOW = datetime(2026, 11, 16, 9, tzinfo=UTC)


def manager(name: str = "mona") -> Actor:
    return actor(f"staff:{name}", "manager")


def keep_out(card: str, why: str = "employee") -> None:
    """Excluded by one and confirmed by another: out of lists and draws, too."""
    exclude_card(card=card, why=why, by=manager())
    confirm_exclusion(card=card, by=manager("ben"))


def writer() -> Actor:
    """Who writes terms down; another person submits them."""
    return actor("staff:dora", "supervisor")


def inspector() -> Actor:
    return actor("staff:ines", "inspector")


def prize(**more: Any) -> dict[str, Any]:
    """A money prize, paid by transfer: allowed under either edition."""
    return {
        "name": "Two thousand dollars",
        "kind": "money",
        "value": "2000.00",
        "conditions": "none",
        "payment": ["transfer", "cheque"],
        **more,
    }


def terms(begin: datetime = NOW, **more: Any) -> dict[str, Any]:
    """Complete terms of a promotion that starts at *begin*, takes entries for a week and is drawn an hour later."""
    closes = begin + timedelta(days=7)
    return {
        "manner": "One draw from all entries by random number generator.",
        "awarded_at": (closes + timedelta(hours=1)).isoformat(),
        "awarded_where": "Main stage",
        "eligibility": "Members aged 18 and over. Employees and their households cannot take part.",
        "minimum_wager": "none",
        "nature": "Money.",
        "reservations": "none",
        "entries_close_at": closes.isoformat(),
        "place": "The casino",
        "starts_at": begin.isoformat(),
        "draw_at": (closes + timedelta(hours=1)).isoformat(),
        "claim": "At the cage, with the player card and identification.",
        "must_be_present": False,
        "claim_within_days": 28,
        "unclaimed": "alternate",
        "notification": ["telephone", "email"],
        "publication": "On this page and on the boards.",
        "prizes": [prize()],
        **deepcopy(more),
    }


def without(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}


def drafted(code: str = "SPRING", edition: str = "2025", *, begin: datetime = NOW, **more: Any) -> Promotion:
    on_record()  # whoever enters by card is a player
    return draft_promotion(
        code=code, edition_code=edition, title="Spring draw", terms=terms(begin, **more), by=writer()
    )


def running(
    code: str = "SPRING", edition: str = "2025", *, ago: timedelta = timedelta(hours=1), **more: Any
) -> Promotion:
    """A promotion that has been running for *ago*, by the database's clock."""
    begin = database_time() - ago
    drafted(code, edition, begin=begin, **more)
    submit_promotion(code=code, by=manager(), goods_confirmed=True, now=begin - timedelta(days=2))
    started = start(code=code, now=begin)
    promised = promise_of(started)
    if started.status == "submitted" and promised is not None and publish(promised):  # a witness that is running
        start(code=code, now=begin)
    return Promotion.objects.get(code=code)


def due(code: str = "SPRING") -> datetime:
    """The closing time passes: the rows are moved into the past, since the database's clock cannot be moved."""
    promotion = Promotion.objects.get(code=code)
    assert promotion.closes_at is not None
    back = promotion.closes_at - database_time()
    Promotion.objects.filter(code=code).update(
        starts_at=promotion.starts_at - back,  # type: ignore[operator]
        closes_at=promotion.closes_at - back,
        draw_at=promotion.draw_at - back,  # type: ignore[operator]
    )
    return promotion.closes_at - back


def leaf_of(entry: Entry) -> bytes:
    """The leaf of an entry, computed here from what is known of it."""
    assert entry.entrant.identity is not None
    assert entry.salt is not None
    return leaves.leaf(code=entry.promotion.code, number=entry.pk, identity=entry.entrant.identity, salt=entry.salt)


def in_force(promotion: Promotion, **at: Any) -> TermsVersion:
    version = versions.in_force(promotion, **at)
    assert version is not None
    return version


def began(promotion: Promotion) -> datetime:
    assert promotion.started_at is not None
    return promotion.started_at


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of the room, the log and the approvals: what must not change on a refusal."""
    return rows_of("promotions", "ledger")


refused = partial(refused_with, unchanged=everything, undone=True)  # the refusal, with nothing changed by it


def root_again(promotion: Promotion) -> bytes:
    """The root of the list as the rows give it now."""
    return hash_list(packed_leaves(promotion.pk)).root
