"""The audit trail taken away: exports and their verification as long work, and the proof of one row, step by step."""

from __future__ import annotations

import json
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import transaction
from django.http import FileResponse, HttpResponseBase
from django.shortcuts import render

from console import audit_work
from console.acts import ExportTaken
from console.permissions import EXPORT
from console.steps import audit_steps
from house.log import record_act
from house.pages import work as shown_work
from house.permissions import VIEW_AUDIT
from kernel.merkle import check_inclusion, inclusion_steps, leaf_hash
from kernel.refusal import NotFound
from ledger.models import Seal
from ledger.proofs import prove_row
from ledger.queries import public_key
from ledger.seal import statement_of
from web import work
from web.models import Work
from web.page import Visit, done, page, show

WORK_SHOWN = 20


@page(EXPORT)
def listing(request: Visit) -> HttpResponseBase:
    return show(
        request, "console/audit/exports.html", here="exports", audit_steps=audit_steps(request.actor), **_works()
    )


@page(EXPORT, poll=True)
def live(request: Visit) -> HttpResponseBase:
    return render(request, "console/audit/_exports.html", _works())


def _works() -> dict[str, Any]:
    rows = shown_work.described(work.latest(audit_work.EXPORT, audit_work.VERIFY)[:WORK_SHOWN])
    exports = [row for row in rows if row.kind == audit_work.EXPORT]
    checks = [row for row in rows if row.kind == audit_work.VERIFY]
    for row in exports:
        row.checks = [check for check in checks if check.asked.get("export") == row.pk]
        row.size = (work.folder() / row.file).stat().st_size if row.file and _there(row) else 0
        row.busy = any(not check.is_over for check in row.checks)
    return {"exports": exports, "running": any(not row.is_over for row in rows)}


def _there(row: Work) -> bool:
    return (work.folder() / row.file).is_file()


@page(EXPORT, post=True)
def begin(request: Visit) -> HttpResponseBase:
    begun = work.begin(kind=audit_work.EXPORT, by=request.actor)
    return done(request, f"Export {begun.pk} is on its way. You may leave this page.", "exports")


@page(EXPORT, post=True)
def verify(request: Visit, number: int) -> HttpResponseBase:
    audit_work.exported(number)
    work.begin(kind=audit_work.VERIFY, by=request.actor, asked={"export": number})
    return done(request, f"Export {number} is being verified.", "exports")


@page(EXPORT, post=True)
def cancel(request: Visit, number: int) -> HttpResponseBase:
    if work.find(number).kind not in (audit_work.EXPORT, audit_work.VERIFY):
        raise NotFound("no-such-work", f"There is no export {number}.")
    cancelled = work.cancel(number=number, by=request.actor)
    said = "is cancelled" if cancelled.is_over else "stops at its next step"
    return done(request, f"{work.kinds()[cancelled.kind].label} {number} {said}.", "exports")


@page(EXPORT)
def file(request: Visit, number: int) -> HttpResponseBase:
    """Whole and signed: what an inspector takes home. Who took it is on record."""
    export = audit_work.exported(number)
    opened = (work.folder() / export.file).open("rb")
    with transaction.atomic():
        record_act(ExportTaken(work=number), by=request.actor)
    return FileResponse(opened, as_attachment=True, filename=export.file, content_type="application/jsonl")


@page(VIEW_AUDIT)
def proof(request: Visit, row: int) -> HttpResponseBase:
    """That a row stands in the log under the latest seal: every hash from the row to the signature, computed here."""
    proved = prove_row(row=row)
    leaf, root = leaf_hash(proved.row.encode()), bytes(proved.seal.root)
    steps = list(inclusion_steps(leaf, proved.position, proved.seal.size, proved.path))
    return show(
        request,
        "console/audit/proof.html",
        number=row,
        text=proved.row,
        fields=json.loads(proved.row),
        position=proved.position,
        leaf=leaf.hex(),
        steps=[
            {"left": step[0].hex(), "right": step[1].hex(), "parent": step[2].hex(), "added": side}
            for step, side in zip(steps, _added(leaf, steps), strict=True)
        ],
        seal=proved.seal,
        root=root.hex(),
        included=check_inclusion(leaf, proved.position, proved.seal.size, proved.path, root),
        signed=_signed(proved.seal),
        signature=bytes(proved.seal.signature).hex(),
    )


def _added(leaf: bytes, steps: list[tuple[bytes, bytes, bytes]]) -> list[str]:
    """Which side of each step came from the proof: the other is what was known before."""
    known = [leaf, *(parent for _, _, parent in steps)]
    return ["right" if left == own else "left" for (left, _, _), own in zip(steps, known, strict=False)]


def _signed(seal: Seal) -> bool:
    """Whether the key that the log names has signed the seal."""
    public = public_key(seal.key)
    if public is None:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(public)
        key.verify(bytes(seal.signature), statement_of(seal).text().encode())
    except (InvalidSignature, ValueError):
        return False
    return True
