"""Wagers at tables: by what right they are accepted, and why others are not."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from house.models import Incident, PlayLine
from house.players.cards import register_player
from house.players.limits import set_limit
from jackpot.models import Round, Wager
from jackpot.start_round import Offer, start_round
from jackpot.tables import close_table, open_table, suspend_table
from jackpot.void_round import void_round
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound
from ledger.models import Transfer
from tests.world.jackpot_table import finish, purses, start
from tests.world.money import dollars
from tests.world.people import DESK, SUPERVISOR, TABLE, someone
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("floor")


@pytest.mark.clause("nsw-csp:11.1.1", "nsw-csp:5.8", "act-pg:12.1", "act-pg:12.4-6")
def test_by_what_right_a_player_wagers_on_a_box() -> None:
    """People decide it; what they decided is kept with the wager, and what no rule allows is refused."""
    registered("P-1", "P-2", "P-3", "P-11", "P-12", "P-13", "P-14", "P-15")
    played = start_round(
        table="CSP-01",
        wagers=[
            Offer(box=1, player_card="P-1"),
            Offer(box=2, player_card="P-2", placed="other-player", allowed_by="staff:ruth"),
            Offer(box=3, player_card="P-3", placed="other-player"),
            Offer(box=4, player_card="P-1", placed="other-player", allowed_by="staff:ruth"),  # a second hand of his
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
            Offer(box=1, player_card="P-11", placed="setter"),
            Offer(box=2, player_card="P-12", placed="second"),
            Offer(box=3, player_card="P-13", placed="agreed"),
            Offer(box=3, player_card="P-14", placed="second"),  # one wager a box, whoever places it
            Offer(box=4, player_card="P-15", placed="other-player", allowed_by="staff:ruth"),
        ],
        by=TABLE,
    )
    placed = list(tiles_round.wagers.order_by("box").values_list("box", "player_card", "placed"))
    assert placed == [(1, "P-11", "setter"), (2, "P-12", "second"), (3, "P-13", "agreed")]
    assert [(each["box"], each["code"], each["clause"]) for each in tiles_round.refused] == [
        (1, "house-wager", "act-pg:12.1"),
        (3, "second-wager-on-box", "act-pg:12.2"),
        (4, "not-own-box", None),
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        Wager.objects.create(round=played, box=5, amount=dollars("2.50"), placed="other-player")


@pytest.mark.clause(
    "nsw-csp:11.1",
    "nsw-csp:5.4",
    "nsw-csp:5.8",
    "act-pg:12.2",
    "nsw-csp:16.3",
)
def test_refused_wagers_say_why_and_the_others_play() -> None:
    player = register_player(name="Pat Morgan", card="P9", by=DESK)
    set_limit(player_number=player.number, kind="loss", period="day", amount=dollars("2.49"), by=DESK)
    registered("P1", "P2")
    round_ = start_round(
        table="CSP-01",
        wagers=[
            Offer(box=1, player_card="P1"),
            Offer(box=1, player_card="P2"),
            Offer(box=2, ante=False),
            Offer(box=3, player_card=" p1 "),
            Offer(box=4, amount=dollars("5.00")),
            Offer(box=5, player_card="P9"),
            Offer(box=6, player_card="P-INVENTED"),
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
        (6, "card-unknown", "nsw-csp:5.1"),
        (8, "no-such-box", None),
    ]
    assert list(Wager.objects.filter(round=round_).values_list("box", "player_card")) == [(1, "P1"), (7, None)]
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
    close_table(table="CSP-03", by=SUPERVISOR)
    with pytest.raises(Conflict):
        start("CSP-03")
    assert (Transfer.objects.count(), Round.objects.count()) == before
    with pytest.raises(Conflict):
        close_table(table="CSP-01", by=SUPERVISOR)
    finish(round_)
    close_table(table="CSP-01", by=SUPERVISOR)
    open_table(table="CSP-01", by=SUPERVISOR)
    start()


@pytest.mark.clause("nsw-csp:14.15")
def test_a_malfunction_takes_the_jackpot_off_a_table_and_an_inspector_is_told() -> None:
    suspend_table(table="CSP-01", what="The meter of the table stays dark.", by=SUPERVISOR)
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("equipment-malfunction", "table:CSP-01")
    assert [notice.to for notice in incident.notices.all()] == ["inspector"]
    with pytest.raises(Conflict) as refused:
        start()
    assert (refused.value.code, refused.value.clause) == ("table-not-open", "nsw-csp:14.15")
    start("CSP-02")


@pytest.mark.clause("nsw-csp:16.1")
def test_a_card_plays_at_one_table() -> None:
    register_player(name="Pat Morgan", card="C-1", by=DESK)
    first = start_round(table="CSP-01", wagers=[Offer(box=1, player_card="C-1")], by=TABLE)
    second = start_round(table="CSP-02", wagers=[Offer(box=1, player_card="C-1"), Offer(box=2)], by=TABLE)
    assert [(each["box"], each["code"], each["clause"]) for each in second.refused] == [
        (1, "card-in-use", "nsw-csp:16.1")
    ]
    finish(first)
    finish(second)
    assert start_round(table="CSP-02", wagers=[Offer(box=1, player_card="C-1")], by=TABLE).refused == []


def test_what_a_jackpot_wager_counts_towards_a_limit() -> None:
    register_player(name="Pat Morgan", card="C-1", by=DESK)

    def lines() -> list[tuple[str, str, str]]:
        return [(line.kind, str(Money(line.loss)), line.place) for line in PlayLine.objects.order_by("id")]

    void = start_round(table="CSP-01", wagers=[Offer(box=1, player_card="C-1")], by=TABLE)
    void_round(round_id=void.pk, by=TABLE)
    start_round(table="CSP-01", wagers=[Offer(box=1, player_card="C-1"), Offer(box=2, player_card="C-2")], by=TABLE)
    assert lines() == [("wager", "2.50", "CSP-01"), ("refund", "-2.50", "CSP-01"), ("wager", "2.50", "CSP-01")]
