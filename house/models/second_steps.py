"""The second step of a sign-in: a secret that the person's authenticator and the house share (RFC 6238).

The secret is stored encrypted, with a key that is not in the database, and bound to its person: who reads the table
makes no codes, and who copies a row to somebody else's account has made it useless.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from typing import ClassVar, Final
from urllib.parse import quote, urlencode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import models
from django.db.models import Q
from django_otp.models import Device
from django_otp.oath import TOTP

from kernel import keys

STEP_SECONDS: Final = 30
DIGITS: Final = 6
TOLERANCE_STEPS: Final = 1
"""A telephone may be a step early or late; its clock is never followed further."""
_KEY_BYTES: Final = 20
_NONCE_BYTES: Final = 12


class SecondStep(Device):  # type: ignore[misc]  # django-otp has no types
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    encrypted_key = models.CharField(max_length=120, editable=False)
    last_t = models.BigIntegerField(default=-1, help_text="the step of the last code used: a code works once")

    objects = models.Manager["SecondStep"]()

    fleeting: ClassVar = True

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user"], condition=Q(confirmed=True), name="house_second_step_one_each"),
        )

    def save(self, *args: object, **options: object) -> None:
        if not self.encrypted_key:
            self.encrypted_key = encrypted(secrets.token_bytes(_KEY_BYTES), person=self.user_id)
        super().save(*args, **options)

    @property
    def bin_key(self) -> bytes:
        return decrypted(self.encrypted_key, person=self.user_id)

    def totp(self) -> TOTP:
        return TOTP(self.bin_key, STEP_SECONDS, 0, DIGITS)

    def verify_token(self, token: str) -> bool:
        """Whether the code is right now, and unused. A secret that is not this person's makes no right code."""
        try:
            totp = self.totp()
        except InvalidTag:
            return False
        totp.time = time.time()
        if not (token.isascii() and token.isdigit()) or not totp.verify(int(token), TOLERANCE_STEPS, self.last_t + 1):
            return False
        self.last_t = totp.t()
        self.save(update_fields=["last_t"])
        return True

    @property
    def config_url(self) -> str:
        """What an authenticator reads from the QR code."""
        issuer = settings.OTP_TOTP_ISSUER
        secret = base64.b32encode(self.bin_key).decode()
        asked = urlencode({"secret": secret, "algorithm": "SHA1", "digits": DIGITS, "period": STEP_SECONDS})
        return f"otpauth://totp/{quote(f'{issuer}:{self.user.get_username()}')}?{asked}&issuer={quote(issuer)}"


def encrypted(key: bytes, *, person: int) -> str:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return base64.urlsafe_b64encode(nonce + _cipher().encrypt(nonce, key, _bound_to(person))).decode()


def decrypted(text: str, *, person: int) -> bytes:
    stored = base64.urlsafe_b64decode(text)
    return _cipher().decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], _bound_to(person))


def _cipher() -> AESGCM:
    return AESGCM(hashlib.sha256(f"second-step:{keys.secret('second-step-key')}".encode()).digest())


def _bound_to(person: int) -> bytes:
    return f"second-step of person {person}".encode()
