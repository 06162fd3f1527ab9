"""Sealing: rows whose transactions have all ended, in order, into the tree; its head signed (decision 5).

The balances are rolled up in the same transaction and to the same boundary, so that "as of the last seal" means one
thing. One sealer at a time, by an advisory lock; everybody else goes on posting. A process that is not the sealer's has
neither the key nor the privilege (decision 18): there, to seal is to wake the sealer.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from kernel import locks
from kernel.actors import Actor, system
from kernel.hand_over import ACCEPTANCE, HAND_OVER, HandOver
from kernel.locks import Lock
from kernel.merkle import Tree
from kernel.refusal import Conflict
from ledger import keys
from ledger.acts import FirstKey, KeyDestroyed, KeyHandedOver
from ledger.log import write_act
from ledger.models import Act, Leaves, Node, Seal
from ledger.rows import LEAVES
from ledger.statements import NO_SEAL, Sealed, origin_of
from ledger.transport import Away
from ledger.wake_sealer import say_sealed, wake_and_wait, wake_sealer
from ledger.witnesses import offered_witness

SEALER = system("sealer")

_LEAVES = f"SELECT count(*), string_agg(leaf, ''::bytea ORDER BY tx, id) FROM ({LEAVES}) leaves"  # noqa: S608

_ROLL_UP = """
    INSERT INTO ledger_balance AS b (account_id, debits, credits)
    SELECT account, sum(debits), sum(credits)
    FROM (
        SELECT debit_id AS account, amount AS debits, 0 AS credits
        FROM ledger_transfer WHERE tx >= %(since)s AND tx < %(upto)s
        UNION ALL
        SELECT credit_id, 0, amount FROM ledger_transfer WHERE tx >= %(since)s AND tx < %(upto)s
    ) moves
    GROUP BY account ORDER BY account
    ON CONFLICT (account_id) DO UPDATE SET
        debits = b.debits + excluded.debits, credits = b.credits + excluded.credits
"""


_BEHIND = """
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint < coalesce((SELECT max(tx_upto) FROM ledger_seal), 0)
"""
RESTORED = (
    "The database counts transactions from below the last seal: it was restored from a dump into a new server. Move "
    "its counter past the seal with pg_resetwal before anything is sold."
)


class CannotSeal(Exception):
    """Something people must look at: nothing is sealed until they have."""


def refuse_restored_dump() -> None:
    """Before anything is written or sold: what a database below its own last seal takes in would never be counted."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND)
        if cursor.fetchone()[0]:
            raise CannotSeal(RESTORED)


def begin_log() -> None:
    """The log's first key, and the witness that it begins with. Once a log; before anything is sealed."""
    if has_begun():
        return
    try:
        witness = offered_witness()
    except Away as away:
        raise CannotSeal(f"The log begins with its witness, and that is not there: {away}") from None
    with transaction.atomic():
        locks.hold(Lock.SEALER)
        if not has_begun():
            key = keys.newest()
            write_act(FirstKey(key=key.fingerprint, public=key.public, witness=witness), by=SEALER)


def seal() -> Seal | None:
    """Seal what can be sealed. None if there is nothing new, if another sealer is at it this moment, or if this
    process is not the sealer's and woke it."""
    if not settings.SEALS:
        wake_sealer()
        return None
    begin_log()
    with transaction.atomic():
        made = _seal() if locks.try_hold(Lock.SEALER) else None
    return _after(made)


def seal_now() -> Seal | None:
    """Seal what can be sealed, waiting for a sealer at work. At the close of a game, and before an export."""
    if not settings.SEALS:
        return wake_and_wait()
    begin_log()
    with transaction.atomic():
        locks.hold(Lock.SEALER)
        made = _seal()
    return _after(made)


def rotate_key(*, by: Actor) -> str:
    """Hand over to a new key, whose fingerprint comes back: signed and sealed by the old one, accepted by the new."""
    with transaction.atomic():
        locks.hold(Lock.SEALER)
        before = last_seal()
        if Act.objects.filter(kind=KeyHandedOver.kind, tx__gte=before.tx_upto if before else 0).exists():
            raise Conflict("hand-over-not-sealed", "The last hand-over is not sealed yet: try again in a few seconds.")
        old = key_after(before)
        new = keys.successor(old.fingerprint)
        statement = HandOver(old.fingerprint, new.public).statement()
        handed_over = KeyHandedOver(
            key=new.fingerprint,
            from_=old.fingerprint,
            public=new.public,
            signature=old.sign(HAND_OVER, statement),
            acceptance=new.sign(ACCEPTANCE, statement),
        )
        write_act(handed_over, by=by)
    seal_now()
    return new.fingerprint


