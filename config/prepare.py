"""Brings the database and the files up to this code before the first process serves: ``python -m config.prepare``.

Each step looks first and does only what is missing, so that a second start costs next to nothing. This is the one
program of a start that speaks to the database as its owner.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from psycopg.errors import LockNotAvailable
from psycopg_pool import PoolTimeout

from config.services import witness
from config.services.addresses import database_url, demo_mark
from kernel import privileges
from kernel.environment import Trouble
from kernel.locks import Lock, wait_and_keep
from kernel.masking import mask_uncaught, masked
from web import metrics

LOCK_ATTEMPTS: Final = 20
LOCK_PAUSE_SECONDS: Final = 3.0


def main() -> None:
    mask_uncaught()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    metrics.start_afresh()
    try:
        if "--node" in sys.argv[1:]:
            _wait_until_prepared()
        else:
            _bring_up_to_date()
    except Trouble as trouble:
        sys.exit(str(trouble))
    except (OperationalError, InterfaceError, PoolTimeout) as error:
        sys.exit(f"The database went away while it was being prepared: {masked(str(error)).splitlines()[0]}")
    call_command("collectstatic", interactive=False, verbosity=0)


def _bring_up_to_date() -> None:
    """One at a time, where several nodes start at once."""
    with _alone():
        _refuse_restored_dump()
        _refuse_strange_keys()
        _migrate()
        _seal()
        _recognise_rewound()
        _furnish_demo()


@contextmanager
def _alone() -> Iterator[None]:
    """On a line of its own: what is kept on it ends with it, however we end."""
    with psycopg.connect(database_url(), autocommit=True) as line:
        wait_and_keep(line, Lock.PREPARING)
        yield


def _wait_until_prepared(patience: float = 120.0) -> None:
    """A node that only runs programs changes nothing: another, or ``make run ONLY=prepare``, has."""
    until = time.monotonic() + patience
    while _waiting_migrations() or not _log_has_begun():
        if time.monotonic() > until:
            raise Trouble("The database is not prepared for this version: run “make run ONLY=prepare” once.")
        connection.close()
        time.sleep(1)
    _refuse_restored_dump()
    _refuse_strange_keys()
    _recognise_rewound()


def _refuse_restored_dump() -> None:
    """First of all: a migration, too, writes acts."""
    if not _log_has_begun():
        return
    from ledger.seal import CannotSeal, refuse_restored_dump  # noqa: PLC0415  Django first

    try:
        refuse_restored_dump()
    except CannotSeal as error:
        raise Trouble(str(error)) from None


def _recognise_rewound() -> None:
    """Where the witness has seen more of the log than there is: the house starts, so that people can sign in and decide
    how to go on, and no money moves before they have (ledger/rewound.py)."""
    from ledger.rewound import recognise  # noqa: PLC0415  Django first

    if said := recognise():
        _say(f"{said} No money moves until another witness is appointed (docs/production.md).")


def _refuse_strange_keys() -> None:
    """A key folder that was made for itself, and not copied from the house's: what this node signed would look forged,
    and it could read nothing of what the others have encrypted."""
    if not _log_has_begun():
        return
    from ledger.announce import strange_keys  # noqa: PLC0415  Django first

    exchanged = os.environ.get("METERHOUSE_KEYS_EXCHANGED", "").replace(",", " ").split()
    for name in strange_keys():
        if name not in exchanged:
            raise Trouble(
                f"The key {name} here is not the one that this house's log names: copy the key folder of the house, "
                f"or, where it was exchanged on purpose, start once with METERHOUSE_KEYS_EXCHANGED={name}."
            )


def _log_has_begun() -> bool:
    from ledger.seal import has_begun  # noqa: PLC0415  Django first

    return "ledger_act" in connection.introspection.table_names() and has_begun()


def _waiting_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _migrate() -> None:
    if waiting := _waiting_migrations():
        _say(f"Applying {waiting} migrations.")
        _apply()
    privileges.apply()  # also where nothing is migrated: roles may be new


def _apply() -> None:
    """A table that somebody uses for long is asked for again and again: whoever sells waits behind us while we wait, so
    that we wait three seconds (``lock_timeout``), and leave it to the others in between."""
    for attempt in range(1, LOCK_ATTEMPTS + 1):
        try:
            call_command("migrate", interactive=False, verbosity=0)
            return
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            connection.close()
        _say(f"A table is in use; its migration waits (attempt {attempt} of {LOCK_ATTEMPTS}).")
        time.sleep(LOCK_PAUSE_SECONDS)
    raise Trouble(
        "A migration did not get its table: somebody keeps a transaction open on it (docs/production.md, Versions). "
        "The house sells on as before; end that transaction and start this again."
    )


def _seal() -> None:
    """The log's first act, which names its witness; and the witness beside us is told which log to watch.

    Finds out before the first sale where the key that the log names is not here, or the log is an older one.
    """
    from ledger.announce import announce_keys  # noqa: PLC0415  Django first
    from ledger.checkpoints import introduction  # noqa: PLC0415
    from ledger.keys import KeyMissing  # noqa: PLC0415
    from ledger.seal import CannotSeal, begin_log, seal_now  # noqa: PLC0415

    announce_keys()
    try:
        begin_log()
        if not settings.WITNESS_URL:
            witness.introduce(settings.DATA, introduction())
        seal_now()
    except (CannotSeal, KeyMissing) as error:
        raise Trouble(str(error)) from None


def _furnish_demo() -> None:
    """Once per database, while the demo setting is on. Noted when done: a start killed half-way repeats it."""
    done = demo_mark()
    if not settings.DEMO or done.exists():
        return
    _say("Making the demo venue.")
    call_command("demo", days=settings.DEMO_DAYS)
    done.touch()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
