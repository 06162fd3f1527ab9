"""Rounds at tables: what is accepted, what is won, what it is measured on, and what the purses hold afterwards."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from house.models import Incident, PlayLine
from house.players.cards import register_player
from house.players.limits import set_limit
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from jackpot import links, pools
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Round, Table, Wager
from jackpot.rules.payouts import Dealt
from jackpot.rules.pool import HOUSE, WAGERS, Movement
from jackpot.start_round import Offer, start_round
from jackpot.void_round import invalidate_round, void_round
from ledger.balance import balance
from ledger.models import Act, Transfer
from ledger.money import ZERO, Money
from tests.jackpot.people import (
    DESK,
    FLUSH,
    FULL_HOUSE,
    GEE_JUN,
    HUNDRED_TILES,
    NO_TILES,
    NOTHING,
    NOTHING_2,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    TABLE,
    cards,
    dollars,
    someone,
    tiles,
)

pytestmark = pytest.mark.usefixtures("floor")


def start(table: str = "CSP-01", boxes: tuple[int, ...] = (1, 2, 3)) -> Round:
    return start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=TABLE)


def finish(round_: Round, *hands, folded: tuple[int, ...] = ()) -> list[Hit]:
    return finish_round(round_id=round_.pk, hands=list(hands), folded=folded, by=TABLE)


@pytest.mark.clause("nsw-csp:11.1.1", "nsw-csp:5.8", "act-pg:12.1", "act-pg:12.4-6")
def test_by_what_right_a_player_wagers_on_a_box() -> None:
    """People decide it; what they decided is kept with the wager, and what no rule allows is refused."""
    played = start_round(
        table="CSP-01",
        wagers=[
            Offer(box=1, player="P-1"),
            Offer(box=2, player="P-2", placed="other-player", allowed_by="staff:ruth"),
            Offer(box=3, player="P-3", placed="other-player"),
            Offer(box=4, player="P-1", placed="other-player", allowed_by="staff:ruth"),  # a second hand of his
            Offer(box=5, placed="setter"),
            Offer(box=6, placed="house"),
            Offer(box=7, allowed_by="staff:ruth"),
        ],
        by=TABLE,
    )
    kept = list(played.wagers.order_by("box").values_list("box", "placed", "allowed_by"))
    assert kept == [(1, "own", None), (2, "other-player", "staff:ruth")]
    assert [(each["box"], each["code"], each["clause"]) for each in played.refused] == [
        (3, "supervisor-missing", "nsw-csp:11.1.1"),
        (4, "second-hand-of-player", "nsw-csp:5.8"),
        (5, "not-own-box", None),
        (6, "house-wager", None),
        (7, "supervisor-not-needed", None),
    ]
    tiles_round = start_round(
        table="GJ-01",
        wagers=[
            Offer(box=1, placed="house"),
            Offer(box=1, player="P-1", placed="setter"),
            Offer(box=2, player="P-2", placed="second"),
            Offer(box=3, player="P-3", placed="agreed"),
            Offer(box=3, player="P-4", placed="second"),  # one wager a box, whoever places it
            Offer(box=4, player="P-5", placed="other-player", allowed_by="staff:ruth"),
        ],
        by=TABLE,
    )
    placed = list(tiles_round.wagers.order_by("box").values_list("box", "player", "placed"))
    assert placed == [(1, "P-1", "setter"), (2, "P-2", "second"), (3, "P-3", "agreed")]
    assert [(each["box"], each["code"], each["clause"]) for each in tiles_round.refused] == [
        (1, "house-wager", "act-pg:12.1"),
        (3, "second-wager-on-box", "act-pg:12.2"),
        (4, "not-own-box", None),
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        Wager.objects.create(round=played, box=5, amount=dollars("2.50"), placed="other-player")


@pytest.mark.clause("act-cp:10.3", "act-cp:10.4")
def test_a_boomerang_hand_that_was_not_declared_wins_nothing() -> None:
    def declared(box: int, text: str, yes: bool) -> Dealt:
        return Dealt(box=box, cards=text.split(), declared=yes)

    played = start("BOOM-01", (1, 2))
    hits = finish(played, declared(1, ROYAL, False), declared(2, FULL_HOUSE, True))
    assert won(hits) == [(2, "fixed", "150.00", "0.00", "150.00")]
    played.refresh_from_db()
    assert played.hands is not None
    assert [hand.get("declared") for hand in played.hands] == [False, None]  # kept as it was said
    assert played.fed == 1  # the wager of the royal lost, and feeds the pool
    # Caribbean Stud asks for no declaration (11.4).
    hits = finish(start("CSP-01", (1,)), declared(1, FULL_HOUSE, False))
    assert won(hits) == [(1, "fixed", "150.00", "0.00", "150.00")]


@pytest.mark.clause("nsw-csp:11.8", "nsw-csp:11.4")
def test_a_jackpot_prize_stands_beside_ante_and_bet() -> None:
    """Nothing about ante, bet or the dealer's hand goes into it: a hand is owed its whole prize whatever they paid,
    from accounts of the jackpot's own."""
    before = set(Transfer.objects.values_list("pk", flat=True))
    (hit,) = finish(start("CSP-01", (1,)), cards(1, FULL_HOUSE))
    assert (hit.amount, hit.kind) == (dollars("150.00"), "fixed")
    moved = Transfer.objects.exclude(pk__in=before).values_list("debit__code", "credit__code")
    assert {code.split(":")[0] for pair in moved for code in pair} == {"jackpot"}


