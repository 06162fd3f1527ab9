"""A second implementation of docs/proof/draws.md, written from that page (and those it names), from nothing of ours.

Standard library only. ``failures`` names the steps that fail, in the order of the page; an empty list: the proof holds.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

HEX = re.compile("(?:[0-9a-f]{2})+")
TEXT = re.compile("[ -~]{1,200}")
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}")
FIELDS = {
    "venue": str, "purpose": str, "occasion": str, "attempt": int, "root": bytes, "count": int, "act_index": int,
    "origin": str, "size": int, "checkpoint_root": bytes,
}  # fmt: skip
LIMIT = 2**63


class Form(Exception):
    pass


def need(condition: object) -> None:
    if not condition:
        raise Form


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def packed(*fields: str | int | bytes) -> bytes:
    out = b""
    for each in fields:
        raw = struct.pack(">Q", each) if isinstance(each, int) else each if isinstance(each, bytes) else each.encode()
        out += struct.pack(">I", len(raw)) + raw
    return out


def unpacked(raw: bytes) -> list[bytes]:
    out = []
    while raw:
        need(len(raw) >= 4)
        (size,) = struct.unpack(">I", raw[:4])
        need(len(raw) >= 4 + size)
        out.append(raw[4 : 4 + size])
        raw = raw[4 + size :]
    return out


# --- reading ----------------------------------------------------------------------------------------------------------
def whole(value: object, least: int) -> int:
    if type(value) is not int or not least <= value < LIMIT:
        raise Form
    return value


def unhex(value: object, size: int | None = None) -> bytes:
    need(isinstance(value, str) and HEX.fullmatch(value))
    raw = bytes.fromhex(str(value))
    need(size is None or len(raw) == size)
    return raw


def text(value: object, *, empty: bool = False) -> str:
    need(isinstance(value, str) and (TEXT.fullmatch(value) or (empty and value == "")))
    return str(value)


def rsa_key(pem: object) -> bytes:
    """The DER of the one form of such a key: an RSA key (OID 1.2.840.113549.1.1.1), 3072 bits, exponent 65537."""
    need(isinstance(pem, str))
    lines = str(pem).strip().split("\n")
    need(lines[0] == "-----BEGIN PUBLIC KEY-----" and lines[-1] == "-----END PUBLIC KEY-----")
    try:
        der = base64.b64decode("".join(lines[1:-1]), validate=True)
    except ValueError:
        raise Form from None
    head = "3082 01a2 300d 0609 2a864886f70d010101 0500 0382 018f 00 3082 018a 0282 0181 00".replace(" ", "")
    need(len(der) == 422 and der.hex().startswith(head) and der.hex().endswith("0203010001"))
    need(der[33] & 0x80 and der[-6] & 1)
    return der


def question_of(value: object) -> Json:
    need(isinstance(value, dict) and set(value) == set(FIELDS))
    assert isinstance(value, dict)
    read: Json = {}
    for name, kind in FIELDS.items():
        if kind is int:
            read[name] = whole(value[name], 1 if name in ("attempt", "size") else 0)
        elif kind is bytes:
            read[name] = unhex(value[name], 32)
        else:
            need(isinstance(value[name], str) and NAME.fullmatch(value[name]))
            read[name] = value[name]
    need(read["act_index"] < read["size"])
    return read


def read_proof(proof: object) -> Json:
    need(isinstance(proof, dict))
    assert isinstance(proof, dict)
    need(type(proof.get("version")) is int and proof["version"] == 2 and proof.get("algorithm") == "meterhouse/draw/2")
    witness = proof.get("witness")
    need(isinstance(witness, dict))
    assert isinstance(witness, dict)
    text(witness.get("name"))
    read: Json = {name: text(proof.get(name)) for name in ("venue", "purpose", "occasion", "device")}
    read |= {"beacon": text(proof.get("beacon"), empty=True), "key": rsa_key(witness.get("rsa"))}
    read |= {name: unhex(proof.get(name), 32) for name in ("commitment", "master", "ticket_root")}
    read |= {"attempt": whole(proof.get("attempt"), 1), "ticket_count": whole(proof.get("ticket_count"), 0)}
    read |= {"pool": whole(proof.get("pool"), 1), "question": question_of(proof.get("question"))}
    need(proof.get("how") in ("witness", "dice", "beacon"))
    read |= {"how": proof["how"], "said": unhex(proof.get("said")), "heard": b"", "round": None}
    heard = proof.get("beacon_round")
    need((heard is not None) == bool(read["beacon"]))
    if heard is not None:
        need(isinstance(heard, dict))
        number, at = whole(heard.get("round"), 1), whole(heard.get("at"), 1)
        read |= {"round": (number, at), "heard": packed("meterhouse/beacon/2", number, unhex(heard.get("signature")))}
    numbers = proof.get("numbers")
    need(isinstance(numbers, list) and numbers)
    assert isinstance(numbers, list)
    need(all(type(each) is int and 1 <= each <= read["pool"] for each in numbers))
    need(len(set(numbers)) == len(numbers))
    return read | {"numbers": numbers}


# --- the steps --------------------------------------------------------------------------------------------------------
def message_of(question: Json) -> bytes:
    return packed("meterhouse/witness/2", *(question[name] for name in FIELDS))


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    n, s = int.from_bytes(key[33:417], "big"), int.from_bytes(signature, "big")
    if len(signature) != 384 or s >= n:
        return False
    end = b"\x00" + bytes.fromhex("3031300d060960864801650304020105000420") + sha(message)
    return pow(s, 65537, n) == int.from_bytes(b"\x00\x01".ljust(384 - len(end), b"\xff") + end, "big")


def stands_in(how: str, said: bytes) -> bool:
    """Whether what stands in the witness's place has its form."""
    try:
        tag, *rest = unpacked(said)
    except (Form, ValueError):
        return False
    if how == "dice":
        return tag == b"meterhouse/dice/2" and len(rest) == 1 and re.fullmatch(rb"[1-6]{50,}", rest[0]) is not None
    return tag == b"meterhouse/beacon/2" and len(rest) == 2 and len(rest[0]) == 8


