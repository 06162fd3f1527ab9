"""Sealing: rows whose transactions have all ended, in order, into the tree; its head signed (decision 5).

The balances are rolled up in the same transaction and to the same boundary, so that "as of the last seal" means one
thing. One sealer at a time, by an advisory lock; everybody else goes on posting.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from house import acts
from house.actors import Actor, system
from house.refusal import Conflict
from ledger import keys
from ledger.merkle import Tree
from ledger.models import Act, Node, Seal
from ledger.rows import LEAVES
from ledger.statements import ACCEPTANCE, HAND_OVER, NO_SEAL, SEAL, canonical, seal_hash, seal_statement

SEALER = system("sealer")
_LOCK = 0x5EA1  # one number for the cluster of workers: whoever holds it seals

_LEAVES = f"SELECT count(*), string_agg(leaf, ''::bytea ORDER BY tx, id) FROM ({LEAVES}) leaves"  # noqa: S608

_ROLL_UP = """
    INSERT INTO ledger_balance AS b (account_id, debits, credits, pending_debits, pending_credits)
    SELECT account, sum(debits), sum(credits), sum(pending_debits), sum(pending_credits)
    FROM (
        SELECT debit_id AS account,
               CASE WHEN phase IN ('posted', 'post') THEN amount ELSE 0 END AS debits, 0 AS credits,
               CASE phase WHEN 'pending' THEN amount WHEN 'posted' THEN 0 ELSE -amount END AS pending_debits,
               0 AS pending_credits
        FROM ledger_transfer WHERE tx >= %(since)s AND tx < %(upto)s
        UNION ALL
        SELECT credit_id, 0, CASE WHEN phase IN ('posted', 'post') THEN amount ELSE 0 END, 0,
               CASE phase WHEN 'pending' THEN amount WHEN 'posted' THEN 0 ELSE -amount END
        FROM ledger_transfer WHERE tx >= %(since)s AND tx < %(upto)s
    ) moves
    GROUP BY account ORDER BY account
    ON CONFLICT (account_id) DO UPDATE SET
        debits = b.debits + excluded.debits, credits = b.credits + excluded.credits,
        pending_debits = b.pending_debits + excluded.pending_debits,
        pending_credits = b.pending_credits + excluded.pending_credits
"""


class CannotSeal(Exception):
    """Something people must look at: nothing is sealed until they have."""


def seal() -> Seal | None:
    """Seal what can be sealed. None if there is nothing new, or if another sealer is at it this moment."""
    with transaction.atomic():
        if not _try_lock():
            return None
        return _seal()


def seal_now() -> Seal | None:
    """Seal what can be sealed, waiting for a sealer at work. At the close of a game, and before an export."""
    with transaction.atomic():
        _lock()
        return _seal()


def rotate_key(*, by: Actor) -> str:
    """Hand over to a new key, whose fingerprint comes back: signed and sealed by the old one, accepted by the new."""
    with transaction.atomic():
        _lock()
        before = last_seal()
        if Act.objects.filter(kind=keys.HAND_OVER_KEY, tx__gte=before.tx_upto if before else 0).exists():
            raise Conflict("hand-over-not-sealed", "The last hand-over is not sealed yet: try again in a few seconds.")
        old = key_after(before)
        new = keys.make()
        statement = canonical({"from": old.fingerprint, "to": new.public.hex()})
        acts.record(
            kind=keys.HAND_OVER_KEY,
            subject=f"key:{new.fingerprint}",
            by=by,
            data={
                "from": old.fingerprint,
                "public": new.public.hex(),
                "signature": old.sign(HAND_OVER, statement).hex(),
                "acceptance": new.sign(ACCEPTANCE, statement).hex(),
            },
        )
    seal_now()
    return new.fingerprint


def statement_of(seal: Seal) -> dict[str, Any]:
    return seal_statement(
        number=seal.number,
        at=seal.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        size=seal.size,
        tx_upto=seal.tx_upto,
        root=bytes(seal.root),
        previous=bytes(seal.previous),
        key=seal.key,
    )


def last_seal() -> Seal | None:
    return Seal.objects.order_by("-number").first()


def _try_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        return bool(cursor.fetchone()[0])


def _lock() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


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
            raise CannotSeal(
                "The database counts transactions from below the last seal: it was restored from a dump into a new "
                "server. Move its counter past the seal with pg_resetwal before anything is sold."
            )
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
        previous=seal_hash(statement_of(before)) if before else NO_SEAL,
        key=key.fingerprint,
    )
    new.signature = key.sign(SEAL, canonical(statement_of(new)))
    new.save(force_insert=True)
    return new


def key_after(before: Seal | None) -> keys.SealingKey:
    """The key the log says comes next: the last one handed over to under a seal, else the first."""
    named = Act.objects.filter(
        Q(kind=keys.FIRST_KEY) | Q(kind=keys.HAND_OVER_KEY, tx__lt=before.tx_upto if before else 0)
    )
    last = named.order_by("-tx", "-id").values_list("subject", flat=True).first()
    if last is not None:
        return keys.load(last.removeprefix("key:"))
    key = keys.make()
    acts.record(kind=keys.FIRST_KEY, subject=f"key:{key.fingerprint}", by=SEALER, data={"public": key.public.hex()})
    return key
