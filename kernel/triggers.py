"""Triggers in migrations: a table's stand with its constraints, as ``options={"triggers": …}`` of ``CreateModel``.

pgtrigger would write an operation a trigger, and each of them renders the models anew; here one operation at the end of
a migration installs them all. The functions say in a line what it spells out in six, and give the very trigger that it
compiles from the model (``makemigrations --check`` compares). Migrations stand on them: add, never change.
"""

from __future__ import annotations

import hashlib

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from pgtrigger.compiler import Trigger, UpsertTriggerSql


def trigger(
    name: str, operation: str, of: str, *, run: str, only_if: str = "", when: str = "BEFORE", **more: str
) -> Trigger:
    """``of`` is a model as ``room.Model``, ``run`` the body of the function, ``only_if`` a condition on OLD and NEW."""
    mark = hashlib.sha1(f"{of}:{name}".encode(), usedforsecurity=False).hexdigest()[:5]
    if only_if:
        more["condition"] = f"WHEN ({only_if})"
    table = of.lower().replace(".", "_")
    pgid = f"pgtrigger_{name}_{mark}".lower()
    return Trigger(
        name=name, sql=UpsertTriggerSql(func=run, operation=operation, pgid=pgid, table=table, when=when, **more)
    )


def refuse(name: str, operation: str, of: str, *, only_if: str = "") -> Trigger:
    """``UPDATE``, ``DELETE`` or ``UPDATE OR DELETE`` of a row is an error."""
    said = f"RAISE EXCEPTION 'pgtrigger: Cannot {operation.lower()} rows from % table', TG_TABLE_NAME;"
    return trigger(name, operation, of, run=said, only_if=only_if)


def no_truncate(of: str) -> Trigger:
    said = "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;"
    return trigger("no_truncate", "TRUNCATE", of, run=said, level="STATEMENT")


def follow(name: str, of: str, *steps: str) -> Trigger:
    """A status goes from one to another by these steps (``before:after``) and no others."""
    allowed = ",".join(steps)
    test = (
        f"""SELECT CONCAT(OLD."status", ':', NEW."status") = ANY('{{{allowed}}}'::text[]) INTO _is_valid_transition;"""
    )
    error = """'pgtrigger: Invalid transition of field "status" from "%" to "%" on table %'"""
    said = (
        f'{test} IF (_is_valid_transition IS FALSE AND OLD."status" IS DISTINCT FROM NEW."status")'
        f' THEN RAISE EXCEPTION {error}, OLD."status", NEW."status", TG_TABLE_NAME; ELSE RETURN NEW; END IF;'
    )
    return trigger(name, "UPDATE", of, run=said, declare="DECLARE _is_valid_transition BOOLEAN;")


def changed(*columns: str) -> str:
    """The condition that one of them is not what it was."""
    return " OR ".join(f'OLD."{column}" IS DISTINCT FROM (NEW."{column}")' for column in columns)


class InstallTriggers(Operation):
    """Those of every model of this room, as the operations before it say."""

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass  # the models have them already

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in _triggers(app_label, to_state):
            schema_editor.execute(each.install_sql, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in _triggers(app_label, from_state):
            schema_editor.execute(each.uninstall_sql, params=None)

    def describe(self) -> str:
        return "Install the triggers of every model"


def _triggers(room: str, state: ProjectState) -> list[Trigger]:
    return [
        each for (app, _), model in state.models.items() if app == room for each in model.options.get("triggers", ())
    ]
