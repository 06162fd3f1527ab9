"""The sealed list as a tree: its root computed again before the draw, and the way from a drawn entry to it.

A million leaves are read as one buffer and hashed once; a path is served from the tiles kept on the way
(`ledger.merkle.Tree`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.db import connection

from ledger.merkle import HASH_SIZE, TILE_LEVEL, Tree, inclusion_proof, node_hash
from promotions.models import Entry
from promotions.seal import packed_leaves

_BY_LEAF: Final = """
    SELECT id, leaf FROM promotions_entry WHERE promotion_id = %s AND withdrawn_at IS NULL AND leaf = ANY(%s::bytea[])
"""


class ListTree:
    """The list of a promotion as it stands in the database now. Entries are numbered from 1, as they are drawn."""

    def __init__(self, promotion_id: int) -> None:
        self.promotion_id = promotion_id
        self._leaves = memoryview(b"".join(packed_leaves(promotion_id)))
        self._tiles: dict[tuple[int, int], bytes] = {}
        tree = Tree(keep=lambda level, index, digest: self._tiles.__setitem__((level, index), digest))
        tree.extend(self._leaves)
        self.root, self.count = tree.root(), tree.size

    def leaf(self, number: int) -> bytes:
        return self._leaves[(number - 1) * HASH_SIZE : number * HASH_SIZE].tobytes()

    def entries(self, numbers: Sequence[int]) -> Mapping[int, Entry]:
        """The entries with these numbers, found by their leaves: no two are alike, for each names its own entry."""
        leaves = {self.leaf(number): number for number in numbers}
        with connection.cursor() as cursor:
            cursor.execute(_BY_LEAF, [self.promotion_id, list(leaves)])
            found = {leaves[bytes(leaf)]: entry for entry, leaf in cursor.fetchall()}
        entries = Entry.objects.in_bulk(found.values())
        return {number: entries[entry] for number, entry in found.items()}

    def path(self, number: int) -> list[bytes]:
        """The neighbours that lead from the entry to the root."""
        return inclusion_proof(number - 1, self.count, self._node)

    def _node(self, level: int, index: int) -> bytes:
        """A complete subtree: a leaf, a tile, or hashed from the nearest of them below."""
        if level == 0:
            return self.leaf(index + 1)
        if (level, index) in self._tiles:
            return self._tiles[level, index]
        below = (level - 1) // TILE_LEVEL * TILE_LEVEL
        row = [self._node(below, each) for each in range(index << (level - below), (index + 1) << (level - below))]
        while len(row) > 1:
            row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
        return row[0]
