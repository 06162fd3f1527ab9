"""Another witness: an inspector's act names it, and the last number of the one before. It serves what opens later."""

from __future__ import annotations

from django.db import transaction

from kernel import locks
from kernel.actors import Actor
from kernel.locks import Lock
from kernel.notes import VerifierKey
from kernel.refusal import Conflict, Refusal
from ledger import witnesses
from ledger.acts import WitnessAppointed, WitnessKeys
from ledger.answers import last_link
from ledger.log import write_act
from ledger.transport import Away


def check_appointment(*, key: VerifierKey, last_number: int) -> WitnessKeys:
    """The witness at the address in the environment, where it is the one that is named and the number is right."""
    current = witnesses.current()
    if any(str(witnesses.cosigner(each)) == str(key) for each in witnesses.all_named()):
        raise Conflict("witness-known", "The log has named this witness before: a key that was given up stays so.")
    last = last_link(current) if current is not None else None
    known = last.number if last is not None else 0
    if known != last_number:
        raise Refusal(
            "another-last-number", f"The last answer that the log has is {known}, not {last_number}.", field="new"
        )
    try:
        offered = witnesses.offered_witness()
    except Away as away:
        raise Conflict("witness-away", str(away)) from None
    if offered is None or str(witnesses.cosigner(offered)) != str(key):
        raise Conflict("another-witness", "At the witness's address somebody else answers than the one that is named.")
    return offered


@transaction.atomic
def appoint_witness(*, key: VerifierKey, last_number: int, by: Actor) -> None:
    """By the inspector's decision. Questions that the old one has not answered stay without an answer."""
    locks.hold(Lock.WITNESS)
    before = witnesses.current()
    witness = check_appointment(key=key, last_number=last_number)
    act = WitnessAppointed(witness=witness, before=before.name if before is not None else "", last_number=last_number)
    write_act(act, by=by)
