"""Who a customer is, as far as the cash desk can tell, and that two desks count his amounts one after the other.

He is known by the marks that he shows: a player card, an identity document, and with the document his name and date of
birth. Marks that were shown together are one customer's from then on, in every room; so the same passport in another
spelling, or the licence instead of the passport, is still he.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable
from typing import Final

from django.db.models import Q
from django.utils import timezone

from house.cash.identity import Identity
from house.models import Customer
from house.rules.identity import compared, read_document_number, read_name
from kernel import keys
from kernel.prepared import execute

# Each mark with its customer, who is locked, in the order of the numbers. Who waited reads him as he is now.
_HOLD: Final = """
    SELECT known.mark, customer.id, customer.same_as_id
    FROM house_customer known JOIN house_customer customer ON customer.id = coalesce(known.same_as_id, known.id)
    WHERE known.mark = ANY(%(marks)s)
    ORDER BY customer.id FOR UPDATE OF customer
"""


def player_mark(player_id: int) -> str:
    return f"player:{player_id}"


def marks_of(identity: Identity) -> list[str]:
    """Of somebody who has shown all of it."""
    number = read_document_number(identity.document_number)
    assert number is not None
    assert identity.born is not None
    person = f"{read_name(identity.name)}\n{identity.born.isoformat()}"
    return [f"document:{_hashed('document', compared(number))}", f"person:{_hashed('person', person)}"]


def name_mark(name: str) -> str:
    """Whether a record is about somebody of this name, without the name."""
    return _hashed("name", read_name(name))


def hold(groups: Iterable[Collection[str]]) -> list[int | None]:
    """The customer of each group of marks, held until the transaction ends: the last lock of all.

    Marks of one group were shown together, and are one customer's from now on.
    """
    wanted = [sorted(marks) for marks in groups]
    every = sorted({mark for marks in wanted for mark in marks})
    if not every:
        return [None for _ in wanted]
    known = _lock(every)
    for marks in wanted:
        if len({known[mark] for mark in marks}) > 1:
            known = _join({known[mark] for mark in marks}, known)
    return [known[marks[0]] if marks else None for marks in wanted]


def _lock(marks: list[str]) -> dict[str, int]:
    """By mark its customer. Whoever joins customers holds them all: what is held stays as it was read."""
    while True:
        held = execute(_HOLD, {"marks": marks})
        if any(same_as is not None for _, _, same_as in held):
            continue  # joined to another while we waited
        known = {mark: number for mark, number, _ in held}
        missing = [mark for mark in marks if mark not in known]
        if not missing:
            return known
        now = timezone.now()
        new = [Customer(mark=mark, since=now) for mark in missing]
        Customer.objects.bulk_create(new, ignore_conflicts=True)  # of two who meet him first one makes him


def _join(numbers: set[int], known: dict[str, int]) -> dict[str, int]:
    first, *others = sorted(numbers)
    Customer.objects.filter(Q(pk__in=others) | Q(same_as__in=others)).update(same_as=first)
    return {mark: first if number in others else number for mark, number in known.items()}


def _hashed(what: str, text: str) -> str:
    key = hashlib.sha256(f"customer:{keys.secret('customer-key')}".encode()).digest()
    return hmac.new(key, f"{what}\n{text}".encode(), "sha256").hexdigest()
