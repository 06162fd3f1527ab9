"""The escrow of docs/proof/draws.md a second time: X25519 (RFC 7748), HKDF (RFC 5869) and AES-256-GCM (SP 800-38D) from
their own documents, with the standard library only. For checking, not for use: it takes its time, and tells it."""

from __future__ import annotations

import hashlib
import hmac
from itertools import pairwise
from typing import Any

from tests.world.second_implementation import packed

P = 2**255 - 19


class Closed(Exception):
    """The tag does not fit."""


def x25519(scalar: bytes, u: bytes) -> bytes:
    k = int.from_bytes(scalar, "little") & ~7 & (2**255 - 1) | 2**254
    x1 = int.from_bytes(u, "little") & (2**255 - 1)
    x2, z2, x3, z3 = 1, 0, x1, 1
    for bit in reversed(range(255)):
        if (k >> bit) & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        x3, z3 = pow(da + cb, 2, P), x1 * pow(da - cb, 2, P) % P
        e = aa - bb
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
        if (k >> bit) & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def hkdf(secret: bytes, info: bytes, size: int) -> bytes:
    key, out, block = hmac.digest(bytes(32), secret, "sha256"), b"", b""
    while len(out) < size:
        block = hmac.digest(key, block + info + bytes([len(out) // 32 + 1]), hashlib.sha256)
        out += block
    return out[:size]


def twice(byte: int) -> int:
    return (byte << 1) ^ (0x11B if byte & 0x80 else 0)


def product(a: int, b: int) -> int:
    out = 0
    while b:
        out, a, b = out ^ (a if b & 1 else 0), twice(a), b >> 1
    return out


def s_box() -> list[int]:
    box = []
    for byte in range(256):
        inverse = next((each for each in range(256) if product(byte, each) == 1), 0)
        turned = [(inverse << n | inverse >> (8 - n)) & 255 for n in range(5)]
        box.append(turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63)
    return box


S = s_box()


def round_keys(key: bytes) -> list[bytes]:
    words, constant = [list(key[at : at + 4]) for at in range(0, 32, 4)], 1
    for at in range(8, 60):
        word = list(words[-1])
        if at % 8 == 0:
            word = [S[each] for each in word[1:] + word[:1]]
            word[0] ^= constant
            constant = twice(constant)
        elif at % 8 == 4:
            word = [S[each] for each in word]
        words.append([a ^ b for a, b in zip(words[at - 8], word, strict=True)])
    return [b"".join(map(bytes, words[at : at + 4])) for at in range(0, 60, 4)]


def mixed(state: list[int]) -> list[int]:
    out = []
    for at in range(0, 16, 4):
        column = state[at : at + 4]
        whole = column[0] ^ column[1] ^ column[2] ^ column[3]
        out += [
            each ^ whole ^ twice(a ^ b) for each, (a, b) in zip(column, pairwise([*column, column[0]]), strict=True)
        ]
    return out


def aes(keys: list[bytes], block: bytes) -> bytes:
    state = [a ^ b for a, b in zip(block, keys[0], strict=True)]
    for number, key in enumerate(keys[1:], start=1):
        state = [S[each] for each in state]
        state = [state[(at + 4 * (at % 4)) % 16] for at in range(16)]
        state = mixed(state) if number < len(keys) - 1 else state
        state = [a ^ b for a, b in zip(state, key, strict=True)]
    return bytes(state)


def ghash(h: int, *texts: bytes) -> bytes:
    y = 0
    sizes = b"".join((8 * len(text)).to_bytes(8, "big") for text in texts)
    for block in [*(text[at : at + 16].ljust(16, b"\x00") for text in texts for at in range(0, len(text), 16)), sizes]:
        x, v, y = y ^ int.from_bytes(block, "big"), h, 0
        for bit in reversed(range(128)):
            y ^= v if (x >> bit) & 1 else 0
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
    return y.to_bytes(16, "big")


def gcm_open(key: bytes, nonce: bytes, sent: bytes, data: bytes) -> bytes:
    keys, text, tag = round_keys(key), sent[:-16], sent[-16:]
    stream = b"".join(aes(keys, nonce + n.to_bytes(4, "big")) for n in range(2, 2 + -(-len(text) // 16)))
    h = int.from_bytes(aes(keys, bytes(16)), "big")
    mask = aes(keys, nonce + (1).to_bytes(4, "big"))
    if bytes(a ^ b for a, b in zip(ghash(h, data, text), mask, strict=True)) != tag:
        raise Closed
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def master_of(private: bytes, act: dict[str, Any]) -> bytes:
    """The page's words: what is in escrow of the act ``draw.promised``."""
    escrow = bytes.fromhex(act["escrow"])
    sender, sent = escrow[:32], escrow[32:]
    receiver = x25519(private, (9).to_bytes(32, "little"))
    made = hkdf(x25519(private, sender), packed("meterhouse/escrow/2", sender, receiver), 44)
    names = ("venue", "purpose", "name", "device")
    promise = (*(act[name] for name in names), bytes.fromhex(act["witness_key"]), act["beacon"])
    return gcm_open(made[:32], made[32:], sent, packed("meterhouse/master/2", *promise))