def won(hits: list[Hit]) -> list[tuple[int | None, str, str, str, str]]:
    return [(hit.box, hit.kind, str(hit.amount), str(hit.from_pool), str(hit.from_house)) for hit in hits]


def purses(code: str) -> tuple[str, str]:
    now = pools.standing(code)
    return str(now.prize), str(now.reserve)


def conserved(code: str) -> None:
    """Everything that was taken at the tables or put in by the house is somewhere."""
    now = pools.standing(code)
    inside = Money.total([*now.balances.values(), now.owed_to_winners])
    held = balance(pools.account(code, WAGERS)).amount
    kept = balance(pools.account(code, HOUSE)).amount
    paid = Money.total(-balance(pools.account(code, how)).amount for how in ("cash", "cheque", "transfer"))
    assert inside + held + kept + paid == balance(pools.account(code, pools.DROP)).amount + now.advanced


@pytest.mark.clause("nsw-csp:11.5", "nsw-csp:11.6", "nsw-csp:2.3", "nsw-csp:2.4.3")
def test_every_caribbean_stud_wager_contributes_when_it_is_accepted() -> None:
    round_ = start(boxes=(1, 2, 3))
    assert round_.displayed == {"prize": "50000.00"}  # what the table showed when it began
    assert purses("CSP") == ("50005.25", "0.75")
    assert balance(pools.account("CSP", HOUSE)).amount == dollars("1.50")
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("7.50")
    assert finish(round_, cards(1, NOTHING), cards(2, NOTHING_2)) == []
    assert purses("CSP") == ("50005.25", "0.75")
    conserved("CSP")


@pytest.mark.clause(
    "nsw-csp:12.1.1", "nsw-csp:11.10.1", "nsw-csp:11.10.2", "nsw-csp:11.10.3", "nsw-csp:11.10.4", "nsw-csp:12.2"
)
def test_a_royal_flush_is_locked_and_the_pool_restarts_from_reserve_then_house() -> None:
    for _ in range(4):
        finish(start(boxes=(1, 2, 3, 4, 5)))  # 20 wagers: 35.00 prize, 5.00 reserve
    hits = finish(start(boxes=(1, 2, 3)), cards(2, ROYAL), cards(3, FULL_HOUSE))
    assert won(hits) == [
        (3, "fixed", "150.00", "0.00", "150.00"),
        (3, "bonus", "250.00", "0.00", "250.00"),
        (1, "bonus", "250.00", "0.00", "250.00"),
        (2, "royal", "50040.25", "50040.25", "0.00"),
    ]
    assert [hit.sequence for hit in hits] == [1, 2, 3, 4]
    assert hits[-1].measured_on == dollars("50040.25")
    assert {hit.status for hit in hits} == {"claimed"}
    now = pools.standing("CSP")
    assert (now.prize, now.reserve) == (dollars("50000.00"), ZERO)
    assert now.advanced == dollars("50000.00") + dollars("50000.00") - dollars("5.75")
    assert now.owed_to_winners == dollars("50690.25")
    conserved("CSP")
    told = list(Act.objects.filter(kind="jackpot.hit").order_by("id"))
    assert [act.data["amount"] for act in told] == ["150.00", "250.00", "250.00", "50040.25"]
    assert {act.data["table"] for act in told} == {"CSP-01"}
    assert {act.data["status"] for act in told} == {"claimed"}


