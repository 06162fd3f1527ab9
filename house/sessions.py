"""Ending a person's sessions. Django stores them by key only, so each carries whose it is."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from house.models import Staff


def end_all(staff: Staff, *, but: str | None = None) -> int:
    """End every live session of this person; the answer is how many. Rare, so it may read them all."""
    theirs = [
        session.session_key
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator()
        if session.session_key != but and session.get_decoded().get(SESSION_KEY) == str(staff.pk)
    ]
    Session.objects.filter(session_key__in=theirs).delete()
    return len(theirs)
