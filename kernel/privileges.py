"""Who may do what to which table (decision 18). The owner migrates; the others have what is granted here, and no more.

Nothing is listed twice: what may be done follows from the models. A trigger that refuses a change (append_only,
kept_for_good, as_sold, …) takes the privilege away as well, column by column, so that neither a session's setting nor
a disabled trigger would be enough. Besides that a model may say

    fleeting: ClassVar = True          # its rows may be deleted: request keys, guesses, a match being settled
    written_by: ClassVar = (SEALER,)   # only these roles write to it; without this, the runtime role does

Applied after every migration, by whoever owns the tables (``manage.py migrate``, ``config.prepare``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import pgtrigger
from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import sql

RUNTIME, SEALER = "runtime", "sealer"

# Tables of Django's own. What a migration fills is only read.
_DJANGOS: Final = {"django_session": ("SELECT", "INSERT", "UPDATE", "DELETE")}

_ACTUAL = """
    SELECT r.rolname, c.relname, g.privilege_type, ''
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.relnamespace = 'public'::regnamespace AND r.rolname = ANY(%(roles)s)
    UNION ALL
    SELECT r.rolname, c.relname, g.privilege_type, a.attname
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN LATERAL aclexplode(a.attacl) g
    JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.relnamespace = 'public'::regnamespace AND r.rolname = ANY(%(roles)s)
"""
_SEQUENCES = "SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace"
_OWNS = """
    SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('django_migrations')
"""

# pgtrigger lets a session name triggers that are to be passed over. No session of ours may.
_IGNORING = """
    SELECT FROM pg_proc p WHERE p.oid = to_regproc('public._pgtrigger_should_ignore') AND p.prosrc <> 'SELECT false'
"""
_NO_TRIGGER_IS_IGNORED = """
    CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT false'
"""
# A function that reads a table reads the house's, not a temporary one of the same name that its caller has made.
_UNPINNED = r"""
    SELECT p.oid::regprocedure::text FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proconfig IS NULL
      AND EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                  AND p.prosrc ~ ('\m' || c.relname || '\M'))
"""


class Grant(NamedTuple):
    role: str
    table: str
    privilege: str
    column: str = ""  # empty: all of them


def after_migrate(*, using: str = "default", **_: object) -> None:
    """The receiver of post_migrate, connected in LedgerConfig.ready."""
    if using == "default":
        apply()


def apply() -> None:
    """Put everything right that differs. Nothing is done by anybody but the owner."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_OWNS)
        row = cursor.fetchone()
        if row is None or not row[0]:
            return
        _make_triggers_firm(cursor)
        roles = settings.DATABASE_ROLES
        if not roles:
            return
        _close_schema(cursor, roles)
        found, should_be = actual(cursor, roles.values()), wanted(cursor, roles)
        for role, table in sorted({(each.role, each.table) for each in found ^ should_be}):
            _grant(cursor, role, table, [each for each in should_be if each[:2] == (role, table)])


def _make_triggers_firm(cursor: CursorWrapper) -> None:
    cursor.execute(_IGNORING)
    if cursor.fetchone() is not None:
        cursor.execute(_NO_TRIGGER_IS_IGNORED)
    cursor.execute(_UNPINNED)
    for (function,) in cursor.fetchall():
        cursor.execute(f"ALTER FUNCTION {function} SET search_path = pg_catalog, public, pg_temp")


def _close_schema(cursor: CursorWrapper, roles: Mapping[str, str]) -> None:
    """Nobody but the owner makes anything here, but for the temporary tables of a settlement."""
    cursor.execute("SELECT current_database()")
    names = {
        "database": sql.Identifier(cursor.fetchone()[0]),
        "roles": sql.SQL(", ").join(map(sql.Identifier, sorted(roles.values()))),
        "runtime": sql.Identifier(roles[RUNTIME]),
    }
    for statement in (
        "REVOKE ALL ON SCHEMA public FROM PUBLIC, {roles}",
        "REVOKE ALL ON DATABASE {database} FROM PUBLIC, {roles}",
        "GRANT USAGE ON SCHEMA public TO {roles}",
        "GRANT CONNECT ON DATABASE {database} TO {roles}",
        "GRANT TEMPORARY ON DATABASE {database} TO {runtime}",
    ):
        cursor.execute(sql.SQL(statement).format(**names))