@pytest.mark.clause("nsw-csp:12.1.2")
def test_a_straight_flush_takes_its_tenth_and_nothing_restarts() -> None:
    hits = finish(start(boxes=(4,)), cards(4, STRAIGHT_FLUSH))
    # 50,001.75 × 10% = 5,000.175: down to the cent, above the guarantee
    assert won(hits) == [(4, "straight", "5000.17", "5000.17", "0.00")]
    assert purses("CSP") == ("45001.58", "0.25")
    second = finish(start(boxes=(4,)), cards(4, STRAIGHT_FLUSH))
    # 45,003.33 → 4,500.33 from the pool, made up to 5,000 by the house; the meter may fall below its seed
    assert won(second) == [(4, "straight", "5000.00", "4500.33", "499.67")]
    assert links.meter(pools.find("CSP")).total == dollars("40503.00")
    conserved("CSP")


@pytest.mark.clause("act-cp:10.5", "act-cp:11.1-fixed", "act-cp:7.3")
def test_boomerang_is_fed_by_losing_wagers_at_the_end() -> None:
    round_ = start("BOOM-01", (1, 2, 3, 4))
    assert purses("BOOM") == ("10000.00", "0.00")
    assert balance(pools.account("BOOM", WAGERS)).amount == dollars("4.00")
    hits = finish(round_, cards(1, FLUSH), cards(2, NOTHING), cards(3, FULL_HOUSE), folded=(3,))
    assert won(hits) == [(1, "fixed", "100.00", "0.00", "100.00")]  # box 3 folded: it lost its wager
    assert purses("BOOM") == ("10001.80", "0.75")
    assert balance(pools.account("BOOM", WAGERS)).amount == ZERO
    # the winning wager is the house's, with 15% of the three others; it owes the prize
    assert balance(pools.account("BOOM", HOUSE)).amount == dollars("1.45") - dollars("100.00")
    round_.refresh_from_db()
    assert round_.fed == 3
    conserved("BOOM")


@pytest.mark.clause("act-cp:11.1-royal", "act-cp:11.1-straight", "nsw-csp:12.1.1")
def test_the_linked_table_race() -> None:
    """Table A starts at a displayed amount; table B wins it; then A's round ends with a royal flush, too."""
    for table, code in (("BOOM-0", "BOOM"), ("CSP-0", "CSP")):
        a = start(f"{table}1", (1,))
        shown = Money.parse(a.displayed["prize"])
        b = start(f"{table}2", (1,))
        (first,) = finish(b, cards(1, ROYAL))
        (second,) = finish(a, cards(1, ROYAL))
        if code == "BOOM":  # owed what was displayed when A's round began, the house covering what the pool cannot
            assert (first.amount, second.amount) == (shown, shown)
            assert (second.measured_on, second.from_pool) == (shown, dollars("10000.00"))
        else:  # paid on the pool as it then is
            assert first.amount == dollars("50003.50")  # both rounds' wagers
            assert (second.amount, second.measured_on) == (dollars("50000.00"), dollars("50000.00"))
        assert second.sequence == first.sequence + 1
        conserved(code)


@pytest.mark.clause("act-cp:11.1-royal")
def test_the_race_at_eighty_thousand() -> None:
    pools.book(
        pool="BOOM",
        movements=[Movement(HOUSE, "prize", dollars("70000.00"))],
        kind="test.grown",
        reference="1",
        by=TABLE,
        day=date(2026, 11, 16),
    )
    a, b = start("BOOM-01", (1,)), start("BOOM-02", (1,))
    assert a.displayed == {"prize": "80000.00"}
    assert won(finish(b, cards(1, ROYAL))) == [(1, "royal", "80000.00", "80000.00", "0.00")]
    assert won(finish(a, cards(1, ROYAL))) == [(1, "royal", "80000.00", "10000.00", "70000.00")]
    assert purses("BOOM") == ("10000.00", "0.00")
    conserved("BOOM")


@pytest.mark.clause("act-pg:12.7", "act-pg:13.2-major", "act-pg:13.2-fixed", "act-pg:13.1")
def test_gee_jun_pays_what_is_displayed_and_losing_wagers_feed_the_next_pool() -> None:
    hits = finish(start("GJ-01", (1, 2, 3, 4)), tiles(1, GEE_JUN), tiles(2, HUNDRED_TILES), tiles(3, NO_TILES))
    assert won(hits) == [
        (2, "fixed", "100.00", "0.00", "100.00"),
        (1, "major", "10000.00", "10000.00", "0.00"),
    ]
    assert purses("GJ") == ("10001.20", "0.50")
    conserved("GJ")


