"""Ed25519 keys that sign for the house: private halves as ``kernel.keys`` names them, public ones in the log.

Which key seals next is written in the log itself: the first key announces itself, every later one is handed over to by
the one before and accepts. The hand-over is sealed by the old key, and from the next seal on the new one signs; then
the old one is destroyed. The sealing keys are a folder of files, one each, for the sealer alone; where they come from a
variable or a command, it gives them separated by spaces.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from kernel import keys
from kernel.environment import Trouble
from kernel.hand_over import fingerprint

SEALS: Final = keys.named("seals")
_PRIVATE_BYTES: Final = 32


class KeyMissing(Exception):
    """The log names a key whose private half is not on this machine."""


class SigningKey:
    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.fingerprint = fingerprint(self.public)

    def sign(self, purpose: bytes, statement: bytes) -> bytes:
        return self._private.sign(purpose + statement)


def signing(name: str) -> SigningKey:
    """The key of this name (``feed``, ``receipt``, ``export``)."""
    return _read(name, keys.secret(name))


def folder() -> Path:
    return SEALS.path


def in_folder() -> bool:
    """Whether the sealing keys are files of ours, which we make and destroy."""
    return not any(os.environ.get(name) for name in (SEALS.way_in, f"{SEALS.way_in}_COMMAND"))


def make() -> SigningKey:
    """A new sealing key, on disk before anybody relies on it; the folder's owner's, whoever makes it."""
    private = Ed25519PrivateKey.generate()
    key = SigningKey(private)
    path, owner = folder() / key.fingerprint, folder().stat()
    keys.write(path, private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    if owner.st_uid != os.geteuid():
        os.chown(path, owner.st_uid, owner.st_gid)
    return key


def load(name: str) -> SigningKey:
    if not in_folder():
        for key in _given():
            if key.fingerprint == name:
                return key
        raise KeyMissing(f"The private half of sealing key {name} is not among those that {SEALS.way_in} gives.")
    try:
        return SigningKey(Ed25519PrivateKey.from_private_bytes((folder() / name).read_bytes()))
    except FileNotFoundError:
        raise KeyMissing(
            f"The private half of sealing key {name} is not in {folder()}: restore that folder from its backup."
        ) from None


def names() -> list[str]:
    """The fingerprints of the sealing keys at hand."""
    if not in_folder():
        return [key.fingerprint for key in _given()]
    return sorted(path.name for path in folder().iterdir()) if folder().is_dir() else []


def newest() -> SigningKey:
    """The one that a log without any key begins with: made at the first start, never here."""
    if not in_folder():
        return _given()[-1]
    made = (
        sorted(folder().iterdir(), key=lambda path: (path.stat().st_mtime_ns, path.name)) if folder().is_dir() else []
    )
    if not made:
        raise KeyMissing(f"There is no sealing key in {folder()}: restore it from its backup.")
    return load(made[-1].name)


def successor(of: str) -> SigningKey:
    """The key that is handed over to: a new one, or the other one that is given beside the one in force."""
    if in_folder():
        return make()
    others = [key for key in _given() if key.fingerprint != of]
    if not others:
        raise KeyMissing(f"{SEALS.way_in} gives no other key to hand over to: add the new one after the old.")
    return others[-1]


def destroy(name: str) -> bool:
    """Overwrite and remove the private half. True once it is gone; False: it is not ours to destroy."""
    if not in_folder():
        return False
    path = folder() / name
    if path.exists():
        with path.open("r+b") as file:
            file.write(os.urandom(_PRIVATE_BYTES))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    return True


def _given() -> list[SigningKey]:
    return [_read(SEALS.name, text) for text in keys.secret(SEALS.name).split()]


def _read(name: str, text: str) -> SigningKey:
    try:
        return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text)))
    except ValueError:
        raise Trouble(f"The key {name} must be 64 hexadecimal digits, the private half of an Ed25519 key.") from None
