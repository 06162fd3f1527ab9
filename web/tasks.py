"""The tasks of web: forgetting old request keys and sessions. (Long work has its own, beside what it runs.)"""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from web import request_keys, retained


@shared_task(name="purge-request-keys")
def purge_request_keys() -> int:
    now = timezone.now()
    retained.forget_sessions(now=now)
    return request_keys.purge(now=now)
