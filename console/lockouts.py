"""Who is kept out after repeated failure, and until when. Only looks: house.sign_in locks and unlocks."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict

from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone

from house.models import Staff


def locked_until(username: str | None = None) -> dict[str, dt.datetime]:
    """User name → when the lock ends, for everybody locked out now (or for the one asked about)."""
    now = timezone.now()
    life: dt.timedelta = settings.AXES_COOLOFF_TIME
    failures: dict[str, list[AccessAttempt]] = defaultdict(list)
    attempts = AccessAttempt.objects.filter(attempt_time__gte=now - life).order_by("attempt_time")
    second_step = Staff.objects.filter(second_step_locked_until__gt=now)
    if username is not None:
        attempts, second_step = attempts.filter(username=username), second_step.filter(username=username)
    for attempt in attempts:
        failures[attempt.username or ""].append(attempt)
    locked: dict[str, dt.datetime] = {}
    for name, theirs in failures.items():
        left = sum(attempt.failures_since_start for attempt in theirs)
        for attempt in theirs:  # oldest first: the lock ends with the one that brings the count below the limit
            if left < settings.AXES_FAILURE_LIMIT:
                break
            left -= attempt.failures_since_start
            locked[name] = attempt.attempt_time + life
    for person in second_step:
        assert person.second_step_locked_until is not None
        locked[person.username] = max(locked.get(person.username, now), person.second_step_locked_until)
    return locked
