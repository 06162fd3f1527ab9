"""Our own check of Ed25519 signatures: RFC 8032's vectors, and the same yes and no as OpenSSL's."""

from __future__ import annotations

from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from kernel import ed25519

# RFC 8032, 7.1: public key, message, signature.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
ORDER = 2**252 + 27742317777372353535851937790883648493


def openssl(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_the_vectors_of_rfc_8032(public: str, message: str, signature: str) -> None:
    key, text, signed = (bytes.fromhex(each) for each in (public, message, signature))
    assert ed25519.verify(key, text, signed)
    assert openssl(key, text, signed)
    assert not ed25519.verify(key, text + b"\0", signed)


def test_it_says_what_openssl_says() -> None:
    chance = Random(8032)
    private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
    public = private.public_key().public_bytes_raw()
    for length in range(40):
        message = chance.randbytes(length)
        signature = private.sign(message)
        assert ed25519.verify(public, message, signature)
        at = chance.randrange(64)
        spoilt = signature[:at] + bytes([signature[at] ^ 1 << chance.randrange(8)]) + signature[at + 1 :]
        assert ed25519.verify(public, message, spoilt) is openssl(public, message, spoilt) is False
        other = chance.randbytes(32)
        assert ed25519.verify(other, message, signature) is openssl(other, message, signature) is False


def test_a_signature_has_one_form() -> None:
    """The same signature with the group's order added would pass a careless check: one more signature of a text."""
    key, text, signed = (bytes.fromhex(each) for each in VECTORS[2])
    larger = int.from_bytes(signed[32:], "little") + ORDER
    assert not ed25519.verify(key, text, signed[:32] + larger.to_bytes(32, "little"))
    for wrong in (b"", signed[:-1], signed + b"\0"):
        assert not ed25519.verify(key, text, wrong)


@pytest.mark.parametrize(
    "public",
    [
        b"",
        bytes(31),
        b"\xff" * 32,  # y above the prime
        (2**255 - 19).to_bytes(32, "little"),  # 0, written another way
        (1 | 1 << 255).to_bytes(32, "little"),  # x = 0 has no sign
        (2).to_bytes(32, "little"),  # no point of the curve
    ],
)
def test_what_is_no_key_has_signed_nothing(public: bytes) -> None:
    assert not ed25519.verify(public, b"", bytes.fromhex(VECTORS[0][2]))
