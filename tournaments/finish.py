"""The end of a tournament: places and prizes, the whole balance of the fees to the cent."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict
from ledger.post import Booking, post
from tournaments.acts import Place, TournamentFinished
from tournaments.find import hold_running, playing
from tournaments.kinds import TournamentKind
from tournaments.models import TournamentEntry
from tournaments.rules.final import FINAL, final_of
from tournaments.rules.money import retained_of, share
from tournaments.stages import stage_of


@transaction.atomic
def finish_tournament(
    *, kind: TournamentKind, code: str, by: Actor, now: datetime | None = None
) -> list[TournamentEntry]:
    """Rank the entries by the scores that stand, those of the final where there is one: the balance of what was
    paid in becomes prizes, all of it."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    stage, final = stage_of(tournament), final_of(tournament.terms)
    if stage.scored_by is None:
        raise Conflict("not-scored", "The scores have not been written down yet.", clause=kind.clauses.approved)
    if stage.confirmed_at is None:
        raise Conflict("scores-not-confirmed", "Another person writes the scores down, too: then they stand.")
    if final is not None and stage.name != FINAL:
        raise Conflict("final-not-played", "Close the heats: the final decides.", clause=kind.clauses.approved)
    now = now or timezone.now()

    def points_of(entry: TournamentEntry) -> int:
        assert entry.score is not None
        return entry.score if final is None else final.points(heat=entry.score, final=entry.final_score or 0)

    ranked = sorted(stage.entries.select_for_update(), key=lambda entry: (-points_of(entry), entry.pk))
    if not ranked:
        raise Conflict("nobody-entered", "Every fee has gone back: there is nobody to rank. Call it off.")
    fees = Money.total(entry.paid_in for entry in playing(tournament))
    retained = retained_of(fees, tournament.terms["retained"])
    placed = share([points_of(entry) for entry in ranked], fees - retained, tournament.terms["prizes"])
    for entry, each in zip(ranked, placed, strict=True):
        entry.place, entry.prize = each.place, each.prize
        entry.save(update_fields=["place", "prize"])
    tournament.finished_at, tournament.finished_by = now, by.identity
    tournament.fees, tournament.retained = fees, retained
    tournament.save(update_fields=["finished_at", "finished_by", "fees", "retained"])
    if retained:
        booking = Booking(
            debit=kind.accounts.fees,
            credit=kind.accounts.retained,
            amount=retained,
            kind=f"{kind.accounts.transfers}-retained",
            reference=code,
        )
        post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    places = [
        Place(entry.pk, kind.shown_score(points_of(entry)), each.place, each.prize)
        for entry, each in zip(ranked, placed, strict=True)
    ]
    record_act(TournamentFinished(tournament=code, of=kind.act_of, fees=fees, retained=retained, places=places), by=by)
    return ranked
