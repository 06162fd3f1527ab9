"""The published vectors of docs/proof/witness.md: ``python -m tests.world.witness_vectors > docs/proof/witness.json``.

Keys are made of fixed numbers, so that it is the same file every time. It takes some seconds: an RSA key from nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel import notes, unique_signatures
from kernel.notes import COSIGNATURE_V1, VerifierKey
from kernel.questions import FIRST_LINK, Link, Question
from tests.world.witness import ToyHouse, with_signature

NAME = "witness.example/vectors"
DICE = "3141526535146264353414264" * 3
AT = 1_794_823_441
E = unique_signatures.EXPONENT
# DER around the modulus, as OpenSSL writes such a key.
HEAD = bytes.fromhex("308201a2300d06092a864886f70d01010105000382018f003082018a0282018100")


def _prime(name: str) -> int:
    """The first prime from a number made of the name, with both top bits set."""
    digest = b"".join(sha256(f"{name} {part}".encode()).digest() for part in range(6))
    candidate = int.from_bytes(digest, "big") | 3 << 1534 | 1
    small = [p for p in range(3, 2000, 2) if all(p % q for q in range(3, int(p**0.5) + 1, 2))]
    while any(candidate % p == 0 for p in small) or pow(2, candidate - 1, candidate) != 1 or (candidate - 1) % E == 0:
        candidate += 2
    return candidate


class Signer:
    def __init__(self) -> None:
        p, q = _prime("meterhouse p"), _prime("meterhouse q")
        self.n, self.d = p * q, pow(E, -1, (p - 1) * (q - 1))
        self.rsa = HEAD + self.n.to_bytes(384, "big") + bytes.fromhex("0203010001")
        self.own = Ed25519PrivateKey.from_private_bytes(bytes(range(100, 132)))
        self.key = VerifierKey(NAME, COSIGNATURE_V1, self.own.public_key().public_bytes_raw())

    def power(self, number: int) -> bytes:
        return pow(number, self.d, self.n).to_bytes(384, "big")

    def answer(self, message: bytes) -> bytes:
        return self.power(int.from_bytes(unique_signatures.padded(message), "big"))

    def link(self, number: int, previous: bytes, question: Question) -> Link:
        answer = self.answer(question.message())
        link = Link(number=number, at=AT + number, previous=previous, question=question, answer=answer)
        return replace(link, signature=self.own.sign(link.statement()))


def vectors() -> dict[str, Any]:
    signer, house = Signer(), ToyHouse("meterhouse.log/vectors")
    links = list(_links(signer, house))
    endorsed = signer.own.sign(unique_signatures.endorsement_statement(NAME, signer.rsa))
    roots = [signer.power(each) for each in unique_signatures.challenges(signer.rsa, DICE)]
    return {
        "witness": {
            "name": NAME,
            "key": str(signer.key),
            "rsa": signer.rsa.hex(),
            "endorsement": endorsed.hex(),
            "dice": DICE,
            "roots": [root.hex() for root in roots],
        },
        "house": {"key": str(house.key)},
        "checkpoints": [str(_cosigned(signer, house, size)) for size in (3, len(house.rows))],
        "consistency": [notes.to_base64(each) for each in house.consistency(3, len(house.rows))],
        "seal": {**house.shown(1, len(house.rows)), "size": len(house.rows)},
        "links": [
            {"link": link.as_json(), "message": link.question.message().hex(), "digest": link.digest().hex()}
            for link in links
        ],
        "forged_notes": _forged_notes(signer, house),
        "forged_links": _forged_links(signer, links),
    }


def _links(signer: Signer, house: ToyHouse) -> Iterator[Link]:
    house.pad(1)
    act = house.seal("1042", root=bytes(range(32)))
    house.pad(1)
    first = signer.link(1, FIRST_LINK, house.question(act))
    yield first
    house.void("1042", 1)
    second = signer.link(2, first.digest(), house.question(act, attempt=2))
    yield second
    other = house.seal("summer-car", root=bytes([7]) * 32, count=1_000_000, purpose="promotion")
    yield signer.link(3, second.digest(), house.question(other))


def _cosigned(signer: Signer, house: ToyHouse, size: int) -> notes.Note:
    note = house.note(size)
    return with_signature(note, notes.cosignature(signer.key, note.text, AT, signer.own.sign))


def _forged_notes(signer: Signer, house: ToyHouse) -> list[dict[str, str]]:
    note = str(_cosigned(signer, house, 3))
    text, lines = note.split("\n\n")
    first, second = lines.splitlines(keepends=True)
    return [
        {"what": "another size", "note": note.replace("\n3\n", "\n4\n")},
        {"what": "a size with a leading zero", "note": note.replace("\n3\n", "\n03\n")},
        {"what": "the house's line twice", "note": f"{text}\n\n{first}{first}{second}"},
        {"what": "no newline at the end", "note": note[:-1]},
        {"what": "a line longer", "note": note.replace("\n\n", "\nextra\n\n")},
        {"what": "the witness's line of another text", "note": f"{text}\n\n{first}{_line(signer, house)}"},
        {"what": "base64 written another way", "note": note.replace("=\n", "\n", 1)},
        {"what": "a dash that is no em dash", "note": note.replace("—", "-")},
    ]


def _line(signer: Signer, house: ToyHouse) -> str:
    return str(notes.cosignature(signer.key, house.note(2).text, AT, signer.own.sign))


def _forged_links(signer: Signer, links: list[Link]) -> list[dict[str, Any]]:
    first, second, third = links
    n = signer.n
    above = (int.from_bytes(first.answer, "big") + n) % (1 << 3072)
    rubbish = b"\x00\x01" + b"\xff" * 100 + b"\x00" + bytes.fromhex("3031300d060960864801650304020105000420")
    loose = (rubbish + sha256(first.question.message()).digest()).ljust(384, b"\x00")

    def signed(link: Link) -> Link:
        """By the witness's own key: only the answer, or its place, is wrong."""
        return replace(link, signature=signer.own.sign(link.statement()))

    forged = {
        "a number left out": [first, signed(replace(third, number=3))],
        "another order": [second, first],
        "the first with another number": [signed(replace(first, number=2))],
        "another time": [replace(first, at=first.at + 1)],
        "another root": [signed(replace(first, question=replace(first.question, root=bytes(32))))],
        "another attempt": [signed(replace(first, question=replace(first.question, attempt=2)))],
        "an answer above the modulus": [signed(replace(first, answer=above.to_bytes(384, "big")))],
        "padding with rubbish behind the hash": [
            signed(replace(first, answer=signer.power(int.from_bytes(loose, "big"))))
        ],
        "the answer of another question": [signed(replace(first, answer=second.answer))],
        "a link of another chain": [first, signed(replace(second, previous=bytes(32)))],
    }
    return [{"what": what, "links": [link.as_json() for link in chain]} for what, chain in forged.items()]


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
