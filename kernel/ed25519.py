"""Checking Ed25519 signatures (RFC 8032) with the standard library alone, for whoever has nothing else.

Strict: 32 and 64 bytes, points and numbers in their one canonical form, the equation without cofactor; what passes here
passes in OpenSSL. Only checking: no secret is ever in here, so that nothing need take the same time for every secret.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import Final, TypeAlias

_P: Final = 2**255 - 19
_L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE: Final = pow(2, (_P - 1) // 4, _P)

# Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z.
Point: TypeAlias = tuple[int, int, int, int]
_NEUTRAL: Final[Point] = (0, 1, 1, 0)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the key's signature of the message. Never raises on what a stranger hands in."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key = _decoded(public)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or scalar >= _L:
        return False
    hashed = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % _L
    return _encoded(_two_products(scalar, hashed, key)) == signature[:32]


def _double(p: Point) -> Point:
    x, y, z, _ = p
    a, b = x * x % _P, y * y % _P
    h = a + b
    e = h - (x + y) * (x + y) % _P
    g = a - b
    f = 2 * z * z % _P + g
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _two_products(scalar: int, hashed: int, key: Point) -> Point:
    """scalar · base − hashed · key, both in one pass of doublings, two bits of each at a time."""
    minus = (-key[0] % _P, key[1], key[2], -key[3] % _P)
    table = _small_sums(minus)
    total = _NEUTRAL
    for at in range(252, -1, -2):
        total = _double(_double(total))
        chosen = (scalar >> at & 3) << 2 | hashed >> at & 3
        if chosen:
            total = _add(total, table[chosen])
    return total


@lru_cache(maxsize=64)  # a log has few keys, and each signs often
def _small_sums(minus: Point) -> list[Point]:
    """i · base + j · minus for i and j from 0 to 3, at 4·i + j."""
    return [_add(_times(i, _BASE), _times(j, minus)) for i in range(4) for j in range(4)]


def _times(factor: int, point: Point) -> Point:
    total = _NEUTRAL
    for _ in range(factor):
        total = _add(total, point)
    return total


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decoded(raw: bytes) -> Point | None:
    """RFC 8032, 5.1.3; None where these bytes are no point, or not the one way to write it."""
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE: Final = _decoded((4 * pow(5, -1, _P) % _P).to_bytes(32, "little")) or _NEUTRAL
