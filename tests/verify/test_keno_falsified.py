"""Falsifications of a Keno house's export: each is caught with its sentence, by whichever forger.

The strongest forger has every key, the witness's among them: only what the rows say can give him away.
"""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from keno.counter_acts import ClaimMade, ClaimPaid
from keno.on_record.claims import Claims
from kernel.export_check import Doubt
from kernel.money import Money
from tests.world import keno_forgeries as forged
from tests.world import keno_hands as hands
from tests.world.falsified import (
    Change,
    Draft,
    Exported,
    Forger,
    cosigned_heads,
    doubted,
    falsified,
    passed,
    roots_at,
    wrong,
)
from tests.world.keno_changes import (
    BALLS,
    DOLLAR,
    Path,
    amounts,
    both,
    more,
    more_for,
    raised,
    row,
    says,
    totals,
    without,
)
from tests.world.keno_forgeries import tendered

CAUGHT: dict[str, tuple[Change, str]] = {
    # what was sold
    "a sale deleted": (forged.sale_gone, "is in its set, and was never sold"),
    "a sale for less": (forged.sale_cheaper, "costs $2.00; $1.00 was taken for it"),
    "a sale after the draw": (forged.sold_after_the_close, "is in its set, and was never sold"),
    "an unsold ticket in the root": (forged.unsold_ticket, "is in its set, and was never sold"),
    "a sold ticket left out": (forged.left_out, "game 2: its settlement says prizes"),
    "a ticket not attached": (forged.attached_less, "game 2: the 15 tickets attached are not the 16 sealed"),
    "a stake raised": (forged.stake_raised(), "by the rules it costs $10.00"),
    "a stake and its price raised": (forged.stake_raised(price=True), "costs $10.00; $1.00 was taken for it"),
    "stake, price and sale raised": (forged.stake_raised(price=True, sold=True), "game 2: its settlement says prizes"),
    "numbers exchanged": (forged.numbers_exchanged, "game 2: its settlement says prizes"),
    "a game more": (forged.games_added, "by the rules it costs $2.00"),
    # games
    "a promise after the close": (forged.promise_after_the_close, "keno 4: nothing was promised"),
    "a game's acts gone": (forged.acts_of_a_game_gone, "game 3 is missing"),
    "a drawn game never settled": (forged.never_settled, "game 2 is not settled, and game 3 after it is"),
    "a game settled twice": (forged.settled_twice, "game 3 is not open, and yet"),
    "a mechanical game relabelled": (forged.relabelled, "drawn with the device “mechanical”"),
    "another ball": (forged.another_ball, "game 2: "),
    "balls that nobody counted": (without("keno.balls-counted"), "game 2: its balls are drawn, and nobody had counted"),
    "a ball too few": (says("keno.balls-counted", balls=79), "game 2: its balls are drawn, and 79 were counted"),
    "balls of another set": (says("keno.balls-counted", ball_set="B"), "set B are counted for it, which was not"),
    "balls read back by who entered them": (forged.read_back_by_who_entered, "are read back by who entered them"),
    "twenty balls void by one": (hands.void_by_one_after_the_last_ball, "after its last number, and no inspector"),
    "balls read back by who took one back": (hands.read_back_by_who_took_one_back, "entered them, or took one back"),
    "a ball entered by a writer": (hands.entered_by_a_writer, "in the hands of device:W-1, who has no power"),
    "balls counted by nobody here": (hands.counted_by_nobody_here, "in the hands of staff:mallory, who has no power"),
    # tournaments
    "a fee back that nobody authorised": (without("tournament.refund-authorised"), "seconded by no second person"),
    "a fee back at a terminal by one": (without("tournament.refund-seconded"), "by the word of one person"),
    "a refund seconded by who authorised it": (
        row("tournament.refund-seconded", actor="staff:sue"), "seconded by no second person",
    ),
    "a fee back by who authorised it": (
        row("tournament.refund-authorised", actor="device:W-1"), "and nobody else has said so",
    ),
    "a fee back after the draw": (hands.refunded_after_the_close, "is paid back after game 2 was closed"),
    "a larger fee back": (more("keno.tournament-refund", DOLLAR), "should be booked as refund"),
    "a tournament's scores exchanged": (hands.score_raised, "its numbers score"),
    "other numbers marked": (hands.other_numbers_marked, "its numbers score"),
    "entered after the first game": (hands.entered_after_the_close, "comes after game 2 was closed"),
    # settlement
    "prizes +$1,000": (more_for("keno.prizes", BALLS), "was booked as keno.prizes; its tickets make"),
    "prizes +$1,000 with the totals": (forged.settled_with_thousand_more, "game 2: its settlement says prizes"),
    "stakes +$1": (more_for("keno.stakes", BALLS, DOLLAR), "was booked as keno.stakes; its tickets make"),
    "stakes in the totals": (totals(BALLS, stakes="1.00"), "game 2: its settlement says stakes 1.00"),
    "a biggest prize that nobody won": (totals(BALLS, biggest="9.00"), "game 2: its settlement says biggest 9.00"),
    "a winner more": (totals(BALLS, winners=99), "game 2: its settlement says winners 99"),
    "majors paid in full": (
        totals(BALLS, majors={"before": "70000.00", "after": "70000.00", "count": 2}),
        "game 2: its settlement says majors",
    ),
    "prizes of no game": (row("keno.prizes", reference="game/99"), "for game 99, which was never opened"),
    "prizes into another account": (row("keno.prizes", credit="keno:vouchers"), "goes where the money of no game goes"),
    "a bonus over its budget": (more("keno.bonus", DOLLAR), "was booked as bonus LUCKY; its tickets make $20.00"),
    "a bonus and the totals over it": (
        both(more("keno.bonus", 10 * DOLLAR), totals(BALLS, bonuses="30.00")),
        "game 2: its settlement says bonuses 30.00",
    ),
    "a budget raised": (forged.bonus_budget_raised, "game 2: its settlement says bonuses"),
    "a schedule changed": (forged.special_3_paid_more, "game 2: its settlement says prizes"),
    "a premium changed": (forged.premium_raised, "by the rules it costs"),
    "an invalidated game gives back more": (forged.invalidated_for_more, "game 4: it was invalidated, and says"),
    "refunds not booked": (without("keno.refunds"), "game 4: $0.00 was booked as keno.refunds"),
    # jackpots
    "a contribution ×100": (
        lambda draft: draft.transfer("keno.jackpot-contribution").update(micros=100 * 225_000),
        "jackpot KENO-",
    ),
    "a contribution gone": (without("keno.jackpot-contribution"), "jackpot KENO-"),
    "a jackpot won +$1": (more("keno.jackpot-won", DOLLAR), "jackpot KENO-6: keno.jackpot-won game/2 moves"),
    "a jackpot other than settled": (
        totals(BALLS, jackpots={"6": {"amount": "999999.00", "ways": 1}}),
        "game 2: its settlement says jackpots",
    ),
    "a jackpot nobody won": (
        row("keno.jackpot-won", reference="KENO-6/game/3/1"), "jackpot KENO-6: keno.jackpot-won game/3",
    ),
    "stakes for jackpots": (
        forged.stakes_for_jackpots, "jackpot KENO-6: keno.jackpot-contribution game/2/close moves",
    ),
    "another split": (forged.another_split, "jackpot KENO-6: keno.jackpot-contribution game/2/close moves"),
    # payments
    "a payment to an unknown serial": (forged.paid_to(), "ticket ZZZZZZZZZZZZ, and there is no such ticket"),
    "a payment to a loser": (forged.paid_to(61, 62, 63), "what it had won and not been paid was $0.00"),
    "a payment to another winner": (forged.paid_to(11, 12), "what it had won and not been paid was $13.00"),
    "a payment to a cancelled ticket": (forged.paid_to_the_cancelled, "what it had won and not been paid was $0.00"),
    "a payment +$1": (more("keno.payment", 777 * DOLLAR), "was paid $"),
    "a prize paid twice": (forged.paid_twice, "what it had won and not been paid was $0.00"),
    "a payment of nothing that is owed": (
        row("keno.payment", debit="keno:stakes"), "does not say which ticket it is for, or what it pays",
    ),
    "a large payment by one": (without("keno.payment-authorised"), "and nobody else authorised it"),
    "a large payment authorised by who pays": (forged.authorised_by_the_payer, "by device:W-1, who has no power to"),
    "a large payment authorised by another writer": (
        row("keno.payment-authorised", actor="device:W-2"), "is authorised by device:W-2, who has no power to",
    ),
    "a payment while on hold": (forged.on_hold_before_paid, "was paid while it was on hold"),
    "a hold ended by who put it on": (
        row("keno.prize-released", 1, actor="staff:sue"), "is ended by staff:sue, and staff:sue put it on",
    ),
    "a hold ended by no decision": (says("keno.prize-released", proposal=4711), "by a decision that nobody made"),
    "a hold ended that was none": (without("keno.prize-held", 1), "is ended, and there was none"),
    "a hold by a writer": (row("keno.prize-held", 1, actor="device:W-1"), "by device:W-1, who has no power to"),
    "a dispute reviewed by the house": (row("keno.dispute-reviewed", actor="staff:mona"), "who is no inspector"),
    "a claim without the inspector": (without("approval.effective", 1), "and no inspector approved it"),
    "a claim of another payment": (says("keno.claim-paid", amount="40.00"), "its payment is not the one that"),
    "a claim that nobody made": (without("keno.claim-made"), "is paid twice, or nobody made it"),
    "a claim for less than is paid": (says("keno.claim-made", amount="1.00"), "$1.00 was approved, and something else"),
    "a claim for another ticket": (forged.claim_for_another, "was approved, and something else is paid"),
    "a claim paid twice": (forged.again("keno.claim-paid"), "is paid twice, or nobody made it"),
    "a claim written once it was decided": (forged.claim_made_afterwards, "after it was put before the inspector"),
    "a claim taken by nobody here": (row("keno.claim-made", actor="staff:mallory"), "mallory, who has no power to"),
    "a claim taken at no terminal": (without("device.registered"), "is taken by device:W-1, who has no power to"),
    "a claim paid by a writer": (row("keno.claim-paid", actor="device:W-1"), "is paid by device:W-1, who has no power"),
    "unclaimed +$1": (more("keno.unclaimed", DOLLAR), "became unclaimed on"),
    "a claim approved by its maker": (forged.by_the_proposer(1), "who proposed it or stood behind it"),
    "a claim on the house's word": (says("approval.approved", 1, authority="house"), "name of another authority"),
    # what is given back
    "a cancellation for more": (forged.cancelled_for_more, "$13.00 was given back from game 2 on; $12.00 was paid"),
    "a cancellation of more games": (says("keno.cancelled", to=9), "was paid for these games"),
    "a cancellation not booked": (without("keno.cancel"), "$0.00 was booked as given back; it is $12.00"),
    "a cancellation on another day": (row("keno.cancel", day="2020-01-01"), "not on its day of issue (6.4)"),
    "a refund nobody gave": (without("keno.wagers-voided"), "tickets attached are not the"),
    "a refund not owed": (without("keno.voided"), "$0.00 was booked as given back; it is $6.00"),
    "a void prize not given back": (without("keno.prize-void"), "$0.00 was booked as keno.prize-void"),
    "a winner voided by one": (without("approval.effective", 0), "and no second person decided so"),
    "a loser voided": (forged.loser_voided, "its wager in game 2 was voided, and had not won there"),
    # paper
    "tender without its paper": (without("keno.tendered"), "and nothing says with which paper"),
    "an approved voucher that is not registered": (
        tendered(lambda said: said["lines"][0].update(reference="DINE-9")), "DINE-9 is not on the register",
    ),
    "an approved voucher worth more": (
        tendered(lambda said: said["lines"][0].update(amount="9.00")), "DINE-1 is not on the register for $9.00",
    ),
    "more change": (tendered(lambda said: said.update(change="1.00"), 2), "was tendered and $1.00 given back"),
    "a voucher never issued": (without("keno.voucher-issued"), "is spent, and was never issued"),
    "a voucher issued for more": (says("keno.voucher-issued", amount="400.00"), "is worth $400.00"),
    "a voucher that is no cash paid out": (says("keno.voucher-issued", 1, cashable=False), "was paid out (4.6)"),
    "a voucher of another worth paid": (more("keno.voucher-paid", DOLLAR), "was given for it"),
    "vouchers registered by one": (row("keno.vouchers-registered", actor="staff:sue"), "are registered by one person"),
    # drawers
    "a sale into no drawer": (row("keno.sale", 1, debit="keno:cage"), "and there is no such drawer"),
    "a payment out of no drawer": (row("keno.payment", credit="keno:cage"), "and there is no such drawer"),
    "a sale at another's terminal": (row("keno.sale", 1, actor="device:W-2"), "in the drawer of device:W-1"),
    "a float that was not booked": (more("keno.float", -DOLLAR), "opened with $2,000.00, and $1,999.00 was booked"),
    "cash dropped by one": (forged.dropped_alone, "one person alone said how much"),
    "a drawer that was expected to hold less": (
        says("keno.shift-closed", expected_cash="49.00"), "$49.00 of cash was counted and $49.00 expected",
    ),
    "a dollar left in the drawer": (forged.less_handed_in, "is closed, and $1.00 is still in keno:shift:"),
    # what is everybody's
    "a reference booked twice": (lambda draft: draft.add_after(draft.transfer("keno.payment")), "part 1 is the next"),
    "a false reversal": (forged.false_reversal, "takes another transfer back"),
}  # fmt: skip


