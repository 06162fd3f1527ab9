"""The witness's own two keys, made at a key ceremony and never shown: Ed25519 to cosign and to chain, RSA to answer.

The ceremony, with the inspector present: the RSA key is made first, then a die is thrown at least fifty times, and key
and throws give eight numbers whose roots the key shows. Nobody can show them with a key that would let him choose
between several signatures of one question. All of it is public but the two private keys.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from kernel import unique_signatures
from kernel.notes import COSIGNATURE_V1, NoteError, VerifierKey
from witness.journal import sync_folder
from witness.trouble import Trouble

SAME_MACHINE: Final = "same-machine."  # what the name of a witness begins with that stands beside its house
_ABOUT, _ED25519, _RSA = "about.json", "ed25519.key", "rsa.pem"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_-]{2,99}").fullmatch


@dataclass(frozen=True, slots=True)
class Keys:
    name: str
    same_machine: bool
    dice: str
    roots: tuple[bytes, ...]
    endorsement: bytes
    rsa_public: bytes
    _ed25519: Ed25519PrivateKey
    _rsa: rsa.RSAPrivateKey

    @property
    def cosigner(self) -> VerifierKey:
        return VerifierKey(self.name, COSIGNATURE_V1, self._ed25519.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        return self._ed25519.sign(message)

    def answer(self, message: bytes) -> bytes:
        """The one signature of this message. Checked before anybody sees it: a wrong one would give the key away."""
        signature = self._rsa.sign(message, padding.PKCS1v15(), SHA256())
        if not unique_signatures.verify(self.rsa_public, message, signature):
            raise RuntimeError("a signature of our own is wrong")
        return signature

    def about(self) -> dict[str, Any]:
        """Everything public: what a house writes into its log, and what people compare."""
        return {
            "name": self.name,
            "key": str(self.cosigner),
            "public": self.cosigner.public.hex(),
            "rsa": self.rsa_public.hex(),
            "endorsement": self.endorsement.hex(),
            "dice": self.dice,
            "roots": [root.hex() for root in self.roots],
            "same_machine": self.same_machine,
        }

    @classmethod
    def load(cls, folder: Path) -> Self:
        try:
            about = json.loads((folder / _ABOUT).read_bytes())
            own = Ed25519PrivateKey.from_private_bytes((folder / _ED25519).read_bytes())
            # Our own file, and every signature is checked: looking for its primes again would take half a second.
            private = load_pem_private_key((folder / _RSA).read_bytes(), None, unsafe_skip_rsa_key_validation=True)
        except FileNotFoundError as missing:
            raise Trouble(f"{missing.filename} is missing: this witness has lost a key, and needs a new one.") from None
        except ValueError:
            raise Trouble(f"The keys in {folder} cannot be read.") from None
        assert isinstance(private, rsa.RSAPrivateKey)
        keys = cls(
            name=about["name"],
            same_machine=about["same_machine"],
            dice=about["dice"],
            roots=tuple(bytes.fromhex(root) for root in about["roots"]),
            endorsement=bytes.fromhex(about["endorsement"]),
            rsa_public=_public(private),
            _ed25519=own,
            _rsa=private,
        )
        if keys.about() != about:
            raise Trouble(f"The keys in {folder} do not belong together.")
        return keys


def exist(folder: Path) -> bool:
    return (folder / _ABOUT).exists()


def thrown_by_the_machine() -> str:
    """For a witness beside its house, where nobody is there to throw: as many throws, from the operating system."""
    return "".join(secrets.choice("123456") for _ in range(unique_signatures.DICE_LEAST))


def make(folder: Path) -> rsa.RSAPrivateKey:
    """The first half of a ceremony: the RSA key, on disk before the dice are thrown."""
    path = folder / _RSA
    if path.exists():  # the ceremony was broken off, or the dice are being thrown
        private = load_pem_private_key(path.read_bytes(), None)
        assert isinstance(private, rsa.RSAPrivateKey)
        return private
    made = rsa.generate_private_key(public_exponent=unique_signatures.EXPONENT, key_size=unique_signatures.BITS)
    _write(path, made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made


def hold_ceremony(folder: Path, *, name: str, dice: str, same_machine: bool) -> Keys:
    """Make the keys and show with the dice that the RSA key is a permutation. Done once a folder."""
    if exist(folder):
        raise Trouble(f"There is a witness in {folder} already: a new key is a new witness, in a folder of its own.")
    if same_machine:
        name = SAME_MACHINE + name.removeprefix(SAME_MACHINE)
    elif name.startswith(SAME_MACHINE):
        raise Trouble(f"A name that begins with “{SAME_MACHINE}” says that the witness stands beside its house.")
    if not _NAME(name):
        raise Trouble("A witness's name reads like witness.example.com/keno: letters, digits and . / _ -")
    private = make(folder)
    public = _public(private)
    try:
        asked = unique_signatures.challenges(public, dice)
    except ValueError as wrong:
        raise Trouble(str(wrong)) from None
    numbers = private.private_numbers()
    roots = [pow(each, numbers.d, numbers.public_numbers.n) for each in asked]
    own = Ed25519PrivateKey.generate()
    keys = Keys(
        name=name,
        same_machine=same_machine,
        dice=dice,
        roots=tuple(root.to_bytes(unique_signatures.SIZE, "big") for root in roots),
        endorsement=own.sign(unique_signatures.endorsement_statement(name, public)),
        rsa_public=public,
        _ed25519=own,
        _rsa=private,
    )
    try:
        _ = keys.cosigner
    except NoteError as wrong:
        raise Trouble(str(wrong)) from None
    if not unique_signatures.is_permutation(public, dice, keys.roots):
        raise Trouble("The key has not shown that it is a permutation: make another.")
    (folder / _ED25519).unlink(missing_ok=True)  # of a ceremony that was broken off here
    _write(folder / _ED25519, own.private_bytes_raw())
    _write(folder / _ABOUT, json.dumps(keys.about(), indent=1).encode())
    return keys


def _public(private: rsa.RSAPrivateKey) -> bytes:
    return private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _write(path: Path, raw: bytes) -> None:
    """Whole or not at all, and on the disk."""
    making = path.with_suffix(".making")
    making.unlink(missing_ok=True)
    handle = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    making.rename(path)
    sync_folder(path.parent)
