"""Indexes for tables that grow by the sale: made while the house sells on, and anew where that was broken off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState


class AddIndex(AddIndexConcurrently):
    """Alone in its migration, which is ``atomic = False``: no transaction takes back what was half done. An attempt
    that was killed, or that could not wait any longer for somebody's open transaction, leaves an index of this name
    that PostgreSQL does not use, or one that nobody has noted; it is made anew."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        name = schema_editor.quote_name(self.index.name)
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        _, args, kwargs = super().deconstruct()
        return "kernel.indexes.AddIndex", args, kwargs
