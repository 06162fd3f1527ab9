#!/usr/bin/env python
"""Django's command line for Meterhouse. Where no copy is running, the embedded services run while the command does."""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036  the point is to say so before something else fails
    sys.exit("Meterhouse needs Python 3.11 or newer.")

try:
    from django.core.management import execute_from_command_line
except ImportError:
    sys.exit("Django is not installed for this Python: use .venv/bin/python manage.py (make run makes .venv).")

from config.services import addresses
from config.services.embedded import for_command
from config.services.witness import for_draws
from kernel.environment import Trouble, keep_to_ourselves
from kernel.masking import mask_uncaught, masked

# These neither ask the database nor the queue, or bring their own.
NEEDS_NOTHING = {
    "help", "version", "check", "collectstatic", "diffsettings", "spectacular", "startapp", "makemessages", "drill",
}  # fmt: skip

# These draw games: the witness runs beside them, too.
DRAWS = {"simulate", "demo"}

# These change tables, or seal: the owner's. Everything else works as the role that web and workers have.
OWNERS = {
    "migrate", "sqlmigrate", "flush", "dbshell", "pgtrigger", "audit", "simulate", "demo", "backup", "restore",
}  # fmt: skip

# These bring the house's keys with them: none are made, not even in a new data folder.
BRING_KEYS = {"restore"}


def main() -> None:
    keep_to_ourselves()
    mask_uncaught()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command in OWNERS:
        os.environ.setdefault(addresses.AS, addresses.OWNER)
    try:
        if command in NEEDS_NOTHING or command.startswith("-") or {"-h", "--help"} & set(sys.argv):
            execute_from_command_line(sys.argv)
            return
        with (
            for_command(f"manage.py {command}", may_make_keys=command not in BRING_KEYS),
            for_draws(wanted=command in DRAWS),
        ):
            execute_from_command_line(sys.argv)
    except Trouble as trouble:
        sys.exit(masked(str(trouble)))


if __name__ == "__main__":
    main()
