"""The audit trail as long work: written to a file, and a file verified as a stranger would (``house.work``)."""

from __future__ import annotations

from typing import Any, Final

from house import work
from house.actors import Actor
from house.models import Venue, Work
from house.refusal import Conflict
from ledger.export import export
from ledger.permissions import EXPORT as MAY_EXPORT
from ledger.progress import progress, told_to
from ledger.seal import seal_now
from ledger.verify import Verifier, Wrong
from ledger.verify_rows import lines_of


def _export(asked: Work, tell: work.Tell) -> str:
    seal_now()
    name = Venue.objects.values_list("name", flat=True).get()
    by = Actor(identity=asked.made_by, name=asked.made_by)
    with work.making(asked, f"audit-{asked.pk}.jsonl") as file, told_to(tell):
        made = export(to=file, by=by, venue=name)
    return f"{made.rows:,} rows under {made.seals:,} seals. Head {made.head}."


def _verify(asked: Work, tell: work.Tell) -> str:
    source = exported(asked.asked["export"])
    with (work.folder() / source.file).open("rb") as file, told_to(tell):
        size = (work.folder() / source.file).stat().st_size
        verifier = Verifier()
        try:
            # In this process alone: a worker's child may not have children.
            with progress("verifying", size) as told:
                verifier.read(lines_of(file, told))
        except Wrong as wrong:
            raise Conflict("export-wrong", f"WRONG at {wrong}") from wrong
    found = verifier.result
    said = (
        f"Right: {found.rows:,} rows, {found.seals:,} seals, {found.accounts:,} accounts, every balance to the "
        f"micro-dollar; signed by key {found.last_key}."
    )
    return " ".join([said, *found.rooms])


EXPORT: Final = work.kind("audit.export", label="Export", permission=MAY_EXPORT, run=_export)
VERIFY: Final = work.kind("audit.verify", label="Verification", permission=MAY_EXPORT, run=_verify)


def exported(number: Any) -> Work:
    """An export whose file is there."""
    found = work.find(number)
    if found.kind != EXPORT or not found.file or not (work.folder() / found.file).is_file():
        raise Conflict("no-file", f"The file of export {number} is not here (any more). Make another.")
    return found
