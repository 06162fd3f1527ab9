"""A room's first migration: its tables at once.

Django works out anew, for each table that is made, every model that refers to it or is referred to by it, by however
many others. Of a hundred and forty tables in one go that is most of what a first start takes.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from django.db.migrations import CreateModel, Migration

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


class FirstMigration(Migration):
    """Begins with its tables, each after those that it refers to; whatever else it does comes after all of them."""

    initial = True

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        if collect_sql:
            return super().apply(project_state, schema_editor, collect_sql)
        tables = [*takewhile(lambda each: isinstance(each, CreateModel), self.operations)]
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # made when it is next asked for, once for all of them
        for table in tables:
            table.state_forwards(self.app_label, project_state)
        for table in tables:
            table.database_forwards(self.app_label, schema_editor, before, project_state)
        for each in self.operations[len(tables) :]:
            before = project_state.clone()
            each.state_forwards(self.app_label, project_state)
            each.database_forwards(self.app_label, schema_editor, before, project_state)
        return project_state
