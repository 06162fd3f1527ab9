"""Promotions on their way to the draw: entered, closed, sealed, drawn, each at the time its terms state."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.apps import apps
from django.db import connection

from house import gaming_days
from house.approvals import approve
from house.models import GamingDay, Incident, Proposal
from kernel.actors import Actor
from kernel.money import Money
from ledger.balance import balance
from promotions import accounts, scrutineer
from promotions import verify as checker
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.enter import enter
from promotions.losses import second_loss, sign_loss
from promotions.models import Claim, Draw, EntryList, LossCase, Payment, Promotion, Win
from promotions.pay import Paid, pay_prize
from promotions.people import Contact
from promotions.proof import draw_proof, leaf_lines
from promotions.run import close
from promotions.seal import seal
from promotions.verify import Promised
from promotions.void import propose_void
from tests.world import owner
from tests.world import promotion_oracle as oracle
from tests.world.people import account, actor
from tests.world.players import on_record
from tests.world.promotions import inspector, manager, prize, running
from tests.world.refusals import refused_as

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
CAR = prize(
    name="A car",
    kind="vehicle",
    value="35000.00",
    payment=["handed-over"],
    details={"make": "Holden", "model": "One", "accessories": "none", "on_road_costs": True},
)


def open_day() -> None:
    """Money needs a gaming day; one that opened long ago will do for all of it."""
    opens = datetime(2026, 1, 1, tzinfo=UTC)
    GamingDay.objects.get_or_create(date=opens.date(), defaults={"opens_at": opens, "closes_at": opens + DAY})
    gaming_days.forget()


def supervisor(name: str = "sue") -> Actor:
    return actor(f"staff:{name}", "supervisor")


def auditor(name: str = "otto") -> Actor:
    """With an account and a second step of his own: he may be a scrutineer."""
    return account(actor(f"staff:{name}", "auditor"), "auditor")


def put_in(people: str, code: str = "SPRING") -> None:
    """An entry for each letter: a person is a letter, his card C-letter."""
    on_record(f"C-{person}" for person in people)
    for n, person in enumerate(people):
        contact = Contact(
            name=f"Person {person}", address=f"{person} Lake Street", email=f"{person}@example.org".lower()
        )
        enter(code=code, by=manager(), card=f"C-{person}", contact=contact, reference=f"{code}-{n}")


def closed(people: str = "ABCDEFGH", code: str = "SPRING", edition: str = "2025", **terms: Any) -> Promotion:
    open_day()
    promotion = running(code, edition, **terms)
    put_in(people, code)
    assert promotion.closes_at is not None
    return close(code=code, now=promotion.closes_at)


def sealed(people: str = "ABCDEFGH", code: str = "SPRING", edition: str = "2025", **terms: Any) -> Promotion:
    promotion = closed(people, code, edition, **terms)
    assert promotion.closes_at is not None
    seal(code=code, now=promotion.closes_at + MINUTE)
    return Promotion.objects.get(code=code)


def drawn(people: str = "ABCDEFGH", code: str = "SPRING", edition: str = "2025", **terms: Any) -> Draw:
    promotion = sealed(people, code, edition, **terms)
    return draw_promotion(code=code, by=supervisor(), now=promotion.draw_at)


def overseen(code: str = "SPRING") -> Actor:
    """A scrutineer who is there: where the draw needed none, for what comes after it."""
    draw = Draw.objects.get(promotion__code=code, voided_at=None)
    if draw.scrutineer is None:
        scrutineer.nominate_scrutineer(code=code, scrutineer=auditor().identity, by=supervisor())
        scrutineer.attend(code=code, by=auditor())
    return auditor()


def lost(case: LossCase, *, now: datetime | None = None) -> list[Win]:
    """What one person noted is seconded by another and signed by the scrutineer: whoever wins instead."""
    second_loss(win_id=case.win_id, by=manager("second"), now=now or case.noted_at)
    return sign_loss(win_id=case.win_id, by=overseen(case.win.promotion.code), now=now or case.noted_at)


def voided(code: str = "SPRING", *, then: str = "again", why: str = "The hall was cleared.") -> Proposal:
    """A draw declared void as it must be: proposed, seconded, decided by the inspector."""
    proposal = propose_void(code=code, then=then, why=why, by=manager())
    approve(proposal_id=proposal.pk, by=supervisor())
    return approve(proposal_id=proposal.pk, by=inspector())


def wins(code: str = "SPRING") -> list[Win]:
    """Who holds a prize, in the order of the prizes."""
    held = Win.objects.filter(promotion__code=code, pick__outcome="winner", pick__draw__voided_at=None)
    return list(held.select_related("pick", "prize").order_by("pick__prize"))


def person(win: Win) -> str:
    """The letter of the person who won."""
    identity = win.pick.entry.entrant.identity
    assert identity is not None
    return identity[-1].upper()


def books(account: str) -> str:
    return str(balance(account).amount)


def owed() -> str:
    return books(accounts.OWING)


def claimed(win: Win, *, at: datetime | None = None) -> Claim:
    """A claim that was accepted."""
    at = at or win.won_at + SECOND
    claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", by=supervisor(), now=at)
    return accept_claim(claim_id=claim.pk, by=manager(), now=at)


def pay(claim: Claim, *parts: tuple[str, str], **how: Any) -> Payment:
    paid = [Paid(method, Money.parse(amount), "" if method == "cash" else "4711") for method, amount in parts]
    return pay_prize(claim_id=claim.pk, parts=paid, **{"by": supervisor()} | how)


def promised(code: str = "SPRING") -> dict[str, Any]:
    """What somebody noted before the draw."""
    attempt = Draw.objects.get(promotion__code=code, voided_at=None)
    entries = EntryList.objects.get(promotion__code=code, voided_at=None)
    leaves = b"".join(leaf_lines(code=code)).decode().split()
    return {
        "commitment": bytes(attempt.promise.commitment).hex(),
        "root": bytes(entries.root).hex(),
        "count": entries.count,
        "leaves": leaves,
    }


def published(code: str = "SPRING", **how: Any) -> dict[str, Any]:
    """The published draw as a stranger gets it."""
    made: dict[str, Any] = json.loads(json.dumps(draw_proof(code=code, **how)["published"]))
    return made


def failed(made: object, noted: dict[str, Any]) -> list[str]:
    """The steps of our check that fail."""
    promise = Promised(noted["commitment"], noted["root"], noted["count"])
    return [step.name for step in checker.check(made, promised=promise, leaves=noted["leaves"]) if not step.ok]


def oracle_faults(made: dict[str, Any], noted: dict[str, Any]) -> list[str]:
    """What the independent check, written from the document, finds wrong."""
    return oracle.faults(
        made,
        noted_commitment=noted["commitment"],
        noted_root=noted["root"],
        noted_count=noted["count"],
        leaves=[bytes.fromhex(leaf) for leaf in noted["leaves"]],
    )


def unguarded(statement: str, *values: Any) -> None:
    """What somebody with the run of the database does: triggers off."""
    with owner.unguarded() as cursor:
        cursor.execute(statement, values)


def fingerprint() -> list[tuple[str, str]]:
    """Every row of the room, the log, the books and the incidents, hashed by the database in one statement."""
    models = [model for room in ("promotions", "ledger") for model in apps.get_app_config(room).get_models()]
    tables = [model._meta.db_table for model in (*models, Incident, Proposal)]  # type: ignore[attr-defined]
    hashed = " UNION ALL ".join(
        f"SELECT '{table}', md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {table} t"
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(hashed)
        return list(cursor.fetchall())


# Code and clause of a refusal that changed nothing.
refused = partial(refused_as, "code clause", unchanged=fingerprint)
