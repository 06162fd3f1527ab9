"""The audit trail as long work: written to a file, and a file verified as a stranger would (``web.work``)."""

from __future__ import annotations

from typing import Any, Final

from console.permissions import EXPORT as MAY_EXPORT
from house.venue import venue
from kernel.actors import Actor
from kernel.refusal import Conflict
from ledger.export import export
from ledger.offline_check import ExportWrong, check_export
from ledger.progress import told_to
from ledger.seal import seal_now
from web import work
from web.models import Work


def _export(asked: Work, tell: work.Tell) -> str:
    seal_now()
    by = Actor(identity=asked.made_by, name=asked.made_by)
    with work.making(asked, f"audit-{asked.pk}.jsonl") as file, told_to(tell):
        made = export(to=file, by=by, venue=venue().name)
    return f"{made.rows:,} rows under {made.seals:,} seals. Head {made.head}."


def _verify(asked: Work, tell: work.Tell) -> str:
    source = exported(asked.asked["export"])
    try:
        found = check_export(work.folder() / source.file, tell=tell)
    except ExportWrong as wrong:
        raise Conflict("export-wrong", f"WRONG at {wrong}") from wrong
    said = (
        f"Right: {found.rows:,} rows, {found.seals:,} seals, {found.accounts:,} accounts, every balance to the "
        f"micro-dollar; signed by key {found.last_key}."
    )
    return " ".join([said, *found.rooms])


EXPORT: Final = work.WorkKind("audit.export", label="Export", permission=MAY_EXPORT, run=_export)
VERIFY: Final = work.WorkKind("audit.verify", label="Verification", permission=MAY_EXPORT, run=_verify)


def exported(number: Any) -> Work:
    """An export whose file is there."""
    found = work.find(number)
    if found.kind != EXPORT or not found.file or not (work.folder() / found.file).is_file():
        raise Conflict("no-file", f"The file of export {number} is not here (any more). Make another.")
    return found