def test_the_house_itself_is_right(keno_house: Exported) -> None:
    assert doubted(keno_house, lambda draft: None) == ""
    said = passed(keno_house, lambda draft: None, by=Forger.NOBODY).rooms
    assert any("3 settled games" in each for each in said)


@pytest.mark.parametrize("what", CAUGHT)
def test_a_forger_with_every_key_is_found_out_by_what_the_rows_say(keno_house: Exported, what: str) -> None:
    change, sentence = CAUGHT[what]
    assert sentence in doubted(keno_house, change)


@pytest.mark.parametrize(
    ("code", "value", "sentence"),
    [
        ("most-a-way", "10.00", "was sold beyond the limits of its game: One way of this ticket could win"),
        ("most-a-ticket", "60.00", "was sold beyond the limits of its game: This ticket could win"),
        ("most-a-game", "9000.00", "the house had limited a game to $9,000.00, and sold on"),
        ("most-a-way", "50000.00", ""),
        ("most-a-ticket", "9000000.00", ""),
        ("most-a-game", "500000.00", ""),
    ],
)
def test_a_sale_beyond_the_limits_then_in_force(keno_house: Exported, code: str, value: str, sentence: str) -> None:
    found = doubted(keno_house, forged.limited(code, value))
    assert sentence in found
    assert bool(sentence) == bool(found)


