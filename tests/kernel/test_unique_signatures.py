"""The witness's signature: one a message, checked to the last bit; and a key that is no permutation is found out."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kernel import unique_signatures
from kernel.questions import Link, Question

DICE = "1234561234561234561234561234561234561234561234561234"
QUESTION = Question(
    venue="DEMO", purpose="keno", occasion="1042", attempt=1, root=bytes(32), count=14, act_index=3,
    origin="meterhouse.log/1", size=9, checkpoint_root=bytes(range(32)),
)  # fmt: skip


@cache
def private() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=3072)


@cache
def public() -> bytes:
    return private().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@cache
def signed(message: bytes = b"message") -> bytes:
    return private().sign(message, padding.PKCS1v15(), SHA256())


def roots(key: rsa.RSAPrivateKey, der: bytes) -> list[bytes]:
    numbers = key.private_numbers()
    n = numbers.public_numbers.n
    return [pow(each, numbers.d, n).to_bytes(384, "big") for each in unique_signatures.challenges(der, DICE)]


def test_what_openssl_signs_is_right_and_nothing_else_is() -> None:
    assert unique_signatures.verify(public(), b"message", signed())
    assert not unique_signatures.verify(public(), b"another", signed())
    for at in (0, 1, 200, 383):
        spoilt = bytearray(signed())
        spoilt[at] ^= 1
        assert not unique_signatures.verify(public(), b"message", bytes(spoilt))


def test_a_signature_is_384_bytes_and_below_the_modulus() -> None:
    n = unique_signatures.modulus_of(public())
    value = int.from_bytes(signed(), "big")
    for wrong in (b"", signed()[1:], signed() + b"\0", b"\0" + signed()):
        assert not unique_signatures.verify(public(), b"message", wrong)
    if (value + n).bit_length() <= 3072:  # the same number modulo n, in as many bytes
        assert not unique_signatures.verify(public(), b"message", (value + n).to_bytes(384, "big"))
    assert not unique_signatures.verify(public(), b"message", n.to_bytes(384, "big"))


def test_the_padding_is_compared_whole() -> None:
    """Bleichenbacher's trick: a check that reads the padding instead of building it takes more than one number."""
    numbers = private().private_numbers()
    n = numbers.public_numbers.n
    right = pow(int.from_bytes(signed(), "big"), 65537, n).to_bytes(384, "big")
    head, digest = right[:2], right[-51:]
    for padded in (
        head + b"\xff" * 100 + b"\x00" + digest + b"\x00" * (384 - 2 - 101 - 51),  # rubbish behind the hash
        b"\x00\x02" + right[2:],
        right[:200] + b"\xfe" + right[201:],
        # without the NULL of the algorithm's parameters, which some accept
        head + b"\xff" * 332 + b"\x00" + bytes.fromhex("302f300b0609608648016503040201") + right[-34:],
    ):
        assert len(padded) == 384
        forged = pow(int.from_bytes(padded, "big"), numbers.d, n).to_bytes(384, "big")
        assert not unique_signatures.verify(public(), b"message", forged)


def test_only_keys_of_3072_bits_and_the_exponent_65537() -> None:
    small = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    three = private().public_key().public_numbers()
    tripled = rsa.RSAPublicNumbers(3, three.n).public_key()
    for key in (small, tripled):
        der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        with pytest.raises(ValueError, match="RSA key of 3072 bits"):
            unique_signatures.modulus_of(der)
    even = public()[:-6] + bytes([public()[-6] ^ 1]) + public()[-5:]
    with pytest.raises(ValueError, match="odd"):
        unique_signatures.modulus_of(even)


def test_the_pem_is_openssls() -> None:
    theirs = private().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    assert unique_signatures.to_pem(public()) == theirs
    assert unique_signatures.from_pem(theirs) == public()
    for wrong in ("", "x", theirs[:-40], theirs.replace("PUBLIC", "PRIVATE")):
        with pytest.raises(ValueError, match="no witness's key"):
            unique_signatures.from_pem(wrong)


def test_openssl_checks_an_answer_in_one_line(tmp_path: Path) -> None:
    """The line that docs/proof/witness.md gives."""
    (tmp_path / "witness.pem").write_text(unique_signatures.to_pem(public()))
    (tmp_path / "message").write_bytes(QUESTION.message())
    (tmp_path / "signature").write_bytes(signed(QUESTION.message()))
    line = "openssl dgst -sha256 -verify witness.pem -signature signature message"
    done = subprocess.run(line.split(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "Verified OK\n")


def test_a_key_shows_that_it_is_a_permutation() -> None:
    right = roots(private(), public())
    assert unique_signatures.is_permutation(public(), DICE, right)
    assert not unique_signatures.is_permutation(public(), DICE[1:] + "1", right)
    assert not unique_signatures.is_permutation(public(), DICE, right[:-1])
    assert not unique_signatures.is_permutation(public(), DICE, [*right[:-1], right[0]])
    assert not unique_signatures.is_permutation(public(), "7" * 60, right)
    assert not unique_signatures.is_permutation(public(), "1" * 49, right)


def test_a_key_that_gives_several_signatures_fails_the_ceremony() -> None:
    """With a prime p = 1 (mod e) a message has 65,537 signatures or none, and the owner would choose among them."""
    e = unique_signatures.EXPONENT
    p = ((2**1519 * 19 // 10 & ~1) + 2890) * e + 1
    q = private().private_numbers().p
    n = p * q
    key = public()[:33] + n.to_bytes(384, "big") + public()[-5:]
    assert unique_signatures.modulus_of(key) == n
    unity = pow(3, (p - 1) // e, p)  # its e-th power is 1
    assert unity != 1
    twin = (unity * q * pow(q, -1, p) + p * pow(p, -1, q)) % n  # unity modulo p, 1 modulo q
    some = 123456789
    assert some * twin % n != some
    assert pow(some * twin % n, e, n) == pow(some, e, n)  # two signatures of whatever this is the power of
    without_root = [each for each in unique_signatures.challenges(key, DICE) if pow(each, (p - 1) // e, p) != 1]
    assert len(without_root) == 8  # and nothing to show for any of the challenges


def test_a_link_is_right_or_not() -> None:
    own = Ed25519PrivateKey.generate()
    link = Link(
        number=1, at=1_700_000_000, previous=bytes(32), question=QUESTION, answer=signed(QUESTION.message())
    )  # fmt: skip
    link = replace(link, signature=own.sign(link.statement()))
    key = own.public_key().public_bytes_raw()
    assert link.is_right(public=key, rsa=public())
    assert Link.from_json(link.as_json()) == link
    for wrong in (
        replace(link, number=2),
        replace(link, at=link.at + 1),
        replace(link, previous=bytes([1]) * 32),
        replace(link, question=replace(QUESTION, root=bytes([1]) * 32)),
        replace(link, answer=bytes(384)),
    ):
        assert not wrong.is_right(public=key, rsa=public())
