"""Proofs for one row and between two seals, served from the kept tiles of the tree: a few hundred hashes at most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.db import connection

from house.refusal import Conflict, NotFound
from ledger.merkle import HASH_SIZE, TILE_LEVEL, Node, consistency_proof, inclusion_proof, node_hash
from ledger.models import Act, Seal, Transfer
from ledger.models import Node as StoredNode
from ledger.rows import LEAVES, ROWS
from ledger.seal import last_seal

_TILE = 1 << TILE_LEVEL


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That this row stands at this position under the seal. Checked by ``merkle.check_inclusion``."""

    row: str
    position: int
    seal: Seal
    path: list[bytes]


def prove_row(*, row: int) -> Inclusion:
    """Prove a transfer or an act, by its number, against the latest seal."""
    tx = (
        Transfer.objects.filter(id=row).values_list("tx", flat=True).first()
        or Act.objects.filter(id=row).values_list("tx", flat=True).first()
    )
    if tx is None:
        raise NotFound("no-such-row", f"There is no row {row} in the log.")
    head, own = last_seal(), Seal.objects.filter(tx_from__lte=tx, tx_upto__gt=tx).first()
    if head is None or own is None:
        raise Conflict("not-sealed-yet", f"Row {row} is not sealed yet: seals are made every second.")
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT count(*) FILTER (WHERE (tx, id) < (%(tx)s, %(id)s)), max(row) FILTER (WHERE id = %(id)s)
                FROM ({ROWS}) rows""",  # noqa: S608
            {"since": own.tx_from, "upto": own.tx_upto, "tx": tx, "id": row},
        )
        before, text = cursor.fetchone()
    position = own.first + before
    return Inclusion(text, position, head, inclusion_proof(position, head.size, _nodes()))


def prove_consistency(*, older: int, newer: int) -> list[bytes]:
    """Prove that the log under seal *newer* begins with all of that under seal *older*, unchanged."""
    sizes = dict(Seal.objects.filter(number__in=[older, newer]).values_list("number", "size"))
    for number in (older, newer):
        if number not in sizes:
            raise NotFound("no-such-seal", f"There is no seal {number}.")
    if older > newer:
        raise Conflict("seals-out-of-order", f"Seal {older} is not older than seal {newer}.")
    return consistency_proof(sizes[older], sizes[newer], _nodes())


def _nodes() -> Node:
    """The hash of the complete subtree at (level, index), from the tiles kept below it."""

    @cache
    def tile(level: int, index: int) -> list[bytes]:
        """The up to 256 nodes at *level* under the tile *index*, those that exist."""
        if level == 0:
            return _leaves(index * _TILE, (index + 1) * _TILE)
        stored = StoredNode.objects.filter(level=level, index__gte=index * _TILE, index__lt=(index + 1) * _TILE)
        return [bytes(digest) for digest in stored.order_by("index").values_list("hash", flat=True)]

    @cache
    def node(level: int, index: int) -> bytes:
        if level % TILE_LEVEL == 0:
            return tile(level, index // _TILE)[index % _TILE]
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node


def _leaves(begin: int, end: int) -> list[bytes]:
    """The leaf hashes at positions begin to end, from the rows of the seals that hold them."""
    leaves: list[bytes] = []
    with connection.cursor() as cursor:
        for seal in Seal.objects.filter(size__gt=begin, first__lt=end).order_by("number"):
            cursor.execute(
                f"""SELECT string_agg(leaf, ''::bytea ORDER BY tx, id) FROM (
                        SELECT * FROM ({LEAVES}) leaves ORDER BY tx, id OFFSET %(skip)s LIMIT %(take)s
                    ) wanted""",  # noqa: S608
                {
                    "since": seal.tx_from,
                    "upto": seal.tx_upto,
                    "skip": max(0, begin - seal.first),
                    "take": min(end, seal.size) - max(begin, seal.first),
                },
            )
            packed = bytes(cursor.fetchone()[0])
            leaves += [packed[at : at + HASH_SIZE] for at in range(0, len(packed), HASH_SIZE)]
    return leaves
