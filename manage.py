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

from config.environment import Trouble
from config.services.embedded import for_command

# These neither ask the database nor the queue.
NEEDS_NOTHING = {"help", "version", "check", "collectstatic", "diffsettings", "spectacular", "startapp", "makemessages"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command in NEEDS_NOTHING or command.startswith("-") or {"-h", "--help"} & set(sys.argv):
        execute_from_command_line(sys.argv)
        return
    try:
        with for_command(f"manage.py {command}"):
            execute_from_command_line(sys.argv)
    except Trouble as trouble:
        sys.exit(str(trouble))


if __name__ == "__main__":
    main()
