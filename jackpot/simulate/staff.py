"""Who is at work at the tables of a simulation: the demo's own people, and a device for their controllers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from house import devices
from house.approvals import approve, propose
from house.cash.identity import Identity
from house.models import Device, Grant
from house.staff import find
from jackpot import demo, terms
from jackpot.models import Link, Table
from jackpot.rules.catalogue import MUST_HIT_BY
from jackpot.rules.pool import Level, Parameters
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money

CONTROLLERS: Final = "Simulated table controllers"
MYSTERY: Final = "MYST"
MYSTERY_TABLE: Final = "MYST-01"
SEED: Final = Money.dollars(100)
CEILING: Final = Money.dollars(150)
WINNER: Final = Identity(
    name="Wu Li", born=date(1980, 2, 29), address="1 George Street", document="passport", document_number="P7654321"
)


@dataclass(frozen=True, slots=True)
class People:
    dealer: Actor
    controllers: Actor
    supervisor: Actor
    manager: Actor
    inspector: Actor


def at_work() -> People:
    demo.build_demo()
    people = People(
        dealer=find("dealer").as_actor(),
        controllers=_controllers(),
        supervisor=find("supervisor").as_actor(),
        manager=find("manager").as_actor(),
        inspector=find("inspector").as_actor(),
    )
    if not Link.objects.filter(code=MYSTERY).exists():
        _open_mystery(people)
    return people


def _controllers() -> Actor:
    device = Device.objects.filter(name=CONTROLLERS, status="active").first()
    device = device or devices.service_token(role="table", name=CONTROLLERS).device
    granted = Grant.objects.filter(role_id=device.profile).values_list("permission_id", flat=True)
    return Actor(device.identity, device.name, frozenset(granted))


def _open_mystery(people: People) -> None:
    """A must-hit-by link, which no gazetted rule governs: proposed by one, approved by another."""
    wanted = LinkTerms(
        rules=MUST_HIT_BY,
        parameters=Parameters(
            wager=Money.dollars(1),
            levels=(Level(increment_rate=5_000, seed=SEED, ceiling=CEILING),),
            reserve_rate=1_000,
            retained_rate=4_000,
        ),
    )
    link = {"title": "Mystery jackpot", "terms": terms.write(wanted)}
    made = propose(
        kind="jackpot.link", subject=f"jackpot:{MYSTERY}", new=link, why="A livelier month.", by=people.supervisor
    )
    approve(proposal_id=made.pk, by=people.manager)
    if not Table.objects.filter(code=MYSTERY_TABLE).exists():
        join_table(code=MYSTERY_TABLE, link=MYSTERY, by=people.supervisor)