@pytest.mark.clause("act-cp:11.1-straight")
def test_boomerang_is_topped_up_at_once() -> None:
    finish(start("BOOM-01", (1, 2)))  # 1.20 prize, 0.50 reserve
    hits = finish(start("BOOM-01", (1,)), cards(1, STRAIGHT_FLUSH))
    assert won(hits) == [(1, "straight", "1000.12", "1000.12", "0.00")]
    now = pools.standing("BOOM")
    assert (now.prize, now.reserve) == (dollars("10000.00"), ZERO)
    assert now.advanced == dollars("10998.42")  # 10,000 at the start; 998.92 missing, 0.50 of it from the reserve
    conserved("BOOM")


@pytest.mark.clause(
    "nsw-csp:11.1",
    "nsw-csp:5.4",
    "nsw-csp:5.8",
    "act-cp:13.7",
    "act-cp:10.1",
    "act-pg:12.2",
    "nsw-csp:16.3",
    "nsw-csp:16.1",
)
def test_refused_wagers_say_why_and_the_others_play() -> None:
    player = register_player(name="Pat Morgan", card="P9", by=DESK)
    set_limit(player=player.number, kind="loss", period="day", amount=dollars("2.49"), by=DESK)
    round_ = start_round(
        table="CSP-01",
        wagers=[
            Offer(box=1, player="P1"),
            Offer(box=1, player="P2"),
            Offer(box=2, ante=False),
            Offer(box=3, player="P1"),
            Offer(box=4, amount=dollars("5.00")),
            Offer(box=5, player="P9"),
            Offer(box=8),
            Offer(box=7, amount=dollars("2.50")),
        ],
        by=TABLE,
    )
    assert [(each["box"], each["code"], each["clause"]) for each in round_.refused] == [
        (1, "second-wager-on-box", "nsw-csp:5.9"),
        (2, "no-ante", "nsw-csp:11.1"),
        (3, "second-hand-of-player", "nsw-csp:5.8"),
        (4, "wrong-denomination", "nsw-csp:5.4"),
        (5, "loss-limit", "nsw-csp:16.3"),
        (8, "no-such-box", None),
    ]
    assert list(Wager.objects.filter(round=round_).values_list("box", "player")) == [(1, "P1"), (7, None)]
    assert purses("CSP") == ("50003.50", "0.50")


def test_one_open_round_a_table_and_none_where_the_jackpot_is_off() -> None:
    round_ = start()
    before = Transfer.objects.count(), Round.objects.count()
    with pytest.raises(Conflict) as refused:
        start()
    assert refused.value.code == "round-open"
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(
            table=round_.table, terms=round_.terms, day=round_.day, displayed={}, refused=[], started_by="x"
        )
    with pytest.raises(NotFound):
        start("CSP-99")
    with pytest.raises(Forbidden):
        start_round(table="CSP-02", wagers=[Offer(box=1)], by=someone("writer"))
    links.close_table(table="CSP-03", by=SUPERVISOR)
    with pytest.raises(Conflict):
        start("CSP-03")
    assert (Transfer.objects.count(), Round.objects.count()) == before
    with pytest.raises(Conflict):
        links.close_table(table="CSP-01", by=SUPERVISOR)
    finish(round_)
    links.close_table(table="CSP-01", by=SUPERVISOR)
    links.open_table(table="CSP-01", by=SUPERVISOR)
    start()


@pytest.mark.clause("nsw-csp:14.15")
def test_a_malfunction_takes_the_jackpot_off_a_table_and_an_inspector_is_told() -> None:
    links.suspend_table(table="CSP-01", what="The meter of the table stays dark.", by=SUPERVISOR)
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("equipment-malfunction", "table:CSP-01")
    assert [notice.to for notice in incident.notices.all()] == ["inspector"]
    with pytest.raises(Conflict) as refused:
        start()
    assert (refused.value.code, refused.value.clause) == ("table-not-open", "nsw-csp:14.15")
    start("CSP-02")


