"""What a new house does once: a guide at home, for whoever may take its steps, until all of it is done. In the demo, a
tour besides: four people's jobs, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from console.navigation import opens
from kernel.actors import Actor
from web.frame import FirstStep, TourStep, in_place


@dataclass(frozen=True, slots=True)
class Shown:
    title: str
    says: str
    url: str
    done: bool


_done: set[str] = set()  # what is done once stays done: nobody asks again


def first_steps(actor: Actor) -> list[Shown]:
    """All of them, as long as one is left that this person may take; then nothing more."""
    shown = [Shown(step.title, step.says, opens(actor, step.name), _is_done(step)) for step in in_place(FirstStep)]
    return shown if any(step.url and not step.done for step in shown) else []


def tour(identity: str) -> list[Shown]:
    """What this person of the demo does in it; nothing where there is no demo."""
    steps = [step for step in in_place(TourStep) if settings.DEMO and step.person == identity]
    return [Shown(step.title, step.says, reverse(f"console:{step.name}"), step.done()) for step in steps]


def _is_done(step: FirstStep) -> bool:
    if step.title not in _done and step.done():
        _done.add(step.title)
    return step.title in _done