def test_no_amount_can_be_changed_unseen(keno_house: Exported) -> None:
    """A cent more on a transfer, a dollar more or one more in an act: of each kind and field the first, whatever was
    drawn in this house."""
    rows = [each for each in Draft.of(keno_house.lines).rows if each["kind"].startswith("keno.")]
    first: dict[tuple[object, ...], tuple[int, Path]] = {}
    for at, each in enumerate(rows):
        for path in amounts(each):
            named = (each["kind"], *("…" if isinstance(step, int) or step.isdigit() else step for step in path))
            first.setdefault(named, (at, path))
    unseen = [named for named, place in first.items() if not doubted(keno_house, raised(*place))]
    assert not unseen


@pytest.mark.parametrize("by", Forger)
def test_weaker_forgers_are_found_out_too(keno_house: Exported, by: Forger) -> None:
    """Every eighth of them goes through the whole program."""
    for what in [*CAUGHT][::8]:
        assert wrong(keno_house, CAUGHT[what][0], by=by).startswith("line "), what


# What never happened leaves rows that fit one another: a refund not collected, a voucher not redeemed. Whoever holds a
# head that the witness cosigned finds them out: the log does not lead up to it any more.
NEEDS_THE_WITNESS: dict[str, Change] = {
    "a refund that was collected": without("keno.payment", 4),
    "a voucher that was redeemed": without("keno.voucher-paid"),
    "a sale for the game that is open": without("keno.sale", -1),
}


