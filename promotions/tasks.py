"""Promotions' tasks: an import goes on."""

from __future__ import annotations

from config.celery import app
from promotions import imports


# A file of a million is a minute's work on a slow machine: longer than the short tasks of the house.
@app.task(name="promotions-import", soft_time_limit=900, time_limit=960)
def go_on_with_import(import_id: int) -> str:
    return imports.go_on(import_id).state
