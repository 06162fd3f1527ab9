"""The sealing keys (Ed25519). Private halves are files of this installation, 0600; the public ones are in the log.

Which key seals next is written in the log itself: the first key announces itself, every later one is handed over to by
the one before and accepts. The hand-over is sealed by the old key, and from the next seal on the new one signs.
"""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from config.environment import data_folder
from ledger.statements import fingerprint

FIRST_KEY = "keys.first"
HAND_OVER_KEY = "keys.hand-over"


class KeyMissing(Exception):
    """The log names a key whose private half is not on this machine."""


class SealingKey:
    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.fingerprint = fingerprint(self.public)

    def sign(self, purpose: bytes, statement: bytes) -> bytes:
        return self._private.sign(purpose + statement)


def folder() -> Path:
    path = data_folder() / "keys" / "seals"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def make() -> SealingKey:
    """A new key, on disk before anybody relies on it."""
    private = Ed25519PrivateKey.generate()
    key = SealingKey(private)
    path = folder() / key.fingerprint
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())
    return key


def load(name: str) -> SealingKey:
    path = folder() / name
    try:
        return SealingKey(Ed25519PrivateKey.from_private_bytes(path.read_bytes()))
    except FileNotFoundError:
        raise KeyMissing(
            f"The private half of sealing key {name} is not in {folder()}: restore that folder from its backup."
        ) from None
