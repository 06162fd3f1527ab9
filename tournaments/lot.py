"""Lots drawn between two parties (docs/proof/draws.md): who runs the tournament cannot choose or repeat them.

With the first entry the house promises a master for every lot of the conditions: the seats, ties before a final, the
seats of the final. Once it is known who is in it the list is sealed, the witness is asked once, and both parts
make the order. The i-th entry takes the drawn place of those that fill first. Whoever goes on after a break draws the
same; while the witness is away it waits.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from tournaments.find import player_numbers
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry, TournamentRound
from tournaments.rules.final import lots_of
from tournaments.rules.seats import LOT, PURPOSE, by_lot, lot_leaf, lot_name
from tournaments.seat import Check, hold_to_seat, keep_seats

_SEALED_WITHIN_SECONDS: Final = 3.0
_ATTEMPT: Final = 1


def promise_lots(kind: TournamentKind, tournament: Tournament, *, by: Actor) -> None:
    """With the first entry, what the conditions have drawn: before anybody could know who else comes."""
    for what in lots_of(tournament.terms):
        commit(purpose=PURPOSE, name=lot_name(kind.act_of, tournament.code, what), device="rng", by=by)


def promised_lot(kind: TournamentKind, code: str, what: str | None) -> Commitment:
    return find_commitment(purpose=PURPOSE, name=lot_name(kind.act_of, code, what))


def seal_lot(
    promise: Commitment,
    held: Tournament | TournamentRound,
    entries: Sequence[TournamentEntry],
    *,
    by: Actor,
    now: datetime,
) -> None:
    """The list of entries, once: from then on nobody enters or leaves, and it is asked about as it is."""
    if held.sealed_at is None:
        whose = player_numbers(entries)
        root = root_of(lot_leaf(entry.pk, whose[entry.pk]) for entry in entries)
        ask.seal_set(promise, occasion=promise.name, root=root, count=len(entries), by=by)
        held.sealed_at = now
        held.save(update_fields=["sealed_at"])


def ask_lot(promise: Commitment, *, what: str, by: Actor) -> None:
    """Outside of transactions."""
    said = ask.ask_patiently(promise, occasion=promise.name, attempt=_ATTEMPT, by=by, seconds=_SEALED_WITHIN_SECONDS)
    if said is None:
        raise Busy("witness-away", f"The witness does not answer: {what} drawn once it does. Try again.")


def drawn_lot(promise: Commitment, *, count: int, by: Actor) -> Sequence[int]:
    said = ask.said_to(promise, occasion=promise.name, attempt=_ATTEMPT)
    assert said is not None
    drawn = ask.numbers(promise, said, pool=count, count=count)
    reveal(promise, by=by)
    return drawn


def draw_seats(
    *, kind: TournamentKind, code: str, by: Actor, check: Check, now: datetime | None = None
) -> list[TournamentEntry]:
    """Not one transaction, but two with the question between them."""
    promise = _seal(kind, code, by=by, check=check, now=now or timezone.now())
    ask_lot(promise, what="the seats are", by=by)
    return _seat(kind, code, promise, by=by, check=check, now=now or timezone.now())


@transaction.atomic
def _seal(kind: TournamentKind, code: str, *, by: Actor, check: Check, now: datetime) -> Commitment:
    by.require(kind.rights.run)
    stage, _ = hold_to_seat(kind, code, how=LOT, check=check, now=now)
    promise = promised_lot(kind, code, stage.name)
    seal_lot(promise, stage.held(by=by, now=now), list(stage.entries.order_by("pk")), by=by, now=now)
    return promise


@transaction.atomic
def _seat(
    kind: TournamentKind, code: str, promise: Commitment, *, by: Actor, check: Check, now: datetime
) -> list[TournamentEntry]:
    stage, seating = hold_to_seat(kind, code, how=LOT, check=check, now=now)
    entries = list(stage.entries.order_by("pk").values_list("pk", flat=True))
    drawn = drawn_lot(promise, count=len(entries), by=by)
    seats = [SeatTaken(entry, *place) for entry, place in by_lot(entries, drawn, seating=seating)]
    return keep_seats(kind, stage, seats, how=LOT, by=by)