@pytest.mark.parametrize("what", NEEDS_THE_WITNESS)
def test_what_never_happened_is_found_out_by_the_witness(keno_house: Exported, what: str) -> None:
    change = NEEDS_THE_WITNESS[what]
    assert doubted(keno_house, change) == ""
    cosigned = cosigned_heads(Draft.of(keno_house.lines))
    assert roots_at(keno_house.raw, cosigned) == cosigned
    assert roots_at(falsified(keno_house, change, by=Forger.HOUSE), cosigned) != cosigned


@pytest.mark.parametrize(("confirmed_by", "doubts"), [("staff:mona", True), ("staff:max", False), ("", False)])
def test_who_confirmed_the_letter_that_approved_a_claim_does_not_pay_it(confirmed_by: str, doubts: bool) -> None:
    """Empty: an inspector approved it in his own name."""
    may: Any = SimpleNamespace(may=lambda *_, **__: True)
    form = {"claim": 1, "amount": Money.dollars(30), "ticket": "7K2MX0Q4RT9B", "voucher": None}
    values = SimpleNamespace(effective={7: "claim:1"}, decided_as={7: "keno.claim"})
    payments: Any = SimpleNamespace(values=values, claimed=lambda act: Money.dollars(30).micros)
    approvals: Any = SimpleNamespace(people=may, proposals={})
    claims = Claims(approvals, payments, vouchers=SimpleNamespace())  # type: ignore[arg-type]
    row: Any = SimpleNamespace(actor="staff:mona")
    claims.act(ClaimMade(**form, reason="lost"), row)  # type: ignore[arg-type]
    approvals.proposals[7] = SimpleNamespace(act=SimpleNamespace(about="claim:1"), confirmed_by=confirmed_by)
    with pytest.raises(Doubt, match="who confirmed the letter") if doubts else nullcontext():
        claims.act(ClaimPaid(**form, payment=1), row)  # type: ignore[arg-type]
    assert claims.paid == (set() if doubts else {1})
