"""A game that was settled on wrongly recorded balls is settled again by two people: games really played (12.1)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from house.approvals import approve
from house.models import Incident
from keno import agreement, jackpots
from keno.models import Correction, Draw, Game, Payment, Prize, Resettlement, Ticket
from keno.queries.games import described
from keno.queries.tickets import result_of
from keno.resettle import propose_resettlement
from keno.sell import Sold
from kernel.money import ZERO, Money
from ledger.models import Act
from signage.proofs import game_proof
from tests.world import keno_counter as at
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.resettled import CAME, TYPED, WHY, pay, play, resettle

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:12.1-record")]


@pytest.fixture
def played() -> Played:
    return Played()


def sound() -> None:
    assert at.in_balance()
    assert agreement.differences() == []


def owing(sold: Sold) -> Money:
    return result_of(Ticket.objects.get(pk=sold.ticket.pk)).owing


def test_unpaid_prizes_are_replaced_and_paid_ones_become_over_and_underpayments(played: Played) -> None:
    lost, won = played.sell(plain(80, 2, 3)), played.sell(plain(1, 2, 3))
    over, under = played.sell(plain(1, 4, 5)), played.sell(plain(80, 6, 7))
    same, same_paid = played.sell(plain(8, 9, 10)), played.sell(plain(11, 12, 13))
    play(played)
    # 3 of 3 pays $36, 2 of 3 pays $2.
    assert [owing(sold) for sold in (lost, won)] == [dollars("2.00"), dollars("36.00")]
    for sold, amount in ((over, "36.00"), (under, "2.00"), (same_paid, "36.00")):
        assert pay(played, sold).amount == dollars(amount)
    before, totals = at.books(), dict(Game.objects.get(number=1).totals or {})
    assert before["keno:prizes-owing"] == dollars("74.00")
    done = resettle(played)
    assert done.status == "effective"
    found = Resettlement.objects.get()
    assert (found.game_id, found.recorded, found.numbers, found.totals) == (1, TYPED, CAME, totals)
    assert Draw.objects.get(game=1).numbers == CAME
    assert {each.ticket_id: (each.paid, each.owed) for each in Correction.objects.all()} == {
        over.ticket.pk: (dollars("36.00"), dollars("2.00")),
        under.ticket.pk: (dollars("2.00"), dollars("36.00")),
    }
    after = at.books()
    # $36 and $2 instead of $2 and $36 for those not paid; $36 as before; $34 for the one that was paid too little.
    assert after["keno:prizes-owing"] == dollars("108.00")
    assert after["keno:overpaid"] == dollars("34.00")
    assert after["keno:prizes"] == before["keno:prizes"]
    told = Act.objects.get(kind="keno.resettled")
    assert (told.subject, told.actor) == ("keno-game:1", "staff:mona")
    assert (told.data["overpaid"], told.data["underpaid"], told.data["proposal"]) == ("34.00", "34.00", done.pk)
    assert (told.data["recorded"], told.data["numbers"], told.data["why"]) == (TYPED, CAME, WHY)
    assert told.data["totals"] == Game.objects.get(number=1).totals
    assert Incident.objects.get(kind="keno-game-resettled").subject == "keno-game:1"
    assert described(Game.objects.get(number=1))["recorded"] == TYPED
    shown = game_proof(1)  # what /verify/ tells a player first
    assert (shown["status"], shown["numbers"], shown["resettled"]["recorded"]) == ("settled", CAME, TYPED)
    listed = played.report("resettled")
    assert (len(listed.rows), listed.totals[-2:]) == (2, (dollars("34.00"), dollars("34.00")))
    sound()
    result = result_of(over.ticket)
    assert (result.won, result.paid, result.owing, result.status) == (dollars("2.00"), dollars("36.00"), ZERO, "paid")
    assert result_of(under.ticket).won == dollars("36.00")
    for sold, amount in ((lost, "36.00"), (won, "2.00"), (under, "34.00"), (same, "36.00")):
        assert pay(played, sold).amount == dollars(amount)
        assert owing(sold) == ZERO
    for sold in (over, same_paid):
        assert owing(sold) == ZERO
    assert "keno:prizes-owing" not in at.books()  # nothing is left
    sound()


def test_two_people_decide_and_the_game_is_settled_again_once(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3))
    play(played)
    assert refused(propose_resettlement, number=1, numbers=CAME, why=WHY, by=played.writer)[1] == "no-permission"
    assert refused(propose_resettlement, number=1, numbers=CAME, why=" ", by=played.supervisor)[1] == "reason-missing"
    assert refused(propose_resettlement, number=1, numbers=TYPED[::-1], why=WHY, by=played.supervisor)[1] == (
        "nothing-changes"
    )
    for wrong in (CAME[:19], [*CAME[:19], 2], [*CAME[:19], 81]):
        assert refused(propose_resettlement, number=1, numbers=wrong, why=WHY, by=played.supervisor)[0] == 422
    assert refused(propose_resettlement, number=2, numbers=CAME, why=WHY, by=played.supervisor)[1] == "not-settled"
    made = propose_resettlement(number=1, numbers=CAME, why=WHY, by=played.supervisor)
    assert refused(propose_resettlement, number=1, numbers=CAME, why=WHY, by=played.manager)[1] == "proposed-already"
    assert owing(sold) == dollars("36.00")
    approve(proposal_id=made.pk, by=played.manager)
    assert owing(sold) == dollars("2.00")
    again = refused(propose_resettlement, number=1, numbers=TYPED, why=WHY, by=played.supervisor)
    assert again == (409, "resettled-already", "act-keno:14.6")
    assert Resettlement.objects.count() == 1
    sound()


@pytest.mark.clause("act-keno:5.2")
def test_a_jackpot_that_only_the_wrong_numbers_won_goes_back_whole(played: Played) -> None:
    played.sell(plain(41, 42, 43, 44, 45, 46, jackpot=True))
    play(played)  # nobody wins, the pool is fed
    purses = jackpots.purses_of(6)
    first, second = (played.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True)) for _ in range(2))
    play(played, 2)
    won = Prize.objects.get(ticket=first.ticket).amount
    assert pay(played, first).amount == won
    fed = dollars("2.00").basis_points(1_500)
    resettle(played, 2)
    now = jackpots.purses_of(6)
    assert now.prize == purses.prize + fed
    assert now.secondary == purses.secondary + dollars("2.00").basis_points(600)
    assert owing(second) < won  # five of six
    assert Correction.objects.get().paid == won
    sound()


def test_a_jackpot_that_only_the_right_numbers_win_pays_what_was_displayed_then(played: Played) -> None:
    sold = played.sell(plain(80, 2, 3, 4, 5, 6, jackpot=True))
    play(played)
    displayed = jackpots.displayed()[6]
    later = played.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True))
    play(played, 2)  # another wins it meanwhile
    assert pay(played, later).amount >= displayed
    resettle(played)
    assert owing(sold) == displayed
    assert Game.objects.get(number=1).totals["jackpots"] == {"6": {"amount": str(displayed), "ways": 1}}  # type: ignore[index]
    assert jackpots.displayed()[6] >= dollars("1000.00")
    assert pay(played, sold).amount == displayed
    sound()


def test_a_jackpot_that_both_win_is_shared_anew_and_its_pool_stays(played: Played) -> None:
    wrong, right = (
        played.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True)),
        played.sell(plain(80, 2, 3, 4, 5, 6, jackpot=True)),
    )
    play(played)
    amount, purses = Prize.objects.get(ticket=wrong.ticket).amount, jackpots.purses_of(6)
    resettle(played)
    assert jackpots.purses_of(6) == purses
    assert owing(right) == amount
    assert pay(played, right).amount == amount
    sound()


def test_the_database_changes_numbers_and_prizes_by_that_decision_only(played: Played) -> None:
    sold = played.sell(plain(1, 2, 3))
    play(played)
    draw = Draw.objects.get(game=1)
    with pytest.raises(IntegrityError, match="recorded stands"), transaction.atomic():
        Draw.objects.filter(pk=draw.pk).update(numbers=CAME)
    resettle(played)
    with pytest.raises(IntegrityError, match="recorded stands"), transaction.atomic():
        Draw.objects.filter(pk=draw.pk).update(numbers=TYPED)
    row = Prize.objects.get(ticket=sold.ticket, kind="prize-corrected")
    with pytest.raises(IntegrityError, match="settled again"), transaction.atomic():
        Prize.objects.filter(pk=row.pk).update(replaced=Resettlement.objects.get())
    assert pay(played, sold).amount == dollars("2.00")
    with pytest.raises(IntegrityError), transaction.atomic():
        Prize.objects.filter(ticket=sold.ticket, kind="prize").update(payment=Payment.objects.get())