def _grant(cursor: CursorWrapper, role: str, table: str, grants: Iterable[Grant]) -> None:
    names = {"table": sql.Identifier(table), "role": sql.Identifier(role)}
    # On a sequence, too: PostgreSQL takes either word for either.
    cursor.execute(sql.SQL("REVOKE ALL ON TABLE {table} FROM {role}").format(**names))
    columns: dict[str, list[str]] = defaultdict(list)
    for grant in sorted(grants):
        columns[grant.privilege] += [grant.column] if grant.column else []
    for privilege, named in columns.items():
        what: sql.Composable = sql.SQL(privilege)  # one of the few words in this file
        if named:
            what = sql.SQL("{} ({})").format(what, sql.SQL(", ").join(map(sql.Identifier, named)))
        kind = sql.SQL("SEQUENCE" if privilege == "USAGE" else "TABLE")
        cursor.execute(sql.SQL("GRANT {what} ON {kind} {table} TO {role}").format(what=what, kind=kind, **names))


def actual(cursor: CursorWrapper, roles: Iterable[str]) -> set[Grant]:
    cursor.execute(_ACTUAL, {"roles": list(roles)})
    return {Grant(*row) for row in cursor.fetchall()}


def wanted(cursor: CursorWrapper, roles: Mapping[str, str]) -> set[Grant]:
    """What the models say, for the tables that are there."""
    cursor.execute(_SEQUENCES)
    sequences = [name for (name,) in cursor.fetchall()]
    tables = set(connection.introspection.table_names(cursor))
    runtime, sealer = roles[RUNTIME], roles[SEALER]
    found = {Grant(runtime, name, "USAGE") for name in sequences}
    found.add(Grant(runtime, "django_migrations", "SELECT"))
    found.add(Grant(sealer, "ledger_row_id", "USAGE"))
    for model in apps.get_models(include_auto_created=True):
        table = model._meta.db_table
        if table not in tables or not model._meta.managed:
            continue
        for role, name in roles.items():
            found |= {Grant(name, table, *each) for each in of_model(model, role)}
    return found


def of_model(model: type[models.Model], role: str) -> Iterator[tuple[str, str]]:
    """(privilege, column), the column empty for all of them."""
    if model._meta.app_label not in settings.ROOMS:
        if role == RUNTIME:
            yield from ((privilege, "") for privilege in _DJANGOS.get(model._meta.db_table, ("SELECT",)))
        return
    writers = getattr(model, "written_by", (RUNTIME,))
    # The sealer reads what it seals, and nothing about people.
    if role == RUNTIME or role in writers or model._meta.app_label == "ledger":
        yield "SELECT", ""
    if role not in writers:
        return
    yield "INSERT", ""
    fixed = _fixed_columns(model)
    changing = [field.column for field in model._meta.concrete_fields if not field.generated and field.column]
    if not fixed:
        yield "UPDATE", ""
    else:
        yield from (("UPDATE", column) for column in changing if column not in fixed)
    if getattr(model, "fleeting", False) or model._meta.auto_created:
        yield "DELETE", ""


def _fixed_columns(model: type[models.Model]) -> set[str]:
    """The columns that no UPDATE may name, because a trigger would refuse whatever it says."""
    if model._meta.auto_created:  # rows of a relation come and go
        return {field.column or "" for field in model._meta.concrete_fields}
    fixed: set[str] = set()
    fields = {field.name: field for field in model._meta.concrete_fields}
    for trigger in getattr(model._meta, "triggers", ()):
        if isinstance(trigger, pgtrigger.ReadOnly):
            names = trigger.fields or [name for name in fields if name not in (trigger.exclude or [])]
        elif isinstance(trigger, pgtrigger.Protect) and "UPDATE" in str(trigger.operation).split(" OR "):
            condition = trigger.condition
            if condition is None:
                names = list(fields)
            elif type(condition) is pgtrigger.AnyChange:
                names = [
                    name for name in condition.fields or fields if name not in _plain(model, condition.exclude or [])
                ]
            else:
                continue  # it depends on the row: only the trigger can tell
        else:
            continue
        fixed |= {fields[name].column or "" for name in _plain(model, names)}
    return fixed


def _plain(model: type[models.Model], names: Iterable[str]) -> list[str]:
    return [model._meta.get_field(name).name if name != "pk" else model._meta.pk.name for name in names]
