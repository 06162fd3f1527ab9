"""A backup back into an empty database, with the transaction counter where the log needs it (``manage.py restore``).

Rows carry the transaction that wrote them, and what is sealed next is what counts from the last seal on. A new server
counts from the beginning: its counter is moved past everything that the backup holds before anybody may sell.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg
from django.conf import settings
from django.db.migrations.loader import MigrationLoader

from config.backup import DUMP, About, key_ids, read_about, run
from config.services.addresses import OWNER, database_url, demo_mark
from kernel.actors import system
from kernel.environment import Trouble
from ledger.acts import LogRestored
from ledger.log import write_act
from ledger.seal import CannotSeal, refuse_restored_dump

OPERATOR: Final = system("manage.py")
STEP: Final = 1_000_000
# Counting on takes a server about five minutes for this many; further its owner moves the counter at once.
COUNTED_LIMIT: Final = 100_000_000
_NEXT: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
_COUNT_ON: Final = "DO $$ BEGIN FOR i IN 1..{} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
_EPOCH: Final = 1 << 32


def restore_backup(folder: Path, *, say: Callable[[str], object]) -> About:
    """Nothing is written where something does not fit; a restore that is broken off leaves the database empty, or one
    that every node refuses."""
    about = read_about(folder)
    _refuse_other_keys(about)
    _refuse_newer(about)
    with psycopg.connect(database_url(OWNER), autocommit=True) as line:
        _refuse_used(line)
        _refuse_far(line, about)
        run(
            "pg_restore",
            "--single-transaction",
            "--exit-on-error",
            "--no-owner",
            "--no-acl",
            "--no-comments",
            f"--schema={about.schema}",  # what is in it: every database has one already
            "--dbname=",  # the one that the environment names
            str(folder / DUMP),
        )
        count_on(line, about.counter, say=say)
    try:
        refuse_restored_dump()
    except CannotSeal as error:
        raise Trouble(str(error)) from None
    write_act(LogRestored(seal=about.seal, rows=about.rows, root=bytes.fromhex(about.root)), by=OPERATOR)
    demo_mark().touch()  # whatever people it has: none are added
    return about


def count_on(line: psycopg.Connection, to: int, *, say: Callable[[str], object]) -> None:
    """Let the server count transactions, empty ones, until it is past this number."""
    while (missing := to - _next(line)) > 0:
        if missing > STEP:
            say(f"Moving the transaction counter: {missing:,} to go.")
        line.execute(_COUNT_ON.format(min(missing, STEP)))


def _next(line: psycopg.Connection) -> int:
    found = line.execute(_NEXT).fetchone()
    assert found is not None
    return int(found[0])


def _refuse_far(line: psycopg.Connection, about: About) -> None:
    if about.counter - _next(line) > COUNTED_LIMIT:
        raise Trouble(
            f"The backup's transactions go up to {about.counter:,}: stop the new, empty server, move its counter with "
            f"“pg_resetwal -e {about.counter // _EPOCH + 1} its-data-folder”, start it and restore again."
        )


def _refuse_used(line: psycopg.Connection) -> None:
    used = line.execute("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").fetchone()
    if used is None or used[0]:
        raise Trouble("This database has tables already: a backup is restored into an empty one.")


def _refuse_newer(about: About) -> None:
    known = MigrationLoader(None).disk_migrations
    strange = [f"{app}.{name}" for app, name in about.migrations if app in settings.ROOMS and (app, name) not in known]
    if strange:
        raise Trouble(f"The backup is of a newer version than this one: it has {strange[0]}.")


def _refuse_other_keys(about: About) -> None:
    """First of all: without its keys a house is not the same one."""
    here = key_ids()
    for name, known in about.keys.items():
        if name not in here:
            raise Trouble(f"The key {name} of this backup is not here: put the house's key folder back first.")
        if here[name] != known:
            raise Trouble(f"The key {name} here is not the one of this backup: put the house's key folder back first.")
