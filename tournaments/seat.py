"""Who sits where: drawn by lot (``lot.py``), or assigned where the conditions say so; on record either way."""

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
from tournaments.rules.final import FINAL
from tournaments.rules.seats import ASSIGNED, Seating, seats_fault
from tournaments.stages import Stage, how_seated, stage_of

Check = Callable[[Tournament, datetime], None]
_WORDS = {
    "seats-incomplete": "Seat every entry once, and no other.",
    "seat-taken-twice": "Two entries have the same seat.",
    "no-such-seat": "The conditions know no such heat, table or seat.",
}


@transaction.atomic
def assign_seats(
    *,
    kind: TournamentKind,
    code: str,
    seats: Sequence[SeatTaken],
    by: Actor,
    check: Check,
    now: datetime | None = None,
) -> list[TournamentEntry]:
    """Keep who sits where, once entries have closed (*check*), where the conditions let the house assign it."""
    by.require(kind.rights.run)
    stage, seating = hold_to_seat(kind, code, how=ASSIGNED, check=check, now=now or timezone.now())
    given = [(each.entry, each.heat, each.table, each.seat) for each in seats]
    entries = stage.entries.values_list("pk", flat=True)
    if fault := seats_fault(given, entries=entries, seating=seating):
        raise Refusal(fault, _WORDS[fault], clause=kind.clauses.approved, field="seats")
    return keep_seats(kind, stage, seats, how=ASSIGNED, by=by)


def hold_to_seat(kind: TournamentKind, code: str, *, how: str, check: Check, now: datetime) -> tuple[Stage, Seating]:
    """What is played of the tournament, held alone, whose entries are to be seated in this way; once: what was drawn
    stands."""
    tournament = hold_running(kind, code)
    check(tournament, now)
    stage = stage_of(tournament)
    if stage.seating is None:
        raise Conflict("no-seats", "By its conditions nobody is seated.", clause=kind.clauses.approved)
    if how != how_seated(tournament):
        by = "assigned by the house" if how_seated(tournament) == ASSIGNED else "drawn by lot"
        raise Conflict(
            "seats-otherwise", f"By the conditions seats are {by}.", clause=kind.clauses.approved, field="how"
        )
    if stage.is_seated:
        raise Conflict("seated-already", "The entries are seated: what was drawn stands.")
    return stage, stage.seating


def keep_seats(
    kind: TournamentKind, stage: Stage, seats: Sequence[SeatTaken], *, how: str, by: Actor
) -> list[TournamentEntry]:
    entries = {entry.pk: entry for entry in stage.entries.select_for_update()}
    for each in seats:
        entry = entries[each.entry]
        if stage.name == FINAL:
            entry.final_table, entry.final_seat = each.table, each.seat
        else:
            entry.heat, entry.table, entry.seat = each.heat, each.table, each.seat
        entry.save(update_fields=["heat", "table", "seat", "final_table", "final_seat"])
    ordered = sorted(seats, key=lambda each: (each.heat, each.table, each.seat))
    act = TournamentSeated(tournament=stage.tournament.code, of=kind.act_of, how=how, seats=ordered, round=stage.name)
    record_act(act, by=by)
    return [entries[each.entry] for each in ordered]
