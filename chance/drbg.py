"""HMAC_DRBG with SHA-256, exactly as NIST SP 800-90A Rev. 1, 10.1.2. Shown with NIST's CAVP vectors in the tests.

Security strength 256 bits. Prediction resistance is the caller's: `reseed` just before `generate` (9.3.1, step 7).
"""

from __future__ import annotations

import hmac
from functools import cache
from typing import Final

OUTLEN: Final = 32
# Table 2 of SP 800-90A for HMAC_DRBG, in bytes; the nonce's half strength is 8.6.7.
MIN_ENTROPY: Final = 32
MIN_NONCE: Final = 16
MAX_INPUT: Final = 1 << 32
MAX_REQUEST: Final = 1 << 16
RESEED_INTERVAL: Final = 1 << 48


class DrbgError(Exception):
    """The generator may not do what was asked of it."""


class ReseedRequired(DrbgError):
    """The reseed interval is used up: fresh entropy first."""


def _within(what: str, value: bytes, at_least: int = 0) -> None:
    if len(value) < at_least:
        raise DrbgError(f"The {what} needs at least {at_least} bytes; {len(value)} were given.")
    if len(value) > MAX_INPUT:
        raise DrbgError(f"The {what} may have at most {MAX_INPUT} bytes.")


class HmacDrbg:
    __slots__ = ("_interval", "_key", "_v", "reseed_counter")

    def __init__(
        self, *, entropy: bytes, nonce: bytes, personalisation: bytes = b"", reseed_interval: int = RESEED_INTERVAL
    ) -> None:
        """Instantiate (10.1.2.3)."""
        _within("entropy", entropy, MIN_ENTROPY)
        _within("nonce", nonce, MIN_NONCE)
        _within("personalisation", personalisation)
        if not 1 <= reseed_interval <= RESEED_INTERVAL:
            raise DrbgError("The reseed interval is between 1 and 2^48 requests.")
        self._interval = reseed_interval
        self._key = bytes(OUTLEN)
        self._v = b"\x01" * OUTLEN
        self._update(entropy + nonce + personalisation)
        self.reseed_counter = 1

    def reseed(self, *, entropy: bytes, additional: bytes = b"") -> None:
        """10.1.2.4."""
        _within("entropy", entropy, MIN_ENTROPY)
        _within("additional input", additional)
        self._update(entropy + additional)
        self.reseed_counter = 1

    def generate(self, count: int, *, additional: bytes = b"") -> bytes:
        """10.1.2.5: the next ``count`` bytes. What comes out depends on how it is cut into requests."""
        if not 0 <= count <= MAX_REQUEST:
            raise DrbgError(f"One request is for 0 to {MAX_REQUEST} bytes, not {count}.")
        _within("additional input", additional)
        if self.reseed_counter > self._interval:
            raise ReseedRequired(f"After {self._interval} requests the generator needs fresh entropy.")
        if additional:
            self._update(additional)
        key, v = self._key, self._v
        blocks = []
        for _ in range(-(-count // OUTLEN)):
            v = hmac.digest(key, v, "sha256")
            blocks.append(v)
        self._v = v
        self._update(additional)
        self.reseed_counter += 1
        return b"".join(blocks)[:count]

    def _update(self, provided: bytes) -> None:
        """10.1.2.2."""
        self._key = hmac.digest(self._key, self._v + b"\x00" + provided, "sha256")
        self._v = hmac.digest(self._key, self._v, "sha256")
        if provided:
            self._key = hmac.digest(self._key, self._v + b"\x01" + provided, "sha256")
            self._v = hmac.digest(self._key, self._v, "sha256")

    def __repr__(self) -> str:
        return f"<HmacDrbg after {self.reseed_counter - 1} requests>"  # never the state


@cache
def self_test() -> None:
    """The known answer test of 11.3, once in a process: a draw refuses to start on a machine that hashes wrongly.

    CAVP, drbgvectors_no_reseed, [SHA-256], personalisation and additional input of 256 bits, COUNT = 0.
    """
    generator = HmacDrbg(
        entropy=bytes.fromhex("5d3286bc53a258a53ba781e2c4dcd79a790e43bbe0e89fb3eed39086be34174b"),
        nonce=bytes.fromhex("c5422294b7318952ace7055ab7570abf"),
        personalisation=bytes.fromhex("2dba094d008e150d51c4135bb2f03dcde9cbf3468a12908a1b025c120c985b9d"),
    )
    first = bytes.fromhex("793a7ef8f6f0482beac542bb785c10f8b7b406a4de92667ab168ecc2cf7573c6")
    second = bytes.fromhex("2238cdb4e23d629fe0c2a83dd8d5144ce1a6229ef41dabe2a99ff722e510b530")
    generator.generate(128, additional=first)
    answer = bytes.fromhex(
        "d04678198ae7e1aeb435b45291458ffde0891560748b43330eaf866b5a6385e74c6fa5a5a44bdb284d436e98d244018d"
        "6acedcdfa2e9f499d8089e4db86ae89a6ab2d19cb705e2f048f97fb597f04106a1fa6a1416ad3d859118e079a0c319eb"
        "95686f4cbcce3b5101c7a0b010ef029c4ef6d06cdfac97efb9773891688c37cf"
    )
    if generator.generate(128, additional=second) != answer:
        raise DrbgError("The generator fails its known answer test on this machine. Nothing may be drawn here.")
