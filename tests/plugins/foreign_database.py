"""Where DATABASE_URL names a server, Django makes and empties the test database, going round the ledger's triggers."""

from __future__ import annotations

from typing import Any


def pytest_sessionstart() -> None:
    from django.apps import apps
    from django.db.backends.postgresql.operations import DatabaseOperations

    sql_flush = DatabaseOperations.sql_flush
    guarded = [model._meta.db_table for model in apps.get_models() if getattr(model._meta, "triggers", ())]

    def around_triggers(self: DatabaseOperations, *args: Any, **kwargs: Any) -> list[str]:
        return [
            *(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in guarded),
            *sql_flush(self, *args, **kwargs),
            *(f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in guarded),
        ]

    DatabaseOperations.sql_flush = around_triggers  # type: ignore[assignment, method-assign]
