"""A round of the public beacon: fetched from a relay, checked, kept as evidence. Outside of transactions.

A relay is nobody to be trusted: a round counts only with drand's own signature under it, and there is one for a number.
What is not there yet is asked for again, by whoever goes on with the draw.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from typing import Final
from urllib.request import Request, urlopen

from django.conf import settings
from django.db import connection

from chance import beacon, two_party
from chance.two_party import How
from draws.acts import AnswerReplaced, BeaconHeard
from draws.models import BeaconRound, Commitment, Replacement
from draws.said import said_at
from house.log import record_act
from kernel.actors import Actor
from kernel.locks import Lock, hold
from kernel.transactions import one_transaction

PATIENCE_SECONDS: Final = 3.0
BYTES_LIMIT: Final = 10_000


def can_fetch() -> bool:
    """Whether this house has a relay, and can check what it gives."""
    return bool(settings.BEACON_URL) and beacon.can_check()


def fetch(number: int) -> bytes | None:
    """The signature of this round, checked; None where it is not there yet or nobody gives it."""
    if connection.in_atomic_block:
        raise RuntimeError("a relay is asked outside of transactions: it may take its time")
    if not can_fetch() or time.time() < beacon.time_of(number):
        return None
    request = Request(f"{settings.BEACON_URL}/{beacon.CHAIN}/public/{number}")  # noqa: S310  http or https: config/beacon.py
    try:
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            said = json.loads(answer.read(BYTES_LIMIT))
        signature = bytes.fromhex(said["signature"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return None
    return signature if beacon.is_genuine(number, signature) else None


def hear(commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> bool:
    """Have the rounds that this attempt waits for. Whether all of them are there."""
    return _hear_named(commitment, occasion=occasion, attempt=attempt, by=by) and _hear_promised(
        commitment, occasion=occasion, attempt=attempt, by=by
    )


def _hear_named(commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> bool:
    """The round that an inspector named in the witness's place."""
    named = Replacement.objects.filter(purpose=commitment.purpose, occasion=occasion, attempt=attempt).first()
    if named is None or named.round is None or named.said is not None:
        return True
    signature = fetch(named.round)
    if signature is not None:
        _replace(commitment, named, two_party.beacon_round(named.round, signature), by=by)
    return signature is not None


@one_transaction()
def _replace(commitment: Commitment, named: Replacement, said: bytes, *, by: Actor) -> None:
    held = Replacement.objects.select_for_update().get(pk=named.pk)
    if held.said is not None:
        return
    held.said = said
    held.save(update_fields=["said"])
    record_act(
        AnswerReplaced(
            venue=commitment.venue,
            purpose=held.purpose,
            occasion=held.occasion,
            attempt=held.attempt,
            how=How.BEACON.value,
            said=said,
            why=held.why,
            at=int(held.at.timestamp()),
            round=held.round,
        ),
        by=by,
    )


def _hear_promised(commitment: Commitment, *, occasion: str, attempt: int, by: Actor) -> bool:
    """The round that the promise means, after what was said to the attempt."""
    of = {"purpose": commitment.purpose, "occasion": occasion, "attempt": attempt}
    if not commitment.beacon or BeaconRound.objects.filter(**of).exists():
        return True
    at = said_at(commitment, occasion=occasion, attempt=attempt)
    number = beacon.round_of_rule(commitment.beacon, at=at) if at else 0
    signature = fetch(number) if number else None
    if signature is not None:
        _keep(commitment, occasion=occasion, attempt=attempt, number=number, signature=signature, by=by)
    return signature is not None


@one_transaction()
def _keep(commitment: Commitment, *, occasion: str, attempt: int, number: int, signature: bytes, by: Actor) -> None:
    hold(Lock.WITNESS)  # two ticks may hear it at once
    of = {"purpose": commitment.purpose, "occasion": occasion, "attempt": attempt}
    if BeaconRound.objects.filter(**of).exists():
        return
    BeaconRound.objects.create(**of, round=number, signature=signature)
    record_act(BeaconHeard(venue=commitment.venue, **of, round=number, signature=signature), by=by)  # type: ignore[arg-type]
