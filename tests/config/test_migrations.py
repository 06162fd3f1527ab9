"""Models and migrations say the same, and the database has what they say."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=1)


@pytest.mark.django_db
def test_every_trigger_of_the_models_is_in_the_database() -> None:
    """As the model has it: pgtrigger writes a trigger's fingerprint beside it."""
    named = {
        trigger.get_pgid(model): trigger.compile(model).hash
        for model in apps.get_models()
        for trigger in getattr(model._meta, "triggers", ())
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, obj_description(oid, 'pg_trigger') FROM pg_trigger"
            " WHERE NOT tgisinternal AND tgenabled = 'O' AND starts_with(tgname, 'pgtrigger_')"
        )
        installed = dict(cursor.fetchall())
    assert installed == named
    assert len(named) > 150
