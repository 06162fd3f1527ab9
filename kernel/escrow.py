"""A secret put beyond the house's power to lose it: encrypted to the inspector's offline key, and published so.

X25519, HKDF-SHA-256, AES-256-GCM, bound to what the secret is for. The house has the public half only; whoever has the
private one (``python -m witness.escrow``) gives the secret back when the house's own copy does not open any more.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kernel.packing import pack

TAG: Final = "meterhouse/escrow/2"
KEY_SIZE: Final = 32
_CIPHER_KEY_SIZE: Final = 32
_NONCE_SIZE: Final = 12


class EscrowUnreadable(Exception):
    """It was altered, is for something else, or was made for another key."""


def new_private() -> bytes:
    return X25519PrivateKey.generate().private_bytes_raw()


def public_of(private: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def encrypt(*, inspector: bytes, secret: bytes, bound_to: bytes) -> bytes:
    """*inspector*: the public half. Answers the sender's public half and the secret, encrypted."""
    once = X25519PrivateKey.generate()
    sender = once.public_key().public_bytes_raw()
    key, nonce = _derived(once.exchange(X25519PublicKey.from_public_bytes(inspector)), sender, inspector)
    return sender + AESGCM(key).encrypt(nonce, secret, bound_to)


def decrypt(*, private: bytes, escrow: bytes, bound_to: bytes) -> bytes:
    """The secret again, by whoever has the inspector's private half."""
    sender, encrypted = escrow[:KEY_SIZE], escrow[KEY_SIZE:]
    try:
        shared = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(sender))
        key, nonce = _derived(shared, sender, public_of(private))
        return AESGCM(key).decrypt(nonce, encrypted, bound_to)
    except (InvalidTag, ValueError):
        raise EscrowUnreadable("It was altered, is for something else, or was made for another key.") from None


def _derived(shared: bytes, sender: bytes, receiver: bytes) -> tuple[bytes, bytes]:
    """Key and nonce, both used once: the sender's half is new each time."""
    size = _CIPHER_KEY_SIZE + _NONCE_SIZE
    made = HKDF(hashes.SHA256(), size, salt=None, info=pack(TAG, sender, receiver)).derive(shared)
    return made[:_CIPHER_KEY_SIZE], made[_CIPHER_KEY_SIZE:]
