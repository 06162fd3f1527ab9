"""Scores, as the game's room gives them: points or chips that two people wrote down alike, or what the draws say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.log import record_act
from house.persons import is_another
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from tournaments.acts import TournamentScored, TournamentScoresConfirmed
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
    """Write down the score of every entry. The first person may correct it; they stand once another has written down
    the same, without having to take the first one's word."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    now = now or timezone.now()
    if check is not None:
        check(tournament, now)
    if tournament.confirmed_at is not None:
        raise Conflict("scores-stand", "Two people have written these scores down: they stand.")
    if tournament.scored_by is not None and is_another(by, kind.rights.run, tournament.scored_by):
        return _confirm(tournament, scores, kind=kind, by=by, now=now)
    return write_scores(tournament, scores, kind=kind, by=by, scored_by=by.identity, now=now)


def _confirm(
    tournament: Tournament, scores: Mapping[int, int], *, kind: TournamentKind, by: Actor, now: datetime
) -> list[TournamentEntry]:
    entries = _scored(tournament, scores)
    differ = [entry.pk for entry in entries if entry.score != scores[entry.pk]]
    if differ:
        which = ", ".join(map(str, differ[:10]))
        raise Conflict(
            "scores-differ",
            f"Somebody wrote down another score of entry {which}: look again, together with the players.",
            field="scores",
            entries=differ,
        )
    tournament.confirmed_at, tournament.confirmed_by = now, by.identity
    tournament.save(update_fields=["confirmed_at", "confirmed_by"])
    act = TournamentScoresConfirmed(tournament=tournament.code, of=kind.act_of, scores=dict(scores))
    record_act(act, by=by)
    return entries


def write_scores(
    tournament: Tournament,
    scores: Mapping[int, int],
    *,
    kind: TournamentKind,
    by: Actor,
    scored_by: str,
    now: datetime,
    confirmed_by: str | None = None,
) -> list[TournamentEntry]:
    """The same, for a room that holds the tournament; *scored_by* is who or what they come from, *confirmed_by* who
    stands for scores that nobody had to write down."""
    entries = _scored(tournament, scores)
    for entry in entries:
        entry.score = scores[entry.pk]
        entry.save(update_fields=["score"])
    tournament.scored_at, tournament.scored_by = now, scored_by
    if confirmed_by is not None:
        tournament.confirmed_at, tournament.confirmed_by = now, confirmed_by
    tournament.save(update_fields=["scored_at", "scored_by", "confirmed_at", "confirmed_by"])
    record_act(TournamentScored(tournament=tournament.code, of=kind.act_of, scores=dict(scores)), by=by)
    return entries


def _scored(tournament: Tournament, scores: Mapping[int, int]) -> list[TournamentEntry]:
    entries = list(playing(tournament).select_for_update().order_by("id"))
    if set(scores) != {entry.pk for entry in entries}:
        raise Refusal("scores-incomplete", "Write the score of every entry, and of no other.", field="scores")
    return entries
