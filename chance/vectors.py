"""The published test vectors, `docs/proof/vectors.json`: what another implementation must reproduce.

python -m chance.vectors > docs/proof/vectors.json
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from itertools import islice

from chance import proof
from chance.drbg import HmacDrbg
from chance.select import BLOCK, Source, picks
from kernel.merkle import EMPTY_ROOT, nodes_of, root_of

# Pool and how many are drawn of it: Keno, a promotion drawn to its last entry, a large one, one with a single entry.
_DRAWN = [(80, 20), (11, 11), (1_000_000, 12), (1, 1)]
_SIZES = (1, 5, 11, 1000)


def _entries(count: int) -> list[str]:
    return [f'{{"game":"1042","serial":"{number:06d}"}}' for number in range(1, count + 1)]


def _generator() -> dict[str, object]:
    """The bare generator, for a start: three requests of one block after a plain instantiation."""
    entropy, nonce, personalisation = bytes(range(32)), bytes(range(32, 48)), b"meterhouse"
    drbg = HmacDrbg(entropy=entropy, nonce=nonce, personalisation=personalisation)
    return {
        "entropy": entropy.hex(),
        "nonce": nonce.hex(),
        "personalisation": personalisation.hex(),
        "blocks": [drbg.generate(BLOCK).hex() for _ in range(3)],
    }


def _numbers(pool: int, count: int) -> dict[str, object]:
    """From a seed to numbers. Vectors are public, so their seeds are made up from their names."""
    entropy, nonce = sha256(b"example seed %d of %d" % (count, pool)).digest(), bytes(range(16))
    personalisation = b"example %d of %d" % (count, pool)

    def stream() -> Source:
        return Source(HmacDrbg(entropy=entropy, nonce=nonce, personalisation=personalisation))

    drawn = [pick.number for pick in islice(picks(stream(), pool), count)]
    return {
        "entropy": entropy.hex(),
        "nonce": nonce.hex(),
        "personalisation": personalisation.hex(),
        "pool": pool,
        "numbers": drawn,
        "first_block": stream().take(BLOCK).hex(),
        "steps": list(proof.numbers_step(stream(), pool=pool, said=drawn, come_from="These bytes").details),
    }


def _entry_proofs(count: int) -> dict[str, object]:
    entries = _entries(count)
    leaves = [proof.entry_leaf(entry) for entry in entries]
    node = nodes_of(leaves)
    places = sorted({0, count // 2, count - 1})
    return {
        "ticket_root": root_of(leaves).hex(),
        "ticket_count": count,
        "entries": [proof.make_entry(entry=entries[at], index=at, ticket_count=count, node=node) for at in places],
        "leaves": [proof.make_leaf(leaf=leaves[at], index=at, ticket_count=count, node=node) for at in places],
    }


def vectors() -> dict[str, object]:
    leaves = [proof.entry_leaf(entry) for entry in _entries(7)]
    return {
        "about": "Test vectors for docs/proof/README.md, written by: python -m chance.vectors",
        "generator": _generator(),
        "numbers": [_numbers(pool, count) for pool, count in _DRAWN],
        "trees": [
            {"entries": _entries(count), "root": (root_of(leaves[:count]) if count else EMPTY_ROOT).hex()}
            for count in range(len(leaves) + 1)
        ],
        "sets": [_entry_proofs(count) for count in _SIZES],
    }


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1)
    sys.stdout.write("\n")
