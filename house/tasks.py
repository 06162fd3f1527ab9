"""The house's own short tasks."""

from __future__ import annotations

from django.utils import timezone

from config.celery import app
from house import request_keys


@app.task(name="purge-request-keys")
def purge_request_keys() -> int:
    return request_keys.purge(now=timezone.now())
