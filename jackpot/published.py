"""What everybody may know of a must-hit-by link: what decides it, each sealed movement, and what was decided."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from draws import second_party
from draws.ask import said_to
from draws.models import Commitment
from house.gaming_days import gaming_day_at
from jackpot import movements, promises, terms
from jackpot.models import Hit, Link, MeterSeal
from jackpot.rules import must_hit_by_proof as proofs
from jackpot.rules.must_hit_by import bounds_of, by_name
from kernel.merkle import EMPTY_ROOT
from kernel.money import Money
from ledger import witnesses
from ledger.acts import WitnessKeys


def promised(link: Link, *, now: datetime) -> dict[str, Any] | None:
    """Of a link whose jackpot must be hit: where it stands, what decides it today, and whether something waits."""
    if not promises.is_must_hit_by_link(link):
        return None
    day = gaming_day_at(now).date
    made = promises.find(link, day=day)
    last = MeterSeal.objects.filter(link=link).order_by("-number").first()
    parameters = terms.of(terms.in_force(link)).parameters
    levels = [
        {
            "level": stored or link.levels[0],
            "floor": movements.decided_meter(link, stored).down_to_cents(),
            "ceiling": Money(bounds_of(parameters, stored or link.levels[0]).ceiling),
        }
        for stored in movements.stored_levels(link)
    ]
    return {
        "number": last.number if last else 0,
        "floor": levels[-1]["floor"],
        "ceiling": levels[-1]["ceiling"],
        "levels": levels,
        "commitment": bytes(made.commitment).hex() if made else "",
        "ticket_root": (bytes(last.root) if last else EMPTY_ROOT).hex(),
        "day": day,
        "undecided": movements.is_undecided(link, now=now),
    }


def published(seal: MeterSeal) -> dict[str, Any]:
    """A sealed movement, what was decided, and, once the day's master is revealed, the proof."""
    falls: list[dict[str, Any]] = list(seal.falls or ())
    hits = Hit.objects.in_bulk([fell["hit"] for fell in falls])
    bounds = bounds_of(terms.of(terms.in_force(seal.link)).parameters, seal.of_level)
    ceiling = seal.ceiling or Money(bounds.ceiling)
    return {
        "link": seal.link.code,
        "level": seal.of_level,
        "number": seal.number,
        "occasion": seal.occasion,
        "attempt": seal.attempt,
        "day": seal.day,
        "floor": seal.before and seal.before.down_to_cents(),
        "ceiling": ceiling,
        "commitment": bytes(seal.commitment.commitment).hex(),
        "ticket_root": bytes(seal.root).hex(),
        "wagers": seal.count,
        "moved": str(seal.moved),
        "before": None if seal.before is None else str(seal.before),
        "after": None if seal.after is None else str(seal.after),
        "status": "undecided" if seal.decided_at is None else "fell" if falls else "stood",
        "how": seal.how,
        "sealed_at": seal.sealed_at,
        "ended_at": seal.decided_at,
        "point": Money.parse_exact(falls[0]["amount"]) if falls else None,
        "sequence": hits[falls[0]["hit"]].sequence if falls else None,
        "falls": [
            {**fell, "amount": Money.parse_exact(fell["amount"]), "sequence": hits[fell["hit"]].sequence}
            for fell in falls
        ],
        "proof": _proof(seal),
        "entry": None,
    }


def published_with_wagers(seal: MeterSeal) -> dict[str, object]:
    """The same with its wagers, from which anybody computes the root."""
    wagers = by_name(each.as_sealed() for each in seal.wagers.prefetch_related("table"))
    return {**published(seal), "entry": {"wagers": [proofs.written_wager(each) for each in wagers]}}


def _proof(seal: MeterSeal) -> dict[str, object] | None:
    """Shown once nothing depends on the master any more: after its gaming day."""
    made = seal.commitment
    said = said_to(made, occasion=seal.occasion, attempt=seal.attempt)
    if made.master is None or said is None or seal.decided_at is None:
        return None
    return proofs.make(
        promise=made.promise,
        commitment=bytes(made.commitment),
        master=bytes(made.master),
        said=said,
        rsa=_witness_of(made).rsa,
    )


def _witness_of(made: Commitment) -> WitnessKeys:
    """By the key that the promise names, not by who is the witness now."""
    known = (second_party.in_force(), *witnesses.all_named())
    return next(each for each in known if second_party.key_hash(each) == bytes(made.witness_key))
