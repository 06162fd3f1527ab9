"""What web keeps of people, and when it is gone: all of it by itself, every hour (``web/tasks.py``)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.sessions.models import Session

from kernel.retention import Kept
from web.models import RequestKey

REQUEST_KEYS: Final = Kept(
    name="request-keys",
    label="Request keys and their answers",
    kept="thirty days; secrets in them an hour",
    ends="by itself, every hour",
    held=RequestKey.objects.count,
)
SESSIONS: Final = Kept(
    name="sessions",
    label="Sessions of the console",
    kept="until they have ended",
    ends="by itself, every hour",
    held=Session.objects.count,
)
ALL: Final = (REQUEST_KEYS, SESSIONS)


def forget_sessions(*, now: datetime) -> int:
    """Those that have ended."""
    gone, _ = Session.objects.filter(expire_date__lt=now).delete()
    return gone
