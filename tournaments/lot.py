"""Seats drawn by lot between two parties (docs/proof/draws.md): who runs the tournament cannot choose or repeat them.

The house promises a master with the first entry; once entries have closed the list of entries is sealed, the witness
is asked once, and both parts make the order. The i-th entry takes the drawn place of those that fill first. Whoever
goes on after a break draws the same; while the witness is away the seats wait.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from draws import ask
from draws.commit import commit, find_commitment, reveal
from draws.models import Commitment
from kernel.actors import Actor
from kernel.merkle import root_of
from kernel.refusal import Busy
from tournaments.acts import SeatTaken
from tournaments.find import player_numbers, playing
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.seats import LOT, PURPOSE, by_lot, lot_leaf, lot_name
from tournaments.seat import Check, hold_to_seat, keep_seats
from tournaments.steps import seating_of

_SEALED_WITHIN_SECONDS: Final = 3.0
_ATTEMPT: Final = 1


def promise_lot(kind: TournamentKind, tournament: Tournament, *, by: Actor) -> None:
    """With the first entry, where the conditions have seats: before anybody could know who else comes."""
    if seating_of(tournament) is not None and not tournament.terms.get("seats_assigned"):
        commit(purpose=PURPOSE, name=lot_name(kind.act_of, tournament.code), device="rng", by=by)


def draw_seats(
    *, kind: TournamentKind, code: str, by: Actor, check: Check, now: datetime | None = None
) -> list[TournamentEntry]:
    """Not one transaction, but two with the question between them."""
    promise = _seal(kind, code, by=by, check=check, now=now or timezone.now())
    name = lot_name(kind.act_of, code)
    said = ask.ask_patiently(promise, occasion=name, attempt=_ATTEMPT, by=by, seconds=_SEALED_WITHIN_SECONDS)
    if said is None:
        raise Busy("witness-away", "The witness does not answer: the seats are drawn once it does. Try again.")
    return _seat(kind, code, promise, by=by, check=check, now=now or timezone.now())


@transaction.atomic
def _seal(kind: TournamentKind, code: str, *, by: Actor, check: Check, now: datetime) -> Commitment:
    """The list of entries, once: from then on nobody enters or leaves, and it is asked about as it is."""
    by.require(kind.rights.run)
    tournament, _ = hold_to_seat(kind, code, how=LOT, check=check, now=now)
    name = lot_name(kind.act_of, code)
    promise = find_commitment(purpose=PURPOSE, name=name)
    if tournament.sealed_at is None:
        entries = list(playing(tournament).order_by("pk"))
        whose = player_numbers(entries)
        root = root_of(lot_leaf(entry.pk, whose[entry.pk]) for entry in entries)
        ask.seal_set(promise, occasion=name, root=root, count=len(entries), by=by)
        tournament.sealed_at = now
        tournament.save(update_fields=["sealed_at"])
    return promise


@transaction.atomic
def _seat(
    kind: TournamentKind, code: str, promise: Commitment, *, by: Actor, check: Check, now: datetime
) -> list[TournamentEntry]:
    tournament, seating = hold_to_seat(kind, code, how=LOT, check=check, now=now)
    entries = list(playing(tournament).order_by("pk").values_list("pk", flat=True))
    said = ask.said_to(promise, occasion=lot_name(kind.act_of, code), attempt=_ATTEMPT)
    assert said is not None
    drawn = ask.numbers(promise, said, pool=len(entries), count=len(entries))
    reveal(promise, by=by)
    seats = [SeatTaken(entry, *place) for entry, place in by_lot(entries, drawn, seating=seating)]
    return keep_seats(kind, tournament, seats, how=LOT, by=by)
