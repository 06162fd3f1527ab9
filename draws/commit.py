"""A master promised, kept, revealed; and given back by an inspector where the house has lost its copy."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chance import two_party
from chance.two_party import ALGORITHM, Promise
from draws import masters, second_party
from draws.acts import MasterPromised, MasterRestored, MasterRevealed
from draws.masters import MasterLost
from draws.models import Commitment
from house.approvals.authority import refuse_unless_inspector
from house.log import record_act
from house.venue import venue
from kernel import clock, escrow, keys
from kernel.actors import Actor
from kernel.promises import FIELDS
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.transactions import one_transaction

KEPT_LIMIT: Final = 1000  # promises looked through at once: two days of games
WITH_BEACON: Final = frozenset({"keno", "promotion"})


@one_transaction()
def commit(*, purpose: str, name: str, device: str, by: Actor, beacon: str | None = None) -> Commitment:
    """Make a master for what is about to open and publish its commitment. Once for each name of a purpose and witness.

    *beacon*: the rule of the public beacon that takes part; the house's (BEACON_RULE) where nobody says.
    """
    beacon = house_rule(purpose) if beacon is None else beacon
    witness, inspector = second_party.in_force(), inspector_key()
    promise = Promise(
        venue=venue().code,
        purpose=purpose,
        name=name,
        device=device,
        witness_key=second_party.key_hash(witness),
        beacon=beacon,
    )
    master = two_party.new_master()
    committed = two_party.commitment(master, promise)
    escrowed = escrow.encrypt(inspector=inspector, secret=master, bound_to=masters.bound_to(promise))
    published: dict[str, Any] = {
        **{name: getattr(promise, name) for name in FIELDS},
        "witness": witness.name,
        "commitment": committed,
        "escrow": escrowed,
    }
    act = record_act(MasterPromised(**published, algorithm=ALGORITHM, inspector_key=inspector), by=by)
    if (simulated := clock.in_hand()) is not None:
        published["made_at"] = simulated
    return Commitment.objects.create(**published, encrypted_master=masters.encrypt(master, promise), act=act)


@one_transaction()
def commit_ahead(*, purpose: str, names: list[str], device: str, by: Actor) -> None:
    """Promise what is not promised yet of what opens next. A promise that names a witness who was replaced since is
    given up, which shows its master, and made anew. Whoever calls holds off others who could, and what opens."""
    key = second_party.key_hash(second_party.in_force())
    made = {each.name: each for each in Commitment.objects.filter(purpose=purpose, name__in=names).order_by("id")}
    for name in names:
        known = made.get(name)
        if known is not None and bytes(known.witness_key) != key:
            reveal(known, by=by)
            known = None
        if known is None:
            commit(purpose=purpose, name=name, device=device, by=by)


def house_rule(purpose: str) -> str:
    """The beacon that new promises of this purpose name. A link falls within seconds and waits for none."""
    return settings.BEACON_RULE if purpose in WITH_BEACON else ""


def find_commitment(*, purpose: str, name: str) -> Commitment:
    found = Commitment.objects.filter(purpose=purpose, name=name).order_by("-id").first()
    if found is None:
        raise NotFound("not-promised", f"Nothing was promised for {purpose} {name}.")
    return found


def promises(*, purpose: str | None = None, name: str | None = None) -> QuerySet[Commitment]:
    named = {key: value for key, value in (("purpose", purpose), ("name", name)) if value is not None}
    return Commitment.objects.filter(**named)


def commitment_numbered(number: int) -> Commitment:
    found = Commitment.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("not-promised", f"There is no promise {number}.")
    return found


def commitment_of(*, purpose: str, occasion: str) -> Commitment:
    """The promise that an occasion stands under: its own name, or what comes before one of its slashes."""
    name, names = occasion, [occasion]
    while "/" in name:
        name = name.rpartition("/")[0]
        names.append(name)
    found = {each.name: each for each in Commitment.objects.filter(purpose=purpose, name__in=names).order_by("id")}
    for each in names:
        if each in found:
            return found[each]
    raise NotFound("not-promised", f"Nothing was promised for {purpose} {occasion}.")


def lost_masters() -> list[Commitment]:
    """Promises that are still to be kept and whose master does not open here any more."""
    return [
        each for each in Commitment.objects.filter(master__isnull=True).order_by("id")[:KEPT_LIMIT] if _is_lost(each)
    ]


def _is_lost(commitment: Commitment) -> bool:
    try:
        master_of(commitment)
    except MasterLost:
        return True
    return False


def is_public(commitment: Commitment) -> bool:
    """Whether the witness has seen the promise: before that nothing is sold on it."""
    return second_party.has_seen(act=commitment.act)


def publish(commitment: Commitment) -> bool:
    """Have the witness see the promise now, where it has not yet. False: not possible at this moment; the ledger's tick
    does it as soon as it is. Outside of transactions."""
    return is_public(commitment) or (second_party.show() and is_public(commitment))


def master_of(commitment: Commitment) -> bytes:
    """For drawing, and for revealing it when all is over. Raises MasterLost."""
    if commitment.master is not None:
        return bytes(commitment.master)
    master = masters.decrypt(bytes(commitment.encrypted_master), commitment.promise)
    if not two_party.keeps(bytes(commitment.commitment), master, commitment.promise):
        raise MasterLost(f"The master on record of {commitment} is not the one that was promised.")
    return master


@transaction.atomic
def reveal(commitment: Commitment, *, by: Actor) -> bytes:
    """Publish the master: nothing depends on it any more. Again it answers the same. Raises MasterLost."""
    held = Commitment.objects.select_for_update().get(pk=commitment.pk)
    if held.master is not None:
        return bytes(held.master)
    master = master_of(held)
    held.master, held.revealed_at = master, timezone.now()
    held.save(update_fields=["master", "revealed_at"])
    record_act(MasterRevealed(venue=held.venue, purpose=held.purpose, name=held.name, master=master), by=by)
    commitment.master, commitment.revealed_at = held.master, held.revealed_at
    return master


@transaction.atomic
def restore_master(*, purpose: str, name: str, master: bytes, why: str, by: Actor) -> Commitment:
    """An inspector gives a lost master back, decrypted from escrow. Only the promised one is taken."""
    refuse_unless_inspector(by)
    found = find_commitment(purpose=purpose, name=name)
    held = Commitment.objects.select_for_update().get(pk=found.pk)
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    if not _is_lost(held):
        raise Conflict("master-not-lost", f"The master of {held} opens: there is nothing to give back.")
    if not two_party.keeps(bytes(held.commitment), master, held.promise):
        raise Refusal("not-the-master", f"This is not the master that was promised for {held}.", field="master")
    held.encrypted_master = masters.encrypt(master, held.promise)
    held.save(update_fields=["encrypted_master"])
    record_act(MasterRestored(venue=held.venue, purpose=purpose, name=name, why=why.strip()), by=by)
    return held


def inspector_key() -> bytes:
    """The public half of the inspector's offline key."""
    return bytes.fromhex(keys.secret("inspector-escrow"))
