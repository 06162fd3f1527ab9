"""The Merkle tree against published vectors and against an oracle written from RFC 6962's own recursion."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel import merkle
from kernel.merkle import Tree, check_consistency, check_inclusion, consistency_proof, inclusion_proof, leaf_hash

# The leaves and roots published with the certificate-transparency reference implementation.
CT_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
CT_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# The complete subtrees over those eight leaves, as published (level by level from the leaves).
CT_NODES = [
    [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7",
        "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "46f6ffadd3d06a09ff3c5860d2755c8b9819db7df44251788c7d8e3180de8eb1",
    ],
    [
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    ],
    [
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    ["5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
]


# --- the oracle: RFC 6962, section 2.1, word for word, over leaf data -------------------------------------------------
def cut(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def mth(data: list[bytes]) -> bytes:
    if not data:
        return sha256(b"").digest()
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    k = cut(len(data))
    return sha256(b"\x01" + mth(data[:k]) + mth(data[k:])).digest()


def path(m: int, data: list[bytes]) -> list[bytes]:
    if len(data) == 1:
        return []
    k = cut(len(data))
    return [*path(m, data[:k]), mth(data[k:])] if m < k else [*path(m - k, data[k:]), mth(data[:k])]


def subproof(m: int, data: list[bytes], known: bool) -> list[bytes]:
    if m == len(data):
        return [] if known else [mth(data)]
    k = cut(len(data))
    if m <= k:
        return [*subproof(m, data[:k], known), mth(data[k:])]
    return [*subproof(m - k, data[k:], False), mth(data[:k])]


def data_of(n: int) -> list[bytes]:
    return [b"ticket %d" % i for i in range(n)]


def hashes_of(n: int) -> list[bytes]:
    return [leaf_hash(item) for item in data_of(n)]


# --- published answers -----------------------------------------------------------------------------------------------
def test_roots_published_for_certificate_transparency() -> None:
    tree = Tree()
    roots = [tree.root().hex()]
    for item in CT_LEAVES:
        tree.append(leaf_hash(item))
        roots.append(tree.root().hex())
    assert roots == CT_ROOTS


def test_subtrees_published_for_certificate_transparency() -> None:
    node = merkle.nodes_of(leaf_hash(item) for item in CT_LEAVES)
    assert [[node(level, i).hex() for i in range(8 >> level)] for level in range(4)] == CT_NODES


def published(level: int, index: int) -> bytes:
    return bytes.fromhex(CT_NODES[level][index])


# From the reference tests: which published subtrees make up a proof.
@pytest.mark.parametrize(
    ("index", "size", "places"),
    [
        (0, 1, []),
        (0, 8, [(0, 1), (1, 1), (2, 1)]),
        (5, 8, [(0, 4), (1, 3), (2, 0)]),
        (2, 3, [(1, 0)]),
        (1, 5, [(0, 0), (1, 1), (0, 4)]),
    ],
)
def test_inclusion_proofs_published(index: int, size: int, places: list[tuple[int, int]]) -> None:
    proof = inclusion_proof(index, size, published)
    assert proof == [published(*place) for place in places]
    assert check_inclusion(leaf_hash(CT_LEAVES[index]), index, size, proof, bytes.fromhex(CT_ROOTS[size]))


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        (1, 1, []),
        (1, 8, [(0, 1), (1, 1), (2, 1)]),
        (6, 8, [(1, 2), (1, 3), (2, 0)]),
        (2, 5, [(1, 1), (0, 4)]),
    ],
)
def test_consistency_proofs_published(old: int, new: int, places: list[tuple[int, int]]) -> None:
    proof = consistency_proof(old, new, published)
    assert proof == [published(*place) for place in places]
    roots = [bytes.fromhex(root) for root in CT_ROOTS]
    assert check_consistency(old, roots[old], new, roots[new], proof)


# --- against the oracle ----------------------------------------------------------------------------------------------
def test_every_proof_of_every_small_tree() -> None:
    data = data_of(33)
    node = merkle.nodes_of(hashes_of(33))
    for size in range(34):
        root = mth(data[:size])
        for index in range(size):
            proof = inclusion_proof(index, size, node)
            assert proof == path(index, data[:size])
            assert check_inclusion(leaf_hash(data[index]), index, size, proof, root)
        for old in range(size + 1):
            proof = consistency_proof(old, size, node)
            assert proof == (subproof(old, data[:size], True) if old else [])
            assert check_consistency(old, mth(data[:old]), size, root, proof)


@given(st.lists(st.integers(0, 70), max_size=8), st.booleans())
def test_a_tree_built_in_any_pieces_has_the_oracles_root(pieces: list[int], packed: bool) -> None:
    total = sum(pieces)
    hashes = hashes_of(total)
    tree, at = Tree(), 0
    for piece in pieces:
        batch = hashes[at : at + piece]
        tree.extend(b"".join(batch) if packed else iter(batch))
        tree = Tree.from_bytes(tree.to_bytes())  # as it would be stored between two batches
        at += piece
        assert tree.size == at
    assert tree.root() == mth(data_of(total)) == merkle.root_of(hashes)
    assert [1 << height for height, _ in tree.frontier] == [1 << b for b in range(12, -1, -1) if total >> b & 1]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_ranges_merge_in_any_order_of_joining(pieces: list[int], random: Random) -> None:
    total = sum(pieces)
    hashes = hashes_of(total)
    ranges, at = [], 0
    for piece in pieces:
        part = Tree(at)
        part.extend(hashes[at : at + piece])
        assert Tree.from_bytes(part.to_bytes()) == part
        ranges.append(part)
        at += piece
    while len(ranges) > 1:
        i = random.randrange(len(ranges) - 1)
        ranges[i].merge(ranges.pop(i + 1))
    assert ranges[0].root() == mth(data_of(total))
    assert ranges[0].size == total


def test_more_leaves_than_one_batch() -> None:
    hashes = [sha256(i.to_bytes(4, "big")).digest() for i in range(40_001)]
    one, many = Tree(), Tree()
    for item in hashes:
        one.append(item)
    many.append(hashes[0])  # so that every batch begins out of step
    many.extend(b"".join(hashes[1:39_000]))
    many.extend(iter(hashes[39_000:]))
    assert many == one
    assert many.root() == one.root()


# --- what must not pass ----------------------------------------------------------------------------------------------
@given(st.integers(1, 40), st.data())
def test_a_tampered_inclusion_proof_is_refused(size: int, draw: st.DataObject) -> None:
    index = draw.draw(st.integers(0, size - 1))
    hashes = hashes_of(size)
    proof = inclusion_proof(index, size, merkle.nodes_of(hashes))
    root = merkle.root_of(hashes)
    other = leaf_hash(b"a ticket that was never sold")
    assert not check_inclusion(other, index, size, proof, root)
    assert not check_inclusion(hashes[index], index, size, proof, other)
    assert not check_inclusion(hashes[index], index, size, [*proof, other], root)
    assert not check_inclusion(hashes[index], size, size, proof, root)
    assert not check_inclusion(hashes[index], -1, size, proof, root)
    assert not check_inclusion(hashes[index][:31], index, size, proof, root)
    for other_index in set(range(size)) - {index}:
        assert not check_inclusion(hashes[index], other_index, size, proof, root)
    for i in range(len(proof)):
        assert not check_inclusion(hashes[index], index, size, [*proof[:i], other, *proof[i + 1 :]], root)
        assert not check_inclusion(hashes[index], index, size, proof[:i] + proof[i + 1 :], root)


@given(st.integers(1, 40), st.data())
def test_a_rewritten_past_is_refused(new: int, draw: st.DataObject) -> None:
    old = draw.draw(st.integers(0, new))
    hashes = hashes_of(new)
    proof = consistency_proof(old, new, merkle.nodes_of(hashes))
    old_root, new_root = merkle.root_of(hashes[:old]), merkle.root_of(hashes)
    other = leaf_hash(b"another history")
    assert check_consistency(old, old_root, new, new_root, proof)
    assert not check_consistency(old, other, new, new_root, proof)
    if old:  # everything continues an empty tree
        assert not check_consistency(old, old_root, new, other, proof)
    assert not check_consistency(old, old_root, new, new_root, [*proof, other])
    assert not check_consistency(new + 1, old_root, new, new_root, proof)
    for i in range(len(proof)):
        assert not check_consistency(old, old_root, new, new_root, [*proof[:i], other, *proof[i + 1 :]])
        assert not check_consistency(old, old_root, new, new_root, proof[:i] + proof[i + 1 :])


def test_a_leaf_cannot_pose_as_a_node() -> None:
    """The second pre-image that the 0x00 and 0x01 prefixes exist to prevent."""
    left, right = hashes_of(2)
    assert merkle.root_of([leaf_hash(left + right)]) != merkle.root_of([left, right])


def test_bad_input_says_what_is_wrong_and_changes_nothing() -> None:
    tree = Tree()
    tree.extend(hashes_of(5))
    before = tree.to_bytes()
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        tree.append(b"x" * 31)
    with pytest.raises(ValueError, match="multiple of 32"):
        tree.extend(b"x" * 33)
    with pytest.raises(ValueError, match="32 bytes"):
        tree.extend([b"x" * 31, b"x" * 33])
    with pytest.raises(ValueError, match="ends at 5"):
        tree.merge(Tree(6))
    assert tree.to_bytes() == before
    with pytest.raises(ValueError, match="first leaf"):
        Tree(1).root()
    with pytest.raises(ValueError, match="at least 16"):
        Tree.from_bytes(b"")
    with pytest.raises(ValueError, match="do not hold"):
        Tree.from_bytes(before[:-32])
    with pytest.raises(ValueError, match="no leaf 5"):
        inclusion_proof(5, 5, published)
    with pytest.raises(ValueError, match="does not continue"):
        consistency_proof(6, 5, published)
