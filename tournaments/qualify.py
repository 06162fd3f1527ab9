"""The heats are closed: who is in the final follows from the scores that stand, and from nobody's choice.

Where some tie for the last place the conditions say what decides: all of them are in, a play-off that two people wrote
down alike, or a lot between house and witness of exactly those who tie.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from draws.commit import reveal
from draws.models import Commitment
from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Conflict
from tournaments.acts import TournamentQualified
from tournaments.find import hold_running, playing
from tournaments.kinds import TournamentKind
from tournaments.lot import ask_lot, drawn_lot, promised_lot, seal_lot
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.final import BY_LOT, FINAL, TIES, FinalTerms, by_order, final_of, qualifiers, tied
from tournaments.stages import open_round, results_of, round_of, stage_of


def close_heats(*, kind: TournamentKind, code: str, by: Actor, now: datetime | None = None) -> list[TournamentEntry]:
    """Fix who is in the final. Not one transaction where a lot is drawn, but two with the question between them."""
    promise = _seal(kind, code, by=by, now=now or timezone.now())
    if promise is not None:
        ask_lot(promise, what="the lot between those who tie is", by=by)
    return _qualify(kind, code, by=by, now=now or timezone.now())


def _hold(kind: TournamentKind, code: str) -> tuple[Tournament, FinalTerms]:
    tournament = hold_running(kind, code)
    final = final_of(tournament.terms)
    if final is None:
        raise Conflict("no-final", "By its conditions there is no final.", clause=kind.clauses.approved)
    if tournament.confirmed_at is None:
        raise Conflict("scores-not-confirmed", "The scores of the heats do not stand yet: two people write them down.")
    stage = stage_of(tournament)
    if stage.name == FINAL:
        raise Conflict("heats-closed", "The heats are closed: who is in the final stands.")
    if stage.name == TIES and stage.confirmed_at is None:
        which = ", ".join(map(str, stage.entries.order_by("pk").values_list("pk", flat=True)))
        raise Conflict(
            "play-off-first",
            f"Entries {which} tie for the last place: two people write down the scores of their play-off first.",
            clause=kind.clauses.approved,
        )
    return tournament, final


@transaction.atomic
def _seal(kind: TournamentKind, code: str, *, by: Actor, now: datetime) -> Commitment | None:
    """Between whom a lot is drawn, if between anybody."""
    by.require(kind.rights.run)
    tournament, final = _hold(kind, code)
    concerned = tied(results_of(tournament), final)
    if final.ties != BY_LOT or not concerned:
        return None
    promise = promised_lot(kind, code, TIES)
    held = round_of(tournament, TIES) or open_round(tournament, TIES, by=by, now=now)
    seal_lot(promise, held, list(playing(tournament).filter(pk__in=concerned).order_by("pk")), by=by, now=now)
    return promise


@transaction.atomic
def _qualify(kind: TournamentKind, code: str, *, by: Actor, now: datetime) -> list[TournamentEntry]:
    tournament, final = _hold(kind, code)
    results = results_of(tournament)
    concerned = tied(results, final)
    entries = {entry.pk: entry for entry in playing(tournament).select_for_update().order_by("pk")}
    if final.ties == BY_LOT:
        promise = promised_lot(kind, code, TIES)
        if concerned:
            drawn = drawn_lot(promise, count=len(concerned), by=by)
            for number, score in by_order(concerned, drawn).items():
                entries[number].tie_score = score
        else:
            reveal(promise, by=by)  # nothing depends on it any more
    decided = {number: entries[number].tie_score or 0 for number in concerned}
    assert not tied(results, final, decided)
    into = qualifiers(results, final, decided)
    for entry in entries.values():
        entry.in_final = entry.pk in into
        entry.save(update_fields=["tie_score", "in_final"])
    open_round(tournament, FINAL, by=by, now=now)
    record_act(TournamentQualified(tournament=code, of=kind.act_of, entries=into, tied=concerned), by=by)
    return [entries[number] for number in into]
