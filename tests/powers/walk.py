"""Every address × everybody, once for all tests of this folder.

make test sends one of each kind to an address, another one to the next. Of those who are promised the same answer: who
may be told of the most persons; at every third address, and where he finds nothing, who may be told of the fewest, too;
where somebody is told of a person, one of all who may be told of the same. What he meets stands for his kind. make
test-long sends everybody everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final, TypeVar

from house import demo, gaming_days
from house.approvals import kinds
from house.permissions import AS_INSPECTOR, VIEW_APPROVALS
from keno.permissions import SELL
from kernel.codes import Permission
from tests.powers.walkers import Answer, Walker, everybody, quickly
from tests.world.addresses import Address, addresses
from tests.world.proposals import one_of_each_kind
from tests.world.sealed import log
from tests.world.stock import PERSONS, stock
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
# Who may propose and decide depends on the kind of change: the table of kinds says who. All others ask for what they
# declare and nothing more.
BY_KIND: Final = {
    *(f"api/v1/approvals/{each}" for each in ("", "<id>/approve", "<id>/reject")),
    *(f"approvals/<number>/{each}/" for each in ("approve", "reject")),
}


Kind = TypeVar("Kind", bound=Hashable)


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
def walk(*, exhaustive: bool) -> Walk:
    """Needs a database in which things are committed: only then are they sealed."""
    gaming_days.forget()
    demo.build_demo()
    gaps = stock() | log()
    with quickly():
        party = Party(everybody(), exhaustive=exhaustive)
        steps = [step for address in addresses(gaps) for step in party.at(address)]
        by_kind = {(kind, address.route): party.proposing(address, kind) for kind, address in _proposals()}
    return Walk(steps, by_kind)


def due(address: Address, walker: Walker) -> Outcome | None:
    """What the declaration promises this walker here; None where nothing is declared. Pages know no tokens."""
    if address.power is None:
        return None
    if address.power == PUBLIC:
        return Outcome.YES
    if walker.actor is None or (address.is_page and walker.is_device):
        return Outcome.SIGN_IN
    return Outcome.YES if walker.actor.may(address.power) else Outcome.NO


class Party:
    """Those who go from address to address."""

    def __init__(self, walkers: list[Walker], *, exhaustive: bool) -> None:
        self.walkers = walkers
        self.exhaustive = exhaustive
        self.turn = 0

    def at(self, address: Address) -> list[Step]:
        """A step for everybody: his own, or that of the one of his kind whose turn it is."""
        if self.exhaustive or address.route in BY_KIND:
            return [_take(address, walker) for walker in self.walkers]
        self.turn += 1
        if address.power is None:
            return self._undeclared(address)
        promised = _alike(self.walkers, lambda walker: (walker.is_device, due(address, walker)))
        return [
            step
            for (_, outcome), walkers in promised.items()
            for step in (self._let_in(address, walkers) if outcome is Outcome.YES else self._stands(address, walkers))
        ]

    def _undeclared(self, address: Address) -> list[Step]:
        """Everybody for himself; but what a stranger is given is given to everybody."""
        stranger, *others = self.walkers
        first = _take(address, stranger)
        if first.outcome is not Outcome.YES or first.told:
            return [first, *(_take(address, walker) for walker in others)]
        alike = _alike(others, lambda walker: walker.is_device)
        return [first, *(step for each in alike.values() for step in self._stands(address, each))]

    def proposing(self, address: Address, kind: str) -> list[Step]:
        """By everything that is asked of who proposes or decides such a change."""
        change = kinds()[kind]
        powers = (VIEW_APPROVALS, AS_INSPECTOR, change.propose_permission, change.permission)

        def asked(walker: Walker) -> Hashable:
            held = walker.actor and tuple(power and walker.actor.may(power) for power in powers)
            return walker.is_device, held, walker.name if self.exhaustive else ""

        self.turn += 1
        return [step for each in _alike(self.walkers, asked).values() for step in self._stands(address, each)]

    def _let_in(self, address: Address, walkers: list[Walker]) -> list[Step]:
        alike = _alike(walkers, _may_be_told_of)
        trusted = sorted(alike, key=lambda told_of: (told_of is not None, len(told_of or ())))
        steps = self._stands(address, alike[trusted.pop()])
        if steps[0].told:
            return steps + [step for each in trusted for step in self._stands(address, alike[each])]
        if trusted and (self.turn % 3 == 0 or steps[0].status == 404):
            steps += self._stands(address, alike[trusted.pop(0)])
        return steps + [replace(steps[0], walker=walker) for each in trusted for walker in alike[each]]

    def _stands(self, address: Address, walkers: list[Walker]) -> list[Step]:
        one = _take(address, walkers[self.turn % len(walkers)])
        return [replace(one, walker=walker) for walker in walkers]


def _alike(walkers: list[Walker], kind: Callable[[Walker], Kind]) -> dict[Kind, list[Walker]]:
    found: dict[Kind, list[Walker]] = {}
    for walker in walkers:
        found.setdefault(kind(walker), []).append(walker)
    return found


def _may_be_told_of(walker: Walker) -> tuple[Permission, ...] | None:
    """None: somebody unknown. A writer is told to whom he is to bring a ticket."""
    if walker.actor is None:
        return None
    return tuple(power for power in (*PERSONS, SELL) if walker.actor.may(power))


def _proposals() -> Iterator[tuple[str, Address]]:
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
