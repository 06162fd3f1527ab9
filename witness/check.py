"""The whole journal read again from its first line: every hash, every signature, every number. ``--check`` does it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kernel.notes import Note, NoteError
from kernel.questions import FIRST_LINK, Link
from witness.journal import Journal
from witness.keys import Keys
from witness.trouble import MemoryLost


@dataclass(frozen=True, slots=True)
class Checked:
    lines: int
    heads: int
    answers: int


def check(folder: Path, keys: Keys) -> Checked:
    """Raises MemoryLost at the first line that is not as it should be."""
    journal = Journal(folder / "journal")
    heads, number, digest = 0, 0, FIRST_LINK
    try:
        for place, fact in journal.read_on():
            head = fact if fact["kind"] == "head" else fact.get("head")
            if head:
                heads += 1
                _check_head(head["note"], keys, line=place.n)
            if fact["kind"] == "answer":
                link = Link.from_json(fact["link"])
                right = link.is_right(public=keys.cosigner.public, rsa=keys.rsa_public)
                if not right or (link.number, link.previous) != (number + 1, digest):
                    raise MemoryLost(f"Line {place.n}: answer {link.number} is not the one that was given.")
                number, digest = link.number, link.digest()
        return Checked(journal.last.n, heads, number)
    finally:
        journal.close()


def _check_head(text: str, keys: Keys, *, line: int) -> None:
    try:
        signed = Note.parse(text.encode()).signed_by(keys.cosigner)
    except NoteError:
        signed = None
    if signed is None:
        raise MemoryLost(f"Line {line}: the head was not cosigned by this witness.")
