"""An export of a period: what was sealed after an export that the reader has already.

It is the whole export without the rows and seals that both have, and says where they belong ("continued"). Put back
there (``verify --since OLD``) they make the whole again, byte by byte, and that is what is checked. It is cut at the
last seal in the old one that the witness has cosigned: what stands before that never gets another signature.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Final, NamedTuple

from kernel.canonical import canonical
from kernel.notes import Checkpoint, Note, NoteError

SEAL: Final = b'{"seal":'
CONTINUED: Final = b'{"continued":'


class NoPart(ValueError):
    """Said in a sentence."""


class Cut(NamedTuple):
    """Where an export is cut: after the line of this seal."""

    lines: int  # of the file, up to the seal's
    seals: int  # of those
    rows: int  # under the seal
    note: str
    digest: str  # of the seals' lines


@dataclass(frozen=True, slots=True)
class Continued:
    rows: int
    note: str

    def line(self) -> bytes:
        return canonical({"continued": {"rows": self.rows, "note": self.note}}) + b"\n"


def cut_of(file: IO[bytes]) -> Cut:
    """After the last seal that the witness has cosigned."""
    digest, seals, found = sha256(), 0, None
    for number, line in enumerate(file, 1):
        if not line.startswith(SEAL):
            continue
        digest.update(line)
        seals += 1
        note = _note(line)
        if len(note.signatures) > 1:
            found = Cut(number, seals, Checkpoint.parse(note.text).size, str(note), digest.hexdigest())
    if found is None:
        raise NoPart("There is no seal in it that the witness has cosigned: export the whole.")
    return found


def continued(line: bytes) -> Continued | None:
    """What the second line of an export says, where it is one of a period."""
    if not line.startswith(CONTINUED):
        return None
    try:
        said = json.loads(line)["continued"]
        return Continued(int(said["rows"]), str(said["note"]))
    except (KeyError, TypeError, ValueError) as unreadable:
        raise NoPart("Where this export continues cannot be read.") from unreadable


def _note(line: bytes) -> Note:
    try:
        return Note.parse(json.loads(line)["seal"].encode())
    except (KeyError, TypeError, ValueError, NoteError) as unreadable:
        raise NoPart("This is no export with a seal.") from unreadable


def joined(part: IO[bytes], old: IO[bytes]) -> Iterator[bytes]:
    """The lines of a part with those of the export before it, which may be one that was joined itself."""
    first, second = part.readline(), part.readline()
    said = continued(second)
    assert said is not None
    yield first
    old.readline()
    for line in old:
        if line.startswith(CONTINUED):
            raise NoPart("The export before it is one of a period too: name the ones before that as well (--since).")
        yield line
        if line.startswith(SEAL) and str(_note(line)) == said.note:
            yield from part
            return
    raise NoPart("It continues another export than the one before it: the seal that it names is not there.")
