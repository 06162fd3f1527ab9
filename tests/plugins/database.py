"""The test database of this process: migrated once for all processes and runs, put back quickly after each test.

**Migrated once.** A stopped cluster in ``.pytest_cache`` holds a database with every migration applied and nothing
else. It is made by the first process that finds none for the migrations as they are now, and copied by every other.
What the house starts with (``post_migrate``) is not in the copy: each process writes that itself, so it is never stale.

**Put back.** A test that commits leaves rows behind. Django would empty every table and write the first rows again,
which takes most of a second; here one function deletes what is there and brings the first rows back from a copy, or
those of a house that was built once (committed.py). It goes round the triggers: the ledger refuses to be emptied.

**As whom.** Tests call verbs and seal, so they have what the runtime role and the sealer have together, and no more: a
verb that needs another privilege fails here. What a test does behind the house's back it does as the owner, who alone
could (``tests.world.owner``).

This module is a plugin where PostgreSQL is the embedded one; foreign_database.py is, where it is somebody else's.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.services import addresses
from config.services.postgres import Postgres
from kernel.environment import ROOT

NAME = f"test_{addresses.POSTGRES_DATABASE}"
CACHE = ROOT / ".pytest_cache" / "database"
# What decides how the migrated cluster looks.
DECIDING = (
    "*/migrations/*.py",
    "requirements.txt",
    "config/services/postgres.py",
    "kernel/privileges.py",
    "kernel/first_migration.py",
    "kernel/triggers.py",
)

# Run in a process of its own, before this one has settings: migrations alone, without what follows them.
MIGRATE = """
import django
django.setup()
from django.core.management import call_command
from django.core.management.commands import migrate
migrate.emit_post_migrate_signal = lambda *args, **kwargs: None
call_command("migrate", verbosity=0, interactive=False)
from django.conf import settings
from config.services import addresses
from kernel import privileges
settings.DATABASE_ROLES = {role: addresses.EMBEDDED_ROLES[role] for role in (addresses.RUNTIME, addresses.SEALER)}
privileges.apply()
"""

TESTER = "meterhouse_tests"
TESTER_PASSWORD = "of a server that dies with its tests"
OWNER = addresses.EMBEDDED_ROLES[addresses.OWNER]
AS_OWNER = f" -c role={OWNER}"

# Rows are kept in a schema of their own, one table for each that is not empty.
ASIDE = "kept"  # how the names of those schemas begin
FIRST = f"{ASIDE}_first"  # what the house starts with
# The functions that put back are written out, table by table: PostgreSQL plans them once a session, and what is put
# together from strings every time.
KEEP = """
CREATE SCHEMA kept;
CREATE VIEW kept.tables AS
    SELECT tablename AS name, format('public.%I', tablename)::regclass AS oid FROM pg_tables
    -- Django's own tables are as migrations left them: no test changes them.
    WHERE schemaname = 'public' AND tablename NOT IN ('django_migrations', 'django_content_type', 'auth_permission')
    ORDER BY tablename;
