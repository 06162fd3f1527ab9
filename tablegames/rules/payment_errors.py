"""Over- and underpayments (nsw-csp:14.16–14.19): what may be done with one, and when it may be closed. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kernel.refusal import Conflict, Refusal


class Direction(StrEnum):
    OVER = "over"
    UNDER = "under"


class Intent(StrEnum):
    """Decided by reasonable enquiries in each case (14.16.1)."""

    NOT_DECIDED = "not-decided"
    UNINTENTIONAL = "unintentional"
    SUSPECTED = "suspected"


class Status(StrEnum):
    OPEN = "open"
    RECTIFIED = "rectified"
    """Reimbursed or returned in full."""
    ATTEMPTED = "attempted"
    """A reasonable attempt was made, and it did not come to money."""
    REPORTED = "reported"
    """Brought to the regulator's attention instead (14.16.2)."""


class NextStep(StrEnum):
    """What may be done with one: decide on intent, keep a step that was taken, move money, close it."""

    DECIDE = "decide"
    STEP = "step"
    RECTIFY = "rectify"
    CLOSE = "close"


# What may be done in which state. Money is still taken or given when the record is closed: a patron may come back.
ALLOWED: Final[Mapping[Status, frozenset[NextStep]]] = {
    Status.OPEN: frozenset(NextStep),
    Status.RECTIFIED: frozenset(),
    Status.ATTEMPTED: frozenset({NextStep.STEP, NextStep.RECTIFY}),
    Status.REPORTED: frozenset({NextStep.STEP, NextStep.RECTIFY}),
}


class Step(StrEnum):
    ENQUIRE = "enquire"
    IDENTIFY = "identify"
    CONTACT = "contact"
    REIMBURSE = "reimburse"
    REQUEST_RETURN = "request-return"


@dataclass(frozen=True, slots=True)
class Taken:
    step: Step
    succeeded: bool


def allow(status: Status, step: NextStep) -> None:
    if step not in ALLOWED[status]:
        raise Conflict(
            "payment-error-closed", f"This over- or underpayment is {status}: nothing more is done about it."
        )


def check_step(direction: Direction, step: Step) -> None:
    """14.18.1.1, 14.18.1.2: who was underpaid is reimbursed, who was overpaid is asked for it back."""
    wrong = {Direction.OVER: Step.REIMBURSE, Direction.UNDER: Step.REQUEST_RETURN}[direction]
    if step is wrong:
        says = (
            "An overpaid patron is asked to return it."
            if direction is Direction.OVER
            else "It is owed, not asked back."
        )
        clause = "nsw-csp:14.18.1.2" if direction is Direction.OVER else "nsw-csp:14.18.1.1"
        raise Refusal("step-the-wrong-way", says, clause=clause, field="kind")


def check_close(
    *, outcome: Status, direction: Direction, intent: Intent, taken: Collection[Taken], regulator_told: bool
) -> None:
    """Whether it may be closed so: 14.16 for an honest mistake, 14.17 for a suspected one, 14.18 for what was tried."""
    if outcome not in (Status.ATTEMPTED, Status.REPORTED):
        raise Refusal("outcome-not-known", "It is closed as attempted or as reported.", field="outcome")
    if intent is Intent.NOT_DECIDED:
        raise Conflict(
            "intent-not-decided",
            "First say, after reasonable enquiries, whether it was on purpose.",
            clause="nsw-csp:14.16.1",
        )
    if outcome is Status.REPORTED:
        if intent is Intent.SUSPECTED:
            raise Conflict(
                "attempt-missing",
                "What is suspected to be on purpose is rectified or attempted; reporting alone is not enough.",
                clause="nsw-csp:14.17",
            )
        if not regulator_told:
            raise Conflict("regulator-not-told", "Record first that the regulator was told.", clause="nsw-csp:14.16.2")
        return
    steps = {each.step for each in taken}
    if intent is Intent.SUSPECTED and Step.IDENTIFY not in steps:
        raise Conflict("attempt-missing", "Try to identify the patron first.", clause="nsw-csp:14.17.2")
    if not steps & {Step.IDENTIFY, Step.CONTACT}:
        raise Conflict("attempt-missing", "Try to identify or contact the patron first.", clause="nsw-csp:14.18.1")
    found = any(each.succeeded and each.step in (Step.IDENTIFY, Step.CONTACT) for each in taken)
    last = Step.REIMBURSE if direction is Direction.UNDER else Step.REQUEST_RETURN
    if found and last not in steps:
        says = "reimburse" if direction is Direction.UNDER else "ask for the return"
        clause = "nsw-csp:14.18.1.1" if direction is Direction.UNDER else "nsw-csp:14.18.1.2"
        raise Conflict("attempt-missing", f"The patron is known: try to {says} first.", clause=clause)
