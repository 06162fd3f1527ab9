"""A game that was settled again: a stranger computes both settlements, and finds a false one out (12.1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from house.approvals import approve
from house.seed import seed
from keno.accounts import open_accounts
from keno.balls import count_balls
from keno.close import close_game
from keno.kept_paper import tick_off
from keno.models import AskedHow, Overpayment
from keno.overpayment_kinds import RECEIVED
from keno.overpayments import propose_overpayment
from keno.recover import ask_back, receive_back
from keno.sell import Sold
from keno.void import void_draw
from keno.write_off import propose_write_off
from kernel.money import Money
from ledger.seal import begin_log, seal_now
from tests.world.approvals import put_in_force
from tests.world.falsified import Change, Draft, Exported, doubted
from tests.world.keno_balls import approve_set, enter_balls
from tests.world.keno_changes import DOLLAR, more, row, says, without
from tests.world.keno_counter import plain
from tests.world.keno_house import BONUS
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.people import on_the_payroll
from tests.world.resettled import CAME, TYPED, pay, play, resettle
from tests.world.small_house import exported_now
from tests.world.witness import RunningWitness

pytestmark = [pytest.mark.clause("act-keno:12.1-record"), pytest.mark.django_db]
AGAIN = "keno.resettled"


def _make(witness: RunningWitness) -> Exported:
    """Prizes paid before and after; a jackpot won on the wrong numbers, another on the right ones; a bonus."""
    begin_log()
    witness.watch()
    seed()
    open_accounts()
    played = Played()
    on_the_payroll(sue="supervisor", mona="manager", inspector="inspector")
    put_in_force("keno.bonus", "LUCKY", BONUS | {"budget": "1000.00"})
    over, under = played.sell(plain(1, 4, 5)), played.sell(plain(80, 6, 7))
    lost, _ = played.sell(plain(80, 2, 3)), played.sell(plain(1, 2, 3))
    six, _ = played.sell(plain(*range(1, 7), jackpot=True)), played.sell(plain(80, *range(2, 9), jackpot=True))
    lucky, unlucky = played.sell(plain(80, 9, 10, 11)), played.sell(plain(1, 9, 10, 11))
    played.sell(plain(*range(2, 12), stake="2.00"))
    play(played)
    for sold in (over, under, six, unlucky):
        pay(played, sold)
    seal_now()
    resettle(played)
    for sold in (under, lost, lucky):
        kept = pay(played, sold)
    tick_off(payment_id=kept.pk, by=played.supervisor)
    _recover(played, over, six, kept.pk)
    _damage(played)
    seal_now()
    return exported_now()


def _recover(played: Played, over: Sold, six: Sold, handed: int) -> None:
    """One comes back in two parts; of another nobody knows whom to ask; a third was handed out too much."""
    back = Overpayment.objects.get(payment__ticket=over.ticket)
    for amount in ("4.00", "30.00"):
        receive_back(overpayment_id=back.pk, amount=dollars(amount), by=played.writer)
    lost = Overpayment.objects.get(payment__ticket=six.ticket)
    ask_back(overpayment_id=lost.pk, how=AskedHow.NOT_FOUND, by=played.supervisor)
    made = propose_overpayment(payment_id=handed, amount=dollars("9.00"), why="Camera 2.", by=played.supervisor)
    approve(proposal_id=made.pk, by=played.manager)
    gone = propose_write_off(overpayment_id=lost.pk, why="Nobody knows him.", by=played.supervisor)
    approve(proposal_id=gone.pk, by=played.manager)


def _damage(played: Played) -> None:
    """A ball of set B cracks in game 2, which is redrawn from set A (12.4a)."""
    approve_set("B")
    close_game(number=2, by=played.supervisor)
    count_balls(number=2, counted=80, ball_set="B", by=played.supervisor)
    void_draw(number=2, by=played.supervisor, cause="ball-damaged", reason="Ball 7 is cracked.")
    enter_balls(number=2, balls=CAME, by=played.supervisor)


@pytest.fixture(scope="session")
def resettled(export_of: Callable[[Callable[[RunningWitness], Exported]], Exported]) -> Exported:
    return export_of(_make)


def test_what_was_settled_again_is_computed_twice(resettled: Exported) -> None:
    assert doubted(resettled, lambda draft: None) == ""


def _numbers(draft: Draft) -> None:
    draft.act(AGAIN)["data"]["numbers"][0] = 79


def _of_generator(draft: Draft) -> None:
    draft.act(AGAIN)["subject"] = "keno-game:2"
    draft.act(AGAIN)["data"]["game"] = 2


def _twice(draft: Draft) -> None:
    draft.add_after(draft.act(AGAIN))


def _more_back(draft: Draft) -> None:
    more(RECEIVED, DOLLAR, -1)(draft)
    draft.act("keno.overpayment-received", -1)["data"]["amount"] = "31.00"


def _given_up_in_part(draft: Draft) -> None:
    more("keno.overpaid-written-off", -DOLLAR)(draft)
    said = draft.act("keno.overpayment-written-off")["data"]
    said["amount"] = str(Money.parse(said["amount"]) - dollars("1.00"))


CAUGHT: dict[str, tuple[Change, str]] = {
    "other numbers": (_numbers, "the 8-number jackpot was paid out, and no ticket won it"),
    "another record before": (says(AGAIN, recorded=CAME), "had been settled on other numbers"),
    "the numbers it was settled on": (says(AGAIN, numbers=TYPED), "on the numbers that it was settled on"),
    "nineteen numbers": (says(AGAIN, numbers=CAME[:19]), "without 20 different numbers"),
    "a game that was not settled": (_of_generator, "was not settled on balls"),
    "settled again twice": (_twice, "is settled again twice"),
    "by one person": (without("approval.effective", -1), "and no second person decided so"),
    "by another decision": (says(AGAIN, proposal=4711), "and no second person decided so"),
    "nothing said of it": (without(AGAIN), "keno.resettled should stand before this"),
    "less overpaid": (says(AGAIN, overpaid="1.00"), "was booked as overpaid"),
    "less underpaid": (says(AGAIN, underpaid="1.00"), "underpaid when it was settled again"),
    "overpaid +$1": (more("keno.overpaid", DOLLAR), "was booked as overpaid"),
    "taken back -$1": (more("keno.prizes-taken-back", -DOLLAR), "was taken back as keno.prizes"),
    "booked again +$1": (more("keno.prizes-again", DOLLAR), "was booked as keno.prizes; its tickets make"),
    "a bonus not taken back": (without("keno.bonus-taken-back"), "was taken back as bonus LUCKY"),
    "a bonus again +$1": (more("keno.bonus-again", DOLLAR), "was booked as bonus LUCKY; its tickets make"),
    "a jackpot kept": (without("keno.jackpot-corrected"), "jackpot KENO-"),
    "a jackpot +$1": (more("keno.jackpot-corrected", DOLLAR), "by the rules it moves"),
    "a paid ticket paid in full": (more("keno.payment", 2 * DOLLAR, 4), "what it had won and not been paid was"),
    "paper ticked off by who paid": (row("keno.paper-found", actor="device:W-1"), "by device:W-1, who has no power to"),
    "paper of no payment ticked off": (
        says("keno.paper-found", payment=4711),
        "is found by who paid it, or was not paid",
    ),
    "more comes back": (_more_back, "came back or was written off of"),
    "less in the books comes back": (more(RECEIVED, -DOLLAR), "of keno.overpaid-received, and $3.00 was booked"),
    "received by who may not": (
        row("keno.overpayment-received", actor="staff:sue"),
        "and $4.00 was booked by device:W-1",
    ),
    "into another drawer": (row(RECEIVED, debit="keno:cage"), "and there is no such drawer"),
    "received for a ticket not overpaid": (says("keno.overpayment-received", -1, game=2), "is none of ticket"),
    "nobody says that it came back": (without("keno.overpayment-received"), "and nothing was said of the one before"),
    "given up by one": (says("keno.overpayment-written-off", proposal=4711), "and no second person decided so"),
    "given up unasked": (without("keno.overpayment-asked"), "and nobody had asked for it"),
    "given up in part": (_given_up_in_part, "came back or was written off of"),
    "nobody says that it was given up": (without("keno.overpayment-written-off"), "and nothing is said of it"),
    "too much by one": (says("keno.overpayment-recorded", proposal=4711), "and no second person said so"),
    "too much +$1": (more("keno.overpaid-at-counter", DOLLAR), "of keno.overpaid-at-counter, and $10.00 was booked"),
    "out of the cage": (row("keno.overpaid-at-counter", credit="keno:cage"), "where nothing of an overpayment goes"),
    "drawn from the damaged set": (says("keno.balls-counted", -1, ball_set="B"), "of which a ball was damaged"),
    "money elsewhere": (row("keno.overpaid", debit="keno:cage"), "goes where nothing of a game settled again goes"),
}


@pytest.mark.parametrize("what", CAUGHT)
def test_a_false_resettlement_is_found_out(resettled: Exported, what: str) -> None:
    change, sentence = CAUGHT[what]
    assert sentence in doubted(resettled, change)
