"""The Merkle tree of RFC 6962 (and RFC 9162): what a seal is made of, and what a ticket set is sealed with.

Pure: standard library only, so that the offline verifier and `chance/` can use it. A tree is kept as a *compact
range*: the hashes of the few complete subtrees that cover its leaves, O(log n) of them however long it grows. Proofs
ask a callback for the hash of a complete subtree ``(level, index)``, the one over the leaves
``[index << level, (index + 1) << level)``, so a caller can serve them from whatever it stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from struct import Struct
from typing import Final, TypeAlias

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256().digest()

_in_twos: Final = Struct(f"{2 * HASH_SIZE}s").iter_unpack

Node: TypeAlias = Callable[[int, int], bytes]

# A tile is the subtree over 2**8 nodes, as tall as eight levels. Leaves are folded a tile at a go, and a caller who
# keeps the root of every tile can serve any proof by rehashing a few tiles, however long the log.
TILE_LEVEL: Final = 8


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def cover(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The fewest complete subtrees ``(level, index)`` whose leaves are exactly ``[begin, end)``, left to right."""
    while begin < end:
        level = (end - begin).bit_length() - 1
        if begin:
            level = min(level, (begin & -begin).bit_length() - 1)
        yield level, begin >> level
        begin += 1 << level


class Tree:
    """The leaves ``[begin, end)`` of a tree as a compact range; from 0, the tree itself.

    Ranges that begin elsewhere exist to be merged: two workers hash two halves of a set, `merge` joins them.
    ``keep`` is told of every tile that is completed: its level (8, 16, 24 …), its index and its hash.
    """

    __slots__ = ("_nodes", "begin", "end", "keep")

    def __init__(self, begin: int = 0, *, keep: Callable[[int, int, bytes], None] | None = None) -> None:
        if begin < 0:
            raise ValueError("A range of leaves cannot begin below zero.")
        self.begin = begin
        self.end = begin
        self.keep = keep
        self._nodes: list[tuple[int, int, bytes]] = []

    @property
    def size(self) -> int:
        return self.end - self.begin

    @property
    def frontier(self) -> list[tuple[int, bytes]]:
        """The (height, hash) of each complete subtree, left to right."""
        return [(level, digest) for level, _, digest in self._nodes]

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash (the hash, not the data: see `leaf_hash`)."""
        if len(leaf) != HASH_SIZE:
            raise ValueError(f"A leaf hash is {HASH_SIZE} bytes, not {len(leaf)}.")
        self._push(0, self.end, bytes(leaf))

    def extend(self, leaves: Iterable[bytes] | bytes | bytearray | memoryview) -> None:
        """Add many leaf hashes: an iterable of them, or one buffer of 32 bytes each. Memory stays flat."""
        if isinstance(leaves, bytes | bytearray | memoryview):
            packed = memoryview(leaves).cast("B")
            if len(packed) % HASH_SIZE:
                raise ValueError(f"Packed leaf hashes are a multiple of {HASH_SIZE} bytes, not {len(packed)}.")
            self._extend(packed)
            return
        hashes = iter(leaves)
        while batch := list(islice(hashes, 1 << TILE_LEVEL << TILE_LEVEL)):
            if any(len(leaf) != HASH_SIZE for leaf in batch):
                raise ValueError(f"Every leaf hash is {HASH_SIZE} bytes.")
            self._extend(memoryview(b"".join(batch)))

    def merge(self, right: Tree) -> None:
        """Take in the range that begins where this one ends."""
        if right.begin != self.end:
            raise ValueError(f"This range ends at {self.end}; one that begins at {right.begin} does not continue it.")
        for level, index, digest in list(right._nodes):
            self._push(level, index, digest)

    def root(self) -> bytes:
        if self.begin:
            raise ValueError("Only a range that begins at the first leaf has a root.")
        return _fold([digest for _, _, digest in self._nodes]) if self._nodes else EMPTY_ROOT

    def copy(self) -> Tree:
        twin = Tree(self.begin)
        twin.end = self.end
        twin._nodes = list(self._nodes)
        return twin

    def to_bytes(self) -> bytes:
        """Begin and end (8 bytes each, big-endian), then the frontier's hashes left to right; heights follow."""
        head = self.begin.to_bytes(8, "big") + self.end.to_bytes(8, "big")
        return head + b"".join(digest for _, _, digest in self._nodes)

    @classmethod
    def from_bytes(cls, stored: bytes) -> Tree:
        stored = bytes(stored)
        if len(stored) < 16:
            raise ValueError("A stored tree has at least 16 bytes: where it begins and where it ends.")
        tree = cls(int.from_bytes(stored[:8], "big"))
        tree.end = int.from_bytes(stored[8:16], "big")
        places = list(cover(tree.begin, tree.end))
        if tree.end < tree.begin or len(stored) != 16 + HASH_SIZE * len(places):
            raise ValueError(f"{len(stored)} bytes do not hold the frontier of leaves {tree.begin} to {tree.end}.")
        tree._nodes = [
            (level, index, stored[at : at + HASH_SIZE])
            for (level, index), at in zip(places, range(16, len(stored), HASH_SIZE), strict=True)
        ]
        return tree

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<Tree of leaves {self.begin} to {self.end}>"

    def _push(self, level: int, index: int, digest: bytes) -> None:
        """Put a complete subtree at the right end, joining siblings as they meet."""
        self.end += 1 << level
        nodes = self._nodes
        while True:
            if self.keep is not None and level and level % TILE_LEVEL == 0:
                self.keep(level, index, digest)
            if not (nodes and index & 1 and nodes[-1][0] == level and nodes[-1][1] == index - 1):
                break
            digest = node_hash(nodes.pop()[2], digest)
            level, index = level + 1, index >> 1
        nodes.append((level, index, digest))

    def _extend(self, packed: memoryview) -> None:
        start = self.end
        for level, index in cover(start, start + len(packed) // HASH_SIZE):
            for small in _split(level, index):
                at = ((small << min(level, TILE_LEVEL)) - start) * HASH_SIZE
                width = HASH_SIZE << min(level, TILE_LEVEL)
                self._push(min(level, TILE_LEVEL), small, _fold_complete(packed[at : at + width]))


def _split(level: int, index: int) -> range:
    """The indexes, at no more than the level of a tile, of the subtrees that make up a larger one."""
    wide = max(0, level - TILE_LEVEL)
    return range(index << wide, (index + 1) << wide)


def _fold_complete(packed: memoryview) -> bytes:
    """The root over 2**k packed leaf hashes, a level at a time: the loop a million leaves go through."""
    layer = packed.tobytes()
    while len(layer) > HASH_SIZE:
        layer = b"".join([sha256(b"\x01" + two).digest() for (two,) in _in_twos(layer)])
    return layer


def _fold(hashes: Sequence[bytes]) -> bytes:
    """The root over complete subtrees that get smaller to the right."""
    digest = hashes[-1]
    for left in reversed(hashes[:-1]):
        digest = node_hash(left, digest)
    return digest


def range_root(begin: int, end: int, node: Node) -> bytes:
    """The root over the leaves ``[begin, end)``."""
    return _fold([node(level, index) for level, index in cover(begin, end)])


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root over leaf hashes."""
    tree = Tree()
    tree.extend(leaves)
    return tree.root()


def nodes_of(leaves: Iterable[bytes]) -> Node:
    """The callback the proofs need, for a caller who has all leaf hashes at hand. Twice the leaves in memory."""
    layers = [list(leaves)]
    while len(layers[-1]) > 1:
        below = layers[-1]
        layers.append([node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)])
    return lambda level, index: layers[level][index]


def _split_point(size: int) -> int:
    """The largest power of two below ``size``: where RFC 6962 cuts a tree."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_proof(index: int, size: int, node: Node) -> list[bytes]:
    """PATH(index, D[size]) of RFC 6962, 2.1.1: the siblings from the leaf up."""
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    proof: list[bytes] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split_point(end - begin)
        if index < middle:
            proof.append(range_root(middle, end, node))
            end = middle
        else:
            proof.append(range_root(begin, middle, node))
            begin = middle
    proof.reverse()
    return proof


def consistency_proof(old: int, new: int, node: Node) -> list[bytes]:
    """PROOF(old, D[new]) of RFC 6962, 2.1.2: that the first ``old`` leaves are unchanged. Empty from an empty tree."""
    if not 0 <= old <= new:
        raise ValueError(f"A tree of {new} leaves does not continue one of {old}.")
    if old in (0, new):
        return []
    proof: list[bytes] = []
    begin, end = 0, new
    while end != old:
        middle = begin + _split_point(end - begin)
        if old <= middle:
            proof.append(range_root(middle, end, node))
            end = middle
        else:
            proof.append(range_root(begin, middle, node))
            begin = middle
    if begin:  # the old tree's own root is known to the checker; a part of it is not
        proof.append(range_root(begin, end, node))
    proof.reverse()
    return proof


def _well_formed(*hashes: bytes) -> bool:
    return all(isinstance(digest, bytes) and len(digest) == HASH_SIZE for digest in hashes)


def inclusion_steps(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """How the proof leads from the leaf to the root: (left, right, their parent), for people who want to look."""
    here, last, digest = index, size - 1, leaf
    for sibling in proof:
        right_hand = here & 1 or here == last
        pair = (sibling, digest) if right_hand else (digest, sibling)
        digest = node_hash(*pair)
        yield *pair, digest
        if right_hand:
            while not here & 1 and here:  # a right edge without a sibling on these levels
                here, last = here >> 1, last >> 1
        here, last = here >> 1, last >> 1


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the leaf hash stands at ``index`` in the tree of ``size`` leaves with this root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or not _well_formed(leaf, root, *proof):
        return False
    here, last, digest = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if here & 1 or here == last:
            digest = node_hash(sibling, digest)
            while not here & 1 and here:  # a right edge without a sibling on these levels
                here, last = here >> 1, last >> 1
        else:
            digest = node_hash(digest, sibling)
        here, last = here >> 1, last >> 1
    return last == 0 and digest == root


def check_consistency(old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the new tree begins with all of the old one, unchanged (RFC 9162, 2.1.4.2)."""
    if not 0 <= old_size <= new_size or not _well_formed(old_root, new_root, *proof):
        return False
    if old_size == new_size:
        return not proof and old_root == new_root and (new_size > 0 or new_root == EMPTY_ROOT)
    if old_size == 0:
        return not proof and old_root == EMPTY_ROOT
    path = list(proof)
    if old_size & (old_size - 1) == 0:  # a complete old tree is itself the first node
        path.insert(0, old_root)
    if not path:
        return False
    here, last = old_size - 1, new_size - 1
    while here & 1:
        here, last = here >> 1, last >> 1
    old_digest = new_digest = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if here & 1 or here == last:
            old_digest = node_hash(sibling, old_digest)
            new_digest = node_hash(sibling, new_digest)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            new_digest = node_hash(new_digest, sibling)
        here, last = here >> 1, last >> 1
    return last == 0 and old_digest == old_root and new_digest == new_root
