"""The powers over jackpots that take several people, tried by one person with every right."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from draws import ask as draws
from house.approvals import propose
from jackpot.contribute import Message, contribute_bulk, decide_held
from jackpot.finish_round import finish_round
from jackpot.handpay import authorise_hit
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.models import Hit
from jackpot.movements import seal_movement
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from jackpot.void_round import invalidate_round
from kernel.actors import Actor, system
from tests.powers.alone import alone, other, stands_alone
from tests.world.handpay import handpay_asks
from tests.world.mystery_link import open_mystery_link, played
from tests.world.people import someone
from tests.world.stock import RECEIVER

ROYAL: Final = ["AS", "KS", "QS", "JS", "TS"]


def hit(dealer: Actor) -> Hit:
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=dealer)
    (hit,) = finish_round(round_id=started.pk, hands=[Dealt(box=2, cards=ROYAL)], by=dealer)
    return hit


def verification(by: Actor) -> None:
    alone("same-person", verb=verify_hit, hit_id=hit(by).pk, cards=ROYAL, surveillance="CAM-1", by=by)


def jackpot_payment(by: Actor) -> None:
    """Neither who dealt nor who verified pays: three people."""
    dealt = hit(by)
    verify_hit(hit_id=dealt.pk, cards=ROYAL, surveillance="CAM-1", by=other("supervisor"))
    alone("same-person", verb=pay_hit, hit_id=dealt.pk, identity=RECEIVER, payment_reference="1", by=by)
    seen = hit(someone("dealer", "dora"))
    verify_hit(hit_id=seen.pk, cards=ROYAL, surveillance="CAM-1", by=by)
    alone("same-person", verb=pay_hit, hit_id=seen.pk, identity=RECEIVER, payment_reference="1", by=by)


def authorisation(by: Actor) -> None:
    """Neither who dealt nor who verified authorises, nor does who authorised pay: four people."""
    handpay_asks(authorised_from="1.00")
    dealt = hit(by)
    verify_hit(hit_id=dealt.pk, cards=ROYAL, surveillance="CAM-1", by=other("supervisor"))
    alone("same-person", verb=authorise_hit, hit_id=dealt.pk, by=by)
    seen = hit(someone("dealer", "dora"))
    verify_hit(hit_id=seen.pk, cards=ROYAL, surveillance="CAM-1", by=other("supervisor"))
    authorise_hit(hit_id=seen.pk, by=by)
    alone("same-person", verb=pay_hit, hit_id=seen.pk, identity=RECEIVER, payment_reference="1", by=by)


def denial(by: Actor) -> None:
    alone("same-person", verb=deny_hit, hit_id=hit(by).pk, reason="Foreign card.", by=by)


def round_with_a_hit(by: Actor) -> None:
    number = hit(by).round_id
    alone("same-person", verb=invalidate_round, round_id=number, cause="fire", why="A marked card.", by=by)


def held_contributions(by: Actor) -> None:
    much = Message(id="much", table="BOOM-01", wagers=5_000, at=timezone.now())
    (held,) = contribute_bulk(messages=[much], by=by).held
    alone("same-person", verb=decide_held, batch_id=held.batch, release=True, by=by)


def void_movement(by: Actor) -> None:
    link = open_mystery_link()
    played()
    seal = seal_movement(link, now=timezone.now(), by=system("tests"))
    assert seal is not None
    draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=system("tests"))
    new = {"number": 1, "attempt": 1, "cause": "Smoke."}
    stands_alone(propose(kind="jackpot.void-attempt", subject="jackpot:MYS", new=new, why="Smoke.", by=by), by)
