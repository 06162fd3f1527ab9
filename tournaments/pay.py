"""Paying a prize, once: above the limit past two people, from the reporting threshold by cheque to somebody known."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.cheques import WrittenCheque
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.limits import asks_identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import PlayLineKind
from house.players.play import TOURNAMENT, give_back
from house.players.restrict import refuse_payment_on
from kernel.actors import Actor
from kernel.money import ZERO
from kernel.refusal import Conflict, Refusal
from ledger.post import Booking, post
from tournaments.acts import TournamentPaymentAuthorised
from tournaments.find import hold_prize, player_of
from tournaments.kinds import CASH, CHEQUE, TournamentKind
from tournaments.models import TournamentEntry
from tournaments.steps import refuse_alone

NUMBER_CHARACTERS_LIMIT = 32


@transaction.atomic
def authorise_prize(*, kind: TournamentKind, entry_id: int, by: Actor, now: datetime | None = None) -> TournamentEntry:
    """A supervisor authorises the payment of a large prize; another person then pays it."""
    by.require(kind.rights.authorise)
    entry = hold_prize(kind, entry_id)
    assert entry.prize is not None
    if entry.authorised_by is not None:
        raise Conflict("authorised-already", f"{entry.authorised_by} has authorised this payment.")
    entry.authorised_at, entry.authorised_by = now or timezone.now(), by.identity
    entry.save(update_fields=["authorised_at", "authorised_by"])
    act = TournamentPaymentAuthorised(
        tournament=entry.tournament.code, of=kind.act_of, entry=entry.pk, amount=entry.prize
    )
    record_act(act, by=by)
    return entry


@transaction.atomic
def pay_prize(
    *,
    kind: TournamentKind,
    entry_id: int,
    by: Actor,
    method: str | None = None,
    cheque_number: str = "",
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentEntry:
    """Pay an entry's prize, once. *method*: left out, cash, and from the reporting threshold a cheque.

    Nothing is owed to somebody who broke the employee policy when he entered (nsw-csp:16.19).
    """
    by.require(kind.rights.pay)
    now = now or timezone.now()
    entry = hold_prize(kind, entry_id)
    assert entry.prize is not None
    refuse_payment_on(entry.card, wagered_at=entry.entered_at)
    refuse_alone(kind, entry, by)
    large = asks_identity(entry.prize)
    method = method or (CHEQUE if large else CASH)
    if method not in kind.methods:
        raise Refusal("method-unknown", f"A prize is paid by {' or '.join(kind.methods)}.", field="method")
    entry.cheque_number = _number(method, cheque_number, large=large)
    entry.paid_at, entry.paid_by, entry.paid_how = now, by.identity, method
    entry.save(update_fields=["paid_at", "paid_by", "paid_how", "cheque_number"])
    day = gaming_day_at(now).date
    booking = Booking(
        debit=kind.accounts.fees,
        credit=kind.accounts.drawer(by) if method == CASH else kind.accounts.paid_from[method],
        amount=entry.prize,
        kind=f"{kind.accounts.transfers}-prize",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    handed = HandedOver(
        kind=kind.cash.prize,
        payment=entry.pk,
        reference=f"{entry.tournament.code}/{entry.pk}",
        cash=entry.prize if method == CASH else ZERO,
        cheque=WrittenCheque(amount=entry.prize, number=cheque_number) if method == CHEQUE else None,
        other=entry.prize if method not in (CASH, CHEQUE) else ZERO,
        day=day,
        at=now,
    )
    whose = player_of(entry)
    give_back(
        player_id=whose,
        kind=PlayLineKind.WINNINGS,
        amount=entry.prize,
        place=TOURNAMENT,
        reference=f"{kind.name} {entry.tournament.code}",
        by=by,
        at=now,
    )
    hand_over(handed, receiver=Receiver(identity=identity, played_by=whose), by=by)
    return entry


def _number(method: str, number: str, *, large: bool) -> str:
    """Of the cheque or the transfer: asked for where it is large, refused with cash."""
    kept = number.strip()
    if method == CASH:
        if large or kept:
            raise _by_cheque("method" if large else "cheque_number")
    elif len(kept) > NUMBER_CHARACTERS_LIMIT or (large and not kept):
        raise _by_cheque("cheque_number")
    return kept


def _by_cheque(field: str) -> Refusal:
    return Refusal(
        "cheque-number",
        "A prize for which the winner shows who he is is paid by cheque: write its number. Smaller ones are paid in "
        "cash.",
        field=field,
    )
