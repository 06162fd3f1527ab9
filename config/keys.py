"""The keys of this installation: ``python -m config.keys`` lists them, and with ``make`` makes those that are missing.

Making is for a new house with a database of its own; the embedded default makes them at its first start.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from kernel import keys
from kernel.environment import Trouble
from ledger import keys as signing_keys


def ensure(programs: Iterable[str] = keys.PROGRAMS) -> None:
    """Every key that these programs read is there; the embedded default makes those that are new. Nobody else does:
    a node that made its own would read none of what the others have written."""
    may_make = not os.environ.get("DATABASE_URL")
    keys.ensure(programs, may_make=may_make)
    if may_make:
        _first_sealing_key()


def make() -> None:
    keys.make(keys.missing(key for key in keys.KEYS if not key.of_embedded_database))
    _first_sealing_key()


def _first_sealing_key() -> None:
    if signing_keys.in_folder() and not any(signing_keys.folder().iterdir()):
        signing_keys.make()


def _list() -> None:
    for key in keys.KEYS:
        there = "missing" if keys.missing([key]) else "there"
        secret = key.shape is not keys.Shape.SERIES and not key.of_embedded_database and there == "there"
        known = keys.key_id(key.name) if secret else ""
        readers = ", ".join(sorted(key.readers)) or "nobody but whoever prepares"
        sys.stdout.write(f"{key.name:<20} {there:<8} {known:<17} {key.purpose}; read by {readers}\n")


def main(arguments: list[str]) -> int:
    try:
        if arguments == ["make"]:
            make()
        elif arguments:
            sys.stderr.write("python -m config.keys lists the keys, and with make makes those that are missing.\n")
            return 1
        _list()
    except Trouble as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
