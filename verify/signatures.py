"""Ed25519: by ``cryptography`` where it is installed, which is thirty times as fast; by our own check where not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from kernel import ed25519
from kernel.notes import COSIGNATURE_V1, ED25519, Note, NoteError, VerifierKey
from kernel.row_text import read_json

_SIGNATURE_BYTES: Final = 64  # a cosignature has its time before it
Signed: TypeAlias = tuple[bytes, bytes, bytes]  # a key, what it signed, the signature

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    verify_ed25519 = ed25519.verify
else:

    def verify_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Proven:
    """Checks signatures, but for those that another process has found right."""

    def __init__(self) -> None:
        self.known: frozenset[Signed] = frozenset()

    def __call__(self, public: bytes, message: bytes, signature: bytes) -> bool:
        return (public, message, signature) in self.known or verify_ed25519(public, message, signature)


def proven(seal: bytes, keys: Iterable[bytes]) -> frozenset[Signed]:
    """Of a seal's line the signatures that are right, by these keys. Whether it takes them is the verifier's to say."""
    found: set[Signed] = set()

    def check(public: bytes, message: bytes, signature: bytes) -> bool:
        right = verify_ed25519(public, message, signature)
        found.update([(public, message, signature)] if right else [])
        return right

    try:
        note = Note.parse(read_json(seal)["seal"].encode())
        for each in note.signatures:
            kind = ED25519 if len(each.signature) == _SIGNATURE_BYTES else COSIGNATURE_V1
            for key in [VerifierKey(each.name, kind, public) for public in keys]:
                if each.by(key):
                    key.check(note.text, each.signature, verify=check)
    except (AttributeError, KeyError, NoteError, TypeError, ValueError):
        pass  # the verifier reads it, and says why not
    return frozenset(found)
