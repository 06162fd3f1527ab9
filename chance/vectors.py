"""The published test vectors, `docs/proof/vectors.json`: what another implementation must reproduce.

python -m chance.vectors > docs/proof/vectors.json
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import Any

from chance import commitment, proof
from chance.commitment import Occasion
from chance.drbg import HmacDrbg
from chance.select import BLOCK, source
from kernel.merkle import EMPTY_ROOT, nodes_of, root_of
from kernel.packing import pack

# Purpose, game, attempt, entries, pool, count: a quiet game, an ordinary one, its redraw, promotions large and small.
_DRAWS = [
    ("keno", "1", 1, 0, 80, 20),
    ("keno", "1042", 1, 5, 80, 20),
    ("keno", "1042", 2, 5, 80, 20),
    ("promotion", "summer-car", 1, 11, 11, 11),
    ("promotion", "birthday/2026-03-01", 1, 1000, 1_000_000, 12),
    ("promotion", "one-entry", 1, 1, 1, 1),
]


def _example_seed(occasion: Occasion) -> bytes:
    """Vectors are public, so their seeds are made up from their names; a real seed comes from the operating system."""
    return sha256(f"example seed {occasion.purpose} {occasion.game} {occasion.attempt}".encode()).digest()


def _entries(game: str, count: int) -> list[str]:
    return [f'{{"game":"{game}","serial":"{number:06d}"}}' for number in range(1, count + 1)]


def _draw(occasion: Occasion, *, entry_count: int, pool: int, count: int) -> dict[str, object]:
    purpose, game, attempt = occasion.purpose, occasion.game, occasion.attempt
    seed = _example_seed(occasion)
    entries = _entries(game, entry_count)
    leaves = [proof.entry_leaf(entry) for entry in entries]
    root = root_of(leaves)
    bound_to = commitment.personalisation(occasion, ticket_root=root, ticket_count=entry_count)
    published = proof.make(
        seed=seed, occasion=occasion, ticket_root=root, ticket_count=entry_count, pool=pool, count=count
    )
    node = nodes_of(leaves)
    chosen = sorted({0, entry_count // 2, entry_count - 1} & set(range(entry_count)))
    return {
        "proof": published,
        "working": {
            "commitment_input": pack(commitment.COMMITMENT_TAG, purpose, game, attempt, seed).hex(),
            "nonce_input": pack(commitment.NONCE_TAG, purpose, game, attempt).hex(),
            "nonce": commitment.nonce(occasion).hex(),
            "personalisation": bound_to.hex(),
            "first_block": source(seed=seed, occasion=occasion, ticket_root=root, ticket_count=entry_count)
            .take(BLOCK)
            .hex(),
            "steps": list(proof.check(published)[-1].details),
        },
        "entries": [
            proof.make_entry(entry=entries[index], index=index, ticket_count=entry_count, node=node) for index in chosen
        ],
    }


def _other(text: str) -> str:
    """Another hash than this one: its first digit changed."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def _forged(draw: dict[str, Any]) -> list[dict[str, Any]]:
    """Forgeries of an honest proof, each with the steps that must fail."""
    honest = draw["proof"]
    numbers = honest["numbers"]
    changes: list[tuple[str, dict[str, Any]]] = [
        ("another seed", {"seed": _other(honest["seed"])}),
        ("another commitment", {"commitment": _other(honest["commitment"])}),
        ("another ticket root", {"ticket_root": _other(honest["ticket_root"])}),
        ("one entry more", {"ticket_count": honest["ticket_count"] + 1}),
        ("another attempt's proof", {"attempt": honest["attempt"] + 1}),
        ("two numbers exchanged", {"numbers": [numbers[1], numbers[0], *numbers[2:]]}),
        ("one number twice", {"numbers": [numbers[0], numbers[0], *numbers[2:]]}),
        ("seed in capitals", {"seed": honest["seed"].upper()}),
    ]
    forgeries = []
    for what, change in changes:
        altered = {**honest, **change}
        failed = [step.name for step in proof.check(altered) if not step.ok]
        forgeries.append({"what": what, "proof": altered, "fails": failed})
    return forgeries


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


def vectors() -> dict[str, Any]:
    draws = [
        _draw(Occasion(purpose=purpose, game=game, attempt=attempt), entry_count=entries, pool=pool, count=count)
        for purpose, game, attempt, entries, pool, count in _DRAWS
    ]
    leaves = [proof.entry_leaf(entry) for entry in _entries("1042", 7)]
    return {
        "about": "Test vectors for docs/proof/README.md, written by: python -m chance.vectors",
        "version": proof.VERSION,
        "generator": _generator(),
        "trees": [
            {"entries": _entries("1042", count), "root": (root_of(leaves[:count]) if count else EMPTY_ROOT).hex()}
            for count in range(len(leaves) + 1)
        ],
        "draws": draws,
        "forged": _forged(draws[1]),
    }


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1)
    sys.stdout.write("\n")
