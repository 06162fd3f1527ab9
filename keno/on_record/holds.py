"""Prizes on hold and disputes as the log tells them (14.3, 14.6). Pure.

Nothing on a ticket is paid while it is on hold; whoever put it on hold does not end it; a dispute is reviewed by an
inspector, once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from house.approvals_on_record import ApprovalsOnRecord
from keno.prize_acts import DisputeReviewed, PrizeHeld, PrizeReleased
from kernel.export_check import ActOnRecord, Doubt

HOLD: Final = "keno.hold"
VOID_WIN: Final = "keno.void-win"
_MEANWHILE: Final = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Moment:
    index: int
    row: int
    at: str

    def before(self, other: Moment) -> bool:
        """Whether it was first. Who waits for a ticket may stand before who had it: the rows' numbers say who wrote
        first, for so long as anybody waits."""
        by_index, by_number = self.index < other.index, self.row < other.row
        if by_index == by_number:
            return by_index
        apart = abs(datetime.fromisoformat(self.at) - datetime.fromisoformat(other.at))
        return by_number if apart <= _MEANWHILE else by_index


@dataclass(slots=True)
class Hold:
    by: str
    put: Moment
    ended: Moment | None = None


@dataclass(slots=True)
class Holds:
    approvals: ApprovalsOnRecord
    by_serial: dict[str, list[Hold]] = field(default_factory=dict)
    reviewed: set[int] = field(default_factory=set)  # disputes

    def act(self, act: PrizeHeld | PrizeReleased | DisputeReviewed, row: ActOnRecord) -> None:
        match act:
            case PrizeHeld():
                self._put(act, row)
            case PrizeReleased():
                self._end(act, row)
            case DisputeReviewed():
                if not self.approvals.people.is_inspector(row.actor) or act.incident in self.reviewed:
                    raise Doubt(f"dispute {act.incident} is reviewed by {row.actor}, who is no inspector, or twice.")
                self.reviewed.add(act.incident)

    def held_at(self, serial: str, moment: Moment) -> bool:
        return any(
            hold.put.before(moment) and (hold.ended is None or moment.before(hold.ended))
            for hold in self.by_serial.get(serial, ())
        )

    def _last(self, serial: str) -> Hold | None:
        """The one that is not ended."""
        holds = self.by_serial.get(serial)
        return holds[-1] if holds and holds[-1].ended is None else None

    def _put(self, act: PrizeHeld, row: ActOnRecord) -> None:
        if self._last(act.ticket) is not None:
            raise Doubt(f"ticket {act.ticket} is put on hold, and was.")
        people = self.approvals.people
        if not (people.may(row.actor, HOLD) or people.may(row.actor, VOID_WIN)):
            raise Doubt(f"ticket {act.ticket} is put on hold by {row.actor}, who has no power to.")
        self.by_serial.setdefault(act.ticket, []).append(Hold(row.actor, Moment(row.index, row.id, row.at)))

    def _end(self, act: PrizeReleased, row: ActOnRecord) -> None:
        hold = self._last(act.ticket)
        if hold is None:
            raise Doubt(f"the hold on ticket {act.ticket} is ended, and there was none.")
        if act.proposal is None:
            people = self.approvals.people
            if not people.may(row.actor, HOLD) or not people.are_others(row.actor, hold.by):
                raise Doubt(f"the hold on ticket {act.ticket} is ended by {row.actor}, and {hold.by} put it on.")
        elif not self._decided(act.proposal, act.subject):
            raise Doubt(f"the hold on ticket {act.ticket} is ended by a decision that nobody made.")
        hold.ended = Moment(row.index, row.id, row.at)

    def _decided(self, number: int, subject: str) -> bool:
        found = self.approvals.numbered(number)
        return found is not None and found in self.approvals.under_way(VOID_WIN, subject)
