"""An evening at the tables with everything in it, for the stranger's check: through the verbs, one after the other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from house.approvals import propose
from jackpot import promises, terms
from jackpot.contribute import Message, contribute_bulk, decide_held
from jackpot.decide import BY, decide_link
from jackpot.demo import CSP
from jackpot.handpay import authorise_hit
from jackpot.hits import deny_hit
from jackpot.instalments import pay_instalment
from jackpot.meters import Reading, read_meters
from jackpot.models import Batch, Hit, Link, MeterDisagreement, Round, TableMeter
from jackpot.pay_out import pay_payout
from jackpot.rules.handpay import INSTALMENTS
from jackpot.rules.payouts import Dealt
from jackpot.settle_pools import settle_pools
from jackpot.tables import move_table
from jackpot.void_round import invalidate_round, void_round
from kernel.money import Money
from ledger.cosign import cosign_now
from ledger.seal import seal_now
from tests.world.approvals import NOTARY, decide
from tests.world.ended_link import ended_link, meter_that_differs
from tests.world.handpay import handpay_asks, plan_for, proposed_plan, verified_royal
from tests.world.jackpot_table import IDENTITY, finish, pay, start, verify
from tests.world.meters import explained
from tests.world.mystery_link import open_levels_link, open_mystery_link, played
from tests.world.people import DESK, MANAGER, SUPERVISOR, TABLE
from tests.world.threads import overtaken

ROYAL, STRAIGHT = "AS KS QS JS TS", "9C 8C 7C 6C 5C"
FULL_HOUSE, FLUSH, NOTHING = "2S 2H 2D 3S 3H", "AD JD 9D 3D 5D", "AC KC 9H 4S 2C"
GEE_JUN = "gee-jun gee-jun teen teen"


def cards(box: int, text: str) -> Dealt:
    return Dealt(box=box, cards=text.split())


def paid(hit: Hit, **how: Any) -> Hit:
    return pay(hit, payment_reference=f"CHQ {100_000 + hit.pk}", **how)


def jackpot_evening() -> None:
    lost_rounds()
    counted()
    wins()
    taken_back()
    won_at_once()
    decided_by_two()
    must_hit_by()
    in_levels()
    meter_explained()
    meter_restarted()
    paid_out()
    in_instalments()
    start("CSP-03", (1,))  # and one is open


def lost_rounds() -> None:
    finish(start("CSP-01"), cards(1, NOTHING), folded=(2,))
    finish(start("BOOM-01"))
    finish(start("GJ-01"))
    finish(start("CSP-02", ()))


def counted() -> None:
    """Messages of controllers: counted, and too many at once: one released, one rejected."""
    at = datetime.now(UTC)
    limit = 1_001
    sent = [("m-1", "CSP-04", 3), ("m-2", "CSP-04", 4), ("m-3", "BOOM-02", 5), ("m-4", "CSP-04", limit)]
    sent.append(("m-5", "CSP-04", limit + 1))
    contribute_bulk(messages=[Message(name, table, many, at) for name, table, many in sent], by=TABLE)
    released, rejected = Batch.objects.filter(status="held").order_by("wagers")
    decide_held(batch_id=released.pk, release=True, by=SUPERVISOR)
    decide_held(batch_id=rejected.pk, release=False, by=SUPERVISOR)


def wins() -> None:
    """Royal and straight flush in one round, with a full house and bonuses: verified and paid in order. A straight
    flush that takes Boomerang below its seed; a Gee Jun major. One hit is denied, one waits, one is verified."""
    won = finish(
        start("CSP-01", (1, 2, 3, 4, 5)), cards(1, ROYAL), cards(2, STRAIGHT), cards(3, FULL_HOUSE), cards(4, NOTHING)
    )
    for hit in won:
        paid(verify(hit))
    (straight,) = finish(start("BOOM-01", (1, 2)), cards(2, STRAIGHT))
    paid(verify(straight), method="cash")
    (major,) = finish(start("GJ-02", (1,)), Dealt(box=1, tiles=GEE_JUN.split()))
    paid(verify(major))
    first, last = finish(start("CSP-02", (1, 2)), cards(1, FULL_HOUSE), cards(2, FLUSH))
    deny_hit(hit_id=last.pk, reason="Not seen by surveillance.", by=MANAGER)
    verify(first)
    finish(start("CSP-02", (7,)), cards(7, FLUSH))


def taken_back() -> None:
    """A void round, one whose contributions somebody else has won meanwhile, an invalidated one with a fraud, hands of
    six cards: beside one of them a full house, which is denied."""
    void_round(round_id=start("BOOM-02").pk, by=TABLE)
    slow = start("CSP-04", (1, 2, 3))
    (royal,) = finish(start("CSP-01", (6,)), cards(6, ROYAL))
    paid(verify(royal))
    void_round(round_id=slow.pk, by=TABLE)
    fraud = start("CSP-01", (1, 2))
    finish(fraud, cards(1, ROYAL), cards(2, NOTHING))
    why = "Box 1 brought a card of his own."
    invalidate_round(round_id=fraud.pk, cause="fraud", why=why, forfeited=[1], by=MANAGER)
    finish(start("CSP-01", (1, 2)), cards(1, f"{ROYAL} 9S"), cards(2, NOTHING))
    (beside,) = finish(start("CSP-01", (1, 2)), cards(1, f"{ROYAL} 9S"), cards(2, FULL_HOUSE))
    deny_hit(hit_id=beside.pk, reason="Not seen by surveillance.", by=MANAGER)
    finish(start("BOOM-01", (1, 2)), cards(1, "AS KS"), cards(2, FLUSH))


def won_at_once() -> None:
    """Two Gee Jun majors at the same time share, and the second to win began first; then two of which one is denied."""

    def two() -> list[Hit]:
        first, second = start("GJ-01", (1, 2)), start("GJ-02", (1,))
        tiles = Dealt(box=1, tiles=GEE_JUN.split())
        ended = overtaken(partial(finish, second, tiles), partial(finish, first, tiles))
        return [Hit.objects.get(pk=hit.pk) for hits in reversed(ended) for hit in hits]

    for hit in [verify(hit) for hit in two()]:
        paid(hit)
    first, second = two()
    deny_hit(hit_id=first.pk, reason="Marked tiles.", by=MANAGER)
    paid(verify(second))


def decided_by_two() -> None:
    """An adjustment, other terms, a link that ends."""
    csp: dict[str, Any] = {"subject": "jackpot:CSP", "why": "Agreed on Monday.", "by": SUPERVISOR}
    more = {"purse": "prize", "amount": "10.00", "cause": "promotion"}
    decide(propose(kind="jackpot.adjustment", new=more, **csp))
    less = {"purse": "prize", "amount": "-1.00", "cause": "overcount"}
    decide(propose(kind="jackpot.adjustment", new=less, **(csp | {"subject": "jackpot:BOOM"})))
    assert settle_pools() == 1  # to its seed again
    data = terms.write(CSP)
    data["bonus"], data["reserve_rate"], data["retained_rate"] = "300.00", 1500, 1500
    decide(propose(kind="jackpot.terms", new=data, **csp))
    (_, royal) = finish(start("CSP-01", (1, 2)), cards(1, ROYAL))
    assert str(Hit.objects.get(round=royal.round, kind="bonus").amount) == "300.00"
    forgotten = start("CSP-02", (1, 2))
    finish(forgotten)  # nobody named the hand of box 2
    hand = {"round": forgotten.pk, "box": 2, "pieces": STRAIGHT.split(), "surveillance": "CAM-3 22:10"}
    decide(propose(kind="jackpot.late-claim", new=hand, **csp), house=NOTARY)
    for late in Hit.objects.filter(round=forgotten).order_by("place"):
        paid(verify(late, DESK))
    data["bonus"] = "350.00"
    decide(propose(kind="jackpot.terms", new=data, condition="when-won", **csp))
    for hit in finish(start("CSP-01", (1, 2)), cards(1, ROYAL)):  # and it is denied: the terms wait again
        deny_hit(hit_id=hit.pk, reason="The deck was short.", by=MANAGER)
    gone: dict[str, Any] = {"subject": "jackpot:GJ", "why": "Nobody plays it.", "by": SUPERVISOR}
    decide(propose(kind="jackpot.retirement", new={"into": "BOOM"}, **gone))
    assert Link.objects.get(code="GJ").status == "retired"
    last = Round.objects.filter(table__code="GJ-01").latest("ended_at").ended_at
    assert last is not None
    sent = [Message("late-1", "GJ-01", 2, last + timedelta(milliseconds=1))]  # played before the end
    assert contribute_bulk(messages=sent, by=TABLE).counted == 1
    move_table(table="GJ-01", link="BOOM", by=SUPERVISOR)
    finish(start("GJ-01", (1,)), cards(1, NOTHING))


def must_hit_by() -> None:
    link = open_mystery_link()
    seal_now()
    cosign_now()
    for _ in range(3):
        played(boxes=7)
        assert decide_link(link, now=timezone.now()) == 1
    (first, *_) = Hit.objects.filter(link=link).order_by("sequence")
    paid(verify(first))
    promises.reveal_days(timezone.now() + timedelta(days=2), by=BY)
    assert Round.objects.filter(terms__link=link).count() == 3


def in_levels() -> None:
    """Three levels of one must-hit-by link: the mini falls, whatever the others do."""
    link = open_levels_link()
    seal_now()
    cosign_now()
    for _ in range(2):
        played("LEV-01", boxes=7)
        decide_link(link, now=timezone.now())
    assert Hit.objects.filter(link=link, level="mini").exists()
    promises.reveal_days(timezone.now() + timedelta(days=2), by=BY)


def meter_explained() -> None:
    """A meter beside messages: it shows four wagers more than were counted, and two people find out why."""
    found = meter_that_differs()
    new = {"disagreement": found.pk, "shown": 6, "counted": 2, "cause": "not-counted", "wagers": 4}
    said: dict[str, Any] = {"subject": "table:CSP-04", "why": "A message was lost.", "by": SUPERVISOR}
    decide(propose(kind="jackpot.meter-disagreement", new=new, **said))


def meter_restarted() -> None:
    """Its controller begins again: of the four wagers that can have been made unseen two were, as two people found."""
    last = TableMeter.objects.get(table__code="CSP-04")
    read_meters(readings=[Reading("CSP-04", 1, 3, last.at + timedelta(seconds=1))], by=TABLE)
    found = MeterDisagreement.objects.get(table__code="CSP-04", status="open")
    assert found.unseen == 4
    decide(explained(found, cause="not-counted", wagers=2))


def paid_out() -> None:
    """A link that ends: one of those who are owed it is paid, the other waits."""
    pay_payout(payout_id=ended_link().pk, method="transfer", reference="TRF 1", by=MANAGER)


def in_instalments() -> None:
    """A royal that a fourth person authorises, a tenth of it withheld; the first of its instalments is paid."""
    handpay_asks(tax_rate=1_000, tax_from="5000.00", authorised_from="5000.00", instalments_from="5000.00")
    hit = verified_royal("BOOM-01")
    decide(proposed_plan(hit, plan_for(hit, hit.amount - Money(hit.amount.micros // 10).down_to_cents())))
    authorise_hit(hit_id=hit.pk, by=NOTARY)
    pay(hit, method=INSTALMENTS, payment_reference="")
    pay_instalment(
        instalment_id=hit.instalments.order_by("number")[0].pk, method="transfer", identity=IDENTITY, by=MANAGER
    )