def test_a_round_ends_once() -> None:
    round_ = start()
    finish(round_)
    before = Transfer.objects.count(), Hit.objects.count()
    for again in (
        lambda: finish(round_, cards(1, ROYAL)),
        lambda: void_round(round_id=round_.pk, by=TABLE),
        lambda: finish_round(round_id=10**9, hands=[], by=TABLE),
    ):
        with pytest.raises(Refusal):
            again()
    assert (Transfer.objects.count(), Hit.objects.count()) == before


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:14.9")
def test_a_hand_that_cannot_be_changes_nothing() -> None:
    round_ = start()
    before = Transfer.objects.count()
    for hands in (
        [cards(1, ROYAL), cards(2, ROYAL)],
        [cards(1, "AS KS QS JS")],
        [cards(9, ROYAL)],
        [tiles(1, GEE_JUN)],
    ):
        with pytest.raises(Refusal):
            finish(round_, *hands)
    round_.refresh_from_db()
    assert (round_.status, Transfer.objects.count(), Hit.objects.count()) == ("open", before, 0)


@pytest.mark.clause("nsw-csp:14.4", "nsw-csp:14.9", "act-cp:15.5")
def test_a_void_round_gives_everything_back() -> None:
    for table, code in (("CSP-01", "CSP"), ("BOOM-01", "BOOM")):
        before = pools.standing(code)
        round_ = start(table)
        void_round(round_id=round_.pk, cause="foreign-card", why="Two aces of spades.", by=TABLE)
        assert pools.standing(code) == before
        for purse in (HOUSE, WAGERS, pools.DROP):
            assert balance(pools.account(code, purse)).amount == ZERO
        round_.refresh_from_db()
        assert (round_.status, round_.why) == ("void", "foreign-card: Two aces of spades.")
        conserved(code)
    assert set(Incident.objects.values_list("kind", flat=True)) == {"foreign-or-missing-card"}


@pytest.mark.clause("nsw-csp:16.9", "nsw-csp:16.10", "act-cp:15.4")
def test_a_finished_round_can_be_invalidated_until_something_is_paid() -> None:
    for table, code in (("CSP-01", "CSP"), ("BOOM-01", "BOOM")):
        before = pools.standing(code)
        round_ = start(table)
        finish(round_, cards(1, ROYAL), cards(2, NOTHING))
        assert pools.standing(code) != before
        invalidate_round(
            round_id=round_.pk,
            cause="illegal-irregular-or-fraudulent-conduct",
            why="Box 1 brought a card of his own.",
            forfeited=[1],
            by=SUPERVISOR,
        )
        assert pools.standing(code) == before
        wager = Wager.objects.get(round=round_, box=1).amount
        assert balance(pools.account(code, HOUSE)).amount == wager
        assert balance(pools.account(code, pools.DROP)).amount == wager
        assert set(Hit.objects.filter(round=round_).values_list("status", flat=True)) == {"denied"}
        conserved(code)
    assert Table.objects.count() == 7


def test_a_void_round_whose_contribution_was_won_meanwhile_is_made_good() -> None:
    a, b = start("CSP-01", (1, 2, 3)), start("CSP-02", (1,))
    (hit,) = finish(b, cards(1, ROYAL))
    assert hit.amount == dollars("50007.00")  # A's wagers are in it
    void_round(round_id=a.pk, by=TABLE)
    assert purses("CSP") == ("49994.75", "0.00")  # the reserve had gone into the restart: the house puts it back
    conserved("CSP")


@pytest.mark.clause("nsw-csp:16.1")
def test_a_card_plays_at_one_table() -> None:
    register_player(name="Pat Morgan", card="C-1", by=DESK)
    first = start_round(table="CSP-01", wagers=[Offer(box=1, player="C-1")], by=TABLE)
    second = start_round(table="CSP-02", wagers=[Offer(box=1, player="C-1"), Offer(box=2)], by=TABLE)
    assert [(each["box"], each["code"], each["clause"]) for each in second.refused] == [
        (1, "card-in-use", "nsw-csp:16.1")
    ]
    finish(first)
    finish(second)
    assert start_round(table="CSP-02", wagers=[Offer(box=1, player="C-1")], by=TABLE).refused == []


def test_what_a_jackpot_wager_counts_towards_a_limit() -> None:
    register_player(name="Pat Morgan", card="C-1", by=DESK)

    def lines() -> list[tuple[str, str, str]]:
        return [(line.kind, str(Money(line.loss)), line.place) for line in PlayLine.objects.order_by("id")]

    void = start_round(table="CSP-01", wagers=[Offer(box=1, player="C-1")], by=TABLE)
    void_round(round_id=void.pk, by=TABLE)
    start_round(table="CSP-01", wagers=[Offer(box=1, player="C-1"), Offer(box=2, player="C-2")], by=TABLE)
    assert lines() == [("wager", "2.50", "CSP-01"), ("refund", "-2.50", "CSP-01"), ("wager", "2.50", "CSP-01")]
