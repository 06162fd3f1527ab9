"""The witness's unique signature: RSA PKCS#1 v1.5 with SHA-256, 3072 bits, e = 65537 exactly. Only checked here.

With an exponent that makes x → x^e a permutation there is one signature of a message and no other, so whoever signs
chooses nothing. That the key is such a permutation is shown once, at the key ceremony: nobody could have given the
e-th roots of eight numbers that were not his to choose (a key that is none has roots of one number in 65,537).
Standard library only; OpenSSL and WebCrypto check the same bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from kernel.packing import pack

BITS: Final = 3072
SIZE: Final = BITS // 8
EXPONENT: Final = 65537
CHALLENGES: Final = 8
DICE_LEAST: Final = 50  # throws of a die: 129 bits

CHALLENGE_TAG: Final = "meterhouse/challenge/2"
ENDORSEMENT_TAG: Final = "meterhouse/witness-key/2"

# SubjectPublicKeyInfo of exactly such a key: nothing in it varies but the modulus, whose first bit is set.
_HEAD: Final = bytes.fromhex("308201a2300d06092a864886f70d01010105000382018f003082018a0282018100")
_TAIL: Final = bytes.fromhex("0203010001")
# DigestInfo of SHA-256 (RFC 8017, 9.2).
_DIGEST_INFO: Final = bytes.fromhex("3031300d060960864801650304020105000420")
_PEM: Final = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")


def modulus_of(key: bytes) -> int:
    """The modulus, from the one way to write such a key (SubjectPublicKeyInfo, DER). ValueError for any other."""
    if len(key) != len(_HEAD) + SIZE + len(_TAIL) or not (key.startswith(_HEAD) and key.endswith(_TAIL)):
        raise ValueError(f"This is no RSA key of {BITS} bits with the exponent {EXPONENT}.")
    modulus = int.from_bytes(key[len(_HEAD) : -len(_TAIL)], "big")
    if modulus.bit_length() != BITS or not modulus & 1:
        raise ValueError(f"The modulus of a witness's key is odd and has {BITS} bits.")
    return modulus


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the one signature of the message. The padding is built again and compared whole."""
    if len(signature) != SIZE:
        return False
    return _power(key, int.from_bytes(signature, "big")) == padded(message)


def fingerprint(key: bytes) -> bytes:
    return sha256(key).digest()


def endorsement_statement(name: str, key: bytes) -> bytes:
    """What the witness's Ed25519 key signs, so that pinning the one key pins the other."""
    return pack(ENDORSEMENT_TAG, name, fingerprint(key))


def challenges(key: bytes, dice: str) -> list[int]:
    """Eight numbers below the modulus that follow from the key and from dice thrown after it was made."""
    if len(dice) < DICE_LEAST or not set(dice) <= set("123456"):
        raise ValueError(f"The dice are at least {DICE_LEAST} throws of a die, written 1 to 6 without spaces.")
    modulus = modulus_of(key)
    return [_full_domain(pack(CHALLENGE_TAG, fingerprint(key), dice, at)) % modulus for at in range(CHALLENGES)]


def is_permutation(key: bytes, dice: str, roots: Sequence[bytes]) -> bool:
    """Whether these are the e-th roots of the challenges."""
    try:
        asked = challenges(key, dice)
    except ValueError:
        return False
    return len(roots) == len(asked) and all(
        len(root) == SIZE and _power(key, int.from_bytes(root, "big")) == number.to_bytes(SIZE, "big")
        for root, number in zip(roots, asked, strict=True)
    )


def to_pem(key: bytes) -> str:
    text = base64.b64encode(key).decode()
    return "\n".join((_PEM[0], *(text[at : at + 64] for at in range(0, len(text), 64)), _PEM[1], ""))


def from_pem(text: str) -> bytes:
    lines = text.strip().splitlines()
    try:
        key = base64.b64decode("".join(lines[1:-1]), validate=True)
        modulus_of(key)
    except ValueError as error:
        raise ValueError(f"This is no witness's key: {error}") from None
    if to_pem(key).splitlines() != lines:
        raise ValueError("This is no witness's key in the form of a PEM file.")
    return key


def _power(key: bytes, number: int) -> bytes | None:
    modulus = modulus_of(key)
    return pow(number, EXPONENT, modulus).to_bytes(SIZE, "big") if number < modulus else None


def padded(message: bytes) -> bytes:
    """EMSA-PKCS1-v1_5 (RFC 8017, 9.2)."""
    end = b"\x00" + _DIGEST_INFO + sha256(message).digest()
    return b"\x00\x01" + b"\xff" * (SIZE - 2 - len(end)) + end


def _full_domain(seed: bytes) -> int:
    """MGF1 with SHA-256 (RFC 8017, B.2.1), sixteen bytes longer than the modulus so that none is likelier."""
    blocks = -(-(SIZE + 16) // 32)
    stream = b"".join(sha256(seed + block.to_bytes(4, "big")).digest() for block in range(blocks))
    return int.from_bytes(stream[: SIZE + 16], "big")
