"""What a stranger says to an export of the tables' evening: right as it is; whatever is changed in it, he sees.

The forger has every key, the witness's too, and puts the numbers of rows and the balances right: only what the rows say
of each other gives him away. (Without keys the first changed byte does: ``tests/verify``.)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from kernel.export_check import Wanted
from tests.jackpot import forgeries, forgeries_of_links, forgeries_of_payments, forgeries_of_wins
from tests.world.falsified import Draft, Exported, Forger, doubted, read_draft, wrong
from verify.rooms import room_checks

Change = Callable[[Draft], object]


def test_it_is_right_as_it_is(small_house: Exported) -> None:
    said = read_draft(Draft.of(small_house.lines), room_checks(Wanted(link="CSP")))
    (told,) = [words for words in said.rooms if "every contribution by the terms then in force" in words]
    assert "hits computed again, 16 paid" in told
    assert said.shown[0].startswith("CSP: Caribbean Stud progressive jackpot, version 4 of its terms, wager $2.50.")
    royal = "Hit 6 at CSP-01, box 1: royal-flush, $50,000.00, measured on $46,600.20; $46,600.20 from the pool, $3,399"
    assert any(line.startswith(royal) and line.endswith("paid.") for line in said.shown)
    assert read_draft(Draft.of(small_house.lines), room_checks(Wanted(link="NONE"))).shown == []


@pytest.mark.clause("act-pg:13.3")
def test_who_began_first_and_won_second_is_not_doubted(small_house: Exported) -> None:
    """A call has its place in the log from its request key on, a win from when it holds the link: with two at the same
    moment the orders differ. Of the four majors each second one stands before the first, with its share taken back."""
    draft = Draft.of(small_house.lines)
    won = [row["data"]["sequence"] for row in draft.acts("jackpot.hit") if row["data"]["link"] == "GJ"]
    assert [now - before for before, now in itertools.pairwise(won)].count(-1) == 2
    places = {row["id"]: at for at, row in enumerate(draft.rows)}
    back = draft.transfers("jackpot.win.reversal")
    assert any(places[row["reverses"]] > places[row["id"]] for row in back)
    read_draft(draft, room_checks())


FORGED: list[tuple[Change, str]] = [
    (forgeries.times_a_hundred, "was booked, and"),
    (forgeries.batch_times_a_hundred, "batch"),
    (forgeries.into_the_house, "was due"),
    (forgeries.one_batch_twice, ""),
    (forgeries.by_other_terms, "has no version 2 of its terms"),
    (forgeries.counted_before_it_was_played, "before it was played"),
    (forgeries.rejected_and_counted, "is released, and contributes nothing"),
    (forgeries.released_by_who_sent_it, "who sent it"),
    (forgeries.held_and_counted_alone, "batch"),
    (forgeries.a_round_never_contributed, "is missing"),
    (forgeries.cards_changed, "not the cards that were sealed"),
    (forgeries.cards_and_what_was_seen_changed, "not the cards that were sealed"),
    (forgeries.a_winner_left_unpaid, "held a full-house, and nobody was paid it"),
    (forgeries.displayed_more, "is said to have been displayed, and it was $10,000.00"),
    (forgeries.terms_not_in_force, "has no version 2"),
    (forgeries.a_wager_more, "was due"),
    (forgeries.pools_moved_at_the_lock, "did not stand where it is said"),
    (forgeries.seen_what_was_not_there, "is said to have been displayed"),
    (forgeries.a_folded_box_of_boomerang_wins, "can have won"),
    (forgeries.a_void_hand_kept_its_wager, "is missing"),
    (forgeries.a_void_hand_forgotten, "other hands are said to be void"),
    (forgeries.another_amount, "its payout 5 should be $5,177.80"),
    (forgeries.an_invented_hit, "not the next one won on CSP"),
    (forgeries.order_changed, "its payout"),
    (forgeries.paid_before_its_turn, "is paid before another that comes first"),
    (forgeries.paid_twice, "is paid, and it was paid"),
    (forgeries.payment_booked_twice, "nothing was due"),
    (forgeries.paid_more_than_owed, "was due"),
    (forgeries.denied_and_paid, "is paid, and it was denied"),
    (forgeries.verifier_pays, "who had a part in it"),
    (forgeries.dealer_verifies, "who had a part in it"),
    (forgeries.never_verified, "is paid, and it was claimed"),
    (forgeries.set_aside_forgotten, "is missing"),
    (forgeries.won_at_anothers_expense, "was due"),
    (forgeries.denied_and_kept, "is missing"),
    (forgeries.top_up_invented, "was booked, and"),
    (forgeries.top_up_larger, "was due"),
    (forgeries.restart_from_the_house_alone, "was due"),
    (forgeries.restart_forgotten, "is missing"),
    (forgeries.made_good_too_much, "was due"),
    (forgeries.void_and_kept, "is missing"),
    (forgeries.refunded_less, "is said to have been refunded"),
    (forgeries.forfeited_without_word, "is said to have been refunded"),
    (forgeries.a_purse_below_nothing, "would have held"),
    (forgeries_of_wins.won_with_a_void_wager, "won what wagers on void hands had brought in"),
    (forgeries_of_wins.shared_unequally, "its share is"),
    (forgeries_of_wins.share_forgotten, "is owed another share, and nobody says so"),
    (forgeries_of_wins.second_major_hidden_from_the_first, "its payout 1 should be $10,000.60"),
    (forgeries_of_wins.waits_for_a_round_that_had_ended, "other rounds were open on GJ"),
    (forgeries_of_wins.paid_before_it_is_known_who_shares, "before it is known who shares it"),
    (forgeries.adjusted_otherwise, "another adjustment was approved"),
    (forgeries.adjusted_by_nobody, "nobody has approved it"),
    (forgeries.approved_by_who_proposed, "who proposed it or stood behind it"),
    (forgeries.terms_without_approval, "nobody has approved"),
    (forgeries.other_terms_than_approved, "other terms were put in force than were approved"),
    (forgeries.a_version_left_out, ""),
    (forgeries_of_wins.terms_kept_after_a_denied_win, "are left in force"),
    (forgeries_of_wins.other_terms_restored, "terms are restored that the denied win had not replaced"),
    (forgeries_of_wins.terms_restored_without_a_denial, "no win was denied"),
    (forgeries_of_wins.waits_again_without_a_denial, "is said to wait again"),
    (forgeries.another_late_hand, "another late claim was approved"),
    (forgeries.a_late_hand_by_nobody, "nobody has approved it"),
    (forgeries.pools_moved_at_a_late_claim, ""),
    (forgeries_of_links.meter_explained_otherwise, "something else was approved"),
    (forgeries_of_links.meter_explained_by_nobody, "nobody has approved it"),
    (forgeries_of_links.meter_explained_and_not_counted, "4 wagers of CSP-04 were to be counted"),
    (forgeries_of_links.counted_and_nothing_explained, "are said to explain disagreement"),
    (forgeries_of_links.meter_never_disagreed, "was not open"),
    (forgeries_of_links.meter_said_to_show_more, "something else was approved"),
    (forgeries_of_links.restart_said_to_hide_more, "something else was approved"),
    (forgeries_of_links.restart_left_out, "the meter and the count are the same"),
    (forgeries_of_links.paid_out_unequally, "other shares of it were approved"),
    (forgeries_of_links.paid_out_by_nobody, "nobody has approved it"),
    (forgeries_of_links.paid_out_and_kept, ""),
    (forgeries_of_links.payout_twice, "was not owed so"),
    (forgeries_of_payments.tax_raised, "another tax was in force"),
    (forgeries_of_payments.tax_forgotten, "is missing"),
    (forgeries_of_payments.tax_of_one_who_won_before, "another tax was in force"),
    (forgeries_of_payments.nobody_authorised_it, "nobody had authorised it"),
    (forgeries_of_payments.authorised_by_who_verified, "who had a part in it"),
    (forgeries_of_payments.another_plan, "other instalments were approved"),
    (forgeries_of_payments.instalment_twice, "was not owed so"),
    (forgeries_of_payments.instalment_larger, "is not what was approved"),
    (forgeries_of_payments.instalment_not_booked, "is missing"),
    (forgeries_of_payments.instalment_by_who_verified, "had a part in it"),
    (forgeries_of_links.payout_by_who_proposed_it, "who proposed or decided it"),
    (forgeries.retired_elsewhere, ""),
    (forgeries.retired_and_kept, ""),
    (forgeries.a_movement_decided_otherwise, ""),
    (forgeries.the_next_pool_started_higher, "was due"),
    (forgeries.a_wager_that_was_never_made, ""),
]


@pytest.mark.parametrize(("change", "words"), FORGED, ids=[change.__name__ for change, _ in FORGED])
def test_whatever_is_changed_is_seen(small_house: Exported, change: Change, words: str) -> None:
    said = doubted(small_house, change)
    assert said
    assert words in said


@pytest.mark.parametrize(
    "change",
    [
        forgeries.times_a_hundred,
        forgeries.cards_changed,
        forgeries.displayed_more,
        forgeries.paid_twice,
        forgeries.terms_without_approval,
    ],
)
def test_by_the_whole_program_too(small_house: Exported, change: Change) -> None:
    """Without keys, and with those of the house."""
    for forger in Forger:
        assert wrong(small_house, change, by=forger)
