"""Having the seals cosigned: every few seconds the latest head goes to the witness, which signs what extends the last.

Its cosignature is kept beside the seal. Nothing waits for it but what says so (a first sale, a question): a house whose
witness is away goes on selling, and says that it is alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from kernel.merkle import Node
from kernel.notes import Note, NoteError, Signature, Submission, to_base64
from ledger import witnesses
from ledger.acts import KeyHandedOver, WitnessKeys
from ledger.checkpoints import Notes
from ledger.models import Act, Cosignature, Seal, WitnessState
from ledger.proofs import consistency, prove_row
from ledger.rewound import recognise
from ledger.seal import last_seal, log_origin, seal_over, statement_of
from ledger.transport import Away, SaidNo, call

LAST_SECOND: Final = 253_402_300_799  # that a date can hold
EVERY: Final = timedelta(seconds=5)  # between heads that nobody waits for
Trouble = WitnessState.Trouble
T = TypeVar("T")


class Diverged(Exception):
    """The witness has cosigned what this log does not have: this database is an old copy, or another."""


def cosign_due(now: datetime) -> None:
    """For the tick: the latest seal, where the last cosignature is a few seconds old."""
    latest = Cosignature.objects.order_by("-seal_id").first()
    if latest is None or now - latest.at >= EVERY:
        cosign_now()


def cosign_now() -> bool:
    """The latest seal, cosigned. False where the witness cannot be had; why is in its state."""
    witness, head = witnesses.current(), last_seal()
    if witness is None or head is None:
        return False
    if is_head_cosigned():
        return True
    return guarded(lambda: submit(head, witness)) is not None


def is_head_cosigned() -> bool:
    """Whether the latest seal is; also where there is none."""
    head = last_seal()
    return head is None or Cosignature.objects.filter(seal=head).exists()


def guarded(work: Callable[[], T]) -> T | None:
    """What the witness answers; None where it does not, with the reason noted."""
    try:
        given = work()
    except Away as away:
        witnesses.note_trouble(Trouble.AWAY, str(away))
    except Diverged as diverged:
        witnesses.note_trouble(Trouble.DIVERGED, recognise() or str(diverged))
    except SaidNo as no:
        if rewound := recognise():
            witnesses.note_trouble(Trouble.DIVERGED, rewound)
        else:
            witnesses.note_trouble(Trouble.STOPPED if no.code == "stopped" else Trouble.REFUSES, str(no))
    else:
        witnesses.note_answer()
        return given
    return None


def latest_cosigned(witness: WitnessKeys | None = None) -> Seal | None:
    """By this witness, else by whom the log names now."""
    witness = witness or witnesses.current()
    if witness is None:
        return None
    return Seal.objects.filter(cosignature__witness=witness.name).order_by("-number").first()


def is_cosigned(*, act: int) -> bool:
    """Whether the row stands under a head that the witness has cosigned."""
    head = latest_cosigned()
    return head is not None and Act.objects.filter(id=act, tx__lt=head.tx_upto).exists()


def known_size(witness: WitnessKeys) -> int:
    """How far the witness has come, as far as we know."""
    head = latest_cosigned(witness)
    return head.size if head is not None else 0


def submit(seal: Seal, witness: WitnessKeys) -> Cosignature:
    """C2SP's add-checkpoint, from whatever size the witness is at. Raises Away, SaidNo or Diverged."""
    old = known_size(witness)
    for _ in range(4):  # others may be at it, or a key is handed over on the way
        try:
            body = Submission(old, tuple(between(old, seal.size)), Notes().of(seal))
            return keep(seal, call("/add-checkpoint", str(body).encode()).decode(errors="replace"), witness)
        except SaidNo as no:
            if no.size is not None and no.size != old:
                old = after(no.size, witness)
            elif no.status == 403 and tell_hand_over(seal, witness):
                old = known_size(witness)
            else:
                raise
        if old > seal.size:
            break
    raise Away(f"The witness is at {old:,} rows already.")


def after(size: int, witness: WitnessKeys) -> int:
    """The witness says it is at this size. More than we have, or less than it has signed, is no small matter."""
    head = last_seal()
    if head is None or size > head.size:
        raise Diverged(f"The witness has cosigned {size:,} rows of this log, which has {head.size if head else 0:,}.")
    signed = latest_cosigned(witness)
    if signed is not None and size < signed.size:
        call("/seen", json.dumps({"checkpoint": str(Notes().of(signed))}).encode())  # it stops here, and says why
    return size


def between(old: int, new: int, *, nodes: Node | None = None) -> list[bytes]:
    """The proof from the smaller of two sizes to the larger one."""
    return consistency(old=min(old, new), new=max(old, new), nodes=nodes)


def keep(seal: Seal, line: str, witness: WitnessKeys) -> Cosignature:
    """Store the witness's line under the seal, once it is seen to be its own."""
    key = witnesses.cosigner(witness)
    try:
        note = Note(statement_of(seal).text(), (Signature.parse(line),))
        at = note.signed_by(key)
    except NoteError as error:
        raise Away(f"What the witness gave is no cosignature: {error}") from None
    if at is None:
        raise Away(f"What answers is not the witness {witness.name} that the log names.")
    moment = datetime.fromtimestamp(min(at, LAST_SECOND), UTC)
    kept = Cosignature(seal=seal, witness=witness.name, at=moment, line=line)
    Cosignature.objects.bulk_create([kept], ignore_conflicts=True)  # others may have kept it meanwhile
    return kept


def tell_hand_over(seal: Seal, witness: WitnessKeys) -> bool:
    """Show the witness the act by which this seal's key was handed over to. False where there is none to show."""
    act = Act.objects.filter(kind=KeyHandedOver.kind, subject=f"key:{seal.key}").first()
    own = seal_over(act.tx) if act is not None else None
    if act is None or own is None or own.key == seal.key:
        return False
    if known_size(witness) < own.size:
        submit(own, witness)
    said = {"origin": log_origin(), "size": own.size, "act": shown(act.id, under=own)}
    call("/hand-over", json.dumps(said).encode())
    return True


def shown(row: int, *, under: Seal, nodes: Node | None = None) -> dict[str, object]:
    """A row with its place and the proof of it, as the witness wants to see it."""
    proof = prove_row(row=row, under=under, nodes=nodes)
    return {"row": proof.row, "index": proof.position, "proof": [to_base64(each) for each in proof.path]}
