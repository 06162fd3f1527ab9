"""The keys that sign for the house beside the seals, and the verifier that it serves, announced in the log: sealed, the
seals vouch for them.
"""

from __future__ import annotations

from typing import Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from kernel import keys, verifier_bundle
from ledger.acts import KeyInUse, VerifierPublished
from ledger.keys import SigningKey, signing
from ledger.log import write_act
from ledger.models import Act
from ledger.seal import SEALER

EXPORT: Final = "export"


def announce_keys() -> None:
    """Each that the log does not know as the last of its purpose. By whoever prepares the house, and has them all."""
    for key in keys.KEYS:
        if key.shape is not keys.Shape.SIGNING or keys.given(key.name) is None:
            continue
        own = signing(key.name)
        if not is_announced(own, key.name):
            write_act(KeyInUse(key=own.fingerprint, public=own.public, purpose=key.name), by=SEALER)


def strange_keys() -> list[str]:
    """Those here that are another than the log names last for their purpose."""
    named = set(Act.objects.filter(kind=KeyInUse.kind).values_list("data__purpose", flat=True))
    held = [key.name for key in keys.KEYS if key.shape is keys.Shape.SIGNING and key.name in named]
    return [name for name in held if keys.given(name) is not None and not is_announced(signing(name), name)]


def announce_verifier() -> None:
    """Where it is another than the last that was: whoever downloads it compares its SHA-256 with the log's."""
    published = VerifierPublished(sha256=verifier_bundle.digest(), bytes_=len(verifier_bundle.bundle()))
    last = Act.objects.filter(kind=published.kind).order_by("-tx", "-id").values_list("subject", flat=True).first()
    if last != published.subject:
        write_act(published, by=SEALER)


def is_announced(key: SigningKey, purpose: str, *, under: int | None = None) -> bool:
    """Whether it is the last of its purpose, in what is sealed *under* this boundary or at all."""
    said = Act.objects.filter(kind=KeyInUse.kind, data__purpose=purpose)
    if under is not None:
        said = said.filter(tx__lt=under)
    last = said.order_by("-tx", "-id").values_list("subject", flat=True).first()
    return last == f"key:{key.fingerprint}"


def after_migrate(*, using: str, **_: object) -> None:
    """The receiver of post_migrate, connected in LedgerConfig.ready."""
    if using == "default" and ("ledger", "0001_initial") in MigrationRecorder(connections[using]).applied_migrations():
        announce_keys()
        announce_verifier()
