"""A day at a Keno counter with everything in it, made through the verbs, and its audit export: what falsifications of
Keno are made of (``falsified.py``). Made once a test process.

Game 1 is drawn between two parties. Balls 1 to 20 in game 2: a jackpot, majors that are pro-rated, a bonus. Then paper
as tender, a prize paid by two, one that is void, a claim, a hold, a dispute, an invalidated game, and one that is open.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from house import gaming_days
from house.approvals import approve
from house.incidents import report_incident
from house.models import GamingDay, Proposal
from house.seed import seed
from keno import particulars
from keno.accounts import open_accounts
from keno.choose_device import choose_device
from keno.claims import make_claim, pay_claim
from keno.close import close_game
from keno.disputes import review_dispute
from keno.draw import draw_game
from keno.entries import TicketRequest
from keno.hold import hold_prize, release_hold
from keno.incident_kinds import DISPUTE
from keno.invalidate import invalidate_game
from keno.models import ClaimReason, PaymentMethod, TenderType, Ticket
from keno.open_games import keep_open
from keno.pay import authorise_payment, pay_ticket
from keno.refunds import void_wagers
from keno.rules.selection import Play as Asked
from keno.sell import REST_AS_VOUCHER, Sold
from keno.shifts import close_shift, drop, open_shift
from keno.tender import Handed
from keno.tournaments import (
    authorise_refund,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    refund_entry,
)
from keno.unclaimed import move_unclaimed
from keno.void_win import propose_void_win
from keno.vouchers import redeem_voucher
from ledger.cosign import cosign_now
from ledger.seal import begin_log, seal_now
from tests.world import keno_counter as at
from tests.world.approvals import INSPECTOR, put_in_force
from tests.world.falsified import Exported
from tests.world.jackpot_table import IDENTITY
from tests.world.keno_balls import enter_balls
from tests.world.keno_counter import plain
from tests.world.money import dollars
from tests.world.people import actor, on_the_floor, on_the_payroll
from tests.world.small_house import exported_now
from tests.world.tournaments import card_of
from tests.world.witness import RunningWitness

SPECIAL_3 = {"tables": {"2": {"2": "12.50"}}, "band": ["0.70", "0.80"]}
BONUS = {
    "name": "Four for luck", "first_game": 1, "last_game": 3, "spots": 4, "matches": 4, "prize": "10.00",
    "per": "dollar", "budget": "25.00", "fund": "house",
}  # fmt: skip
CUP = {
    "name": "Cup", "entry_fee": "20.00", "retained": 1_000, "prizes": [10_000], "first_game": 2, "last_game": 3,
    "spots": 3, "stake": "10.00", "schedule": "standard",
}  # fmt: skip
BALLS = list(range(1, 21))
CASH = TenderType.CASH


class KenoHouse(at.Counter):
    """Who works here; ``sold`` by what it is for."""

    def __init__(self) -> None:
        self.day = at.open_day()
        self.writer = actor("device:W-1", "writer")
        self.second = actor("device:W-2", "writer")
        self.supervisor = actor("staff:sue", "supervisor")
        self.manager = actor("staff:mona", "manager")
        on_the_payroll(sue="supervisor", mona="manager", inspector="inspector")
        on_the_floor("W-1", "W-2")
        put_in_force("keno.draw-device", "mechanical", {"name": "Balls", "reference": "1"})
        put_in_force("keno.draw-device", "rng", {"name": "Generator", "reference": "2"})
        put_in_force("keno.special-3", "special-3", SPECIAL_3)
        put_in_force("keno.bonus", "LUCKY", BONUS)
        put_in_force("keno.tournament", "CUP", CUP)
        at.approve_value("amount", "premium", "0.30")
        at.approve_value("amount", "supervised-above", "1000.00")
        put_in_force("keno.voucher-type", "DINE", {"name": "Dinner voucher"})
        at.issue_vouchers("2.00", "1", "2", "3")
        keep_open(now=timezone.now())
        self.shift = open_shift(by=self.writer, opening_float=dollars("2000.00"))
        self.other_shift = open_shift(by=self.second, opening_float=dollars("100.00"))
        self.sold: dict[str, Sold] = {}

    def buy(self, name: str, request: TicketRequest, **more: object) -> Sold:
        self.sold[name] = self.sell(request, **more)
        return self.sold[name]

    def pay(self, name: str, **more: object) -> None:
        sold = self.sold[name]
        good = particulars.code_of(Ticket.objects.get(pk=sold.ticket.pk))  # of the paper he has now (10.4)
        pay_ticket(serial=sold.ticket.serial, security_code=good, by=self.writer, **more)  # type: ignore[arg-type]


def _drawn_by_two(house: KenoHouse) -> None:
    """A game between two parties comes first: whatever is changed after it leaves its question alone."""
    house.buy("drawn", plain(1, 2, 3, 4, 5, stake="1.00", games=2))
    choose_device(device="mechanical", by=house.supervisor)
    close_game(number=1, by=house.supervisor)
    draw_game(number=1, by=house.supervisor)


def _balls(house: KenoHouse) -> None:
    enter_tournament(code="CUP", card=card_of("Anna"), numbers=[18, 19, 41], by=house.writer)
    enter_tournament(code="CUP", card=card_of("Ben"), numbers=[61, 62, 63], by=house.writer)
    leaves = enter_tournament(code="CUP", card=card_of("Cara"), numbers=[1, 2, 3], by=house.writer)
    for each in (house.supervisor, house.manager):
        authorise_refund(entry_id=leaves.pk, why="She has to leave.", by=each)
    refund_entry(entry_id=leaves.pk, by=house.writer)
    ways = TicketRequest(
        groups=[[1, 2, 3], [4, 5, 6], [70, 71]],
        plays=[Asked(3, dollars("1.00")), Asked(6, dollars("2.00")), Asked(8, dollars("1.00"))],
        games=3,
        jackpot=True,
    )
    house.buy("small", plain(1, 2, 3, stake="5.00", games=2))
    house.buy("jackpot", plain(1, 2, 3, 4, 5, 6, jackpot=True, games=2))
    house.buy("ways", ways)
    house.buy("major", plain(*range(1, 11), stake="2.00"))
    house.buy("another major", plain(*range(1, 10), stake="1.00"))
    for numbers in ((1, 2, 3, 4), (5, 6, 7, 8)):  # the budget of the bonus is for one of them
        house.buy("bonus", plain(*numbers, stake="2.00"))
    house.buy("special 3", plain(1, 70, stake="1.00", schedule="special-3"))
    house.buy("lost", plain(61, 62, 63, stake="1.00"))
    house.buy("void", plain(7, 8, stake="4.00"))
    house.buy("claimed", plain(9, 10, stake="3.00"))
    house.buy("unpaid", plain(11, 12, stake="1.00"))
    house.buy("cancelled", plain(1, 2, 3, stake="3.00", games=4))
    house.buy("to go", plain(40, 41, 42, games=50))
    house.buy("rest", plain(70, 71), tender=[Handed(type=CASH, amount=dollars("5.00"))], rest=REST_AS_VOUCHER)
    dinner = [Handed(type=TenderType.VOUCHER, reference="DINE-1"), Handed(type=CASH)]
    house.buy("dinner", plain(72, 73, stake="3.00", games=4), tender=dinner)
    at.cancel(house.sold["cancelled"], house.writer)
    close_game(number=2, by=house.supervisor)
    enter_balls(number=2, balls=BALLS, by=house.supervisor)


def _nobody_wins(house: KenoHouse) -> None:
    """Paper is tendered, prizes are paid, one is void."""
    small, rest = house.sold["small"], house.sold["rest"]
    assert rest.voucher is not None
    paper = Handed(
        type=TenderType.KENO_VOUCHER, reference=rest.voucher.voucher.code, security_code=rest.voucher.security_code
    )
    house.buy("for a voucher", plain(74, 75, stake="5.00"), tender=[paper, Handed(type=CASH)])
    ticket = Handed(type=TenderType.TICKET, reference=small.ticket.serial, security_code=small.security_code)
    beside = Handed(
        type=CASH, amount=dollars("20.00")
    )  # of which the change is: a prize does not become a voucher (10.5)
    house.buy("for a ticket", plain(76, 77, stake="190.00"), tender=[ticket, beside], rest=REST_AS_VOUCHER)
    house.buy("breach", plain(78, 79, stake="2.00", games=3))
    house.pay("ways", identity=IDENTITY)
    authorise_payment(serial=house.sold["major"].ticket.serial, by=house.supervisor)
    house.pay("major", method=PaymentMethod.CHEQUE, cheque_number="100001", identity=IDENTITY)
    house.pay("bonus")
    why = "He bought for a child."
    void = propose_void_win(serial=house.sold["void"].ticket.serial, game=2, why=why, by=house.supervisor)
    assert approve(proposal_id=void.pk, by=house.manager).status == "effective"
    void_wagers(serial=house.sold["breach"].ticket.serial, why=why, by=house.manager)
    late = house.buy("late", plain(61, 62, 63, 64, 65, 66, jackpot=True))
    close_game(number=3, by=house.supervisor)
    at.cancel(late, house.writer)  # it stays in the sealed set, and its contribution goes back
    enter_balls(number=3, balls=list(range(41, 61)), by=house.supervisor)


def _claim(house: KenoHouse) -> None:
    won = finish_tournament(code="CUP", by=house.supervisor)[0]
    pay_tournament_prize(entry_id=won.pk, by=house.writer)
    made = make_claim(
        serial=house.sold["claimed"].ticket.serial,
        reason=ClaimReason.LOST,
        claimant={"name": "Anna", "address": "Canberra", "contact": "anna@example.org"},
        grounds="She knows the numbers.",
        by=house.supervisor,
    )
    proposal = Proposal.objects.get(kind="keno.claim", subject=f"claim:{made.pk}")
    assert approve(proposal_id=proposal.pk, by=INSPECTOR).status == "effective"
    pay_claim(claim_id=made.pk, cheque_number="100002", by=house.manager)


def _claim_at_the_counter(house: KenoHouse) -> None:
    """With the paper in hand a writer takes the form at his terminal; the inspector has not decided yet."""
    wet = house.sold["another major"]
    make_claim(
        serial=wet.ticket.serial,
        security_code=wet.security_code,
        reason=ClaimReason.UNREADABLE,
        claimant={"name": "Ben", "address": "Canberra", "contact": "ben@example.org"},
        grounds="It fell into the sink.",
        by=house.writer,
    )


def _looked_into(house: KenoHouse) -> None:
    """A prize on hold, and the hold ended by somebody else (14.3); a dispute that the inspector reviews (14.6)."""
    serial = house.sold["unpaid"].ticket.serial
    hold_prize(serial=serial, why="The paper looks strange.", by=house.supervisor)
    release_hold(serial=serial, why="It is the paper of that day.", by=house.manager)
    said = report_incident(kind=DISPUTE, what="She says that number 7 was called.", by=house.supervisor)
    review_dispute(incident_id=said.pk, decision="The record stands.", by=INSPECTOR)


def _refunds(house: KenoHouse) -> None:
    """A game that is invalidated, and one that stays open."""
    house.buy("refunded", plain(1, 2, stake="6.00"))
    close_game(number=4, by=house.supervisor)
    invalidate_game(number=4, by=house.manager, cause="fire", reason="Fire.")
    house.pay("refunded")
    house.buy("open", plain(1, 2, 3, games=2))


def _end_of_day(house: KenoHouse) -> None:
    voucher = house.sold["for a ticket"].voucher
    assert voucher is not None
    redeem_voucher(code=voucher.voucher.code, security_code=voucher.security_code, by=house.writer)
    for by in (house.second, house.supervisor):
        drop(shift_id=house.other_shift.pk, amount=dollars("50.00"), by=by)
    close_shift(shift_id=house.other_shift.pk, counted_cash=dollars("49.00"), by=house.second)
    later = timezone.now() + timedelta(days=400)
    GamingDay.objects.create(date=later.date(), opens_at=later, closes_at=later + timedelta(hours=1))
    gaming_days.forget()
    move_unclaimed(now=later)


def make(witness: RunningWitness) -> Exported:
    """The house, from its first key on, and its export."""
    begin_log()
    witness.watch()
    seed()
    open_accounts()
    house = KenoHouse()
    for part in (
        _drawn_by_two,
        _balls,
        _nobody_wins,
        _claim,
        _looked_into,
        _refunds,
        _claim_at_the_counter,
        _end_of_day,
    ):
        part(house)
        seal_now()
        cosign_now()
    return exported_now()
