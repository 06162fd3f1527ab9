"""What stands at a table: notices and their 20 minutes, two minimums, a player's own sign, closing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from house.approvals import approve
from house.models import Incident
from kernel.money import Money
from kernel.refusal import Refusal
from ledger.models import Act
from tablegames import in_force, notices, seats, tables
from tablegames.higher_maximum import propose_higher_maximum
from tablegames.models import Check, GamingTable, Seat, SignMarker, SignNotice, TableClosing
from tablegames.rules.signs import RULES, Approved, LimitsNotice, TableSigns
from tablegames.rules.terms import Limit
from tablegames.settle import Entered, record_check
from tests.world.own_signs import own_sign
from tests.world.people import MANAGER, SUPERVISOR
from tests.world.players import registered
from tests.world.refusals import refused_with

NOON = datetime(2026, 11, 17, 1, 0, tzinfo=UTC)  # noon on the venue's clock
NSW = [("CSP-01", "nsw-csp"), ("LP-01", "nsw-lp")]
ACT = [
    ("BJ-01", "act-bj", "hand"),
    ("AR-01", "act-ar", "straight-up"),
    ("BA-01", "act-bac", "tie"),
    ("MB-01", "act-mb", "tie"),
    ("PG-01", "act-pg", "hand"),
    ("CP-01", "act-cp", "ante"),
    ("SB-01", "act-sb", "big"),
    ("MW-01", "act-mw", "1"),
]
pytestmark = [pytest.mark.usefixtures("tables"), pytest.mark.at(NOON)]


def ante(low: int, high: int = 200) -> dict[str, Limit]:
    return {"ante": Limit(Money.dollars(low), Money.dollars(high))}


def after(minutes: float) -> Any:
    return time_machine.travel(NOON + timedelta(minutes=minutes), tick=False)


def minimum(table: str, seat: Seat | None = None) -> int:
    limits = in_force.terms_at(tables.find_table(table), seat=seat).limits
    return int(limits["ante"].minimum.micros // 1_000_000)


def everything() -> list[Any]:
    """All rows that a sign could have: a refusal leaves them as they were."""
    rows = [list(model.objects.values()) for model in (GamingTable, Seat, SignNotice, SignMarker, TableClosing)]
    return [*rows, Act.objects.count()]


def refuses(call: Callable[[], Any], *, code: str, clause: str | None) -> None:
    refused_with(call, code=code, clause=clause, unchanged=everything)


@pytest.mark.parametrize(
    ("table", "document"),
    [pytest.param(table, document, marks=pytest.mark.clause(f"{document}:6.5")) for table, document in NSW],
)
def test_a_higher_minimum_holds_after_its_notice_of_twenty_minutes(table: str, document: str) -> None:
    too_short = NOON + timedelta(minutes=20) - timedelta(seconds=1)
    for when in (None, NOON, too_short):
        refuses(
            lambda when=when: notices.announce_limits(  # type: ignore[misc]
                table=table, limits=ante(10), takes_effect_at=when, by=SUPERVISOR
            ),
            code="notice-too-short",
            clause=f"{document}:6.5",
        )
    notices.announce_limits(table=table, limits=ante(10), takes_effect_at=NOON + timedelta(minutes=20), by=SUPERVISOR)
    shown = in_force.sign_with_notices(tables.find_table(table))
    assert shown["notice"]["takes_effect_at"] == NOON + timedelta(minutes=20)  # type: ignore[index]
    with after(19.99):
        assert minimum(table) == 5
    with after(20):
        assert minimum(table) == 10
        assert in_force.sign_with_notices(tables.find_table(table))["notice"] is None
        # A lower minimum, and a lower maximum, at any time.
        notices.announce_limits(table=table, limits=ante(5, 150), by=SUPERVISOR)
        assert minimum(table) == 5
        notices.announce_limits(table=table, limits=ante(5), by=SUPERVISOR)  # and back to what is approved


@pytest.mark.clause("nsw-csp:6.5", "nsw-lp:6.5")
@pytest.mark.parametrize(("table", "document"), NSW)
def test_a_notice_that_is_taken_down_never_holds(table: str, document: str) -> None:
    at = NOON + timedelta(minutes=30)
    notice = notices.announce_limits(table=table, limits=ante(10), takes_effect_at=at, by=SUPERVISOR)
    refuses(
        lambda: notices.announce_limits(table=table, limits=ante(20), takes_effect_at=at, by=SUPERVISOR),
        code="notice-stands",
        clause=None,
    )
    notices.take_notice_down(table=table, number=notice.pk, by=SUPERVISOR)
    with after(31):
        assert minimum(table) == 5
        refuses(
            lambda: notices.take_notice_down(table=table, number=notice.pk, by=SUPERVISOR),
            code="notice-down",
            clause=None,
        )


@pytest.mark.parametrize(
    ("table", "document"),
    [
        pytest.param(
            table,
            document,
            marks=pytest.mark.clause(*(f"{document}:6.5.{part}" for part in ("1", "1.1-2", "2", "3", "4"))),
        )
        for table, document in NSW
    ],
)
def test_raised_at_once_leaves_those_who_play_on_the_old_minimum(table: str, document: str) -> None:
    stays = seats.seat_player(table=table, box=1, by=SUPERVISOR)
    goes = seats.seat_player(table=table, box=2, by=SUPERVISOR)
    notices.raise_minimum_at_once(table=table, limits=ante(25), by=SUPERVISOR)
    comes = seats.seat_player(table=table, box=3, by=SUPERVISOR)
    assert [minimum(table, seat) for seat in (stays, goes, comes, None)] == [5, 5, 25, 25]
    shown = in_force.sign_with_notices(tables.find_table(table))
    assert shown["limits"]["ante"]["minimum"] == "25.00"  # type: ignore[index]
    assert shown["previous_limits"] == [{"ante": {"minimum": "5.00", "maximum": "200.00"}}]  # both on the sign
    assert [marker["box"] for marker in shown["markers"]] == [1, 2]  # type: ignore[attr-defined]
    marker = SignMarker.objects.get(seat=stays)
    refuses(
        lambda: seats.remove_marker(table=table, number=marker.pk, by=SUPERVISOR),
        code="old-minimum-stands",
        clause=f"{document}:6.5.2",
    )
    seats.leave_table(table=table, seat=goes.pk, by=SUPERVISOR)  # and his marker with him
    back = seats.seat_player(table=table, box=2, by=SUPERVISOR)
    assert minimum(table, back) == 25
    # Theirs rises by a notice of twenty minutes only; another maximum for the table leaves it.
    with after(1):
        notices.announce_limits(table=table, limits=ante(25, 150), by=SUPERVISOR)
        assert minimum(table, stays) == 5
        at = NOON + timedelta(minutes=21)
        notices.announce_limits(table=table, limits=ante(25, 150), takes_effect_at=at, by=SUPERVISOR)
    with after(20.9):
        assert minimum(table, stays) == 5
    with after(21):
        assert minimum(table, stays) == 25
        assert in_force.sign_with_notices(tables.find_table(table))["previous_limits"] == []


def test_a_second_raise_leaves_each_player_on_the_minimum_he_began_with() -> None:
    first = seats.seat_player(table="CSP-01", box=1, by=SUPERVISOR)
    notices.raise_minimum_at_once(table="CSP-01", limits=ante(10), by=SUPERVISOR)
    second = seats.seat_player(table="CSP-01", box=2, by=SUPERVISOR)
    notices.raise_minimum_at_once(table="CSP-01", limits=ante(25), by=SUPERVISOR)
    assert [minimum("CSP-01", seat) for seat in (first, second, None)] == [5, 10, 25]
    refuses(
        lambda: notices.raise_minimum_at_once(table="CSP-01", limits=ante(25), by=SUPERVISOR),
        code="minimum-not-raised",
        clause=None,
    )


OWN = [("CSP-01", "nsw-csp", "ante", "6.6"), ("LP-01", "nsw-lp", "ante", "6.6")] + [
    (table, document, wager, "5.2" if document == "act-pg" else "3.2") for table, document, wager in ACT
]


@pytest.mark.parametrize(
    ("table", "document", "wager", "clause"),
    [pytest.param(*each, marks=pytest.mark.clause(f"{each[1]}:{each[3]}"), id=each[1]) for each in OWN],
)
def test_a_player_above_the_maximum_has_a_sign_of_his_own(table: str, document: str, wager: str, clause: str) -> None:
    found = tables.find_table(table)
    if wager not in in_force.terms_at(found).limits:
        fresh(table, wager)
    seat = seats.seat_player(table=table, box=1, by=SUPERVISOR)
    limits = in_force.terms_at(found).limits
    stated = limits[wager].maximum
    assert stated is not None
    refuses(
        lambda: own_sign(table=table, seat=seat.pk, limits={wager: limits[wager]}),
        code="not-above-maximum",
        clause=f"{document}:{clause}",
    )
    own = Limit(Money.dollars(50), stated + stated)
    marker = own_sign(table=table, seat=seat.pk, limits={wager: own})
    assert in_force.terms_at(found, seat=seat).limits[wager] == own
    assert in_force.terms_at(found).limits == limits  # nobody else's
    markers: Any = in_force.sign_with_notices(found)["markers"]
    (shown,) = markers
    assert (shown["kind"], shown["box"]) == ("own-limits", 1)
    seats.remove_marker(table=table, number=marker.pk, by=SUPERVISOR)
    assert in_force.terms_at(found, seat=seat).limits == limits


def test_a_maximum_above_the_approved_sign_takes_two_people() -> None:
    asked: dict[str, Any] = {"table": "CSP-01", "limits": ante(5, 500), "by": SUPERVISOR}
    refuses(lambda: notices.announce_limits(**asked), code="needs-second-person", clause=None)
    refuses(lambda: notices.announce_limits(**asked | {"limits": {}}), code="needs-second-person", clause=None)
    higher = asked | {"limits": ante(25, 500)}
    refuses(lambda: notices.raise_minimum_at_once(**higher), code="needs-second-person", clause=None)
    refuses(
        lambda: propose_higher_maximum(**asked | {"limits": ante(5)}, why="No."), code="not-above-maximum", clause=None
    )
    made = propose_higher_maximum(**asked, why="A big night.")
    refuses(lambda: approve(proposal_id=made.pk, by=SUPERVISOR), code="own-proposal", clause=None)
    table = tables.find_table("CSP-01")
    assert in_force.terms_at(table).limits == ante(5)
    approve(proposal_id=made.pk, by=MANAGER)
    assert in_force.terms_at(table).limits == ante(5, 500)
    notices.announce_limits(**asked | {"limits": ante(4, 500)})  # what two decided holds on
    notices.announce_limits(**asked | {"limits": ante(4, 100)})
    again = asked | {"limits": ante(4, 500)}
    refuses(lambda: notices.announce_limits(**again), code="needs-second-person", clause=None)


def fresh(table: str, wager: str) -> None:
    """Limits for a wager whose sign has none, by a notice."""
    at = datetime.now(UTC) + timedelta(minutes=20)
    limits = {**in_force.terms_at(tables.find_table(table)).limits, wager: Limit(Money.dollars(1), Money.dollars(100))}
    notices.announce_limits(table=table, limits=limits, takes_effect_at=at, by=SUPERVISOR)
    SignNotice.objects.update(shown_at=datetime.now(UTC) - timedelta(minutes=20), takes_effect_at=datetime.now(UTC))


def hand(stake: int, *, box: int | None = None, player: str = "", at: datetime | None = None) -> Check:
    """Two pairs against an ace and king, ante and twice as much: the ante pays even money, the bet two to one."""
    wagers = {"ante": Money.dollars(stake), "bet": Money.dollars(2 * stake)}
    return record_check(
        entered=Entered(
            game="caribbean-stud",
            wagers=wagers,
            cards={"player": ["8S", "8H", "5D", "5C", "3C"], "dealer": ["AD", "KC", "9H", "4S", "2D"]},
        ),
        paid={"ante": Money.dollars(stake), "bet": Money.dollars(4 * stake)},
        table="CSP-01",
        box=box,
        player_card=player,
        happened_at=at,
        by=SUPERVISOR,
    )


@pytest.mark.clause("nsw-csp:6.6", "nsw-csp:6.3")
def test_a_hand_is_checked_by_the_limits_that_held_for_that_player_then() -> None:
    seat = seats.seat_player(table="CSP-01", box=4, by=SUPERVISOR)
    own = {"ante": Limit(Money.dollars(100), Money.dollars(1000))}
    own_sign(table="CSP-01", seat=seat.pk, limits=own)
    paid_in_full = hand(400, box=4)
    assert paid_in_full.difference == Money(0)
    assert (paid_in_full.box, paid_in_full.terms["limits"]["ante"]["maximum"]) == (4, "1000.00")
    assert hand(400).difference > Money(0)  # of anybody else 200 of 400 counted
    with after(10):
        seats.leave_table(table="CSP-01", seat=seat.pk, by=SUPERVISOR)
        assert hand(400, box=4, at=NOON + timedelta(minutes=5)).difference == Money(0)
        assert hand(400, box=4).difference > Money(0)


@pytest.mark.parametrize(
    ("table", "document", "clause"),
    [
        pytest.param("CSP-01", "nsw-csp", "16.13", marks=pytest.mark.clause("nsw-csp:16.13")),
        pytest.param("LP-01", "nsw-lp", "14.8", marks=pytest.mark.clause("nsw-lp:14.8")),
    ],
)
def test_a_table_with_players_closes_after_its_notice_of_twenty_minutes(table: str, document: str, clause: str) -> None:
    cited = f"{document}:{clause}"
    seats.seat_player(table=table, box=1, by=SUPERVISOR)
    refuses(lambda: notices.close_table(table=table, by=SUPERVISOR), code="closing-not-shown", clause=cited)
    soon, later = NOON + timedelta(minutes=19), NOON + timedelta(minutes=25)
    refuses(
        lambda: notices.announce_closing(table=table, closes_at=soon, by=SUPERVISOR),
        code="notice-too-short",
        clause=cited,
    )
    notices.announce_closing(table=table, closes_at=later, by=SUPERVISOR)
    with after(24):  # the sign says 25
        refuses(lambda: notices.close_table(table=table, by=SUPERVISOR), code="closing-not-shown", clause=cited)
    with after(25):
        notices.close_table(table=table, by=SUPERVISOR)
        assert not Seat.objects.filter(left_at=None).exists()
        assert in_force.sign_with_notices(tables.find_table(table))["closing"] is None
        refuses(lambda: seats.seat_player(table=table, box=1, by=SUPERVISOR), code="table-closed", clause=None)
        notices.reopen_table(table=table, by=SUPERVISOR)
        notices.close_table(table=table, by=SUPERVISOR)  # nobody sits there: at any time
    assert not Incident.objects.exists()


@pytest.mark.parametrize(
    ("table", "document"),
    [
        pytest.param(table, document, marks=pytest.mark.clause(RULES[document].close_clause), id=document)
        for table, document, _ in ACT
    ],
)
def test_in_the_act_a_table_that_closes_early_is_told(table: str, document: str) -> None:
    seats.seat_player(table=table, box=1, by=SUPERVISOR)
    notices.close_table(table=table, by=SUPERVISOR)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == ("table-closed-early", RULES[document].close_clause)
    assert sorted(incident.notices.values_list("to", flat=True)) == ["inspector", "players"]


@pytest.mark.parametrize(("table", "document", "wager"), ACT, ids=[document for _, document, _ in ACT])
def test_in_the_act_any_change_of_limits_has_its_notice_first(table: str, document: str, wager: str) -> None:
    clause = f"{document}:{'5.1' if document == 'act-pg' else '3.1'}"
    before = in_force.terms_at(tables.find_table(table)).limits
    limits = {**before, wager: Limit(Money.dollars(2), Money.dollars(90))}
    refuses(
        lambda: notices.announce_limits(table=table, limits=limits, by=SUPERVISOR),
        code="notice-too-short",
        clause=clause,
    )
    refuses(
        lambda: notices.raise_minimum_at_once(table=table, limits=limits, by=SUPERVISOR),
        code="not-at-once",
        clause=clause,
    )
    notices.announce_limits(table=table, limits=limits, takes_effect_at=NOON + timedelta(minutes=1), by=SUPERVISOR)
    assert in_force.terms_at(tables.find_table(table)).limits == before
    with after(1):
        assert in_force.terms_at(tables.find_table(table)).limits == limits


@pytest.mark.clause("act-cp:4.3")
def test_canberra_poker_has_one_player_a_box_and_no_player_on_two() -> None:
    registered("P-7")
    registered("P-8")
    seat = seats.seat_player(table="CP-01", box=1, player_card="P-7", by=SUPERVISOR)
    for box, card, code in ((1, "P-8", "box-taken"), (2, "p-7", "player-has-a-box"), (1, "", "box-taken")):
        refuses(
            lambda box=box, card=card: seats.seat_player(  # type: ignore[misc]
                table="CP-01", box=box, player_card=card, by=SUPERVISOR
            ),
            code=code,
            clause="act-cp:4.3",
        )
    seats.leave_table(table="CP-01", seat=seat.pk, by=SUPERVISOR)
    seats.seat_player(table="CP-01", box=2, player_card="P-7", by=SUPERVISOR)
    # Blackjack lets others wager on a box, and one player on several.
    for box, card in ((1, "P-7"), (1, "P-8"), (2, "P-7")):
        seats.seat_player(table="BJ-01", box=box, player_card=card, by=SUPERVISOR)


def test_the_boundary_is_twenty_minutes_to_the_microsecond() -> None:
    signs = TableSigns(document="nsw-csp", approved=[Approved(since=NOON, limits=ante(5))])
    at = NOON + timedelta(minutes=20)
    signs.must_announce(ante(6), takes_effect_at=at, at=NOON)
    with pytest.raises(Refusal):
        signs.must_announce(ante(6), takes_effect_at=at - timedelta(microseconds=1), at=NOON)
    signs.notices[1] = LimitsNotice(number=1, limits=ante(6), shown_at=NOON, takes_effect_at=at)
    assert signs.limits_at(at - timedelta(microseconds=1)) == ante(5)
    assert signs.limits_at(at) == ante(6)
