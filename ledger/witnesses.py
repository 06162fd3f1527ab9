"""Which witness the log names: the one it begins with, or whom an inspector has appointed since."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from kernel import ed25519, unique_signatures
from kernel.notes import COSIGNATURE_V1, VerifierKey
from ledger.acts import FirstKey, WitnessAppointed, WitnessKeys
from ledger.models import Act, WitnessState
from ledger.transport import Away, address, call_json

TURN_SECONDS: Final = 0.5
TROUBLED_SECONDS: Final = 6.0  # longer than a call may take


def all_named() -> list[WitnessKeys]:
    """Every witness the log has named, in order."""
    return [keys for _, keys in _named_with_place()]


def _named_with_place() -> list[tuple[tuple[int, int], WitnessKeys]]:
    """The same with the place in the log of the act that names each."""
    found: list[tuple[tuple[int, int], WitnessKeys]] = []
    acts = Act.objects.filter(kind__in=(FirstKey.kind, WitnessAppointed.kind)).order_by("tx", "id")
    for tx, row, kind, data, subject in acts.values_list("tx", "id", "kind", "data", "subject"):
        if kind == WitnessAppointed.kind:
            found.append(((tx, row), WitnessAppointed.read(data, subject=subject).witness))
        elif (witness := FirstKey.read(data, subject=subject).witness) is not None:
            found.append(((tx, row), witness))
    return found


def current() -> WitnessKeys | None:
    """Whom the next question goes to. An address in the environment changes nothing of it."""
    return next(reversed(all_named()), None)


def in_force_at(row: int) -> WitnessKeys | None:
    """Who was the witness when this row was written."""
    at = Act.objects.filter(id=row).values_list("tx", "id").first() or (0, 0)
    found = _named_with_place()
    before = [keys for place, keys in found if place < at]
    return before[-1] if before else next((keys for _, keys in found), None)


def named(name: str) -> WitnessKeys:
    return next(keys for keys in all_named() if keys.name == name)


def cosigner(witness: WitnessKeys) -> VerifierKey:
    return VerifierKey(witness.name, COSIGNATURE_V1, witness.public)


def offered_witness() -> WitnessKeys | None:
    """Who is at the witness's address, as it describes itself; None where there is no such address. Raises Away."""
    return read_keys(call_json("/about")) if address() else None


def read_keys(said: Any) -> WitnessKeys:
    """A witness's own description, believed as far as it proves itself."""
    try:
        witness = WitnessKeys(
            name=said["name"],
            public=bytes.fromhex(said["public"]),
            rsa=bytes.fromhex(said["rsa"]),
            endorsement=bytes.fromhex(said["endorsement"]),
            dice=said["dice"],
            roots=[bytes.fromhex(root) for root in said["roots"]],
            same_machine=said["same_machine"] is True,
        )
        right = is_right(witness) and str(cosigner(witness)) == said["key"]
    except (KeyError, TypeError, ValueError):
        right = False
    if not right:
        raise Away("What answers there does not show that it is a witness.")
    return witness


def is_right(witness: WitnessKeys) -> bool:
    """Whether the Ed25519 key has signed for the RSA key, and the RSA key has shown that it is a permutation."""
    endorsed = unique_signatures.endorsement_statement(witness.name, witness.rsa)
    return ed25519.verify(witness.public, endorsed, witness.endorsement) and unique_signatures.is_permutation(
        witness.rsa, witness.dice, witness.roots
    )


def claim_turn() -> bool:
    """Whether it is time to turn to the witness. While it is in trouble every few seconds only: nobody who does not
    answer holds up a worker."""
    every = timedelta(seconds=TROUBLED_SECONDS if state().trouble else TURN_SECONDS)
    return _note(Q(tried_at__isnull=True) | Q(tried_at__lte=Now() - every), tried_at=Now())


def state() -> WitnessState:
    """How it goes with the witness at this moment."""
    return WitnessState.objects.filter(pk=1).first() or WitnessState(trouble="", detail="")


def note_trouble(trouble: WitnessState.Trouble, detail: str) -> None:
    """Since when, and why. It stays since its first moment while the witness does not answer as it should."""
    before, now = state(), datetime.now(UTC)
    if before.trouble == trouble and before.detail == detail:
        return
    since = before.since if before.trouble else now
    _note(trouble=trouble, detail=detail[:500], since=since)


def note_answer() -> None:
    """It has answered as it should. Written now and then: nobody needs to know to the second."""
    before, now = state(), datetime.now(UTC)
    if before.trouble or before.heard_at is None or (now - before.heard_at).total_seconds() > 10:
        _note(trouble="", detail="", since=None, heard_at=now)


def _note(where: Q | None = None, **what: object) -> bool:
    """Written, where nobody else is writing just then. Nobody waits for this row: a commit may take long on a disk that
    is busy, and whoever waited would have an answer of the witness in his hands, or a draw. Who asks next notes it."""
    if not WitnessState.objects.filter(pk=1).exists():
        WitnessState.objects.bulk_create([WitnessState(trouble="", detail="")], ignore_conflicts=True)
    with transaction.atomic():
        free = WitnessState.objects.select_for_update(skip_locked=True).filter(where or Q(), pk=1)
        return bool(WitnessState.objects.filter(pk__in=free).update(**what))
