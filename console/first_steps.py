"""What a new house does once: a guide at home, for whoever may take its steps, until all of it is done."""

from __future__ import annotations

from dataclasses import dataclass

from console.navigation import opens
from kernel.actors import Actor
from web.frame import FirstStep, in_place


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


def _is_done(step: FirstStep) -> bool:
    if step.title not in _done and step.done():
        _done.add(step.title)
    return step.title in _done
