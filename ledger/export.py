"""The audit export: the whole sealed log as JSON lines that anybody can check without us (``python -m verify``).

{"export":{…},"signature":"…"}                         what this is, the first sealing key, and which key signs this
{"n":0,"leaf":"…","row":{…}}                           every row, in sealed order, with the hash of its bytes
{"seal":"…"}                                           after the rows it seals: a signed note, as others read it
{"balance":{"account":"…","debits":…,…}}               every account's totals as of the last seal, by code
{"attached":"…",…}                                     what rooms offer as an ``Attachment``; not sealed itself
{"end":{"rows":…,"seals":…,"head":"…","key":"…","contents":"…"},"signature":"…"}   the last seal, which key seals next,
                                                       and the SHA-256 of all lines of seals, balances, attachments

One of a period (``after``) leaves out the rows and seals that the reader has, and says so in its second line
(``ledger/parts.py``).

Whoever writes it has no sealing key: beginning and end are signed by the export key, which the sealed log announces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import IO, Any

from django.db import connection, transaction
from django.db.models.functions import Collate

from kernel.actors import Actor
from kernel.canonical import canonical
from kernel.hand_over import fingerprint
from kernel.merkle import leaf_hash
from kernel.refusal import Conflict
from kernel.rooms import offered
from ledger.acts import FirstKey
from ledger.announce import EXPORT, is_announced
from ledger.checkpoints import Notes
from ledger.keys import SigningKey, signing
from ledger.models import Act, Balance, Seal
from ledger.parts import Continued, Cut
from ledger.progress import progress
from ledger.rows import ROWS
from ledger.seal import key_name_after, last_seal, statement_of
from ledger.separation import separation
from ledger.statements import BEGIN, END, VERSION

TELL_EVERY = 5000  # rows


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a room adds to an export beside the sealed rows."""

    name: str
    lines: Callable[[], Iterator[dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Exported:
    rows: int
    seals: int
    head: str


@transaction.atomic
def export(*, to: IO[bytes], by: Actor, venue: str, after: Cut | None = None) -> Exported:
    """Write everything sealed so far, from one snapshot of the database; or what was sealed *after* a cut. Memory stays
    flat."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    head = last_seal()
    if head is None:
        raise Conflict("nothing-sealed", "Nothing has been sealed yet: there is nothing to export.")
    first = Act.objects.filter(kind=FirstKey.kind).order_by("id").values_list("data", flat=True)[0]
    key = signing(EXPORT)
    if not is_announced(key, EXPORT, under=head.tx_upto):
        raise Conflict("key-not-announced", "The key that signs exports is not in the sealed log yet: start the house.")
    attachments = offered(Attachment)
    about = {
        "version": VERSION,
        "venue": venue,
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "by": by.identity,
        "first_key": first["public"],
        "first_key_name": fingerprint(bytes.fromhex(first["public"])),
        "signed_by": key.fingerprint,
        "separation": separation(),
        "unit": "micro-dollars",
        "attached": [attachment.name for attachment in attachments],
    }
    to.write(_signed("export", about, BEGIN, key))
    if after is not None:
        to.write(Continued(after.rows, after.note).line())
    contents = sha256()

    def write(line: bytes) -> None:
        """What no seal covers, its signatures included: the signed end does."""
        contents.update(line)
        to.write(line)

    with progress("exporting", head.size) as tell:
        begun = _Skipped(contents.update, after) if after is not None else None
        rows, seals = _write_log(to.write, write, head, tell, begun)
    totals = Balance.objects.select_related("account").order_by(Collate("account__code", "C")).iterator(chunk_size=2000)
    for total in totals:
        line = {
            "account": total.account.code,
            "debits": total.debits.micros,
            "credits": total.credits.micros,
        }
        write(canonical({"balance": line}) + b"\n")
    for attachment in attachments:
        for part in attachment.lines():
            write(canonical({"attached": attachment.name, **part}) + b"\n")
    end = {
        "rows": rows,
        "seals": seals,
        "head": statement_of(head).digest().hex(),
        "key": key_name_after(head),
        "contents": contents.hexdigest(),
    }
    to.write(_signed("end", end, END, key))
    return Exported(rows, seals, str(end["head"]))


def _signed(name: str, statement: dict[str, object], purpose: bytes, key: SigningKey) -> bytes:
    return canonical({name: statement, "signature": key.sign(purpose, canonical(statement)).hex()}) + b"\n"


class _Skipped:
    """The seals that the reader has: they count, and are not written."""

    def __init__(self, count: Callable[[bytes], object], after: Cut) -> None:
        self.count, self.after = count, after

    def pass_over(self, seals: Iterator[Seal], notes: Notes) -> tuple[Seal, int]:
        """The last of them, and how many. Refuses an export that is not of this log, or that was altered."""
        last = Seal.objects.filter(size=self.after.rows).order_by("number")
        number = next((each.number for each in last if str(notes.of(each)) == self.after.note), None)
        total = Seal.objects.filter(number__lte=number).count() if number is not None else 0
        digest = sha256()
        for at, seal in enumerate(seals if number is not None else (), 1):
            line = canonical({"seal": str(notes.of(seal))}) + b"\n"
            self.count(line)
            if at > total - self.after.seals:
                digest.update(line)
            if seal.number == number and digest.hexdigest() == self.after.digest:
                return seal, at
            if seal.number == number:
                break
        raise Conflict("not-this-log", "That is no export of this log as it is now: export the whole.")


def _write_log(
    write: Callable[[bytes], object],
    write_seal: Callable[[bytes], object],
    head: Seal,
    tell: Callable[[int], None],
    begun: _Skipped | None = None,
) -> tuple[int, int]:
    """Rows in order, each seal after the last row of its transactions. Whether they fit is for the verifier to say."""
    notes = Notes()
    seals = Seal.objects.select_related("cosignature").order_by("number").iterator(chunk_size=1000)
    position = sealed = since = 0
    if begun is not None:
        last, sealed = begun.pass_over(seals, notes)
        position, since = last.size, last.tx_upto
    rows = _rows(since, head.tx_upto)
    tx, text = next(rows, (head.tx_upto, ""))
    for seal in seals:
        while tx < seal.tx_upto:
            row = text.encode()
            write(b'{"n":%d,"leaf":"%s","row":%s}\n' % (position, leaf_hash(row).hex().encode(), row))
            position += 1
            if position % TELL_EVERY == 0:  # one seal may hold an evening
                tell(position)
            tx, text = next(rows, (head.tx_upto, ""))
        write_seal(canonical({"seal": str(notes.of(seal))}) + b"\n")
        sealed += 1
        tell(position)
    return position, sealed


def _rows(since: int, upto: int) -> Iterator[tuple[int, str]]:
    """All rows between two boundaries in sealed order, through a cursor on the server."""
    database: Any = connection.connection
    with database.cursor(name="audit_export") as cursor:
        cursor.itersize = 5000
        cursor.execute(f"SELECT tx, row FROM ({ROWS}) rows ORDER BY tx, id", {"since": since, "upto": upto})  # noqa: S608
        yield from cursor
