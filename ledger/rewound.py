"""A log that went back: the database is an older copy, or another, and the witness remembers what it has lost.

Found out at every start and by every tick, from the witness's own signed checkpoint and nothing less: nobody's bare
word stops a house. It is written into the log, and from then on no money moves (``post.py``) until an inspector has
appointed another witness on the house's proposal: the one that remembers can never go on with this log.
"""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from kernel import locks
from kernel.locks import Lock
from kernel.notes import Checkpoint, Note, NoteError
from ledger import witnesses
from ledger.acts import LogRewound
from ledger.log import write_act
from ledger.proofs import root_at
from ledger.rewound_log import stands_still
from ledger.seal import SEALER, last_seal, log_origin
from ledger.transport import Away, SaidNo, call


def recognise() -> str:
    """A sentence where the witness has cosigned what this log does not have; then the log has it, too."""
    witness = witnesses.current()
    if witness is None or last_seal() is None:
        return ""
    try:
        note = Note.parse(call(f"/{sha256(log_origin().encode()).hexdigest()}/checkpoint"))
        signed = note.signed_by(witnesses.cosigner(witness)) is not None
        seen = Checkpoint.parse(note.text)
    except (Away, SaidNo, NoteError):
        return ""  # nothing that it has signed: its state says what is the matter
    head = last_seal()  # after the witness was asked: it may have cosigned one more meanwhile
    if not signed or seen.origin != log_origin() or head is None:
        return ""
    if seen.size <= head.size and root_at(seen.size) == seen.root:
        return ""
    with transaction.atomic():
        locks.hold(Lock.WITNESS)  # two may find out at once
        if not stands_still():
            write_act(LogRewound(witness=witness.name, size=head.size, note=str(note)), by=SEALER)
    if seen.size <= head.size:
        return f"The witness has cosigned another log of {seen.size:,} rows than this one."
    return f"The witness has cosigned {seen.size:,} rows of this log, which has {head.size:,}."
