"""What stands in the database, to show that nothing of it changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model


def rows_of(*rooms: str, but: Iterable[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """Every row of every model of these rooms, by the model's name. One question for them all: it is asked often."""
    models = [model for room in rooms for model in apps.get_app_config(room).get_models() if model.__name__ not in but]
    asked = " UNION ALL ".join(
        f"SELECT '{model.__name__}', (SELECT json_agg(r ORDER BY {_key(model)})::text FROM {model._meta.db_table} r)"
        for model in models
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return {name: json.loads(rows) if rows else [] for name, rows in cursor.fetchall()}


def _key(model: type[Model]) -> str:
    return ", ".join(f"r.{field.column}" for field in model._meta.pk_fields)
