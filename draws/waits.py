"""Attempts that were asked about and cannot go on yet: the witness is silent, or a beacon's round is still to come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from draws.models import BeaconRound, Commitment, Replacement
from draws.said import said_at
from ledger.models import Question

WAITING_LIMIT: Final = 200  # of those that wait, the longest first: a list, not an archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    question: int  # its row
    purpose: str
    occasion: str
    attempt: int
    since: datetime
    beacon: bool = False  # it waits for the beacon's round: something was said

    @property
    def sentence(self) -> str:
        of = f"{self.purpose.capitalize()} {self.occasion}" + (f", attempt {self.attempt}," if self.attempt > 1 else "")
        return f"{of} waits for {'the round of the public beacon' if self.beacon else 'the witness'}"

    def seconds(self, now: datetime) -> float:
        return max((now - self.since).total_seconds(), 0.0)


def unanswered() -> QuerySet[Question]:
    """Questions to which nothing was said, neither by the witness nor in its place."""
    said = Replacement.objects.filter(
        purpose=OuterRef("purpose"), occasion=OuterRef("occasion"), attempt=OuterRef("attempt"), said__isnull=False
    )
    return Question.objects.filter(~Exists(said), answer__isnull=True)


def waiting() -> list[Wait]:
    """What cannot go on, the longest first."""
    found = [
        Wait(question=id, purpose=purpose, occasion=occasion, attempt=attempt, since=since)
        for id, purpose, occasion, attempt, since in unanswered()
        .order_by("id")
        .values_list("id", "purpose", "occasion", "attempt", "asked_at")[:WAITING_LIMIT]
    ]
    return sorted([*found, *_for_a_round()], key=lambda wait: wait.since)


def _for_a_round() -> list[Wait]:
    """Attempts that have their answer and wait for the round that their promise names."""
    if not settings.BEACON_URL:
        return []
    found = []
    for promise in Commitment.objects.filter(master__isnull=True).exclude(beacon="").order_by("id")[:WAITING_LIMIT]:
        question = Question.objects.filter(purpose=promise.purpose, occasion=promise.name).order_by("-attempt").first()
        if question is None:
            continue
        at = said_at(promise, occasion=promise.name, attempt=question.attempt)
        of = {"purpose": promise.purpose, "occasion": promise.name, "attempt": question.attempt}
        if at and not BeaconRound.objects.filter(**of).exists() and not unanswered().filter(pk=question.pk).exists():
            found.append(Wait(question=question.pk, since=datetime.fromtimestamp(at, UTC), beacon=True, **of))  # type: ignore[arg-type]
    return found
