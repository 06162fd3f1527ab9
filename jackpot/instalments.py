"""A hit that is paid in instalments: approved by an inspector, then owed, each paid once when it is due.

The winner has agreed (the plan names his signed paper), an inspector has approved it, a manager has put it in force by
paying the hit so: from then on what is not paid yet stands in a purse of its own, ``jackpot:CSP:instalments``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house import incidents
from house.approvals import Approvable, Record, Shape
from house.cash.cheques import WrittenCheque
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Incident, Proposal, ProposalStatus
from house.players import cards
from jackpot import handpay, permissions, pools, steps
from jackpot.approvables import code_of, link_of
from jackpot.cash_kinds import INSTALMENT
from jackpot.hit_acts import InstalmentPaid
from jackpot.incident_kinds import INSTALMENT_OVERDUE
from jackpot.models import Hit, Instalment
from jackpot.rules.handpay import INSTALMENTS, Due, check_plan
from jackpot.rules.pool import Movement
from kernel.actors import Actor, system
from kernel.authority import Authority
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from web import words
from web.fields import DayField, MoneyField, Text, WholeNumber

KIND: Final = "jackpot.instalments"
PAYMENT: Final = "jackpot.instalment"
_OVERDUE_LIMIT: Final = 20  # told of in one tick


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOfHit:
    hit: int
    agreed: str
    instalments: list[Due]


class DueValue(Record):
    """When, and how much."""

    due = DayField(help_text="The gaming day.")
    amount = MoneyField()
    makes = Due


class PlanValue(Record):
    """How a hit is paid in instalments; together they are its amount less the tax."""

    hit = WholeNumber(min_value=1)
    agreed = Text(max_length=200, help_text="The number of the paper that the winner signed; never his name.")
    instalments = DueValue(many=True)
    makes = PlanOfHit


def _write(new: PlanOfHit) -> dict[str, object]:
    dues = [{"due": each.due.isoformat(), "amount": str(each.amount)} for each in new.instalments]
    return {"hit": new.hit, "agreed": new.agreed, "instalments": dues}


SHAPE: Final = Shape[PlanOfHit](PlanValue(), write=_write)


def check(subject: str, new: PlanOfHit) -> None:
    hit = Hit.objects.filter(pk=new.hit, link=link_of(subject)).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {new.hit} of {code_of(subject)}.", field="hit")
    if hit.status != Hit.Status.VERIFIED:
        raise Conflict("hit-not-ready", f"Hit {hit.pk} is {hit.status}: instalments are of a verified one.")
    rules = handpay.rules_of(hit)
    if not rules.allows_instalments(hit.amount):
        raise Refusal("instalments-not-allowed", f"${hit.amount} is not paid in instalments here.", field="hit")
    check_plan(new.instalments, owed=hit.amount - rules.withheld(hit.amount))


@dataclass(frozen=True, slots=True)
class Plan:
    proposal: Proposal
    dues: tuple[Due, ...]


def plan_of(hit: Hit) -> Plan | None:
    """The newest that was approved for it."""
    found = Proposal.objects.filter(
        kind=KIND, subject=hit.link.subject, new__hit=hit.pk, status=ProposalStatus.EFFECTIVE
    )
    proposal = found.order_by("-pk").first()
    return None if proposal is None else Plan(proposal, tuple(SHAPE.read(proposal.new).instalments))


def must_be_approved(hit: Hit, by: Actor) -> Plan:
    """To put a plan in force: by somebody who neither proposed nor decided it."""
    plan = plan_of(hit)
    if plan is None:
        raise Conflict("instalments-not-approved", f"No instalments are approved for hit {hit.pk}.", field="method")
    steps.must_be_a_third(plan.proposal, by)
    check_plan(plan.dues, owed=hit.paid_out)
    return plan


def owe(hit: Hit, plan: Plan) -> None:
    Instalment.objects.bulk_create(
        Instalment(hit=hit, number=number, due=each.due, amount=each.amount, proposal=plan.proposal)
        for number, each in enumerate(plan.dues, start=1)
    )


def owed(hit: Hit) -> Money:
    return Money.total(hit.instalments.filter(paid_at__isnull=True).values_list("amount", flat=True))


def find_instalment(number: int) -> QuerySet[Instalment]:
    found = Instalment.objects.filter(pk=number)
    return found.select_related("hit__link", "hit__table", "hit__round__terms", "proposal")


@transaction.atomic
def pay_instalment(
    *, instalment_id: int, method: str, by: Actor, reference: str = "", identity: Identity | None = None
) -> Instalment:
    """Pay an instalment that is due, after those before it, as a payment by itself: identity, cheque, report."""
    by.require(permissions.PAY)
    part = find_instalment(instalment_id).select_for_update(of=("self",)).first()
    if part is None:
        raise NotFound("no-such-instalment", f"There is no instalment {instalment_id}.")
    moment = timezone.now()
    day = gaming_day_at(moment).date
    must_pay(part, by, moment)
    if method not in Instalment.Method.values:
        words = f"An instalment is paid by {', '.join(Instalment.Method.values)}."
        raise Refusal("no-such-method", words, field="method")
    part.paid_at, part.paid_by, part.paid_day, part.method = moment, by.identity, day, method
    part.payment_reference = reference.strip()
    part.save(update_fields=["paid_at", "paid_by", "paid_day", "method", "payment_reference"])
    hit = part.hit
    record_act(
        InstalmentPaid(
            link=hit.link.code,
            hit=hit.pk,
            number=part.number,
            due=part.due,
            amount=part.amount,
            method=method,
            owed=owed(hit),
        ),
        by=by,
    )
    pools.book(
        link=hit.link.code,
        movements=[Movement(INSTALMENTS, method, part.amount)],
        kind=PAYMENT,
        reference=f"hit/{hit.pk}/{part.number}",
        memo={"method": method},
        by=by,
        day=day,
    )
    _hand_over(part, Receiver(identity=identity, played_by=cards.holder(hit.player_card)), by)
    return part


def must_pay(part: Instalment, by: Actor, now: datetime) -> None:
    by.require(permissions.PAY)
    if part.paid_at is not None:
        raise Conflict("instalment-paid", f"Instalment {part.number} of hit {part.hit_id} is paid.")
    if part.due > gaming_day_at(now).date:
        raise Conflict("not-due-yet", f"Instalment {part.number} is due on {words.day(part.due, year=True)}.")
    if Instalment.objects.filter(hit=part.hit, number__lt=part.number, paid_at__isnull=True).exists():
        raise Conflict("paid-out-of-order", f"The instalments before {part.number} come first.")
    steps.must_be_another_person(part.hit, by, permissions.PAY)
    steps.must_be_a_third(part.proposal, by)


def _hand_over(part: Instalment, receiver: Receiver, by: Actor) -> None:
    assert part.paid_at is not None
    assert part.paid_day is not None
    cash = part.amount if part.method == Instalment.Method.CASH else ZERO
    cheque = None
    if part.method == Instalment.Method.CHEQUE:
        cheque = WrittenCheque(amount=part.amount, number=part.payment_reference, field="reference")
    handed = HandedOver(
        kind=INSTALMENT,
        payment=part.pk,
        reference=str(part.hit_id),
        cash=cash,
        cheque=cheque,
        other=ZERO if cash or cheque else part.amount,
        day=part.paid_day,
        at=part.paid_at,
    )
    hand_over(handed, receiver=receiver, by=by)


def tell_overdue(now: datetime) -> None:
    """An instalment that was not paid on its gaming day is an incident, once."""
    overdue = Instalment.objects.filter(paid_at__isnull=True, due__lt=gaming_day_at(now).date).order_by("due", "pk")
    for part in overdue.select_related("hit__link")[:_OVERDUE_LIMIT]:
        subject = f"hit:{part.hit_id}"
        what = (
            f"Instalment {part.number} of hit {part.hit_id} of {part.hit.link}, ${part.amount}, was due on {part.due}."
        )
        if not Incident.objects.filter(kind=INSTALMENT_OVERDUE, subject=subject, what=what).exists():
            incidents.open_incident(kind=INSTALMENT_OVERDUE, what=what, by=system("jackpots"), subject=subject)


# The approval


def _exists(subject: str) -> None:
    link_of(subject)


def _apply(proposal: Proposal, new: PlanOfHit, by: Actor) -> None:
    """Nothing moves: the plan is put in force by who pays the hit so."""


def _describe(subject: str, old: object, new: PlanOfHit) -> str:
    whole = Money.total(each.amount for each in new.instalments)
    first, last = new.instalments[0].due, new.instalments[-1].due
    return (
        f"Hit {new.hit} of {code_of(subject)} is paid in {len(new.instalments)} instalments, ${whole} together, from "
        f"{words.days(first, last)} (agreed: {new.agreed})."
    )


PLAN = Approvable(
    kind=KIND,
    label="Instalments of a jackpot hit",
    shape=SHAPE,
    # What a winner is owed today he gets later: an inspector says so.
    authority=Authority.INSPECTOR,
    describe=_describe,
    current=_exists,
    check=check,
    apply=_apply,
)
