"""Who is at work in a simulation: the demo's own people, and writers' terminals registered for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from house import demo as house_demo
from house import devices
from house.models import Device, DeviceKind, Grant, Staff
from house.staff import find
from keno import demo
from kernel.actors import Actor

TERMINALS: Final = ("Simulated terminal 1", "Simulated terminal 2")


@dataclass(frozen=True, slots=True)
class People:
    writers: tuple[Actor, ...]
    supervisor: Actor
    manager: Actor
    inspector: Actor


def at_work() -> People:
    """The demo venue, made or completed, and who works in it."""
    if not Staff.objects.filter(username="manager", is_demo=True).exists():  # to look at passwords again is slow
        house_demo.build_demo()
    demo.build_demo()
    administrator = find("administrator").as_actor()
    return People(
        writers=tuple(_writer(name, administrator) for name in TERMINALS),
        supervisor=find("supervisor").as_actor(),
        manager=find("manager").as_actor(),
        inspector=find("inspector").as_actor(),
    )


def leave() -> None:
    """The terminals were there for the simulation: without it they would only be missed."""
    administrator = find("administrator").as_actor()
    for code in Device.objects.filter(name__in=TERMINALS, status="active").values_list("code", flat=True):
        devices.revoke_device(code=code, why="The simulation is over.", by=administrator)


def _writer(name: str, administrator: Actor) -> Actor:
    device = Device.objects.filter(name=name, status="active").first() or devices.register_device(
        name=name, kind=DeviceKind.WRITER_TERMINAL, place="Keno counter", by=administrator
    )
    granted = Grant.objects.filter(role_id=device.profile).values_list("permission_id", flat=True)
    return Actor(device.identity, device.name, frozenset(granted))
