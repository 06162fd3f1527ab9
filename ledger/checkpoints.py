"""Seals as the world reads them: checkpoints in signed notes, by the house and, once it has seen them, the witness."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Final

from kernel.hand_over import fingerprint
from kernel.notes import COSIGNATURE_V1, ED25519, Note, Signature, VerifierKey
from ledger import witnesses
from ledger.acts import FirstKey, KeyInUse
from ledger.models import Act, Cosignature, Seal
from ledger.queries import public_key
from ledger.seal import has_begun, log_origin, statement_of
from ledger.statements import in_fours

FRESH: Final = timedelta(seconds=60)
RECEIPT: Final = "receipt"  # the purpose of a key


class Notes:
    """Writes the notes of one log. Knows its origin and its keys from the first one on."""

    def __init__(self) -> None:
        self.origin = log_origin()
        self._key = cache(self._read_key)

    def of(self, seal: Seal) -> Note:
        """The whole note; one query more where the seal was not read with its cosignature."""
        key = self._key(seal.key)
        signatures = [Signature(key.name, key.id, bytes(seal.signature))]
        with suppress(Cosignature.DoesNotExist):
            signatures.append(Signature.parse(seal.cosignature.line))
        return Note(statement_of(seal, origin=self.origin).text(), tuple(signatures))

    def key(self, fingerprint: str) -> VerifierKey:
        """A sealing key as others know it: it signs in the log's name."""
        return self._key(fingerprint)

    def _read_key(self, fingerprint: str) -> VerifierKey:
        public = public_key(fingerprint)
        assert public is not None
        return VerifierKey(self.origin, ED25519, public)


def latest() -> Seal | None:
    """The head that is shown: the latest one that the witness has cosigned; the latest of all while that is too old."""
    seals = Seal.objects.select_related("cosignature").order_by("-number")
    head, cosigned = seals.first(), seals.filter(cosignature__isnull=False).first()
    return cosigned if head and cosigned and head.at - cosigned.at < FRESH else head


def note() -> str:
    """The head that is shown, as text, to stand wherever the house says something; empty before the first seal."""
    head = latest()
    return str(Notes().of(head)) if head is not None else ""


def verifier_keys() -> list[VerifierKey]:
    """The key that signs the log now, and the witness's."""
    head = Seal.objects.order_by("-number").first()
    found = [Notes().key(head.key)] if head is not None else []
    witness = witnesses.current()
    return [*found, witnesses.cosigner(witness)] if witness is not None else found


def receipt_name() -> str:
    """The name in which receipts are signed: of the same first key as the log's."""
    return log_origin().replace("meterhouse.log/", "meterhouse.receipts/")


def receipt_keys() -> list[VerifierKey]:
    """Every key that has ever signed receipts, the latest last: paper is kept for years."""
    name = receipt_name()
    acts = Act.objects.filter(kind=KeyInUse.kind, data__purpose=RECEIPT).order_by("tx", "id")
    found = (KeyInUse.read(act.data, subject=act.subject) for act in acts)
    return list(dict.fromkeys(VerifierKey(name, ED25519, key.public) for key in found))


def introduction() -> str:
    """The lines by which a witness beside its house is told to watch this log, whatever venue it names, and which keys
    sign its receipts."""
    first = Act.objects.get(kind=FirstKey.kind)
    receipts = "".join(f"- receipts {key}\n" for key in receipt_keys())
    return f"- log {Notes().key(first.subject.removeprefix('key:'))}\n{receipts}"


def fingerprints() -> list[tuple[str, str]]:
    """Whose key, and what people compare of it, in groups of four; nothing before the log has begun."""
    if not has_begun():
        return []
    return [
        ("witness" if key.kind == COSIGNATURE_V1 else "house", in_fours(fingerprint(key.public)))
        for key in verifier_keys()
    ]
