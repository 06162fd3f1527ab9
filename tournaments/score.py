"""Scores, as the game's room gives them: points or chips that a person wrote down, or what the draws say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Refusal
from tournaments.acts import TournamentScored
from tournaments.find import hold_running, playing
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry


@transaction.atomic
def score_tournament(
    *,
    kind: TournamentKind,
    code: str,
    scores: Mapping[int, int],
    by: Actor,
    check: Callable[[Tournament, datetime], None] | None = None,
    now: datetime | None = None,
) -> list[TournamentEntry]:
    """Write down the score of every entry; again, as long as it is not finished."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    now = now or timezone.now()
    if check is not None:
        check(tournament, now)
    return write_scores(tournament, scores, kind=kind, by=by, scored_by=by.identity, now=now)


def write_scores(
    tournament: Tournament,
    scores: Mapping[int, int],
    *,
    kind: TournamentKind,
    by: Actor,
    scored_by: str,
    now: datetime,
) -> list[TournamentEntry]:
    """The same, for a room that holds the tournament; *scored_by* is who or what they come from."""
    entries = list(playing(tournament).select_for_update().order_by("id"))
    if set(scores) != {entry.pk for entry in entries}:
        raise Refusal("scores-incomplete", "Write the score of every entry, and of no other.", field="scores")
    for entry in entries:
        entry.score = scores[entry.pk]
        entry.save(update_fields=["score"])
    tournament.scored_at, tournament.scored_by = now, scored_by
    tournament.save(update_fields=["scored_at", "scored_by"])
    record_act(TournamentScored(tournament=tournament.code, of=kind.act_of, scores=dict(scores)), by=by)
    return entries
