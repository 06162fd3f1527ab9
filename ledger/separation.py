"""Whether the house is separated (decision 18): what this very process could do, tried, not what it was told.

Shown on the sign-in page and written into every export.
"""

from __future__ import annotations

import os
import time
from typing import Final, TypedDict

from django.db import connection

from kernel import keys

LOOK_AGAIN_SECONDS: Final = 60.0

_POWERS = """
    SELECT pg_has_role(current_user, c.relowner, 'MEMBER') OR r.rolsuper
           OR has_table_privilege('ledger_seal', 'INSERT') OR has_table_privilege('ledger_transfer', 'UPDATE')
    FROM pg_class c, pg_roles r WHERE c.oid = 'ledger_transfer'::regclass AND r.rolname = current_user
"""


class Separation(TypedDict):
    database: bool  # its role owns nothing and seals nothing
    keys: bool  # it can read neither a sealing key nor the owner's password


_looked: tuple[float, Separation] | None = None


def separation() -> Separation:
    """As this process finds it; looked at again now and then."""
    global _looked  # noqa: PLW0603  one memory for the process
    if _looked is None or time.monotonic() - _looked[0] > LOOK_AGAIN_SECONDS:
        _looked = time.monotonic(), {"database": not _could_alter(), "keys": not _could_read_keys()}
    return _looked[1]


def in_words() -> str | None:
    """What is missing of it, in a sentence; None where all is separate."""
    found = separation()
    lacking = [
        *([] if found["database"] else ["the database role of web and workers could change what is on record"]),
        *([] if found["keys"] else ["web and workers could read the sealing key"]),
    ]
    return f"Separation is off: {' and '.join(lacking)}." if lacking else None


def _could_alter() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_POWERS)
        return bool(cursor.fetchone()[0])


def _could_read_keys() -> bool:
    secret = [keys.named("seals"), keys.named("database-owner")]
    variables = {"DATABASE_OWNER_URL", "DATABASE_SEALER_URL"}
    variables |= {name for key in secret for name in (key.way_in, f"{key.way_in}_COMMAND")}
    return any(os.environ.get(name) for name in variables) or any(os.access(key.path, os.R_OK) for key in secret)
