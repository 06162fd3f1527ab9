"""Every address × everybody, once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final

from house import demo, gaming_days
from kernel.codes import Permission
from tests.powers.walkers import Answer, Walker, everybody, quickly
from tests.world.addresses import Address, addresses
from tests.world.sealed import log
from tests.world.stock import PERSONS, one_of_each_kind, stock
from web.view import PUBLIC

# How a door says no. Any other refusal is about this thing, these words or this moment.
NO_RIGHT: Final = frozenset(
    {
        "no-permission",
        "in-person",
        "needs-inspector",
        "needs-letter",
        "not-the-inspectors",
        "inspector-proposes",
        "own-affair",
    }
)
PROPOSE, DECIDE = "api/v1/approvals/", "api/v1/approvals/<id>/reject"


class Outcome(StrEnum):
    SIGN_IN = "sign in first"
    NO = "no"
    YES = "yes"


@dataclass(frozen=True, slots=True)
class Step:
    """One person or device at one address."""

    address: Address
    walker: Walker
    status: int
    code: str
    outcome: Outcome
    wrote: bool
    told: frozenset[Permission]
    """The personal data in the answer, by the power that it takes."""


@dataclass(frozen=True, slots=True)
class Walk:
    steps: list[Step]
    by_kind: dict[tuple[str, str], list[Step]]
    """Who may propose, and who may decide, each kind of change: by kind and route."""

    def rows(self) -> dict[tuple[str, str], list[Step]]:
        """By method and route."""
        found: dict[tuple[str, str], list[Step]] = {}
        for step in self.steps:
            found.setdefault((step.address.method, step.address.route), []).append(step)
        return found


@cache
def walk() -> Walk:
    """Needs a database in which things are committed: only then are they sealed."""
    gaming_days.forget()
    demo.build_demo()
    gaps = stock() | log()
    with quickly():
        walkers = everybody()
        steps = [_take(address, walker) for address in addresses(gaps) for walker in walkers]
        by_kind = {(kind, address.route): [_take(address, walker) for walker in walkers] for kind, address in _kinds()}
    return Walk(steps, by_kind)


def _kinds() -> Iterator[tuple[str, Address]]:
    for kind, proposal in one_of_each_kind().items():
        body = {"kind": kind, "subject": "nobody", "new": None, "why": "Shown."}
        yield kind, Address(PROPOSE, "POST", None, f"/{PROPOSE}", body, is_call=True)
        yield kind, Address(DECIDE, "POST", None, f"/{PROPOSE}{proposal.pk}/reject", {}, is_call=True)


def _take(address: Address, walker: Walker) -> Step:
    answer = walker.call(address)
    told = _told(answer)
    if address.method == "GET" and b"format=csv" in answer.body:
        more = "&" if "?" in address.path else "?"
        told |= _told(walker.call(replace(address, path=f"{address.path}{more}format=csv")))
    return Step(address, walker, answer.status, answer.code, _outcome(address, answer), answer.wrote, told)


def _told(answer: Answer) -> frozenset[Permission]:
    return frozenset(
        power for power, persons in PERSONS.items() if any(person.encode() in answer.body for person in persons)
    )


def _outcome(address: Address, answer: Answer) -> Outcome:
    if answer.status == 401 or (answer.location.startswith("/sign-in/") and address.power != PUBLIC):
        return Outcome.SIGN_IN
    return Outcome.NO if answer.status == 403 and answer.code in NO_RIGHT else Outcome.YES
