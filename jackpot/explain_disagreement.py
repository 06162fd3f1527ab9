"""A disagreement between a table's meter and what was counted is closed by two people: one explains, another decides.

Wagers that were made and that nobody counted are counted then, at the terms of the time; where too much was counted, a
pool is put right by an adjustment of its own (``adjust.py``). A meter that fell counts on from what it shows now. What
was wagered unseen before a restart is said by both of them, and nought is an answer, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from house.approvals import Approvable, Record, Shape
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import links, permissions
from jackpot.contribute import count_by_two
from jackpot.disagreements import find_disagreement
from jackpot.link_acts import MeterExplained
from jackpot.models import DisagreementStatus, MeterDisagreement, MeterReading, TableMeter
from jackpot.tables import find_table, lock_table
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from web.fields import Text, WholeNumber

NOT_COUNTED: Final = "not-counted"
CAUSES: Final = {
    NOT_COUNTED: "wagers were made that nobody counted",
    "rejected": "what the meter showed was not played, and was rejected",
    "test-play": "technicians tried the table or its meter",
    "meter-fault": "the meter counted wrongly",
    "meter-replaced": "the meter or its controller was replaced",
    "overcount": "more was counted than was wagered; the pool is adjusted",
    "reading-time": "the meter was read in the middle of a round",
    "restarted": "its controller restarted, and no wager was made that nobody counted",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    disagreement: int
    shown: int
    counted: int
    cause: str
    wagers: int
    unseen: int = 0


class ExplanationValue(Record):
    """Why a table's meter and what was counted differ, and how many wagers are counted for it now."""

    disagreement = WholeNumber(min_value=1)
    shown = WholeNumber(min_value=0, help_text="What the meter showed when this was proposed,")
    counted = WholeNumber(min_value=0, help_text="and what had been counted.")
    cause = Text(max_length=32, help_text=f"One of: {', '.join(CAUSES)}.")
    wagers = WholeNumber(min_value=0, max_value=1_000_000, help_text="Counted now; only for `not-counted`.")
    unseen = WholeNumber(min_value=0, default=0, help_text="After a restart: how many, at most, no reading shows.")
    makes = Explanation


def table_code(subject: str) -> str:
    kind, _, code = subject.partition(":")
    if kind != "table":
        raise NotFound("no-such-table", "Write the subject like table:CSP-01.", field="subject")
    return find_table(code).code


def check(subject: str, new: Explanation) -> None:
    code, found = table_code(subject), find_disagreement(new.disagreement)
    if found.table.code != code:
        raise Refusal("not-of-this-table", f"Disagreement {found.pk} is not of {code}.", field="disagreement")
    if found.status != DisagreementStatus.OPEN:
        raise Conflict("disagreement-closed", f"Disagreement {found.pk} is closed.", field="disagreement")
    if (found.shown, found.counted, found.unseen) != (new.shown, new.counted, new.unseen):
        raise Conflict("disagreement-moved", f"It has gone on since: {found.words()}", field="disagreement")
    if new.cause not in CAUSES:
        raise Refusal("no-such-cause", f"The causes are {', '.join(CAUSES)}.", field="cause")
    if (new.cause == NOT_COUNTED) != bool(new.wagers):
        raise Refusal(
            "wagers-and-cause", "Wagers are counted where nobody counted them, and only there.", field="wagers"
        )
    if new.wagers > (most := most_to_count(found)):
        said = (
            "No more than {:,} can have been made unseen."
            if found.unseen
            else "The meter shows {:,} more than was counted."
        )
        raise Refusal("more-than-shown", said.format(most), field="wagers")


def most_to_count(found: MeterDisagreement) -> int:
    """What the meter shows beyond what was counted; of one that fell, what it has counted since; before a restart, what
    can have been played."""
    return max(found.difference, 0) + (found.fell_meter or 0) + found.unseen


def apply(proposal: Proposal, new: Explanation, by: Actor) -> None:
    table = lock_table(table_code(proposal.subject))
    found = MeterDisagreement.objects.select_for_update().get(pk=new.disagreement)
    check(proposal.subject, new)
    found.status, found.closed_at = DisagreementStatus.CLOSED, timezone.now()
    found.cause, found.wagers, found.proposal = new.cause, new.wagers, proposal
    found.save(update_fields=["status", "closed_at", "cause", "wagers", "proposal"])
    act = MeterExplained(
        table=table.code,
        disagreement=found.pk,
        shown=found.shown,
        counted=found.counted,
        cause=new.cause,
        wagers=new.wagers,
        unseen=new.unseen or None,
        proposal=proposal.pk,
    )
    record_act(act, by=by)
    if found.fell_meter is not None:
        _begin_anew(found)
    if new.wagers:
        day = gaming_day_at(timezone.now()).date
        at = found.restarted_at or found.until
        count_by_two(table, disagreement=found.pk, wagers=new.wagers, at=at, by=by, day=day)


def _begin_anew(found: MeterDisagreement) -> None:
    """The meter that fell is a new run, whose baseline is what it shows now."""
    meter = TableMeter.objects.select_for_update().get(table=found.table)
    assert found.fell_sequence is not None
    assert found.fell_meter is not None
    meter.run, meter.sequence, meter.meter, meter.at = meter.run + 1, found.fell_sequence, found.fell_meter, found.until
    meter.save()
    MeterReading.objects.create(
        table=found.table, run=meter.run, sequence=meter.sequence, meter=meter.meter, at=meter.at, wagers=0
    )


def _exists(subject: str) -> None:
    table_code(subject)


def _hold(subject: str, new: object) -> None:
    links.hold(find_table(table_code(subject)).link.code)


DISAGREEMENT = Approvable(
    kind="jackpot.meter-disagreement",
    label="Why a table’s meter and what was counted differ",
    shape=Shape[Explanation](ExplanationValue()),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{table_code(subject)}: its meter showed {new.shown:,} wagers and {new.counted:,} were counted, because "
        f"{CAUSES[new.cause]}; {new.wagers:,} are counted now."
    ),
    current=_exists,
    check=check,
    hold=_hold,
    apply=apply,
)
