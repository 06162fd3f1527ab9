"""The register of approved vouchers (4.6): put on record by two people, before one of them pays for a ticket.

Whoever issues vouchers of an approved type (the restaurant, a promotion) tells the house their numbers and their worth.
What is not on the register is no voucher, whatever is printed on it; what is on it is taken in once, for that worth.
"""

from __future__ import annotations

import re
from typing import Final

from django.db.models import Count
from django.utils import timezone

from house.approvals import Approvable
from house.log import record_act
from house.models import Proposal
from keno import approved, shapes
from keno.counter_acts import VouchersRegistered
from keno.models import ApprovedVoucher
from keno.permissions import DECIDE
from keno.shapes import VoucherRegister
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal

REGISTER: Final = "keno.voucher-register"
AT_ONCE_LIMIT: Final = 10_000
_NUMBER: Final = re.compile(r"[A-Z0-9]([A-Z0-9-]{0,38}[A-Z0-9])?", re.ASCII)


def register(*, type: str, value: Money, numbers: list[str], by: Actor, proposal: int | None = None) -> int:
    """Write the vouchers down. None may be there already: of a number that is used twice nobody knows which is good."""
    now = timezone.now()
    references = [f"{type}-{number}" for number in numbers]
    known = ApprovedVoucher.objects.filter(reference__in=references).order_by("reference").first()
    if known is not None:
        raise Conflict(
            "voucher-registered-already", f"{known.reference} is on the register.", clause="act-keno:4.6", field="new"
        )
    ApprovedVoucher.objects.bulk_create(
        ApprovedVoucher(reference=each, type=type, amount=value, proposal=proposal, registered_at=now)
        for each in references
    )
    record_act(VouchersRegistered(type=type, value=value, numbers=tuple(numbers), proposal=proposal), by=by)
    return len(references)


def registered() -> dict[str, int]:
    """How many vouchers of each type are on the register."""
    return dict(ApprovedVoucher.objects.values_list("type").annotate(count=Count("pk")).order_by())


def _type(subject: str) -> str:
    code = subject.removeprefix("voucher-register:")
    if code == subject or approved.value(approved.VOUCHER_TYPE, code) is None:
        raise NotFound(
            "no-such-subject",
            "Write the subject like voucher-register:DINE, of an approved type of voucher.",
            field="subject",
        )
    return code


def _numbers(new: VoucherRegister) -> list[str]:
    if new.numbers is not None:
        numbers = [number.strip().upper() for number in new.numbers]
    else:
        assert new.first is not None
        assert new.last is not None
        if new.last - new.first >= AT_ONCE_LIMIT:
            raise _too_many()
        numbers = [str(number) for number in range(new.first, new.last + 1)]
    if not numbers or len(numbers) > AT_ONCE_LIMIT:
        raise _too_many()
    if len(set(numbers)) < len(numbers) or not all(map(_NUMBER.fullmatch, numbers)):
        raise Refusal(
            "voucher-numbers", "Numbers are capitals, digits and dashes, each there once.", field="new.numbers"
        )
    return numbers


def _too_many() -> Refusal:
    return Refusal("voucher-numbers", f"Register 1 to {AT_ONCE_LIMIT:,} vouchers at once.", field="new")


def _nothing(subject: str) -> None:
    """A register grows, it is not replaced: there is no value in force that could have changed meanwhile."""
    _type(subject)


def _check(subject: str, new: VoucherRegister) -> None:
    references = [f"{_type(subject)}-{number}" for number in _numbers(new)]
    if ApprovedVoucher.objects.filter(reference__in=references).exists():
        raise Conflict("voucher-registered-already", "Some are on the register already.", field="new")


def _describe(subject: str, old: VoucherRegister | None, new: VoucherRegister) -> str:
    numbers = _numbers(new)
    return (
        f"{len(numbers):,} vouchers of the type {_type(subject)} are registered, {numbers[0]} to {numbers[-1]}, "
        f"each worth ${new.value}."
    )


def _apply(proposal: Proposal, new: VoucherRegister, by: Actor) -> None:
    register(type=_type(proposal.subject), value=new.value, numbers=_numbers(new), by=by, proposal=proposal.pk)


KIND = Approvable(
    kind=REGISTER,
    label="Vouchers issued",
    shape=shapes.VOUCHER_REGISTER,
    authority=Authority.HOUSE,  # the type is the inspector's to approve; which were printed, the house's to know
    permission=DECIDE,
    describe=_describe,
    current=_nothing,
    check=_check,
    apply=_apply,
)
