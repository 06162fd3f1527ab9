"""Calls of table controllers: that they are there, and the running meters of those that send one."""

from __future__ import annotations

from django.db.models import QuerySet

from jackpot import permissions, queries
from jackpot.api.contributions import RefusedMessageOut
from jackpot.heartbeats import SILENT_AFTER, heartbeat
from jackpot.meters import MetersRead, Reading, read_meters
from jackpot.models import DisagreementStatus, MeterDisagreement
from kernel.actors import Actor
from web.fields import Choice, InstantField, MoneyField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.view import HouseView, Paging, listing, verb


class HeardOut(StrictSerializer):
    table = Text()
    status = Text(help_text="Of its jackpot; `suspended` where it was silent and the books of its link do not agree.")
    limit_seconds = WholeNumber(help_text="After so long a silence its jackpot is suspended.")


class Heartbeat(HouseView):
    @verb(permission=permissions.CONTRIBUTE, takes=Nothing, gives=HeardOut, needs_key=False)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """A table is there. It is watched from its first heartbeat on.

        Silent for longer than the limit, its jackpot is suspended and an incident opened; heard of again, its link's
        books are checked first.
        """
        found = heartbeat(table=code, by=by)
        limit = int(SILENT_AFTER.total_seconds())
        return {"table": found.code, "status": found.status, "limit_seconds": limit}


class ReadingIn(StrictSerializer):
    table = Text(max_length=16)
    sequence = WholeNumber(min_value=0, max_value=(1 << 63) - 1)
    meter = WholeNumber(min_value=0, max_value=(1 << 62) - 1, help_text="All wagers that it has counted.")
    at = InstantField()
    example = shown({"table": "CSP-01", "sequence": 7, "meter": 120344, "at": "2026-11-16T21:04:00+11:00"})


class NotedOut(StrictSerializer):
    table = Text()
    sequence = WholeNumber()
    what = Text(help_text="`baseline`, `gap`, `restart` or `roll-over`.")
    first = WholeNumber(allow_null=True, help_text="Of a gap: send the readings again from here")
    last = WholeNumber(allow_null=True, help_text="to here.")


class MetersOut(StrictSerializer):
    accepted = WholeNumber()
    duplicates = WholeNumber()
    wagers = WholeNumber(help_text="Counted now.")
    amount = MoneyField()
    held = RefusedMessageOut(many=True)
    refused = RefusedMessageOut(many=True)
    conflicts = RefusedMessageOut(many=True)
    noted = NotedOut(many=True, help_text="Gaps, restarts, roll-overs, baselines.")


class Meters(HouseView):
    @verb(permission=permissions.CONTRIBUTE, takes=ReadingIn, takes_many=True, gives=MetersOut)
    def post(self, by: Actor, data: list[ReadingIn]) -> MetersRead:
        """Running totals of table controllers, up to 1,000 readings a call; what each adds is counted once.

        The first reading of a table is its baseline. Gaps are found and asked for again, restarts and roll-overs
        recognised; one reading that cannot be taken does not stop the others.
        """
        readings = [Reading(each.table, each.sequence, each.meter, each.at) for each in data]
        return read_meters(readings=readings, by=by)


class DisagreementOut(StrictSerializer):
    id = WholeNumber()
    table = Text(source="table.code")
    status = Text(help_text="`open`; `agrees` where later readings made both sides the same; `closed` by two people.")
    shown = WholeNumber(help_text="Wagers by the meter since the last reading that agreed.")
    counted = WholeNumber(help_text="Wagers that were counted of the same time.")
    fell_to = WholeNumber(source="fell_meter", allow_null=True, help_text="The meter fell, and is not believed.")
    unseen = WholeNumber(help_text="After a restart: how many wagers, at most, no reading shows.")
    since = InstantField()
    until = InstantField()
    cause = Text(allow_blank=True)
    wagers = WholeNumber(help_text="Counted when it was closed.")
    proposal = WholeNumber(source="proposal_id", allow_null=True, help_text="The approval that closed it.")


class DisagreementsAsked(Paging):
    status = Choice(choices=DisagreementStatus.values, required=False)


class Disagreements(HouseView):
    @listing(permission=permissions.REPORTS, gives=DisagreementOut, asks=DisagreementsAsked, order="-id")
    def get(self, by: Actor, asked: DisagreementsAsked) -> QuerySet[MeterDisagreement]:
        """Tables whose running meter and what was counted differ, or did.

        One is closed by an approval: kind `jackpot.meter-disagreement`, subject `table:CSP-01`, with `disagreement`,
        `shown`, `counted`, `unseen`, `cause` and how many `wagers` are counted now.
        """
        return queries.disagreements(asked.status)
