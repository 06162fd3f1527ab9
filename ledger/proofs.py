"""Proofs for one row and between two seals, served from the kept tiles of the tree: a few hundred hashes at most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.db import connection

from kernel.merkle import (
    HASH_SIZE,
    TILE_LEVEL,
    Node,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    range_root,
)
from kernel.refusal import Conflict, NotFound
from ledger.models import Act, Seal
from ledger.models import Node as StoredNode
from ledger.rows import ROWS
from ledger.seal import last_seal, seal_over

_TILE = 1 << TILE_LEVEL


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That this row stands at this position under the seal. Checked by ``merkle.check_inclusion``."""

    row: str
    position: int
    seal: Seal
    path: list[bytes]


def prove_row(*, row: int, under: Seal | None = None, nodes: Node | None = None) -> Inclusion:
    """Prove a transfer or an act, by its number, against the latest seal or the one given. *nodes*: as read already."""
    tx = _tx_of(row)
    head = under or last_seal()
    own = seal_over(tx)
    if head is None or own is None or own.number > head.number:
        raise Conflict("not-sealed-yet", f"Row {row} is not sealed yet: seals are made every second.")
    before, text = _place_in(own, tx, row)
    position = own.first + before
    return Inclusion(text, position, head, inclusion_proof(position, head.size, nodes or read_nodes()))


def is_as_sealed(act: Act) -> bool:
    """Whether the act, as it stands in the database now, is in the tree. Not sealed yet counts as right."""
    own = seal_over(act.tx)
    if own is None:
        return True
    before, text = _place_in(own, act.tx, act.id)
    path = inclusion_proof(own.first + before, own.size, read_nodes())
    return check_inclusion(leaf_hash(text.encode()), own.first + before, own.size, path, bytes(own.root))


def position_of(row: int) -> int | None:
    """Where a row stands in the tree; None while no seal covers it."""
    tx = _tx_of(row)
    own = seal_over(tx)
    return own.first + _place_in(own, tx, row)[0] if own is not None else None


def is_sealed(row: int) -> bool:
    """Whether a seal covers the row."""
    return seal_over(_tx_of(row)) is not None


_TX = "SELECT tx FROM ledger_act WHERE id = %(id)s UNION ALL SELECT tx FROM ledger_transfer WHERE id = %(id)s"


def _tx_of(row: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_TX, {"id": row})
        found = cursor.fetchone()
    if found is None:
        raise NotFound("no-such-row", f"There is no row {row} in the log.")
    return int(found[0])


_PLACE = f"""
    SELECT (SELECT count(*) FROM ledger_transfer WHERE tx >= %(first)s AND (tx, id) < (%(since)s, %(id)s))
         + (SELECT count(*) FROM ledger_act WHERE tx >= %(first)s AND (tx, id) < (%(since)s, %(id)s)),
           (SELECT row FROM ({ROWS}) rows WHERE id = %(id)s)
"""  # noqa: S608  # assembled from constants


def _place_in(own: Seal, tx: int, row: int) -> tuple[int, str]:
    """How many rows of its seal come before it, and its text."""
    with connection.cursor() as cursor:
        cursor.execute(_PLACE, {"first": own.tx_from, "since": tx, "upto": tx + 1, "id": row})
        before, text = cursor.fetchone()
    return before, text


def prove_consistency(*, older: int, newer: int) -> list[bytes]:
    """Prove that the log under seal *newer* begins with all of that under seal *older*, unchanged."""
    sizes = dict(Seal.objects.filter(number__in=[older, newer]).values_list("number", "size"))
    for number in (older, newer):
        if number not in sizes:
            raise NotFound("no-such-seal", f"There is no seal {number}.")
    if older > newer:
        raise Conflict("seals-out-of-order", f"Seal {older} is not older than seal {newer}.")
    return consistency(old=sizes[older], new=sizes[newer])


def consistency(*, old: int, new: int, nodes: Node | None = None) -> list[bytes]:
    """The same between any two sizes that the sealed log has had. *nodes*: as read already."""
    _check_size(new)
    if not 0 <= old <= new:
        raise NotFound("sizes-out-of-order", f"A log of {new} rows does not continue one of {old}.")
    return consistency_proof(old, new, nodes or read_nodes())


def inclusion(*, index: int, size: int) -> list[bytes]:
    """That the row at this index is in the log of that size."""
    _check_size(size)
    if not 0 <= index < size:
        raise NotFound("no-such-row", f"A log of {size} rows has no row {index}.")
    return inclusion_proof(index, size, read_nodes())


def root_at(size: int) -> bytes:
    """The root over the first rows, as many as that."""
    _check_size(size)
    return range_root(0, size, read_nodes())


def tile(level: int, index: int) -> bytes:
    """As many of the up to 256 hashes of a tile as there are (C2SP's tlog-tiles: level 1 is eight levels up)."""
    return b"".join(_tile(TILE_LEVEL * level, index))


def rows(begin: int, end: int) -> list[str]:
    """The texts of the rows at positions begin to end, as far as the sealed log goes."""
    found: list[str] = []
    with connection.cursor() as cursor:
        for seal in Seal.objects.filter(first__lt=end, size__gt=begin).order_by("first"):
            cursor.execute(
                f"SELECT row FROM ({ROWS}) rows ORDER BY tx, id OFFSET %(skip)s LIMIT %(take)s",  # noqa: S608
                {
                    "since": seal.tx_from,
                    "upto": seal.tx_upto,
                    "skip": max(0, begin - seal.first),
                    "take": min(end, seal.size) - max(begin, seal.first),
                },
            )
            found += [row for (row,) in cursor.fetchall()]
    return found


def _check_size(size: int) -> None:
    head = last_seal()
    if head is None or not 0 < size <= head.size:
        raise NotFound("no-such-size", f"The sealed log has not {size} rows.")


def _tile(level: int, index: int) -> list[bytes]:
    """The up to 256 nodes at *level* (0, 8, 16 …) under the tile *index*, those that exist."""
    if level == 0:
        return _leaves(index * _TILE, (index + 1) * _TILE)
    stored = StoredNode.objects.filter(level=level, index__gte=index * _TILE, index__lt=(index + 1) * _TILE)
    return [bytes(digest) for digest in stored.order_by("index").values_list("hash", flat=True)]


def read_nodes() -> Node:
    """The hash of the complete subtree at (level, index), from the tiles kept below it: each is read once."""
    tile = cache(_tile)

    @cache
    def node(level: int, index: int) -> bytes:
        if level % TILE_LEVEL == 0:
            return tile(level, index // _TILE)[index % _TILE]
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node


_KEPT_LEAVES = """
    SELECT substring(l.hashes FROM (32 * greatest(0, %(begin)s - s.first) + 1)::int
                     FOR (32 * (least(%(end)s, s.size) - greatest(%(begin)s, s.first)))::int)
    FROM ledger_seal s JOIN ledger_leaves l ON l.seal_id = s.number
    WHERE s.first < %(end)s AND s.size > %(begin)s
      AND s.first >= (SELECT coalesce(max(first), 0) FROM ledger_seal WHERE first <= %(begin)s)
    ORDER BY s.first
"""


def _leaves(begin: int, end: int) -> list[bytes]:
    """The leaf hashes at positions begin to end, as far as the sealed log goes."""
    with connection.cursor() as cursor:
        cursor.execute(_KEPT_LEAVES, {"begin": begin, "end": end})
        packed = b"".join(bytes(part) for (part,) in cursor.fetchall())
    return [packed[at : at + HASH_SIZE] for at in range(0, len(packed), HASH_SIZE)]
