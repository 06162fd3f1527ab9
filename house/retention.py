"""How personal data ends: what the rooms keep of people, and its erasure by two where the law keeps it no longer.

What ends by itself, or on the person's own word, is only told here. The rest is proposed by one person and decided by
another (an approval like any other), and refused for as long as the law keeps it. The sealed log names nobody: it is as
whole afterwards as before, and says that it was done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from django.utils import timezone

from house.acts import PersonalDataErased
from house.approvals import Approvable, Record, Shape
from house.log import record_act
from house.models import Proposal
from house.permissions import DECIDE_HOUSE
from house.venue import zone
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.retention import ErasedByTwo, Kept, latest_day
from kernel.rooms import offered
from web.fields import DayField


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    before: date


class ErasureValue(Record):
    """Everything that was last needed before a day."""

    before = DayField(help_text="What was needed last before this day goes. Where the law keeps it, years ago.")
    makes = Erasure


class KeptToday(NamedTuple):
    """A kind of personal data today. *until*: it may go where it was last needed before that day."""

    kept: Kept
    held: int
    until: date | None
    due: int


def kept_today() -> Iterator[KeptToday]:
    for kept in offered(Kept):
        if isinstance(kept, ErasedByTwo):
            until = latest_day(kept.years, today=_today())
            yield KeptToday(kept, kept.held(), until, kept.due(until, ""))
        else:
            yield KeptToday(kept, kept.held(), None, 0)


def by_two() -> dict[str, ErasedByTwo]:
    return {kept.name: kept for kept in offered(Kept) if isinstance(kept, ErasedByTwo)}


def _today() -> date:
    return timezone.now().astimezone(zone()).date()


def _named(subject: str) -> tuple[ErasedByTwo, str]:
    """The kind of data, and whose: ``players`` or ``players/P-…``."""
    name, _, only = subject.partition("/")
    kinds = by_two()
    if name not in kinds or (only and name != "players"):
        raise NotFound("no-such-subject", f"What two people erase is one of: {', '.join(kinds)}.", field="subject")
    return kinds[name], only


def _check(subject: str, new: Erasure) -> None:
    kept, only = _named(subject)
    latest = latest_day(kept.years, today=_today())
    if new.before > latest:
        raise Refusal(
            "kept-by-law",
            f"{kept.label}: kept {kept.kept}. What was needed on {latest:%Y-%m-%d} or later stays.",
            field="new.before",
        )
    if not kept.due(new.before, only):
        raise Conflict(
            "nothing-to-erase", f"{kept.label}: nothing that was last needed before {new.before} is held any more."
        )


def _erase_by(proposal: Proposal, new: Erasure, by: Actor) -> None:
    kept, only = _named(proposal.subject)
    records = kept.erase(new.before, only)
    record_act(PersonalDataErased(of=proposal.subject, before=new.before, records=records), by=by)


def _in_words(subject: str, old: Erasure | None, new: Erasure) -> str:
    kept, only = _named(subject)
    return f"Erase for good, last needed before {new.before}: {kept.label}{f' ({only})' if only else ''}."


def _nothing_in_force(subject: str) -> None:
    """An erasure replaces nothing."""
    _named(subject)


ERASURE: Final = Approvable(
    kind="house.erasure",
    label="Erasure of personal data",
    shape=Shape[Erasure](ErasureValue(), unreadable="erasure-not-readable"),
    authority=Authority.HOUSE,
    permission=DECIDE_HOUSE,
    describe=_in_words,
    current=_nothing_in_force,
    check=_check,
    apply=_erase_by,
)
