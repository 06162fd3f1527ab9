"""Prizes on hold, and winning wagers of persons in breach voided after the draw: games really played (14.3)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from house import gaming_days
from house.approvals import approve
from house.models import GamingDay, Incident, Proposal
from house.players.cards import register_player
from keno import agreement, bonuses, jackpots
from keno.claims import make_claim
from keno.hold import hold_prize, release_hold
from keno.models import ClaimReason, Game, Payment, Prize, PrizeHold, TenderType, VoidedWin
from keno.open_games import keep_open
from keno.pay import authorise_payment, pay_ticket
from keno.queries.tickets import result_of
from keno.refunds import void_wagers
from keno.sell import Sold
from keno.tender import Handed
from keno.unclaimed import move_unclaimed
from keno.void_win import propose_void_win
from kernel.money import ZERO
from ledger.models import Act
from tests.keno.test_claims import ANNA
from tests.world import keno_counter as at
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import actor

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:14.3")]
BALLS = list(range(1, 21))
WHY = "Played with a device that records the draws."


@pytest.fixture
def played() -> Played:
    return Played()


def after_the_draw(played: Played, *sold: Sold) -> None:
    played.play(sold[0].ticket.first_game, BALLS)
    keep_open(now=timezone.now())


def pay(played: Played, sold: Sold) -> Payment:
    return pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=played.writer).payment


def voided(played: Played, sold: Sold, *, game: int | None = None, **more: Any) -> Proposal:
    """Proposed by the supervisor, decided by the manager."""
    number = sold.ticket.first_game if game is None else game
    made = propose_void_win(serial=sold.ticket.serial, game=number, why=WHY, by=played.supervisor, **more)
    return approve(proposal_id=made.pk, by=played.manager)


def sound() -> None:
    assert at.in_balance()
    assert agreement.differences() == []


def test_nothing_on_a_held_ticket_is_paid_tendered_authorised_or_claimed(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3, games=2))
    after_the_draw(played, sold)
    serial, code = sold.ticket.serial, sold.security_code
    put = hold_prize(serial=serial, why=WHY, by=played.supervisor)
    assert (put.owner, put.put_by) == ("staff:sue", "staff:sue")
    assert Act.objects.get(kind="keno.prize-held").data == {"why": WHY, "owner": "staff:sue"}
    assert Incident.objects.get(kind="keno-prize-held").subject == f"ticket:{serial}"
    held = (409, "prize-held", "act-keno:14.3")
    assert refused(pay_ticket, serial=serial, security_code=code, by=played.writer) == held
    assert refused(authorise_payment, serial=serial, by=played.supervisor) == held
    claim: dict[str, Any] = {"reason": ClaimReason.LOST, "claimant": ANNA, "grounds": "Hers."}
    assert refused(make_claim, serial=serial, **claim, by=played.supervisor) == held
    tender = [Handed(type=TenderType.TICKET, reference=serial, security_code=code), Handed(type=TenderType.CASH)]
    assert refused(played.sell, plain(7), tender=tender) == held
    # What it wins later is held as well.
    played.play(sold.ticket.last_game, BALLS)
    assert refused(pay_ticket, serial=serial, security_code=code, by=played.writer) == held
    # The database says the same to whoever comes another way.
    payment = Payment.objects.create(
        ticket=sold.ticket, amount=dollars("1.00"), method="cash", cash=dollars("1.00"), paid_at=timezone.now(),
        day=played.day.date, paid_by="staff:x", retain_until=timezone.now(),
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="on hold"), transaction.atomic():
        Prize.objects.filter(ticket=sold.ticket).update(payment=payment)


def test_another_person_than_who_put_it_on_ends_a_hold(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3))
    after_the_draw(played, sold)
    serial = sold.ticket.serial
    assert refused(release_hold, serial=serial, why="Fine.", by=played.manager)[1] == "not-held"
    assert refused(hold_prize, serial=serial, why=" ", by=played.supervisor)[1] == "reason-missing"
    assert refused(hold_prize, serial=serial, why=WHY, by=played.writer)[1] == "no-permission"
    assert refused(hold_prize, serial=serial, why=WHY, owner="nobody-here", by=played.supervisor)[1] == "no-such-person"
    hold_prize(serial=serial, why=WHY, by=played.supervisor)
    assert refused(hold_prize, serial=serial, why=WHY, by=played.manager)[1] == "held-already"
    assert refused(release_hold, serial=serial, why="Fine.", by=played.supervisor)[1] == "needs-second-person"
    assert refused(release_hold, serial=serial, why="", by=played.manager)[1] == "reason-missing"
    release_hold(serial=serial, why="The recordings show nothing.", by=played.manager)
    assert Act.objects.get(kind="keno.prize-released").data["proposal"] is None
    assert Incident.objects.get(kind="keno-prize-held").closed_by == "staff:mona"
    assert pay(played, sold).amount == dollars("36.00")
    with pytest.raises(IntegrityError), transaction.atomic():
        PrizeHold.objects.create(
            ticket=sold.ticket, why=WHY, owner="staff:sue", put_by="staff:sue", put_at=timezone.now(),
            released_by="staff:sue", released_at=timezone.now(),
        )  # fmt: skip
    sound()


def test_a_winner_in_breach_gets_his_stake_and_his_prize_goes_back_to_the_house(played: Played) -> None:
    sold, other = played.sell(plain(1, 2, 3, stake="2.00", games=2)), played.sell(plain(1, 2, 3))
    after_the_draw(played, sold)
    before = at.books()
    assert before["keno:prizes-owing"] == dollars("108.00")
    done = voided(played, sold)
    assert done.status == "effective"
    after = at.books()
    assert after["keno:prizes-owing"] == dollars("36.00")
    assert after["keno:refunds-owing"] == dollars("2.00")
    assert before["keno:stakes"] - after["keno:stakes"] == dollars("2.00")
    assert before["keno:prizes"] - after["keno:prizes"] == dollars("72.00")
    found = result_of(sold.ticket)
    assert (found.won, found.refunded, found.owing) == (ZERO, dollars("2.00"), dollars("2.00"))
    told = Act.objects.get(kind="keno.win-voided")
    assert told.subject == f"keno-ticket:{sold.ticket.serial}"
    assert told.data == {
        "game": 1, "won": "72.00", "jackpots": {}, "bonus": "0.00", "refund": "2.00", "why": WHY,
        "proposal": done.pk, "excluded": None,
    }  # fmt: skip
    assert Act.objects.get(kind="keno.prize-released").data["proposal"] == done.pk  # nothing else is looked into
    sound()
    # The refund is collected with the paper, and the game still to come is played, on new paper.
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=played.writer)
    assert paid.payment.amount == dollars("2.00")
    assert pay(played, other).amount == dollars("36.00")
    played.play(2, BALLS)
    assert paid.continuation is not None
    again = pay_ticket(serial=sold.ticket.serial, security_code=paid.continuation.security_code, by=played.writer)
    assert again.payment.amount == dollars("72.00")
    sound()
    games = played.report("games")
    first = dict(zip(games.columns, games.rows[0], strict=True))
    names = ("Sold", "Stakes on winning tickets", "Stakes on losing tickets", "Refunded", "Payout")
    assert [str(first[name]) for name in names] == ["3.00", "1.00", "0.00", "2.00", "36.00"]


def test_a_share_of_a_jackpot_goes_back_to_its_pool_and_not_to_the_other_winner(played: Played) -> None:
    numbers = tuple(range(1, 9))
    cheat, honest = (played.sell(plain(*numbers, stake=stake, jackpot=True)) for stake in ("1.00", "3.00"))
    after_the_draw(played, cheat)
    share = Prize.objects.get(ticket=cheat.ticket)
    theirs = Prize.objects.get(ticket=honest.ticket)
    assert share.jackpot == share.amount == dollars("3125.15")
    before = jackpots.purses_of(8)
    voided(played, cheat)
    after = jackpots.purses_of(8)
    assert after.prize == before.prize + share.jackpot
    assert (after.secondary, after.reimbursement, after.owed) == (before.secondary, before.reimbursement, before.owed)
    assert jackpots.displayed()[8] == before.prize.down_to_cents() + share.jackpot
    assert Act.objects.get(kind="keno.win-voided").data["jackpots"] == {"8": str(share.jackpot)}
    assert Prize.objects.get(ticket=honest.ticket).amount == theirs.amount == dollars("9375.45")
    sound()
    assert pay(played, cheat).amount == dollars("1.00")
    authorise_payment(serial=honest.ticket.serial, by=played.supervisor)
    paid = pay_ticket(
        serial=honest.ticket.serial, security_code=honest.security_code, by=played.writer, method="cheque",  # type: ignore[arg-type]
        cheque_number="000411",
    )  # fmt: skip
    assert paid.payment.amount == dollars("9375.45")
    sound()


def test_pro_rated_majors_of_others_stay_what_they_were(played: Played) -> None:
    ten = tuple(range(1, 11))
    cheat, honest = played.sell(plain(*ten, stake="2.00")), played.sell(plain(*ten, stake="2.00"))
    after_the_draw(played, cheat)
    shares = {prize.ticket_id: prize.amount for prize in Prize.objects.filter(kind="prize")}
    assert shares == dict.fromkeys([cheat.ticket.pk, honest.ticket.pk], dollars("25000.00"))
    voided(played, cheat)
    assert Prize.objects.get(ticket=honest.ticket).amount == dollars("25000.00")
    totals = Game.objects.get(pk=1).totals
    assert totals is not None
    assert totals["majors"]["after"] == "50000.00"  # the settlement stands as it was published
    authorise_payment(serial=honest.ticket.serial, by=played.supervisor)  # computed again, the void one among them
    sound()


@pytest.mark.clause("act-keno:4.7e")
def test_a_bonus_goes_back_to_what_funded_it(played: Played) -> None:
    bonus = {
        "name": "Threes", "spots": 3, "matches": 3, "prize": "10.00", "per": "ticket", "first_game": 1,
        "last_game": 9, "budget": "10.00", "fund": "house",
    }  # fmt: skip
    at.approve_value("bonus", "THREE", bonus)
    cheat = played.sell(plain(1, 2, 3))
    after_the_draw(played, cheat)
    assert bonuses.spent("THREE") == dollars("10.00")
    voided(played, cheat)
    assert bonuses.spent("THREE") == ZERO
    assert "keno:bonuses" not in at.books()
    assert VoidedWin.objects.get().bonus == dollars("10.00")
    assert VoidedWin.objects.get().amount == dollars("46.00")
    sound()


@pytest.mark.clause("act-keno:11.2")
def test_an_unclaimed_prize_comes_back_from_the_fund_as_far_as_that_goes(played: Played) -> None:
    cheat = played.sell(plain(1, 2, 3))
    after_the_draw(played, cheat)
    far = timezone.now() + timedelta(days=400)
    day = GamingDay.objects.create(date=far.date(), opens_at=far, closes_at=far + timedelta(hours=8))
    gaming_days.forget()
    move_unclaimed(now=far + timedelta(hours=1))
    GamingDay.objects.filter(pk=day.pk).delete()
    gaming_days.forget()
    assert at.books()["keno:unclaimed"] == dollars("36.00")
    voided(played, cheat)
    assert not {"keno:unclaimed", "keno:prizes-owing", "keno:prizes"} & set(at.books())
    sound()


def test_a_loser_a_paid_ticket_and_a_game_not_settled_stand(played: Played) -> None:
    loser, paid, won = (played.sell(plain(*numbers, games=2)) for numbers in ((50, 51, 52), (1, 2, 3), (1, 2, 3)))
    after_the_draw(played, loser)
    pay(played, paid)

    def tried(sold: Sold, game: int = 1, **more: Any) -> Any:
        of = {"serial": sold.ticket.serial, "game": game, "why": WHY, "by": played.supervisor}
        return refused(propose_void_win, **of | more)

    assert tried(loser) == (422, "did-not-win", "act-keno:14.3")
    assert tried(paid) == (409, "already-paid", "act-keno:14.3")
    assert tried(won, game=2) == (409, "not-settled", "act-keno:14.3")
    assert tried(won, game=7) == (422, "not-in-game", "act-keno:14.3")
    assert tried(won, why="")[1] == "reason-missing"
    assert tried(won, by=played.writer)[1] == "no-permission"
    assert not PrizeHold.objects.exists()
    voided(played, won)
    assert tried(won)[1] == "void-already"


def test_whoever_proposed_does_not_decide_and_an_ended_hold_ends_the_proposal(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3))
    after_the_draw(played, sold)
    made = propose_void_win(serial=sold.ticket.serial, game=1, why=WHY, by=played.manager)
    assert refused(propose_void_win, serial=sold.ticket.serial, game=1, why=WHY, by=played.supervisor)[1] == (
        "proposed-already"
    )
    assert refused(approve, proposal_id=made.pk, by=played.manager)[1] == "own-proposal"
    assert refused(approve, proposal_id=made.pk, by=played.supervisor)[1] == "no-permission"
    release_hold(serial=sold.ticket.serial, why="Another player it was.", by=played.supervisor)
    assert approve(proposal_id=made.pk, by=actor("staff:max", "manager")).status == "failed"
    assert pay(played, sold).amount == dollars("36.00")
    sound()


def test_the_person_is_excluded_with_the_decision_and_games_to_come_are_voided_beside_it(played: Played) -> None:
    clerk = actor("staff:clerk", "manager", "supervisor")
    anna = register_player(name="Anna Lee", card="CARD-77", by=clerk)
    sold = played.sell(plain(1, 2, 3, games=3))
    after_the_draw(played, sold)
    voided(played, sold, exclude=anna.number)
    assert Act.objects.get(kind="keno.win-voided").data["excluded"] == anna.number
    assert anna.restrictions.filter(kind="exclusion", scope="keno").exists()
    assert void_wagers(serial=sold.ticket.serial, why=WHY, by=played.manager) == dollars("2.00")
    assert pay(played, sold).amount == dollars("3.00")
    sound()
