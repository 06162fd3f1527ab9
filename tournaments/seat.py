"""Who sits where: drawn by lot before the players, or assigned; on record either way, and for everybody to see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from tournaments.acts import SeatTaken, TournamentSeated
from tournaments.find import hold_running
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.seats import ASSIGNED, LOT, seats_fault
from tournaments.steps import seating_of

_WORDS = {
    "seats-incomplete": "Seat every entry once, and no other.",
    "seat-taken-twice": "Two entries have the same seat.",
    "no-such-seat": "The conditions know no such heat, table or seat.",
}


@transaction.atomic
def seat_entries(
    *,
    kind: TournamentKind,
    code: str,
    seats: Sequence[SeatTaken],
    how: str,
    by: Actor,
    check: Callable[[Tournament, datetime], None],
    now: datetime | None = None,
) -> list[TournamentEntry]:
    """Keep who sits where, once entries have closed (*check*); once: seats that were drawn are not drawn again."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    check(tournament, now or timezone.now())
    seating = seating_of(tournament)
    if seating is None:
        raise Conflict("no-seats", "By its conditions nobody is seated.", clause=kind.clauses.approved)
    if how not in (LOT, ASSIGNED):
        raise Refusal("how-unknown", "Seats are drawn by lot, or assigned.", field="how")
    entries = {entry.pk: entry for entry in tournament.entries.select_for_update().filter(refunded_at=None)}
    if any(entry.seat is not None for entry in entries.values()):
        raise Conflict("seated-already", "The entries are seated: what was drawn stands.")
    given = [(each.entry, each.heat, each.table, each.seat) for each in seats]
    if fault := seats_fault(given, entries=entries, seating=seating):
        raise Refusal(fault, _WORDS[fault], clause=kind.clauses.approved, field="seats")
    for each in seats:
        entry = entries[each.entry]
        entry.heat, entry.table, entry.seat = each.heat, each.table, each.seat
        entry.save(update_fields=["heat", "table", "seat"])
    ordered = sorted(seats, key=lambda each: (each.heat, each.table, each.seat))
    record_act(TournamentSeated(tournament=code, of=kind.act_of, how=how, seats=ordered), by=by)
    return [entries[each.entry] for each in ordered]
