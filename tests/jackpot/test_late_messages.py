"""Messages of controllers count by when they were played; each is answered for itself, none dropped in silence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from django.utils import timezone

from house.approvals import propose
from house.models import Incident
from jackpot import pools, terms
from jackpot.contribute import Counted, Message, contribute_bulk
from jackpot.demo import CSP
from jackpot.models import Batch, Contribution, Link, Round, Table
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from jackpot.tables import move_table, open_table, suspend_table
from kernel.refusal import Conflict, Refusal
from ledger.models import Transfer
from tests.world.approvals import decide
from tests.world.jackpot_table import conserved, finish, start
from tests.world.money import dollars
from tests.world.people import SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")


def send(*messages: Message) -> Counted:
    return contribute_bulk(messages=messages, by=TABLE)


def message(name: str = "m", table: str = "CSP-01", wagers: int = 1, *, ago: float = 0.0) -> Message:
    return Message(name, table, wagers, datetime.now(UTC) - timedelta(seconds=ago))


def answers(found: Counted) -> list[tuple[str, str]]:
    return [(each.id, each.code) for each in (*found.conflicts, *found.refused)]


def test_the_same_id_with_other_content_is_a_conflict_and_told() -> None:
    first = message()
    send(first)
    before = Transfer.objects.count()
    for other in (first._replace(wagers=2), first._replace(table="CSP-02"), first._replace(at=first.at - timedelta(1))):
        answer = send(other, message("n" + other.table + str(other.wagers) + other.at.isoformat()))
        assert (answer.counted, answer.duplicates, answers(answer)) == (1, 0, [("m", "id-used")])
        assert answer.conflicts[0].place == 0
    assert Transfer.objects.count() == before + 9  # the new ones only
    assert sorted(Incident.objects.values_list("kind", "subject")) == [
        ("jackpot-messages-differ", "table:CSP-01"),
        ("jackpot-messages-differ", "table:CSP-02"),
    ]
    assert send(first).duplicates == 1  # as it was: nothing new


def test_twice_in_one_call_with_other_content_is_a_conflict_too() -> None:
    first = message()
    answer = send(first, first._replace(wagers=5), first)
    assert (answer.counted, answer.duplicates, answer.wagers) == (1, 1, 1)
    assert [(each.place, each.code) for each in answer.conflicts] == [(1, "id-used")]


@pytest.mark.clause("nsw-csp:14.15")
def test_what_cannot_have_been_played_is_refused_and_the_rest_counts() -> None:
    suspend_table(table="CSP-02", what="The light does not go on.", by=SUPERVISOR)
    ages_ago = Message("old", "CSP-01", 1, datetime(1999, 1, 1, tzinfo=UTC))
    ahead = message("ahead", ago=-360)
    answer = send(ages_ago, ahead, message("none", "NONE"), message("dark", "CSP-02"), message("good"))
    assert answer.counted == 1
    assert answers(answer) == [
        ("old", "too-long-ago"),
        ("ahead", "not-happened-yet"),
        ("none", "no-such-table"),
        ("dark", "table-not-open"),
    ]
    before = message("before", "CSP-02", ago=60)  # played before it went dark, sent after
    open_table(table="CSP-02", by=SUPERVISOR)
    assert send(before, message("again", "CSP-02")).counted == 2


@pytest.mark.clause("nsw-csp:2.3")
def test_what_came_as_a_round_does_not_come_again_as_a_message() -> None:
    round_ = start("CSP-01", (1, 2))
    during = message("during")
    assert answers(send(during)) == [("during", "played-in-a-round")]
    finish(round_)
    ended = Round.objects.get().ended_at
    assert ended is not None
    assert answers(send(during)) == [("during", "played-in-a-round")]
    after = Message("after", "CSP-01", 1, ended + timedelta(milliseconds=1))
    assert send(after, message("elsewhere", "CSP-02")).counted == 2
    assert Contribution.objects.count() == 2


def test_after_the_end_of_its_link_it_counts_by_the_links_terms_for_where_its_money_went() -> None:
    early = message("early", "GJ-01", 10, ago=30)
    gone = propose(kind="jackpot.retirement", subject="jackpot:GJ", new={"into": "BOOM"}, why="Few.", by=SUPERVISOR)
    decide(gone)
    before = pools.read_pools("BOOM")
    answer = send(early, message("late", "GJ-01"))
    assert (answer.counted, answers(answer)) == (1, [("late", "pool-retired")])
    now = pools.read_pools("BOOM")
    assert (now.prize - before.prize, now.reserve - before.reserve) == (dollars("6.00"), dollars("4.00"))
    assert not any(pools.read_pools("GJ").balances.values())
    assert Batch.objects.get().terms.link.code == "GJ"
    assert reconcile(link=Link.objects.get(code="BOOM")).fault == ""


@pytest.mark.clause("nsw-csp:11.9.1")
def test_a_table_moves_at_a_rounds_end_and_keeps_its_history() -> None:
    round_ = start("CSP-01", (1,))
    with pytest.raises(Conflict):
        move_table(table="CSP-01", link="BOOM", by=SUPERVISOR)
    finish(round_)
    ended = Round.objects.get().ended_at
    assert ended is not None
    moved = move_table(table="CSP-01", link="BOOM", by=SUPERVISOR)
    assert (moved.link.code, moved.status) == ("BOOM", "open")
    early = Message("early", "CSP-01", 4, ended + timedelta(milliseconds=1))
    assert send(early, message("now", "CSP-01", 2)).counted == 2
    by_link = {each.terms.link.code: each.wagers for each in Batch.objects.select_related("terms__link")}
    assert by_link == {"CSP": 4, "BOOM": 2}
    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)
    assert started.displayed == {"prize": "10001.20"}
    assert round_.terms.link.code == "CSP"
    for code in ("CSP", "BOOM"):
        conserved(code)
        assert reconcile(link=Link.objects.get(code=code)).fault == ""


def test_a_table_of_a_link_that_ended_plays_on_elsewhere() -> None:
    decide(propose(kind="jackpot.retirement", subject="jackpot:GJ", new={"into": "BOOM"}, why="Few.", by=SUPERVISOR))
    assert Table.objects.get(code="GJ-01").status == "closed"
    with pytest.raises(Refusal):
        start("GJ-01")
    move_table(table="GJ-01", link="CSP", by=SUPERVISOR)
    assert start("GJ-01", (1,)).displayed == {"prize": "50000.00"}


@pytest.mark.clause("nsw-csp:11.6")
def test_whatever_the_order_of_arrival_the_pool_is_that_of_arrival_in_time() -> None:
    """Before and after a change of the rates, from two tables: every order, the same money."""
    old = [message("a", "CSP-01", 3, ago=20), message("b", "CSP-02", 5, ago=10)]
    data = terms.write(CSP)
    data["levels"][0]["increment_rate"], data["reserve_rate"] = 5000, 3000
    decide(propose(kind="jackpot.terms", subject="jackpot:CSP", new=data, why="Agreed.", by=SUPERVISOR))
    new = [message("c", "CSP-01", 7), message("d", "CSP-02", 11)]
    prize, reserve = pools.read_pools("CSP").prize, pools.read_pools("CSP").reserve
    for turn, order in enumerate(permutations([*old, *new]), start=1):
        for each in order:
            assert send(each._replace(id=f"{turn}-{each.id}", at=each.at + timedelta(microseconds=turn))).counted == 1
        now = pools.read_pools("CSP")
        # 8 wagers of $2.50 at 70% and 10%, 18 at 50% and 30%
        assert now.prize - prize == dollars("36.50") * turn
        assert now.reserve - reserve == dollars("15.50") * turn
    assert timezone.now() > new[0].at
