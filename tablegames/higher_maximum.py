"""More than the approved sign of a table lets anybody wager: there, or for one player by a sign of his own (6.6).

A supervisor alters limits alone (6.5), within what two people approved for the table: a minimum costs a player nothing
that he was not told of, a lower maximum costs the house nothing. A higher maximum is the house's money: one person
proposes it, another decides. Then the notice goes up, or the sign at the player's box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone
from rest_framework.serializers import DictField

from house.approvals import Approvable, Record, Shape, propose
from house.models import Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from tablegames import in_force, notices, permissions, sign, tables
from tablegames.models import GamingTable, Seat
from tablegames.rules import catalogue
from tablegames.rules.signs import Limits, MarkerKind
from tablegames.rules.terms import limits_as_data
from tablegames.seats import lock_table, place_marker, seated
from web.fields import WholeNumber

KIND: Final = "tablegames.higher-maximum"


@dataclass(frozen=True, slots=True, kw_only=True)
class HigherMaximum:
    limits: Limits
    seat: int | None = None


class HigherMaximumValue(Record):
    """Limits above the approved sign's: of the table, or of the player in a seat."""

    limits = DictField(child=sign.LimitValue(), help_text="By wager.")
    seat = WholeNumber(required=False, allow_null=True, min_value=1, help_text="Of one player, by his own sign.")
    makes = HigherMaximum


def _write(new: HigherMaximum) -> dict[str, object]:
    return {"limits": limits_as_data(new.limits), "seat": new.seat}


@transaction.atomic
def propose_higher_maximum(*, table: str, limits: Limits, why: str, by: Actor, seat: int | None = None) -> Proposal:
    """Propose it. Nothing stands at the table until another person has decided."""
    by.require(permissions.SIGNS)
    lock_table(table)
    new = _write(HigherMaximum(limits=limits, seat=seat))
    return propose(kind=KIND, subject=f"gaming-table:{table}", new=new, why=why, by=by)


def _table(subject: str) -> GamingTable:
    kind, _, code = subject.partition(":")
    if kind != "gaming-table":
        raise NotFound("no-such-table", "Write the subject like gaming-table:LP-01.", field="subject")
    return tables.find_table(code)


def _nothing(subject: str) -> None:
    _table(subject)


def _check(subject: str, new: HigherMaximum) -> None:
    table, now = _table(subject), timezone.now()
    if new.seat is not None:
        _check_own(table, seated(table, new.seat), new.limits)
        return
    notices.check_limits(table, new.limits)
    signs = in_force.signs_at(table)
    after, _ = signs.least_notice(new.limits, at=now)
    signs.must_announce(new.limits, takes_effect_at=now + after, at=now)
    if not signs.above_approved(new.limits, at=now):
        raise Refusal(
            "not-above-maximum", "No maximum is above the approved sign’s: put the notice up.", field="limits"
        )


def _check_own(table: GamingTable, seat: Seat, limits: Limits) -> None:
    if not limits:
        raise Refusal("limits-missing", "Say which wagers, from how much to how much.", field="limits")
    known = set(catalogue.find(table.game).wagers)
    for wager in limits:
        if wager not in known:
            raise Refusal("terms-invalid", f"There is no wager “{wager}” at {table}.", field=f"limits.{wager}")
    in_force.signs_at(table).must_allow_more(seat.pk, limits, at=timezone.now())
    if seat.markers.filter(kind=MarkerKind.OWN_LIMITS, removed_at=None).exists():
        raise Conflict("marker-stands", "He has a sign of his own already: take it away first.")


def _apply(proposal: Proposal, new: HigherMaximum, by: Actor) -> None:
    table, now = lock_table(_table(proposal.subject).code), timezone.now()
    _check(proposal.subject, new)
    if new.seat is not None:
        seat = seated(table, new.seat)
        place_marker(seat, MarkerKind.OWN_LIMITS, new.limits, at=now, by=by, proposal=proposal.pk)
        return
    after, _ = in_force.signs_at(table).least_notice(new.limits, at=now)
    notices.put_up(
        table, new.limits, shown_at=now, takes_effect_at=now + after, at_once=False, by=by, proposal=proposal.pk
    )


def _describe(subject: str, old: HigherMaximum | None, new: HigherMaximum) -> str:
    whose = "everybody" if new.seat is None else f"the player in seat {new.seat}"
    most = [
        f"{wager.replace('_', ' ')} up to {f'${limit.maximum}' if limit.maximum is not None else 'any amount'}"
        for wager, limit in new.limits.items()
    ]
    return f"{_table(subject).code}, for {whose}: {', '.join(most)}."


HIGHER_MAXIMUM = Approvable(
    kind=KIND,
    label="A maximum above the approved sign’s",
    shape=Shape[HigherMaximum](HigherMaximumValue(), write=_write, unreadable="terms-invalid"),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    propose_permission=permissions.SIGNS,
    describe=_describe,
    current=_nothing,
    check=_check,
    apply=_apply,
)
