"""Buying in again, as often, as long and at the price that the approved conditions say."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import open_gaming_day
from house.log import record_act
from house.players.play import take_fee
from house.times import for_people
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict
from ledger.post import Booking, post
from tournaments.acts import TournamentRebought
from tournaments.find import find_entry, hold_running
from tournaments.kinds import TournamentKind
from tournaments.models import TournamentRebuy
from tournaments.steps import rebuys_of


@transaction.atomic
def rebuy(
    *,
    kind: TournamentKind,
    entry_id: int,
    by: Actor,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> TournamentRebuy:
    """Take the price of one more stack from a player who is in; it is prize money like his fee."""
    by.require(kind.rights.enter)
    now = now or timezone.now()
    day = open_gaming_day(now).date
    code = find_entry(kind, entry_id).tournament.code
    tournament = hold_running(kind, code)
    entry = tournament.entries.select_for_update().get(pk=entry_id)
    allowed, taken = rebuys_of(tournament), entry.rebuys.count()
    if kind.cash.rebuy is None or allowed is None or taken >= allowed.most:
        raise Conflict("no-more-rebuys", "By the conditions this entry buys in no more.", clause=kind.clauses.approved)
    if entry.refunded_at is not None or tournament.scored_at is not None or now > allowed.until:
        ends = for_people(allowed.until)
        raise Conflict("rebuys-over", f"By the conditions players buy in until {ends}.", clause=kind.clauses.approved)
    drawer = kind.accounts.drawer(by)
    player = take_fee(
        card=entry.card, amount=allowed.price, room_name=kind.cash.fee.room, by=by, reference=f"{kind.name} {code}",
        at=now,
    )  # fmt: skip
    made = TournamentRebuy.objects.create(
        entry=entry, number=taken + 1, price=allowed.price, drawer=drawer, at=now, day=day, by=by.identity
    )
    entry.rebought = Money.total([entry.rebought, made.price])
    entry.save(update_fields=["rebought"])
    booking = Booking(
        debit=drawer,
        credit=kind.accounts.fees,
        amount=made.price,
        kind=f"{kind.accounts.transfers}-rebuy",
        reference=f"{entry.pk}/{made.number}",
    )
    post(booking=booking, by=by, day=day, at=now)
    handed = HandedOver(
        kind=kind.cash.rebuy, payment=made.pk, reference=f"{code}/{entry.pk}", cash=made.price, day=day, at=now
    )
    hand_over(handed, receiver=Receiver(identity=identity, played_by=player.pk), by=by)
    act = TournamentRebought(tournament=code, of=kind.act_of, entry=entry.pk, number=made.number, price=made.price)
    record_act(act, by=by)
    return made
