"""Models and migrations say the same, and the database has what they say."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.core.management import call_command
from django.db import IntegrityError, OperationalError, connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from config import prepare
from kernel.environment import Trouble
from kernel.indexes import AddIndex
from tests.world.owner import as_owner
from web.models import RequestKey


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
    if isinstance(operation, migrations.AddIndex) and not isinstance(operation, AddIndex):
        return f"an index on {table} is made with kernel.indexes.AddIndex"
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
    assert "kernel.indexes.AddIndex" in locks_long("keno", slow)
    column = migrations.AddField("transfer", "x", models.IntegerField())
    assert "db_default" in locks_long("ledger", column)
    assert locks_long("keno", migrations.AddField("ticket", "x", models.IntegerField(null=True))) == ""


def test_what_no_transaction_takes_back_is_an_index_and_nothing_else() -> None:
    """Such a migration, killed half-way, is begun again from its start."""
    loose = [
        f"{app}.{name}"
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if app in settings.ROOMS
        and not migration.atomic
        and not all(isinstance(operation, AddIndex) for operation in migration.operations)
    ]
    assert loose == []


@pytest.mark.django_db(transaction=True)
def test_an_index_that_was_broken_off_is_made_anew() -> None:
    """PostgreSQL keeps what a CREATE INDEX CONCURRENTLY has left that did not come to its end, and does not use it."""
    for key in ("one", "two"):
        RequestKey.objects.create(
            actor="device:1", key=key, method="POST", path="/", body_hash=bytes(32), created_at=timezone.now()
        )
    before = ProjectState.from_apps(apps)
    operation = AddIndex("requestkey", models.Index(fields=["method"], name="tomorrow"))
    after = before.clone()
    operation.state_forwards("web", after)
    valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'tomorrow'::regclass"
    with as_owner() as cursor:
        with pytest.raises(IntegrityError):
            cursor.execute("CREATE UNIQUE INDEX CONCURRENTLY tomorrow ON web_requestkey (method)")
        cursor.execute(valid)
        assert cursor.fetchone() == (False,)
        try:
            with connection.schema_editor(atomic=False) as editor:
                operation.database_forwards("web", editor, before, after)
            cursor.execute(valid)
            assert cursor.fetchone() == (True,)
        finally:
            cursor.execute("DROP INDEX tomorrow")
    assert operation.deconstruct()[0] == "kernel.indexes.AddIndex"


def test_a_migration_asks_again_for_a_table_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says who is in its way where it never gets it; any other failure is said at once."""
    said: list[str] = []
    waits = OperationalError("canceling statement due to lock timeout")
    waits.__cause__ = LockNotAvailable()
    answers: list[Exception | None] = [waits, waits, None]

    def migrate(*_: object, **__: object) -> None:
        said.append("migrate")
        if (answer := answers.pop(0)) is not None:
            raise answer

    monkeypatch.setattr(prepare, "call_command", migrate)
    monkeypatch.setattr(prepare, "_say", said.append)
    monkeypatch.setattr(prepare, "LOCK_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(prepare, "LOCK_ATTEMPTS", 3)
    prepare._apply()
    assert said.count("migrate") == 3
    assert "A table is in use; its migration waits (attempt 2 of 3)." in said
    answers[:] = [waits, waits, waits]
    with pytest.raises(Trouble, match="keeps a transaction open"):
        prepare._apply()
    answers[:] = [OperationalError("the server closed the connection")]
    with pytest.raises(OperationalError, match="closed"):
        prepare._apply()
    assert answers == []
