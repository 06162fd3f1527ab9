"""Suspicious matters: whoever notices something raises it; few decide, and nobody else learns of it.

The law forbids to tip off whom it is about (AML/CTF Act 2006, s 123). So a matter is in no list but its own, which
shows it to those who have the power and are not concerned; who raised it gets its number and no more; the log says that
a confidential record was kept, by no name, with the hash of what it says. It is due from the moment it is raised. One
person may report it; that it is not suspicious after all takes two.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from house import people
from house.cash import steps
from house.cash.acts import ConfidentialRecordKept
from house.cash.customers import name_mark, player_mark
from house.cash.identity import Identity
from house.cash.limits import CashLimits, cash_limits
from house.cash.queries import ID_LIMIT, matter_numbered
from house.log import record_act
from house.models import CashLine, Customer, Player, SuspiciousMatter
from house.permissions import RAISE_MATTER
from house.players.cards import find_card
from house.rules.business_days import due_at
from house.venue import zone
from kernel.actors import Actor, system
from kernel.acts import moment_text
from kernel.canonical import canonical
from kernel.refusal import Refusal

_SYSTEM: Final = system("cash")
_WORDS_LIMIT: Final = 10_000


@transaction.atomic
def raise_matter(
    *,
    what: str,
    by: Actor,
    terrorism: bool = False,
    reference: str = "",
    line_id: int | None = None,
    player: str = "",
    staff: Sequence[str] = (),
) -> SuspiciousMatter:
    """Write a suspicion down: of a payment, a player by card or number, members of the staff, or none of these."""
    by.require(RAISE_MATTER)
    if not 0 < len(what.strip()) <= _WORDS_LIMIT:
        raise Refusal("nothing-said", f"Say what you saw, in up to {_WORDS_LIMIT} characters.", field="what")
    line, owner = _line(line_id, reference.strip()), _player(player)
    concerned = sorted({people.canonical(each) for each in staff})
    now = timezone.now()
    matter = SuspiciousMatter.objects.create(
        what=what.strip(),
        terrorism=terrorism,
        reference=reference.strip()[:120],
        line=line,
        player=owner,
        customer=_customer(line, owner),
        concerns=concerned,
        name_marks=sorted(_names(line, owner, concerned)),
        raised_at=now,
        raised_by=by.identity,
        salt=secrets.token_hex(32),
        due_at=_due(now, terrorism, cash_limits()),
    )
    _keep(matter)
    return matter


@transaction.atomic
def matter_sent(*, matter_id: int, reference: str, by: Actor) -> SuspiciousMatter:
    """It went to the authority, whose receipt has this reference."""
    matter = matter_numbered(matter_id, by, lock=True)
    steps.refuse_matter(matter, by)
    if not 0 < len(reference.strip()) <= 80:
        raise Refusal("reference-missing", "Enter the authority’s reference, from its receipt.", field="reference")
    matter.sent_at, matter.sent_by, matter.sent_reference = timezone.now(), by.identity, reference.strip()
    matter.save(update_fields=["sent_at", "sent_by", "sent_reference"])
    _keep(matter)
    return matter


@transaction.atomic
def dismiss_matter(*, matter_id: int, why: str, by: Actor) -> SuspiciousMatter:
    """One says why it is not suspicious after all. It is due until another agrees."""
    matter = matter_numbered(matter_id, by, lock=True)
    steps.refuse_dismissal(matter, by)
    if not 0 < len(why.strip()) <= _WORDS_LIMIT:
        raise Refusal("reason-missing", "Say why it is not suspicious: another person reads it.", field="why")
    matter.dismissed_at, matter.dismissed_by, matter.dismissed_why = timezone.now(), by.identity, why.strip()
    matter.save(update_fields=["dismissed_at", "dismissed_by", "dismissed_why"])
    _keep(matter)
    return matter


@transaction.atomic
def agree_to_dismissal(*, matter_id: int, by: Actor) -> SuspiciousMatter:
    """Another person agrees: it is closed, and not reported."""
    matter = matter_numbered(matter_id, by, lock=True)
    steps.refuse_agreement(matter, by)
    matter.agreed_at, matter.agreed_by = timezone.now(), by.identity
    matter.save(update_fields=["agreed_at", "agreed_by"])
    _keep(matter)
    return matter


def digest(matter: SuspiciousMatter) -> str:
    """The hash that the log keeps of a matter as it stands."""
    said = {
        "record": matter.pk,
        "what": matter.what,
        "terrorism": matter.terrorism,
        "reference": matter.reference,
        "line": matter.line_id,
        "player": matter.player_id,
        "concerns": list(matter.concerns),
        "raised": [matter.raised_by, moment_text(matter.raised_at)],
        "sent": [matter.sent_by, matter.sent_reference],
        "dismissed": [matter.dismissed_by, matter.dismissed_why, matter.agreed_by],
        "salt": matter.salt,
    }
    return hashlib.sha256(canonical(said)).hexdigest()


def _keep(matter: SuspiciousMatter) -> None:
    """By nobody's name: who raised it, and when somebody else decided, would tell whom it is about."""
    record_act(ConfidentialRecordKept(record=matter.pk, sha256=digest(matter)), by=_SYSTEM)


def _due(now: datetime, terrorism: bool, limits: CashLimits) -> datetime:
    if terrorism:
        return now + timedelta(hours=limits.terrorism_hours)
    return due_at(now, days=limits.suspicion_days, holidays=limits.holidays, zone=zone())


def _line(line_id: int | None, reference: str) -> CashLine | None:
    """The payment, by its number or by what people call it; a small one has left no line, and its name is kept."""
    if line_id is not None:
        return CashLine.objects.filter(pk=min(line_id, ID_LIMIT)).first()
    return CashLine.objects.filter(reference=reference).order_by("-pk").first() if reference else None


def _player(said: str) -> Player | None:
    if not said.strip():
        return None
    card = find_card(said)
    found = card.player if card else Player.objects.filter(number=said.strip().upper()).first()
    if found is None:
        raise Refusal("player-unknown", "There is no such card or player: say in words whom you mean.", field="player")
    return found


def _customer(line: CashLine | None, player: Player | None) -> Customer | None:
    if line is not None and line.customer is not None:
        return line.customer
    return None if player is None else Customer.objects.filter(mark=player_mark(player.pk)).first()


def _names(line: CashLine | None, player: Player | None, concerned: Sequence[str]) -> set[str]:
    """Nobody of these names sees it."""
    names = set(people.names(concerned).values())
    if player is not None:
        names.add(player.name)
    if line is not None and line.identity is not None:
        names.add(Identity.read(line.identity).name)
    return {name_mark(name) for name in names}
