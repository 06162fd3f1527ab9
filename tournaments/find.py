"""A tournament and its entries, held until the transaction ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from house.models import PlayerCard
from house.players.cards import find_card
from kernel.locks import Lock, hold
from kernel.refusal import Conflict, NotFound, Refusal
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry

ID_LIMIT: Final = 2**63 - 1


def hold_open(kind: TournamentKind, code: str, *, now: datetime) -> tuple[Tournament, bool]:
    """The tournament, held alone, and whether this opens it: the first entry does, under the conditions in force."""
    conditions = kind.conditions(code)
    if conditions is None:
        raise Refusal(
            "tournament-not-approved",
            f"There is no approved tournament “{code}”.",
            clause=kind.clauses.approved,
            field="code",
        )
    _, opened = Tournament.objects.get_or_create(
        kind=kind.name,
        code=code,
        defaults={
            "terms": dict(conditions.terms),
            "conditions_id": conditions.number,
            "approved_by": conditions.approved_by,
            "approved_at": conditions.approved_at,
            "opened_at": now,
        },
    )
    return hold_running(kind, code), opened


def hold_running(kind: TournamentKind, code: str) -> Tournament:
    """The tournament, held alone; refused where it is over."""
    tournament = hold_tournament(kind, code)
    if tournament.finished_at is not None or tournament.cancelled_at is not None:
        how = "finished" if tournament.finished_at is not None else "cancelled"
        raise Conflict("tournament-over", f"The tournament “{tournament.code}” is {how}.")
    return tournament


def hold_tournament(kind: TournamentKind, code: str) -> Tournament:
    """Entries, scores and the end of one tournament come one at a time."""
    number = Tournament.objects.filter(kind=kind.name, code=code).values_list("pk", flat=True).first()
    if number is None:
        raise NotFound("no-such-tournament", f"Nobody has entered a tournament “{code}”.")
    hold(Lock.TOURNAMENT, number)
    return Tournament.objects.select_for_update().get(pk=number)


def playing(tournament: Tournament) -> QuerySet[TournamentEntry]:
    """Those who are in it: whose fee has not gone back."""
    return tournament.entries.filter(refunded_at=None)


def hold_prize(kind: TournamentKind, entry_id: int) -> TournamentEntry:
    """An entry whose prize is to be paid, its row locked after its tournament."""
    seen = find_entry(kind, entry_id)
    hold(Lock.TOURNAMENT, seen.tournament_id)
    entry = TournamentEntry.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=seen.pk)
    if entry.paid_at is not None:
        raise Conflict("already-paid", "This prize has been paid.")
    if not entry.prize:
        raise Conflict("nothing-to-pay", "This entry has won nothing.", clause=kind.clauses.shared)
    return entry


def find_entry(kind: TournamentKind, entry_id: int) -> TournamentEntry:
    entries = TournamentEntry.objects.filter(tournament__kind=kind.name).select_related("tournament")
    entry = entries.filter(pk=entry_id).first() if 0 <= entry_id <= ID_LIMIT else None
    if entry is None:
        raise NotFound("no-such-entry", f"There is no tournament entry {entry_id}.")
    return entry


def player_numbers(entries: Sequence[TournamentEntry]) -> dict[int, str]:
    """By entry: the number of its player, as the log has it."""
    cards = PlayerCard.objects.filter(number__in=[entry.card for entry in entries])
    by_card = dict(cards.values_list("number", "player__number"))
    return {entry.pk: by_card[entry.card] for entry in entries}


def player_of(entry: TournamentEntry) -> int | None:
    """Who entered."""
    card = find_card(entry.card)
    return None if card is None else card.player_id
