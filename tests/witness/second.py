"""A second implementation of docs/proof/witness.md, written from that page and from C2SP's, and from nothing of ours.

Checks keys, notes, cosignatures, proofs, answers and the chain. Shares no line with the house: of Python it takes the
standard library, and ``cryptography`` for Ed25519.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Bad(Exception):
    pass


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def unbase64(text: str) -> bytes:
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError as error:
        raise Bad("base64") from error
    need(base64.b64encode(raw).decode() == text, "base64 has one form")
    return raw


def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def field(value: str | int | bytes) -> bytes:
    raw = (
        struct.pack(">Q", value)
        if isinstance(value, int)
        else value
        if isinstance(value, bytes)
        else value.encode("ascii")
    )
    return struct.pack(">I", len(raw)) + raw


def packed(*values: str | int | bytes) -> bytes:
    return b"".join(map(field, values))


# Keys and notes


def vkey(text: str) -> tuple[str, bytes, int, bytes]:
    """Name, id, type, public key."""
    name, hexed, encoded = text.split("+", 2)
    raw = unbase64(encoded)
    number = sha(name.encode(), b"\n", raw)[:4]
    need(len(raw) == 33 and raw[0] in (1, 4) and number.hex() == hexed, "key")
    return name, number, raw[0], raw[1:]


def open_note(note: str, *keys: str) -> tuple[str, int, bytes]:
    """Every one of these keys must have signed. The origin, size and root of the checkpoint."""
    need(note.endswith("\n") and not any(ord(c) < 32 and c != "\n" for c in note), "control characters")
    body, gap, tail = note.rpartition("\n\n")
    need(gap and tail, "signatures")
    text = body + "\n"
    found: dict[tuple[str, bytes], bytes] = {}
    for line in tail[:-1].split("\n"):
        dash, name, encoded = (*line.split(" "), "", "")[:3]
        need(dash == "\u2014" and name and line == f"{dash} {name} {encoded}", "signature line")
        raw = unbase64(encoded)
        need((name, raw[:4]) not in found, "signed twice")
        found[name, raw[:4]] = raw[4:]
    for key in keys:
        name, number, kind, public = vkey(key)
        signature = found.get((name, number))
        need(signature is not None, f"{name} has not signed")
        assert signature is not None
        if kind == 1:
            need(ed25519(public, text.encode(), signature), "signature")
        else:
            need(len(signature) == 72, "cosignature")
            (time,) = struct.unpack(">Q", signature[:8])
            need(ed25519(public, f"cosignature/v1\ntime {time}\n{text}".encode(), signature[8:]), "cosignature")
    lines = text[:-1].split("\n")
    need(len(lines) >= 3 and all(lines), "lines")
    need(lines[1] == str(int(lines[1])) if lines[1].isdigit() else False, "size")
    root = unbase64(lines[2])
    need(len(root) == 32, "root")
    return lines[0], int(lines[1]), root


# RFC 6962, by its own recursion


def split(size: int) -> int:
    k = 1
    while 2 * k < size:
        k *= 2
    return k


def node(left: bytes, right: bytes) -> bytes:
    return sha(b"\x01", left, right)


def inclusion_root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    if size == 1:
        need(not path, "path too long")
        return leaf
    need(path, "path too short")
    k = split(size)
    if index < k:
        return node(inclusion_root(leaf, index, k, path[:-1]), path[-1])
    return node(path[-1], inclusion_root(leaf, index - k, size - k, path[:-1]))


def consistency_roots(old: int, size: int, path: list[bytes], whole: bool, known: bytes) -> tuple[bytes, bytes]:
    """The roots of the old and the new tree that the proof leads to (SUBPROOF of RFC 6962, 2.1.2)."""
    if old == size:
        if whole:
            need(not path, "path too long")
            return known, known
        need(len(path) == 1, "path")
        return path[0], path[0]
    need(path, "path too short")
    k = split(size)
    if old <= k:
        before, after = consistency_roots(old, k, path[:-1], whole, known)
        return before, node(after, path[-1])
    before, after = consistency_roots(old - k, size - k, path[:-1], False, known)
    return node(path[-1], before), node(path[-1], after)


# The witness


def modulus(der: bytes) -> int:
    head = "308201a2300d06092a864886f70d01010105000382018f003082018a0282018100"
    need(len(der) == 422 and der.hex().startswith(head) and der.hex().endswith("0203010001"), "RSA 3072, 65537")
    return int.from_bytes(der[33:417], "big")


def unique(der: bytes, message: bytes, signature: bytes) -> bool:
    n, s = modulus(der), int.from_bytes(signature, "big")
    if len(signature) != 384 or s >= n:
        return False
    end = b"\x00" + bytes.fromhex("3031300d060960864801650304020105000420") + sha(message)
    return pow(s, 65537, n).to_bytes(384, "big") == b"\x00\x01" + b"\xff" * (382 - len(end)) + end


def ceremony(about: dict[str, Any]) -> None:
    der, dice, n = bytes.fromhex(about["rsa"]), about["dice"], modulus(bytes.fromhex(about["rsa"]))
    name, _, kind, public = vkey(about["key"])
    need(kind == 4 and name == about["name"], "key")
    endorsed = packed("meterhouse/witness-key/2", name, sha(der))
    need(ed25519(public, endorsed, bytes.fromhex(about["endorsement"])), "endorsement")
    need(len(dice) >= 50 and set(dice) <= set("123456") and len(about["roots"]) == 8, "dice")
    for i, root in enumerate(about["roots"]):
        seed = packed("meterhouse/challenge/2", sha(der), dice, i)
        stream = b"".join(sha(seed, struct.pack(">I", block)) for block in range(13))[:400]
        need(pow(int(root, 16), 65537, n) == int.from_bytes(stream, "big") % n, "no permutation")


def message(question: dict[str, Any]) -> bytes:
    names = [
        "venue",
        "purpose",
        "occasion",
        "attempt",
        "root",
        "count",
        "act_index",
        "origin",
        "size",
        "checkpoint_root",
    ]
    need(set(question) == set(names), "fields")
    hashed = {"root", "checkpoint_root"}
    values = [bytes.fromhex(question[name]) if name in hashed else question[name] for name in names]
    return packed("meterhouse/witness/2", *values)


def statement(link: dict[str, Any]) -> bytes:
    previous, answer = bytes.fromhex(link["previous"]), bytes.fromhex(link["answer"])
    return packed("meterhouse/answers/2", link["number"], link["at"], previous, message(link["question"]), answer)


def chain(links: list[dict[str, Any]], about: dict[str, Any]) -> bytes:
    """Every link, from the first. The hash of the last."""
    public, der = vkey(about["key"])[3], bytes.fromhex(about["rsa"])
    previous = bytes(32)
    for number, link in enumerate(links, start=1):
        need((link["number"], link["previous"]) == (number, previous.hex()), "place")
        need(unique(der, message(link["question"]), bytes.fromhex(link["answer"])), "answer")
        need(ed25519(public, statement(link), bytes.fromhex(link["signature"])), "signature")
        previous = sha(statement(link))
    return previous
