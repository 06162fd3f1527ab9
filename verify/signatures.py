"""Ed25519: by ``cryptography`` where it is installed, which is thirty times as fast; by our own check where not."""

from __future__ import annotations

from kernel import ed25519

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
