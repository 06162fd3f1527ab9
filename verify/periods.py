"""Exports of a period, put behind the ones before them: what is checked is the whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from ledger.parts import NoPart, continued, joined


@contextmanager
def whole(name: str, before: Sequence[str]) -> Iterator[IO[bytes]]:
    """The export itself, or where it is one of a period, that with all before it. Raises NoPart."""
    with open(name, "rb") as file:
        begins_at = _begins_at(name)
        if not begins_at:
            yield file
            return
        parts = sorted((each for each in before if _begins_at(each) < begins_at), key=_begins_at)
        if not parts:
            raise NoPart("This is an export of a period: name the one before it as well (--since).")
        with _joined([*parts, name]) as made:
            yield made


def _begins_at(name: str) -> int:
    """How many rows stand before it."""
    with open(name, "rb") as file:
        file.readline()
        said = continued(file.readline())
    return said.rows if said is not None else 0


@contextmanager
def _joined(names: Sequence[str]) -> Iterator[IO[bytes]]:
    """One behind the other. A file with a name: the verifier's other processes open it by that."""
    with tempfile.TemporaryDirectory() as folder:
        made = names[0]
        for number, name in enumerate(names[1:]):
            longer = os.path.join(folder, str(number))
            with open(name, "rb") as part, open(made, "rb") as old, open(longer, "wb") as to:
                to.writelines(joined(part, old))
            if made != names[0]:
                os.unlink(made)
            made = longer
        with open(made, "rb") as whole_export:
            yield whole_export
