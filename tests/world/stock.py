"""A house with something behind every gap in its addresses, and a name of its own for each kind of personal data.

Made with the house's verbs where there is one. The answer says what stands where: by the text before a gap
(``promo/`` is ``promotions/``, ``jackpots/`` is ``jackpot/``, ``tables/`` is ``tablegames/``), what the gap takes.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from console.audit_work import EXPORT
from draws.ask import seal_set
from draws.commit import commit
from house import access
from house.approvals import approve, propose
from house.approvals.letters import confirm_letter
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.kinds import CashKind
from house.cash.matters import raise_matter
from house.device_changes import NEW_DEVICE
from house.devices import register_device
from house.gaming_days import gaming_day_at
from house.incidents import report_incident
from house.models import Device, ThresholdReport
from house.permissions import MATTERS, NAME_PLAYERS
from house.permissions import PERSONAL as RECEIVERS
from house.players.cards import issue_card, register_player
from house.players.restrict import restrict
from jackpot.cash_kinds import HIT
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import build_demo as build_links
from jackpot.finish_round import finish_round
from jackpot.hits import verify_hit
from jackpot.models import Hit, MeterSeal
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from keno import approved, vouchers
from keno.cash_kinds import TICKET
from keno.claims import make_claim as make_keno_claim
from keno.demo import build_demo as build_keno
from keno.entries import TicketRequest
from keno.favourites import keep_favourite
from keno.invalidate import invalidate_game
from keno.models import ClaimReason
from keno.orders import take_order
from keno.pay import pay_ticket
from keno.permissions import CLAIMANTS
from keno.sell import sell_ticket
from keno.shifts import open_shift
from keno.simulations import begin_simulation
from keno.tournaments import enter_tournament as enter_keno_tournament
from kernel.actors import system
from kernel.codes import Permission
from kernel.money import Money
from promotions.claims import deny_claim, make_claim
from promotions.draft import draft_promotion
from promotions.exclude import exclude_card
from promotions.imports import begin_import
from promotions.models import Entry, Submission, Win
from promotions.pages import stage
from promotions.permissions import PERSONAL
from promotions.tournaments import enter_tournament
from tablegames.demo import build_demo as build_tables
from tablegames.notices import announce_closing
from tablegames.rules.terms import Limit
from tablegames.seats import seat_player
from tablegames.settle import Entered, record_check
from tests.world.approvals import letter_for, put_in_force
from tests.world.demo import demo_actor
from tests.world.ended_link import ended_link, meter_that_differs
from tests.world.handpay import owed_instalment
from tests.world.mystery_link import open_mystery_link, until_it_falls
from tests.world.overpaid import handed_too_much
from tests.world.own_signs import own_sign
from tests.world.people import TABLE, someone
from tests.world.promotion_draws import drawn
from tests.world.promotions import running
from tests.world.proposals import WEEK
from tests.world.second_party import left_waiting
from tests.world.tournaments import card_of
from tournaments.permissions import NAMES
from web import work

Gaps = dict[str, tuple[str, ...]]

# Who somebody is, by the power that it takes to see it: no two alike, and nothing else in the house says them.
PERSONS: Final[dict[Permission, tuple[str, ...]]] = {
    NAME_PLAYERS: ("Quill Ashgrove",),
    RECEIVERS: ("Rick Reyes-Holt", "14 Kiln Lane", "PA-7788991"),
    CLAIMANTS: ("Clara Claassen", "17 Binarra Street", "clara.c@example.org", "Mr Ogden, seat 5"),
    PERSONAL: ("Ben Ngata", "22 Hillcrest Road", "Person A", "A Lake Street"),
    MATTERS: ("Zed Quarrel",),
    NAMES: ("Tia Tournier", "Kay Quill"),
}
RECEIVER: Final = Identity.read(
    {
        "name": "Rick Reyes-Holt",
        "born": "1980-01-05",
        "address": "14 Kiln Lane",
        "document": "Passport",
        "document_number": "PA-7788991",
    }
)
CUP: Final = {"name": "Spring cup", "entry_fee": "50.00", "retained": 1000, "prizes": [10000], "spots": 3,
              "stake": "1.00", "schedule": "standard", "first_game": 900, "last_game": 901}  # fmt: skip
PLAIN: Final = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1))


def stock() -> Gaps:
    """On top of the demo venue (``house.demo``)."""
    build_links()
    build_keno()
    parts = (_people, _floor, _keno, _jackpots, _promotions, _tournaments, _tables, _approvals, _cash, _work, _draws)
    return {gap: behind for part in parts for gap, behind in part().items()}


def _gaps(**found: object) -> Gaps:
    """``promotions__claims=7`` stands behind ``promotions/claims/``; ``N`` is a gap before it."""
    return {
        f"{name.replace('__', '/').replace('_', '-').replace('N', '{}')}/": tuple(
            str(each) for each in (value if isinstance(value, tuple) else (value,))
        )
        for name, value in found.items()
    }


def _draws() -> Gaps:
    by = system("tests")
    promised = commit(purpose="keno", name="STOCK", device="rng", by=by)
    seal_set(promised, occasion="STOCK", root=bytes(32), count=0, by=by)
    asked = left_waiting(promised, occasion="STOCK", by=by)
    return _gaps(draws__questions=asked.pk, draws__promises=promised.pk, draws__reports="waits")


def _people() -> Gaps:
    player = register_player(name="Quill Ashgrove", card="C-1", by=demo_actor("supervisor"))
    issue_card(player_number=player.number, card="C-2", by=demo_actor("supervisor"))
    usual = keep_favourite(card="C-2", name="Fridays", request=PLAIN, by=demo_actor("writer"))
    kept_out = restrict(player_number=player.number, kind="exclusion", reason="He asked.", by=demo_actor("supervisor"))
    device = register_device(name="Keno counter", kind="writer-terminal", by=demo_actor("manager"))
    held = propose(
        kind=NEW_DEVICE,
        subject="staff:supervisor",
        new={"profile": "supervisor", "name": "Night audit", "place": ""},
        why="Nights.",
        by=demo_actor("manager"),
    )
    approve(proposal_id=held.pk, by=demo_actor("administrator"))
    again = access.propose_access(username="writer", because="lost-both", why="Lost.", by=demo_actor("administrator"))
    assert again.status == "proposed"  # approved, he could not sign in
    return _gaps(
        players=player.number,
        players__N__cards="C-2",
        players__N__restrictions=kept_out.pk,
        restrictions=kept_out.pk,
        keno__favourites=usual.pk,
        cards="C-2",
        devices=device.code,
        devices__tables=register_device(name="Pit 2", kind="table-controller", by=demo_actor("manager")).code,
        devices__N__propose=("token", "holder", "tables"),
        own__devices=Device.objects.get(holder__username="supervisor").code,
        staff="writer",
        staff__N=("unlock", "reset-access", "deactivate", "reactivate"),
        roles="writer",
    )


def _floor() -> Gaps:
    incident = report_incident(kind="equipment-malfunction", what="Reader stuck.", by=demo_actor("supervisor"))
    return _gaps(
        incidents=incident.pk,
        incidents__notices=incident.notices.get().pk,
        docs="api/guide/",
        said="de",
        books__reports="revenue",
    )


def _keno() -> Gaps:
    writer, supervisor = demo_actor("writer"), demo_actor("supervisor")
    shift = open_shift(by=writer, opening_float=Money.dollars(500))
    sold, paid = sell_ticket(request=PLAIN, by=writer), sell_ticket(request=PLAIN, by=writer)
    invalidate_game(number=(lost := sold.ticket).first_game, by=supervisor)
    claimant = {"name": "Clara Claassen", "address": "17 Binarra Street", "contact": "clara.c@example.org"}
    claim = make_keno_claim(
        serial=lost.serial, reason=ClaimReason.LOST, claimant=claimant, grounds="She knows the numbers.", by=supervisor
    )
    payment = pay_ticket(serial=paid.ticket.serial, security_code=paid.security_code, by=writer).payment
    over = handed_too_much(payment, Money.dollars(9), by=supervisor, decided_by=demo_actor("manager"))
    ticket = sell_ticket(request=PLAIN, by=writer).ticket
    dispute, now = report_incident(kind="keno-dispute", what="Was 7 called?", by=supervisor), timezone.now()
    voucher = vouchers.issue(amount=Money.dollars(12), day=gaming_day_at(now).date, at=now, shift=shift, by=writer)
    put_in_force(approved.full_name(approved.TOURNAMENT), "CUP", CUP)
    open_shift(by=(another := someone("writer", "wanda")))
    entry = enter_keno_tournament(code="CUP", card=card_of("Kay Quill"), numbers=[1, 2, 3], by=another)
    return _gaps(
        keno__tickets=ticket.serial,
        keno__lost=lost.serial,
        keno__code=sold.security_code,
        keno__tickets__N__void_win=(first := ticket.first_game),
        keno__games=first,
        keno__games__N=("close", "draw", "count", "balls", "correct", "confirm", "fall-back", "stoppage", "void"),
        keno__orders=take_order(request=PLAIN, note="Mr Ogden, seat 5", by=supervisor).pk,
        keno__payments=payment.pk,
        keno__paper=payment.pk,
        keno__overpayments=over.pk,
        keno__shifts=shift.pk,
        keno__shifts__N__cash=("drop", "fill"),
        keno__claims=claim.pk,
        keno__disputes=dispute.pk,
        keno__vouchers=voucher.voucher.code,
        keno__settings__amounts="most-a-way",
        keno__schedules="standard",
        keno__catalogue="set-bet",
        keno__catalogue__N="KINGS",
        keno__reports=("days", "liability"),
        keno__tournaments="CUP",
        signage__tournaments__keno="CUP",
        keno__tournaments__entries=entry.pk,
        keno__tournament_entries=entry.pk,
        verify__games=first,
        play__forms=("standard", "way"),
    )


def verified_hit() -> Hit:
    """A royal flush at CSP-01, seen by a supervisor."""
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=TABLE)
    royal = Dealt(box=2, cards=["AS", "KS", "QS", "JS", "TS"])
    (hit,) = finish_round(round_id=started.pk, hands=[royal], by=TABLE)
    return verify_hit(hit_id=hit.pk, cards=royal.cards, surveillance="CAM-12 21:04", by=demo_actor("supervisor"))


def _jackpots() -> Gaps:
    hit = verified_hit()
    dealt = start_round(table="CSP-02", wagers=[Offer(box=1)], by=TABLE)
    much = Message(id="much", table="BOOM-01", wagers=5_000, at=timezone.now())
    (held,) = contribute_bulk(messages=[much], by=TABLE).held
    open_mystery_link()
    until_it_falls()
    ended = ended_link()
    return _gaps(
        jackpot=("CSP",),
        jackpot__hits=hit.pk,
        jackpot__new="boomerang",
        jackpot__instalments=owed_instalment().pk,
        jackpot__rounds=dealt.pk,
        jackpot__pools="MYS",
        jackpot__pools__N__mystery=1,
        jackpot__tables="CSP-02",
        jackpot__movements=MeterSeal.objects.order_by("number")[0].pk,
        jackpot__N__tables="CSP-02",
        jackpot__N__tables__N=("open", "close", "suspend"),
        jackpot__contributions=held.batch,
        jackpot__contributions__N=("release", "reject"),
        jackpot__disagreements=meter_that_differs().pk,
        jackpot__payouts=ended.pk,
        jackpot__N__payouts=ended.pk,
        jackpot__reports=("hits", "expected"),
        terminal__table="CSP-02",
    )


def _promotions() -> Gaps:
    manager = demo_actor("manager")
    draft_promotion(code="DRAFT", edition_code="2025", title="Not yet", by=manager)
    running("RUNNING")
    made = begin_import(code="RUNNING", name="x.csv", lines=["reference,card\n", "R-1,C-R\n"], by=manager)
    drawn("A")  # whoever wins is one of PERSONS
    win = Win.objects.get()
    claim = make_claim(win_id=win.pk, name="Ben Ngata", address="22 Hillcrest Road", by=someone("supervisor", "sue"))
    deny_claim(claim_id=claim.pk, reasons="An employee.", forfeit=False, by=manager)
    excluded = exclude_card(card="C-B", why="household", by=manager)
    return _gaps(
        promotions="SPRING",
        promotions__imports=made.pk,
        promotions__winners=win.pk,
        promotions__winners__N=("call", "present", "absent"),
        promotions__winners__N__loss=("ineligible", "unclaimed", "second", "withdraw"),
        promotions__claims=claim.pk,
        promotions__submissions=Submission.objects.filter(promotion__code="SPRING").latest("id").pk,
        promotions__excluded=excluded.pk,
        promotions__excluded_cards="C-B",
        promotions__reports=("register", "submissions", "winners", "overdue-notifications"),
        promotions__N__entries=Entry.objects.filter(promotion__code="SPRING").latest("id").pk,
        promotions__N__room__integrity=("postpone", "resume", "cancel", "dispute"),
        promotions__N__room__on_the_spot=("attend", "sign"),
        promotions__N__room__scrutineer=("attend", "sign"),
        promotions__stage="SPRING",
        promotions__stage__N=stage.address("SPRING").rstrip("/").rpartition("/")[2],
    )


def _tournaments() -> Gaps:
    closes = (timezone.now() + timedelta(days=2)).isoformat()
    new = {"name": "Poker night", "game": "Lunar Poker", "entry_fee": "50.00", "retained": 1000, "prizes": [10000],
           "play": "Chips.", "closes_at": closes}  # fmt: skip
    proposal = propose(
        kind="promotions.tournament", subject="tournament:POKER", new=new, why="Winter.", by=demo_actor("supervisor")
    )
    approve(proposal_id=proposal.pk, by=demo_actor("inspector"))
    entry = enter_tournament(code="POKER", card=card_of("Tia Tournier"), by=someone("writer", "wanda"))
    return _gaps(
        tournaments="POKER",
        signage__tournaments="POKER",
        tournament_entries=entry.pk,
        promotions__tournaments="POKER",
        promotions__tournaments__entries=entry.pk,
        promotions__tournaments__N=("seats", "score", "close-heats", "finish", "cancel"),
    )


def _tables() -> Gaps:
    build_tables()
    hand = {"player": ["8S", "8H", "5D", "5C", "3C"], "dealer": ["AD", "KC", "9H", "4S", "2D"]}
    entered = Entered(game="caribbean-stud", wagers={"ante": Money.dollars(10), "bet": Money.dollars(20)}, cards=hand)
    paid = {"ante": Money.dollars(10), "bet": Money.dollars(60)}
    check = record_check(entered=entered, paid=paid, table="CSP-01", by=demo_actor("supervisor"))
    seat = seat_player(table="CSP-01", box=1, by=demo_actor("supervisor"))
    own = {"ante": Limit(Money.dollars(100), Money.dollars(1000))}
    marker = own_sign(table="CSP-01", seat=seat.pk, limits=own)
    later = timezone.now() + timedelta(hours=1)
    notice = announce_closing(table="CSP-01", closes_at=later, by=demo_actor("supervisor"))
    return _gaps(
        tablegames__tables="CSP-01",
        signage__tables="CSP-01",
        signage__rules="act-bj",
        tablegames__signs="CSP-01",
        tablegames__tables__N__seats=seat.pk,
        tablegames__tables__N__notices=notice.pk,
        tablegames__tables__N__markers=marker.pk,
        tablegames__signs__N__seats=seat.pk,
        tablegames__signs__N__notices=notice.pk,
        tablegames__signs__N__markers=marker.pk,
        tablegames__checks=check.pk,
        tablegames__errors=check.errors.get().pk,
        tablegames__payment_errors=check.errors.get().pk,
        tablegames__reports=("payment-errors", "month-end", "checks"),
    )


def _approvals() -> Gaps:
    """What waits for a second person, a letter that was confirmed, and one that was not."""
    supervisor = demo_actor("supervisor")
    ratio = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    asked: dict[str, Any] = {"kind": "keno.jackpot-ratio", "new": ratio, "why": "Faster.", "by": supervisor}
    confirmed = propose(subject="jackpot-ratio:KENO-8", **asked)
    letter = letter_for(confirmed)
    confirm_letter(proposal_id=confirmed.pk, sha256=letter.sha256, by=demo_actor("administrator"))
    recorded = propose(subject="jackpot-ratio:KENO-6", **asked)
    letter_for(recorded)
    week = {day: ["10:00", "04:00"] for day in WEEK}
    hours = propose(kind="house.opening-hours", subject="venue", new=week, why="Winter.", by=supervisor)
    return _gaps(
        approvals=hours.pk,
        approvals__N=("approve", "reject", "withdraw"),
        approvals__N__letter=("confirm", "discard"),
        approvals__N__answer=("countersign", "dispute"),
        approvals__recorded=recorded.pk,
        approvals__confirmed=confirmed.pk,
    )


def _cash() -> Gaps:
    now, receiver = timezone.now(), Receiver(identity=RECEIVER)

    def reported(kind: CashKind, payment: int, reference: str) -> int:
        """By nobody who walks here: who paid does not say that it was reported."""
        paid = HandedOver(
            kind=kind,
            payment=payment,
            reference=reference,
            cash=Money.dollars(12_000),
            day=gaming_day_at(now).date,
            at=now,
        )
        hand_over(paid, receiver=receiver, by=someone("writer", "wanda"))
        return ThresholdReport.objects.get(room=kind.room).pk

    keno = reported(TICKET, 1, "0000-0000-0000")
    hit = Hit.objects.order_by("id")[0]
    matter = raise_matter(what="Zed Quarrel counted the notes twice.", by=someone("writer", "wanda"))
    return _gaps(
        cash__threshold_reports=keno,
        cash__reports=keno,
        cash__matters=matter.pk,
        keno__threshold_reports=keno,
        jackpot__threshold_reports=reported(HIT, hit.pk, str(hit.pk)),
    )


def _work() -> Gaps:
    simulation = begin_simulation(schedule="standard", games=10_000, seed="1", by=demo_actor("supervisor"))
    export = work.begin(kind=EXPORT, by=demo_actor("auditor"))
    return _gaps(keno__simulations=simulation.pk, audit__exports=export.pk)
