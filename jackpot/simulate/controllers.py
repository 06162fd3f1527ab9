"""Controllers of a simulation: messages in time, late, twice, too large; a running meter; one that falls silent.

The book counts a message by the link that its table stood on when it was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Final

from house.approvals import approve, propose
from house.simulate import Part
from jackpot.contribute import Message, contribute_bulk, decide_held
from jackpot.heartbeats import heartbeat
from jackpot.meters import Reading, read_meters
from jackpot.models import DisagreementStatus, MeterDisagreement, Table, TableMeter, TableStatus
from jackpot.simulate.link_book import LinkBook
from jackpot.simulate.staff import People
from jackpot.tables import move_table

COUNTING: Final = "BOOM-02"  # sends messages, and moves between links
METERED: Final = "CSP-04"  # sends a running total
WATCHED: Final = "GJ-02"  # sends heartbeats, and forgets to
MOVES_TO: Final = {"BOOM": "CSP", "CSP": "BOOM"}
TOO_MANY: Final = 2_600  # wagers of one message, on either link
ROLLS_OVER_AT: Final = 100_000


class Controllers:
    def __init__(self, part: Part, people: People, books: Mapping[str, LinkBook]) -> None:
        self.people, self.books = people, books
        self.clock, self.done, self.expect = part.clock, part.done, part.expect
        clock = part.clock
        self.run = f"{clock.now:%y%m%d%H%M%S}"  # ids are used once, ever
        self.sent = 0
        self.wagers = 0  # counted, by the book
        self.stood = [(clock.now, Table.objects.get(code=COUNTING).link.code)]
        before = TableMeter.objects.filter(table__code=METERED).first()
        self.is_first = before is None
        self.meter, self.sequence = (ROLLS_OVER_AT - 300, 0) if before is None else (before.meter, before.sequence)

    # Counted messages

    def message(self, chance: Random) -> bool:
        """Played now, or hours ago; then now and then the same once more, or its id with another count."""
        at = self.clock.now
        if chance.random() < 0.3:
            at = max(self.stood[0][0], at - timedelta(minutes=chance.randint(10, 400)))
            self.done["late message"] += 1
        sent = self._send(chance.randint(1, 40), at)
        self._count(self._link_at(at), sent.wagers, at)
        if chance.random() < 0.2:
            answer = contribute_bulk(messages=[sent], by=self.people.controllers)
            self.done["message sent twice"] += answer.duplicates
        if chance.random() < 0.1:
            other = Message(sent.id, sent.table, sent.wagers + 1, sent.at)
            self.done["message that differs"] += len(
                contribute_bulk(messages=[other], by=self.people.controllers).conflicts
            )
        return True

    def too_many(self, chance: Random) -> bool:
        """More than is reasonable waits for a supervisor."""
        sent = Message(self._id(), COUNTING, TOO_MANY, self.clock.now)
        (held,) = contribute_bulk(messages=[sent], by=self.people.controllers).held
        release = chance.random() < 0.5
        decide_held(batch_id=held.batch, release=release, by=self.people.supervisor)
        if release:
            self._count(self._link_at(sent.at), sent.wagers, sent.at)
        return True

    def move(self, chance: Random) -> bool:
        """The table goes to the other link; what it played before stays the old one's."""
        new = MOVES_TO[self.stood[-1][1]]
        move_table(table=COUNTING, link=new, by=self.people.supervisor)
        self.stood.append((self.clock.now, new))
        return True

    def _id(self) -> str:
        self.sent += 1
        return f"sim-{self.run}-{self.sent}"

    def _send(self, wagers: int, at: datetime) -> Message:
        sent = Message(self._id(), COUNTING, wagers, at)
        answer = contribute_bulk(messages=[sent], by=self.people.controllers)
        self.expect("A message is counted", 1, answer.counted)
        return sent

    def _link_at(self, at: datetime) -> str:
        return next(link for since, link in reversed(self.stood) if since <= at)

    def _count(self, link: str, wagers: int, at: datetime) -> None:
        self.books[link].count(wagers, at)
        self.wagers += wagers

    # A running meter

    def reading(self, chance: Random) -> bool:
        """The next of its meter; readings get lost and come later, and the controller begins again at nought."""
        played = chance.randint(1, 60)
        restarts = chance.random() < 0.05 and self.sequence > 1 and self.meter > played
        if restarts:
            self.meter, self.sequence = 0, 0
        gap = chance.random() < 0.15 and self.sequence > 0
        self.meter = (self.meter + played) % ROLLS_OVER_AT
        self.sequence += 2 if gap else 1
        counted = 0 if self.is_first else played  # the first is where it stands
        answer = self._read(self.sequence, self.meter)
        self.expect("Wagers that a meter has counted", counted, answer)
        self._count("CSP", counted, self.clock.now)
        if gap:
            self.done["reading that came after the next"] += 1
            late = self._read(self.sequence - 1, max(0, self.meter - played))
            self.expect("Wagers of a reading that fills a gap", 0, late)
        if restarts:
            self._restarted(chance.randint(0, 9))
        self.is_first = False
        return True

    def _restarted(self, lost: int) -> None:
        """So many were wagered between its last reading and the restart: two people find out."""
        self.done["meter restarted"] += 1
        found = MeterDisagreement.objects.get(table__code=METERED, status=DisagreementStatus.OPEN)
        new = {"disagreement": found.pk, "shown": found.shown, "counted": found.counted, "unseen": found.unseen}
        cause = "not-counted" if lost else "restarted"
        made = propose(
            kind="jackpot.meter-disagreement",
            subject=f"table:{METERED}",
            new=new | {"cause": cause, "wagers": lost},
            why="By surveillance.",
            by=self.people.supervisor,
        )
        approve(proposal_id=made.pk, by=self.people.manager)
        self.books["CSP"].count(lost, self.clock.now)  # by people, not by a controller

    def _read(self, sequence: int, meter: int) -> int:
        reading = Reading(METERED, sequence, meter, self.clock.now)
        return read_meters(readings=[reading], by=self.people.controllers).wagers

    # Heartbeats

    def silent(self, chance: Random) -> bool:
        """It is heard of after the house has found it silent, and has suspended its jackpot: messages are refused until
        its link's books were looked at."""
        table = Table.objects.get(code=WATCHED)
        if table.status == TableStatus.SUSPENDED:
            lost = Message(self._id(), WATCHED, 3, self.clock.now)
            refused = contribute_bulk(messages=[lost], by=self.people.controllers).refused
            self.expect("A message while the link is down", ["table-not-open"], [each.code for each in refused])
            self.done["silent controller"] += 1
        heartbeat(table=WATCHED, by=self.people.controllers)
        counted = Message(self._id(), WATCHED, chance.randint(1, 9), self.clock.now)
        answer = contribute_bulk(messages=[counted], by=self.people.controllers)
        self.expect("A message of a table that came back", 1, answer.counted)
        self._count("GJ", counted.wagers, counted.at)
        return True
