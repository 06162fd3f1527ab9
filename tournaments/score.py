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
from tournaments.find import hold_running
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament, TournamentEntry
from tournaments.rules.final import TIES, final_of, tied
from tournaments.stages import Stage, results_of, stage_of


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
    """Write down the score of every entry: in the heats, then of those in a play-off, then in the final. The first
    person may correct it; they stand once another has written down the same, without having to take the first one's
    word."""
    by.require(kind.rights.run)
    tournament = hold_running(kind, code)
    now = now or timezone.now()
    if check is not None:
        check(tournament, now)
    stage = stage_of(tournament)
    if stage.confirmed_at is not None:
        raise Conflict("scores-stand", "Two people have written these scores down: they stand.")
    if final_of(tournament.terms) is not None and stage.is_to_be_seated:
        raise Conflict("not-seated", "First the players are seated.", clause=kind.clauses.approved)
    if stage.scored_by is not None and is_another(by, kind.rights.run, stage.scored_by):
        return _confirm(stage, scores, kind=kind, by=by, now=now)
    return write_scores(tournament, scores, kind=kind, by=by, scored_by=by.identity, now=now)


def _confirm(
    stage: Stage, scores: Mapping[int, int], *, kind: TournamentKind, by: Actor, now: datetime
) -> list[TournamentEntry]:
    entries = _scored(stage, scores)
    differ = [entry.pk for entry in entries if getattr(entry, stage.scores) != scores[entry.pk]]
    if differ:
        which = ", ".join(map(str, differ[:10]))
        raise Conflict(
            "scores-differ",
            f"Somebody wrote down another score of entry {which}: look again, together with the players.",
            field="scores",
            entries=differ,
        )
    held = stage.held(by=by, now=now)
    held.confirmed_at, held.confirmed_by = now, by.identity
    held.save(update_fields=["confirmed_at", "confirmed_by"])
    act = TournamentScoresConfirmed(
        tournament=stage.tournament.code, of=kind.act_of, scores=dict(scores), round=stage.name
    )
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
    stage = stage_of(tournament)
    entries = _scored(stage, scores)
    for entry in entries:
        setattr(entry, stage.scores, scores[entry.pk])
        entry.save(update_fields=[stage.scores])
    held = stage.held(by=by, now=now)
    held.scored_at, held.scored_by = now, scored_by
    if confirmed_by is not None:
        held.confirmed_at, held.confirmed_by = now, confirmed_by
    held.save(update_fields=["scored_at", "scored_by", "confirmed_at", "confirmed_by"])
    act = TournamentScored(tournament=tournament.code, of=kind.act_of, scores=dict(scores), round=stage.name)
    record_act(act, by=by)
    return entries


def _scored(stage: Stage, scores: Mapping[int, int]) -> list[TournamentEntry]:
    entries = list(stage.entries.select_for_update().order_by("id"))
    if set(scores) != {entry.pk for entry in entries}:
        which = "every entry" if stage.name is None else f"entries {', '.join(str(entry.pk) for entry in entries)}"
        raise Refusal("scores-incomplete", f"Write the score of {which}, and of no other.", field="scores")
    final = final_of(stage.tournament.terms)
    if stage.name == TIES and final is not None and tied(results_of(stage.tournament), final, scores):
        words = "They still tie for the last place of the final: a play-off goes on until it is decided."
        raise Refusal("play-off-undecided", words, field="scores")
    return entries