CREATE FUNCTION kept.keep(world text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET client_min_messages = warning AS $$
DECLARE each record; filled boolean; back text := '';
BEGIN
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', world);
    EXECUTE format('CREATE SCHEMA %I', world);
    FOR each IN
        SELECT name, (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
                      WHERE attrelid = oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
        FROM kept.tables
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', each.name) INTO filled;
        IF filled THEN
            EXECUTE format('CREATE TABLE %1$I.%2$I AS TABLE public.%2$I', world, each.name);
            back := back || format('INSERT INTO public.%2$I (%3$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM %1$I.%2$I;',
                                   world, each.name, each.columns);
        END IF;
    END LOOP;
    EXECUTE format('CREATE FUNCTION %I.put_back() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
                    SET session_replication_role = replica AS %L',
                   world, 'BEGIN PERFORM kept.empty();' || back || 'END');
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', world);
END $$;
DO $$
DECLARE every text; emptied text;
BEGIN
    SELECT string_agg(oid::text, ', '),
           string_agg(format('IF EXISTS (SELECT FROM %1$s) THEN DELETE FROM %1$s; END IF;', oid), ' ')
    INTO every, emptied FROM kept.tables;
    -- Whoever still writes finishes first.
    EXECUTE format('CREATE FUNCTION kept.empty() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
                    SET session_replication_role = replica AS %L',
                   format('BEGIN LOCK TABLE %s IN EXCLUSIVE MODE; %s END', every, emptied));
END $$;
GRANT USAGE ON SCHEMA kept TO PUBLIC;
"""


def keep(world: str) -> None:
    """Copy every row aside, under this name."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT kept.keep(%s)", [world])


def put_back(world: str) -> None:
    """Have those rows, and no others."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {world}.put_back()")


def restore_migrated(data: Path) -> None:
    """Lay a copy of the migrated cluster into this data folder, before its PostgreSQL starts for the first time."""
    with _locked():
        cluster = CACHE / f"{_key()}.cluster"
        if not cluster.exists():
            _make(cluster, data.with_name(data.name + "-migrated"))
        _copy(cluster, data / "postgres")


def become_tester(database: dict[str, Any], sockets: Path) -> None:
    """Make the tests' role where it is not there yet, and have Django use it; as the owner until all is set up."""
    roles = ", ".join(addresses.EMBEDDED_ROLES[role] for role in (addresses.RUNTIME, addresses.SEALER))
    with psycopg.connect(host=str(sockets), user="postgres", dbname="postgres", autocommit=True) as superuser:
        if not superuser.execute("SELECT FROM pg_roles WHERE rolname = %s", [TESTER]).fetchone():
            superuser.execute(f"CREATE ROLE {TESTER} LOGIN")
        superuser.execute(f"ALTER ROLE {TESTER} PASSWORD '{TESTER_PASSWORD}'")
        superuser.execute(f"GRANT {roles} TO {TESTER} WITH INHERIT TRUE")
        superuser.execute(f"GRANT {OWNER} TO {TESTER} WITH INHERIT FALSE, SET TRUE")
        superuser.execute(f"GRANT SET ON PARAMETER session_replication_role TO {OWNER}")
    database.update(USER=TESTER, PASSWORD=TESTER_PASSWORD)
    database["OPTIONS"]["options"] += AS_OWNER


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """The cluster is this process's own: its database needs no name of its own."""


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    from django.db import connection
    from django.test import TransactionTestCase

    at = connection.settings_dict
    with psycopg.connect(host=at["HOST"], user="postgres", dbname=at["NAME"], autocommit=True) as superuser:
        superuser.execute(KEEP)
        superuser.execute("SELECT kept.keep(%s)", [FIRST])

    TransactionTestCase._fixture_teardown = lambda _: put_back(FIRST)  # type: ignore[attr-defined]
    at["OPTIONS"]["options"] = at["OPTIONS"]["options"].removesuffix(AS_OWNER)
    with django_db_blocker.unblock():
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]


@contextmanager
def _locked() -> Iterator[None]:
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _key() -> str:
    digest = hashlib.sha256(MIGRATE.encode())
    for pattern in DECIDING:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _make(cluster: Path, data: Path) -> None:
    for older in CACHE.glob("*.cluster"):
        shutil.rmtree(older, ignore_errors=True)
    postgres = Postgres(data, durable=False)
    try:
        postgres.start()
        url = addresses.embedded_database_url(data, addresses.OWNER)
        with psycopg.connect(url, autocommit=True) as line:
            line.execute(f"CREATE DATABASE {NAME}")
        own = {
            "METERHOUSE_DATA": str(data),
            "DATABASE_URL": url.removesuffix(addresses.POSTGRES_DATABASE) + NAME,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        subprocess.run([sys.executable, "-c", MIGRATE], check=True, cwd=ROOT, env=os.environ | own)
        postgres.stop()
        making = cluster.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        _copy(data / "postgres", making)
        making.rename(cluster)
    finally:
        postgres.stop()
        shutil.rmtree(data, ignore_errors=True)


def _copy(cluster: Path, to: Path) -> None:
    """With its owner: as root, PostgreSQL runs as a user of its own."""
    subprocess.run(["cp", "-Rp", str(cluster), str(to)], check=True)