def retire_keys() -> None:
    """Destroy the private halves of all keys but the one in force. Once a seal covers a hand-over, the key before it
    signs nothing any more. Also at the sealer's start: it may have been killed in between."""
    named = list(_keys_under(last_seal()).values_list("subject", flat=True))
    told = set(Act.objects.filter(kind=KeyDestroyed.kind).values_list("subject", flat=True))
    for subject in named[:-1]:
        if keys.destroy(subject.removeprefix("key:")) and subject not in told:
            write_act(KeyDestroyed(key=subject.removeprefix("key:")), by=SEALER)


def _after(made: Seal | None) -> Seal | None:
    if made is not None and key_name_after(made) != made.key:
        retire_keys()
    return made


def statement_of(seal: Seal, *, origin: str = "") -> Sealed:
    """What a seal says; *origin* of the log, where many are asked about."""
    return Sealed(
        origin=origin or log_origin(),
        number=seal.number,
        at=seal.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        size=seal.size,
        tx_upto=seal.tx_upto,
        root=bytes(seal.root),
        previous=bytes(seal.previous),
    )


def has_begun() -> bool:
    """Whether the log has its first key."""
    return Act.objects.filter(kind=FirstKey.kind).exists()


def log_origin() -> str:
    """The log's name in the world: of its first key, so that no two logs share one."""
    first = Act.objects.filter(kind=FirstKey.kind).order_by("id").values_list("subject", flat=True)[0]
    return origin_of(first.removeprefix("key:"))


def seal_over(tx: int) -> Seal | None:
    """The seal that covers the rows of this transaction."""
    found = Seal.objects.filter(tx_upto__gt=tx).order_by("tx_upto").first()
    return found if found is not None and found.tx_from <= tx else None


def seal_of_size(size: int) -> Seal:
    """The seal under which the log has so many rows."""
    return Seal.objects.filter(first__lt=size).order_by("-first")[0]


def last_seal() -> Seal | None:
    return Seal.objects.order_by("-number").first()


def _seal() -> Seal | None:
    before = last_seal()
    since = before.tx_upto if before else 0
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
                      pg_snapshot_xmax(pg_current_snapshot())::text::bigint"""
        )
        upto, next_tx = cursor.fetchone()
        if next_tx < since:
            raise CannotSeal(RESTORED)
        if upto <= since:
            return None
        # A later snapshot than the one that gave the boundary: everything below it has ended and is visible.
        boundary = {"since": since, "upto": upto}
        cursor.execute("SET LOCAL work_mem = '64MB'")
        cursor.execute(_LEAVES, boundary)
        count, leaves = cursor.fetchone()
        if not count:
            return None
        key = key_after(before)
        nodes: list[Node] = []
        tree = Tree.from_bytes(bytes(before.frontier)) if before else Tree()
        tree.keep = lambda level, index, digest: nodes.append(Node(level=level, index=index, hash=digest))
        first = tree.size
        tree.extend(leaves)
        Node.objects.bulk_create(nodes, batch_size=10_000)
        cursor.execute(_ROLL_UP, boundary)
    new = Seal(
        number=before.number + 1 if before else 1,
        at=datetime.now(UTC),
        tx_from=since,
        tx_upto=upto,
        first=first,
        size=tree.size,
        root=tree.root(),
        frontier=tree.to_bytes(),
        previous=statement_of(before).digest() if before else NO_SEAL,
        key=key.fingerprint,
    )
    new.signature = key.sign(b"", statement_of(new).text().encode())
    new.save(force_insert=True)
    Leaves.objects.create(seal=new, hashes=leaves)
    say_sealed()
    return new


def key_after(before: Seal | None) -> keys.SigningKey:
    """The key the log says comes next."""
    named = key_name_after(before)
    assert named is not None  # the log has begun
    return keys.load(named)


def key_name_after(before: Seal | None) -> str | None:
    """The last key handed over to under a seal, else the first."""
    last = _keys_under(before).values_list("subject", flat=True).last()
    return last.removeprefix("key:") if last is not None else None


def _keys_under(seal: Seal | None) -> QuerySet[Act]:
    """The first key, and every one handed over to under the seal, in the order of the log."""
    handed_over = Q(kind=KeyHandedOver.kind, tx__lt=seal.tx_upto if seal else 0)
    return Act.objects.filter(Q(kind=FirstKey.kind) | handed_over).order_by("tx", "id")
