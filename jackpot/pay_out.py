"""The end of a link that is paid out as its authority says; and each of those who are owed it, paid by a third person.

What still comes in afterwards, played before the end, stays in its purses; a further decision pays it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approvals import Approvable, Record, Shape
from house.cash.cheques import WrittenCheque, register
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import adjust, links, permissions, pools, steps, tables, terms
from jackpot.approvables import code_of, link_of
from jackpot.cash_kinds import PAYOUT
from jackpot.link_acts import LinkPaidOut, Owed, PayoutPaid
from jackpot.models import Link, Payout, Table
from jackpot.rules import pay_out as rules
from jackpot.rules.pool import WINNERS, Movement
from kernel.actors import Actor
from kernel.authority import Authority, strictest
from kernel.money import BASIS_POINTS, ZERO
from kernel.refusal import Conflict, NotFound, Refusal
from web import words
from web.fields import BasisPoints, Text

PAY_OUT: Final = "jackpot.pay-out"
PAYMENT: Final = "jackpot.payment"
PAYEES_LIMIT: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Payee:
    to: str
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOut:
    direction: str
    payees: list[Payee]


class PayeeValue(Record):
    """A body, a fund or an account that gets a share; never a person’s name, which stays out of the log."""

    to = Text(max_length=200)
    share = BasisPoints(min_value=1, max_value=BASIS_POINTS, help_text="In hundredths of a percent.")
    makes = Payee


class PaidOutValue(Record):
    """To whom what is in the link goes, as the authority has directed."""

    direction = Text(max_length=200, help_text="The authority’s reference.")
    payees = PayeeValue(many=True, help_text="Their shares come to 10,000.")
    makes = PaidOut


def _write(new: PaidOut) -> dict[str, object]:
    return {"direction": new.direction, "payees": [{"to": each.to, "share": each.share} for each in new.payees]}


def check(subject: str, new: PaidOut) -> None:
    link = link_of(subject)
    if not 0 < len(new.payees) <= PAYEES_LIMIT or sum(each.share for each in new.payees) != BASIS_POINTS:
        raise Refusal("shares-not-whole", f"One to {PAYEES_LIMIT} shares come to 100% together.", field="payees")
    if not new.direction.strip():
        raise Refusal("direction-missing", "Enter the authority’s reference.", field="direction")
    if link.status == Link.Status.OPEN:
        adjust.check_end(link)
    elif link.retired_into is not None:
        raise Conflict("pool-retired", f"{link} was retired into {link.retired_into}.", field="subject")
    elif not any(pools.read_pools(link.code, levels=link.levels).balances.values()):
        raise Conflict("nothing-to-pay-out", f"There is nothing in {link}.", field="subject")


@transaction.atomic
def pay_out(*, link: str, new: PaidOut, by: Actor, proposal: Proposal) -> None:
    """Empty the purses of a link: what is in them is owed to the payees. An open link ends with it."""
    ending = links.find_link(link)
    links.hold(link)
    links.shut(ending)
    list(Table.objects.select_for_update().filter(link=ending))  # no round begins meanwhile
    check(ending.subject, new)
    held = pools.read_pools(link, levels=ending.levels)
    moves = rules.gather(held.balances, into=ending.levels[0])
    amounts = rules.parts(moves, [each.share for each in new.payees])
    moment = timezone.now()
    payouts = [
        Payout.objects.create(link=ending, payee=each.to, amount=amount, proposal=proposal)
        for each, amount in zip(new.payees, amounts, strict=True)
        if amount > ZERO
    ]
    act = LinkPaidOut(
        link=link,
        held=held.balances,
        owed=tuple(Owed(payout=each.pk, amount=each.amount) for each in payouts),
        proposal=proposal.pk,
        seen=held.seen,
    )
    record_act(act, by=by)
    memo = {"direction": new.direction, "why": proposal.why}
    reference, day = f"proposal/{proposal.pk}", gaming_day_at(moment).date
    pools.book(link=link, movements=moves, kind=PAY_OUT, reference=reference, memo=memo, by=by, day=day)
    if ending.status == Link.Status.OPEN:
        tables.close_all(ending, at=moment)
        ending.status, ending.retired_at = Link.Status.RETIRED, moment
        ending.save(update_fields=["status", "retired_at"])


@transaction.atomic
def pay_payout(*, payout_id: int, method: str, reference: str, by: Actor) -> Payout:
    """Pay one of those who are owed what was in a link, by cheque or transfer: somebody who neither proposed nor
    decided it."""
    by.require(permissions.PAY)
    payout = (
        Payout.objects.select_for_update(of=("self",)).select_related("link", "proposal").filter(pk=payout_id).first()
    )
    if payout is None:
        raise NotFound("no-such-payout", f"There is no payout {payout_id}.")
    must_pay(payout, by)
    if method not in Payout.Method.values:
        raise Refusal("no-such-method", f"A payout goes by {' or '.join(Payout.Method.values)}.", field="method")
    if not reference.strip():
        raise Refusal("reference-missing", "Enter the number of the cheque or the transfer.", field="reference")
    moment = timezone.now()
    day = gaming_day_at(moment).date
    payout.paid_at, payout.paid_by, payout.method = moment, by.identity, method
    payout.payment_reference = reference.strip()
    payout.save(update_fields=["paid_at", "paid_by", "method", "payment_reference"])
    record_act(PayoutPaid(link=payout.link.code, payout=payout.pk, amount=payout.amount, method=method), by=by)
    pools.book(
        link=payout.link.code,
        movements=[Movement(WINNERS, method, payout.amount)],
        kind=PAYMENT,
        reference=f"payout/{payout.pk}",
        memo={"method": method},
        by=by,
        day=day,
    )
    if method == Payout.Method.CHEQUE:
        cheque = WrittenCheque(amount=payout.amount, number=payout.payment_reference, field="reference")
        register(cheque, room=PAYOUT.room, what=PAYOUT.what, payment=payout.pk, day=day, at=moment, by=by)
    return payout


def must_pay(payout: Payout, by: Actor) -> None:
    by.require(permissions.PAY)
    if payout.paid_at is not None:
        raise Conflict("payout-paid", f"Payout {payout.pk} is paid.")
    steps.must_be_a_third(payout.proposal, by)


def payouts_of(link: Link, by: Actor) -> Sequence[tuple[Payout, bool]]:
    """Who is owed what was in it, and whether this person may pay him."""
    return [
        (each, steps.would_allow(must_pay, each, by))
        for each in link.payouts.select_related("link", "proposal").order_by("pk")
    ]


def _authority(subject: str, new: PaidOut) -> Authority:
    """What players put in goes elsewhere only as an inspector at least has said."""
    return strictest(terms.authority(terms.of(terms.in_force(link_of(subject)))), Authority.INSPECTOR)


def _exists(subject: str) -> None:
    link_of(subject)


def _hold(subject: str, new: object) -> None:
    link = link_of(subject)
    links.hold(link.code)
    links.shut(link)


def _apply(proposal: Proposal, new: PaidOut, by: Actor) -> None:
    pay_out(link=code_of(proposal.subject), new=new, by=by, proposal=proposal)


def _describe(subject: str, old: object, new: PaidOut) -> str:
    shares = ", ".join(f"{words.rate(each.share)} to {each.to}" for each in new.payees)
    return f"{code_of(subject)} ends; what is in it is paid out: {shares} ({new.direction})."


PAYING_OUT = Approvable(
    kind=PAY_OUT,
    label="The end of a jackpot whose money is paid out",
    shape=Shape[PaidOut](PaidOutValue(), write=_write),
    authority=_authority,
    permission=permissions.DECIDE,
    describe=_describe,
    current=_exists,
    check=check,
    hold=_hold,
    apply=_apply,
)
