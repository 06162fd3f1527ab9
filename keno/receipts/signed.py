"""What a receipt's QR code carries for the day somebody rewrites history: signed by the receipt key (kernel/paper.py).

The head is the latest that the witness has cosigned at the moment of printing, so a duplicate has a later one than the
receipt; leaf and commitment are the same on both.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Final

from kernel.hand_over import fingerprint
from kernel.notes import ED25519, VerifierKey
from kernel.paper import Paper
from ledger import witnesses
from ledger.checkpoints import RECEIPT, receipt_name
from ledger.cosign import latest_cosigned
from ledger.keys import SigningKey, signing
from ledger.seal import has_begun, last_seal, log_origin
from ledger.transport import address
from web.words import in_fours

HEAD_DIGITS: Final = 16  # of the root, for eyes; the code has all of it
NO_HASH: Final = bytes(32)  # a game without a commitment
NO_KEY: Final = bytes(4)  # a log without a witness
NOTHING_SEALED: Final = sha256(b"").digest()  # the root of an empty tree (RFC 6962)


@dataclass(frozen=True, slots=True)
class SignedPaper:
    """The text of the code, and whose keys it can be checked with: people compare their fingerprints."""

    text: str
    house: str
    witness: str  # empty where the log names none
    head: str  # the latest head of the log, as a person can note it down


@cache
def _key() -> SigningKey:
    return signing(RECEIPT)


def sign_paper(*, leaf: bytes, commitment: bytes | None, at: datetime) -> SignedPaper | None:
    """None before the log has begun: then there is nothing yet that could be rewritten."""
    if not has_begun():
        return None
    key, head, witness = _key(), latest_cosigned() or last_seal(), witnesses.current()
    paper = Paper(
        origin=log_origin(),
        leaf=leaf,
        commitment=commitment or NO_HASH,
        size=head.size if head is not None else 0,
        root=bytes(head.root) if head is not None else NOTHING_SEALED,
        at=int(at.timestamp()),
        receipt_key=VerifierKey(receipt_name(), ED25519, key.public).id,
        witness_key=witnesses.cosigner(witness).id if witness is not None else NO_KEY,
        witness=address() if witness is not None else "",
    )
    text = paper.signed(lambda statement: key.sign(b"", statement))
    return SignedPaper(
        text,
        key.fingerprint,
        fingerprint(witness.public) if witness is not None else "",
        f"{paper.size:,} rows, {in_fours(paper.root.hex()[:HEAD_DIGITS])}",
    )
