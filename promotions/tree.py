"""The list of entries as a tree: read from the rows, its root, and the way from an entry to it.

Whoever seals a list hashes every leaf of it. The hashes of its tiles (`kernel.merkle`: 256 leaves each) are kept beside
the root, under a mark: an HMAC over the root, all the leaves and the tiles, by a key that is not in the database.
Rows that give the same mark again are the sealed ones, and the tiles serve the paths. Rows that do not, because the
list, the root, the tiles or the mark was touched or the key is another, are hashed anew, leaf by leaf, and the root
decides. So nothing written to the database makes another list pass for the sealed one that did not before.
"""

from __future__ import annotations

import hmac
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final, NamedTuple

from chance.select import RecordDiffers
from kernel import keys, prepared
from kernel.merkle import HASH_SIZE, TILE_LEVEL, Node, Tree, inclusion_proof, nodes_of
from promotions import leaves
from promotions.models import Entry, EntryList, SealedTiles

BATCH_LEAVES: Final = 1 << 16
_NUMBER_SIZE: Final = 8

# Packed by the database: a million rows would be a million objects here.
_LEAVES: Final = """
    SELECT max(id), string_agg(leaf, ''::bytea ORDER BY id), string_agg(int8send(id), ''::bytea ORDER BY id) FROM (
        SELECT id, leaf FROM promotions_entry
        WHERE promotion_id = %(promotion)s AND id > %(after)s AND withdrawn_at IS NULL ORDER BY id LIMIT %(most)s
    ) batch
"""


class Packed(NamedTuple):
    """A batch of the list: leaf hashes of 32 bytes each, and the numbers of their entries, 8 bytes each."""

    leaves: bytes
    numbers: bytes


def packed_list(promotion_id: int) -> Iterator[Packed]:
    """Every entry that was not withdrawn, in the order of their numbers."""
    after = 0
    while True:
        asked = {"promotion": promotion_id, "after": after, "most": BATCH_LEAVES}
        ((upto, packed, numbers),) = prepared.execute(_LEAVES, asked, binary=True)
        if upto is None:
            return
        yield Packed(packed, numbers)
        after = upto


def packed_leaves(promotion_id: int) -> Iterator[bytes]:
    return (batch.leaves for batch in packed_list(promotion_id))


@dataclass(frozen=True, slots=True)
class Hashed:
    """What hashing a list gives: its root, and what is kept so that it need not be hashed again."""

    root: bytes
    count: int
    tiles: bytes
    mark: bytes


def hash_list(packed: Iterable[bytes]) -> Hashed:
    """Every leaf, once. Memory stays flat however many have entered."""
    tiles, digest = bytearray(), sha256()

    def keep(level: int, _: int, node: bytes) -> None:
        if level == TILE_LEVEL:
            tiles.extend(node)

    tree = Tree(keep=keep)
    for batch in packed:
        digest.update(batch)
        tree.extend(batch)
    root = tree.root()
    return Hashed(root, tree.size, bytes(tiles), _mark(root, digest.digest(), tiles))


def _mark(root: bytes, all_leaves: bytes, tiles: bytes | bytearray) -> bytes:
    key = sha256(b"meterhouse/promotion-list-key/1:" + keys.secret("promotion-list-key").encode()).digest()
    return hmac.digest(key, root + all_leaves + tiles, "sha256")


class ListDiffers(RecordDiffers):
    """What is on record is not what was sealed; says in a sentence how it is seen."""


class ListTree:
    """The list of a promotion as it stands in the database now. Entries are counted from 1, as they are drawn."""

    def __init__(self, sealed: EntryList) -> None:
        self._sealed = sealed
        batches = list(packed_list(sealed.promotion_id))
        self._leaves = memoryview(b"".join(batch.leaves for batch in batches))
        self._numbers = memoryview(b"".join(batch.numbers for batch in batches))
        self.count = len(self._leaves) // HASH_SIZE
        self._inside: dict[int, Node] = {}
        kept = SealedTiles.objects.filter(entry_list=sealed).first()  # none was kept of the oldest lists
        if kept is not None and _is_marked(sealed, self._leaves, kept):
            self.root, self._tiles = bytes(sealed.root), bytes(kept.tiles)
        else:
            hashed = hash_list([self._leaves.tobytes()])
            self.root, self._tiles = hashed.root, hashed.tiles

    def must_be(self, sealed: EntryList) -> None:
        """Refuse to go on with a list that is not the sealed one."""
        if (self.root, self.count) != (bytes(sealed.root), sealed.count):
            raise ListDiffers(
                f"The {self.count} entries on record do not give the root of the {sealed.count} that were sealed as "
                f"list {sealed.number}."
            )

    def leaf(self, number: int) -> bytes:
        return self._leaves[(number - 1) * HASH_SIZE : number * HASH_SIZE].tobytes()

    def place_of(self, entry: int) -> int:
        """The place of an entry that is in the list, by its number in the house."""
        return bisect_left(range(1, self.count + 1), entry, key=self._id) + 1

    def entries(self, numbers: Sequence[int]) -> Mapping[int, Entry]:
        """The entries that stand at these places of the list, each of the person it was sealed for."""
        ids = {number: self._id(number) for number in numbers}
        entries = Entry.objects.select_related("entrant").in_bulk(ids.values())
        found = {number: entries[id_] for number, id_ in ids.items()}
        for number, entry in found.items():
            self._must_be_sealed(number, entry)
        return found

    def _must_be_sealed(self, number: int, entry: Entry) -> None:
        """A leaf says whose entry it is, to whoever has its salt: that the row still says the same."""
        promotion, identity, salt = self._sealed.promotion, entry.entrant.identity, entry.salt
        if promotion.erased_at is not None:
            return  # forgotten, as the terms say: nobody can tell any more
        if identity is None or salt is None:
            again = None
        else:
            again = leaves.leaf(code=promotion.code, number=entry.pk, identity=identity, salt=salt)
        if again != self.leaf(number):
            raise ListDiffers(f"Entry {entry.pk} is another on record than was sealed in list {self._sealed.number}.")

    def path(self, number: int) -> list[bytes]:
        """The neighbours that lead from the entry to the root."""
        return inclusion_proof(number - 1, self.count, self.node)

    def node(self, level: int, index: int) -> bytes:
        """A complete subtree: of tiles, or within one of them."""
        if level >= TILE_LEVEL:
            return self._above(level - TILE_LEVEL, index)
        tile, place = divmod(index, 1 << (TILE_LEVEL - level))
        if tile not in self._inside:
            first = (tile << TILE_LEVEL) + 1
            last = min(first + (1 << TILE_LEVEL), self.count + 1)
            self._inside[tile] = nodes_of(self.leaf(number) for number in range(first, last))
        return self._inside[tile](level, place)

    @cached_property
    def _above(self) -> Node:
        return nodes_of(self._tiles[at : at + HASH_SIZE] for at in range(0, len(self._tiles), HASH_SIZE))

    def _id(self, number: int) -> int:
        return int.from_bytes(self._numbers[(number - 1) * _NUMBER_SIZE : number * _NUMBER_SIZE], "big")


def _is_marked(sealed: EntryList, packed: memoryview, kept: SealedTiles) -> bool:
    """Whether these leaves, with the root and the tiles on record, are what was marked when the list was sealed."""
    found = _mark(bytes(sealed.root), sha256(packed).digest(), bytes(kept.tiles))
    return hmac.compare_digest(found, bytes(kept.mark))
