"""The audit export: the whole sealed log as JSON lines that anybody can check without us (``python -m ledger.verify``).

{"export":{…},"signature":"…"}                         what this is, and the first sealing key
{"n":0,"leaf":"…","row":{…}}                           every row, in sealed order, with the hash of its bytes
{"seal":{…},"signature":"…"}                           after the rows it seals
{"balance":{"account":"…","debits":…,…}}               every account's totals as of the last seal, by code
{"attached":"…",…}                                     what rooms with an ``attachments.py`` add; not sealed itself
{"end":{"rows":…,"seals":…,"head":"…","key":"…"},"signature":"…"}   the last seal, and by which key
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import IO, Any

from django.db import connection, transaction
from django.db.models.functions import Collate

from config.rooms import rooms_with
from house.actors import Actor
from house.refusal import Conflict
from ledger import keys
from ledger.merkle import leaf_hash
from ledger.models import Act, Balance, Seal
from ledger.progress import progress
from ledger.rows import ROWS
from ledger.seal import key_after, last_seal, statement_of
from ledger.statements import BEGIN, END, canonical, fingerprint, seal_hash

TELL_EVERY = 5000  # rows


@dataclass(frozen=True, slots=True)
class Exported:
    rows: int
    seals: int
    head: str


@transaction.atomic
def export(*, to: IO[bytes], by: Actor, venue: str) -> Exported:
    """Write everything sealed so far, from one snapshot of the database. Memory stays flat."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    head = last_seal()
    if head is None:
        raise Conflict("nothing-sealed", "Nothing has been sealed yet: there is nothing to export.")
    first = Act.objects.filter(kind=keys.FIRST_KEY).order_by("id").values_list("data", flat=True)[0]
    key = key_after(head)
    attachments = [import_module(f"{room}.attachments") for room in rooms_with("attachments")]
    about = {
        "version": 1,
        "venue": venue,
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "by": by.identity,
        "first_key": first["public"],
        "first_key_name": fingerprint(bytes.fromhex(first["public"])),
        "unit": "micro-dollars",
        "attached": [attachment.NAME for attachment in attachments],
    }
    to.write(_signed("export", about, BEGIN, key))
    with progress("exporting", head.size) as tell:
        rows, seals = _write_log(to.write, head, tell)
    totals = Balance.objects.select_related("account").order_by(Collate("account__code", "C")).iterator(chunk_size=2000)
    for total in totals:
        line = {
            "account": total.account.code,
            "debits": total.debits.micros,
            "credits": total.credits.micros,
            "pending_debits": total.pending_debits.micros,
            "pending_credits": total.pending_credits.micros,
        }
        to.write(canonical({"balance": line}) + b"\n")
    for attachment in attachments:
        for part in attachment.lines():
            to.write(canonical({"attached": attachment.NAME, **part}) + b"\n")
    end = {
        "rows": rows,
        "seals": seals,
        "head": seal_hash(statement_of(head)).hex(),
        "key": key.fingerprint,
    }
    to.write(_signed("end", end, END, key))
    return Exported(rows, seals, str(end["head"]))


def _signed(name: str, statement: dict[str, Any], purpose: bytes, key: keys.SealingKey) -> bytes:
    return canonical({name: statement, "signature": key.sign(purpose, canonical(statement)).hex()}) + b"\n"


def _write_log(write: Callable[[bytes], object], head: Seal, tell: Callable[[int], None]) -> tuple[int, int]:
    """Rows in order, each seal after the last row of its transactions. Whether they fit is for the verifier to say."""
    rows = _rows(head.tx_upto)
    tx, text = next(rows, (head.tx_upto, ""))
    position = sealed = 0
    for seal in Seal.objects.order_by("number").iterator(chunk_size=1000):
        while tx < seal.tx_upto:
            row = text.encode()
            write(b'{"n":%d,"leaf":"%s","row":%s}\n' % (position, leaf_hash(row).hex().encode(), row))
            position += 1
            if position % TELL_EVERY == 0:  # one seal may hold an evening
                tell(position)
            tx, text = next(rows, (head.tx_upto, ""))
        write(canonical({"seal": statement_of(seal), "signature": bytes(seal.signature).hex()}) + b"\n")
        sealed += 1
        tell(position)
    return position, sealed


def _rows(upto: int) -> Iterator[tuple[int, str]]:
    """All rows below a boundary in sealed order, through a cursor on the server."""
    database: Any = connection.connection
    with database.cursor(name="audit_export") as cursor:
        cursor.itersize = 5000
        cursor.execute(f"SELECT tx, row FROM ({ROWS}) rows ORDER BY tx, id", {"since": 0, "upto": upto})  # noqa: S608
        yield from cursor
