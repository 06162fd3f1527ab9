"""The tasks of web: forgetting old request keys. (Long work has its own, beside what it runs.)"""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from web import request_keys


@shared_task(name="purge-request-keys")
def purge_request_keys() -> int:
    return request_keys.purge(now=timezone.now())