def round_meant(rule: str, at: int) -> int | None:
    read = re.fullmatch(r"drand-quicknet\+([1-9][0-9]*)", rule)
    if read is None or not 10 <= int(read[1]) <= 3600:
        return None
    return (at + int(read[1]) - 1692803367) // 3 + 2


def stream(seed: bytes, nonce: bytes, personalisation: bytes) -> Iterator[int]:
    k, v, s = bytes(32), b"\x01" * 32, seed + nonce + personalisation
    for mark in (b"\x00", b"\x01"):
        k = mac(k, v + mark + s)
        v = mac(k, v)
    while True:
        for _ in range(2):
            v = mac(k, v)
            yield from v
        k = mac(k, v + b"\x00")
        v = mac(k, v)


def drawn(read: Json, count: int) -> list[int]:
    q = read["question"]
    attempt = (q["venue"], q["purpose"], q["occasion"], q["attempt"])
    come = stream(
        mac(read["master"], packed("meterhouse/seed/2", *attempt)),
        sha(packed("meterhouse/nonce/2", *attempt))[:16],
        packed("meterhouse/draw/2", message_of(q), read["how"], read["said"], read["heard"]),
    )
    balls: dict[int, int] = {}
    out = []
    for place in range(count):
        left = read["pool"] - place
        bits = (left - 1).bit_length()
        value = left
        while value >= left:
            value = 0
            for _ in range(-(-bits // 8)):
                value = value << 8 | next(come)
            value &= (1 << bits) - 1
        other = place + value
        balls[place], balls[other] = balls.get(other, other + 1), balls.get(place, place + 1)
        out.append(balls[place])
    return out


def commitment_of(read: Json) -> bytes:
    promise = (read["venue"], read["purpose"], read["occasion"], read["device"], sha(read["key"]), read["beacon"])
    return sha(packed("meterhouse/commitment/2", "meterhouse/draw/2", *promise, read["master"]))


def failures(proof: object) -> list[str]:
    try:
        read = read_proof(proof)
    except Form:
        return ["form"]
    q, wrong = read["question"], []
    if commitment_of(read) != read["commitment"]:
        wrong.append("commitment")
    same = [q[name] == read[name] for name in ("venue", "purpose", "occasion", "attempt")]
    if not all(same) or (q["root"], q["count"]) != (read["ticket_root"], read["ticket_count"]):
        wrong.append("question")
    if read["how"] == "witness":
        if not is_signature(read["key"], message_of(q), read["said"]):
            wrong.append("witness")
    elif not stands_in(read["how"], read["said"]):
        wrong.append("unwitnessed")
    if read["beacon"] and round_meant(read["beacon"], read["round"][1]) != read["round"][0]:
        wrong.append("beacon")
    if drawn(read, len(read["numbers"])) != read["numbers"]:
        wrong.append("numbers")
    return wrong


def is_in_set(entry: Json, proof: Json) -> bool:
    """The proof of an entry, by README.md's words."""
    r = sha(b"\x00" + entry["entry"].encode())
    i, last = entry["index"], entry["ticket_count"] - 1
    for each in entry["path"]:
        if last == 0:
            return False
        p = bytes.fromhex(each)
        if i % 2 or i == last:
            r = sha(b"\x01" + p + r)
            while i % 2 == 0 and i != 0:
                i, last = i // 2, last // 2
        else:
            r = sha(b"\x01" + r + p)
        i, last = i // 2, last // 2
    return (last, r.hex(), entry["ticket_count"]) == (0, proof["ticket_root"], proof["ticket_count"])
