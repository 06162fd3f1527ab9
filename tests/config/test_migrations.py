"""Models and migrations say the same, and the database has what they say."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation


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


# Tables that grow by the sale: whoever changes one under load locks it for a moment and no longer.
LARGE = {
    "ledger.act", "ledger.transfer", "keno.ticket", "keno.play", "jackpot.contribution", "promotions.entry",
    "web.requestkey",
}  # fmt: skip


def locks_long(app: str, operation: Operation) -> str:
    """Why this operation would hold up a large table, or nothing."""
    table = f"{app}.{getattr(operation, 'model_name', '') or getattr(operation, 'name', '')}".lower()
    if table not in LARGE:
        return ""
    if isinstance(operation, migrations.AddIndex) and not isinstance(operation, AddIndexConcurrently):
        return f"an index on {table} is made with AddIndexConcurrently"
    if isinstance(operation, migrations.AddConstraint) and not isinstance(operation, AddConstraintNotValid):
        return f"a constraint on {table} comes with AddConstraintNotValid, then ValidateConstraint"
    if isinstance(operation, migrations.AlterField):
        return f"a column of {table} is not altered: add another"
    if isinstance(operation, migrations.AddField) and not (operation.field.null or operation.field.has_db_default()):
        return f"a new column of {table} may be NULL, or has a db_default"
    if isinstance(operation, migrations.RunPython):
        return f"rows of {table} are not rewritten in a migration"
    return ""


def test_no_migration_holds_up_a_table_that_grows_by_the_sale() -> None:
    loader = MigrationLoader(None)
    named = {f"{model._meta.app_label}.{model._meta.model_name}" for model in apps.get_models()}
    assert named >= LARGE
    wrong = [
        f"{app}.{name}: {why}"
        for (app, name), migration in loader.disk_migrations.items()
        if app in settings.ROOMS and not name.startswith("0001")
        for operation in migration.operations
        if (why := locks_long(app, operation))
    ]
    assert wrong == []
    slow = migrations.AddIndex("ticket", models.Index(fields=["writer"], name="x"))
    assert "AddIndexConcurrently" in locks_long("keno", slow)
    column = migrations.AddField("transfer", "x", models.IntegerField())
    assert "db_default" in locks_long("ledger", column)
    assert locks_long("keno", migrations.AddField("ticket", "x", models.IntegerField(null=True))) == ""
