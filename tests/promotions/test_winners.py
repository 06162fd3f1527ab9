"""Winners: called or told in time; and what nobody claims."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.models import Incident
from ledger.models import Act
from promotions.calls import call_winner, winner_absent, winner_present
from promotions.claims import (
    accept_claim,
    make_claim,
)
from promotions.losses import winner_unclaimed
from promotions.models import Draw, Loss, Pick, Promotion, Win
from promotions.notify import overdue, record_notification
from promotions.results import published as result_of
from promotions.tick import tick_draws as tick
from tests.world import promotion_draws as world
from tests.world.promotion_draws import (
    DAY,
    SECOND,
    drawn,
    failed,
    lost,
    oracle_faults,
    owed,
    pay,
    promised,
    published,
    refused,
)
from tests.world.promotions import manager, prize

pytestmark = pytest.mark.django_db

PRESENT: dict[str, Any] = {"must_be_present": True, "call_seconds": 60}


# --- must be present --------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_an_absent_winner_is_replaced_by_the_next_in_the_drawn_order() -> None:
    draw = drawn("ABCDEFGHIJKL", prizes=[prize(alternates=1), prize(name="Second")], **PRESENT)
    noted, at = promised(), draw.drawn_at
    assert at is not None
    first, second = world.wins()
    assert (first.notify_by, first.called_at) == (None, None)
    sue = world.supervisor()
    clause = "nsw-promo-2025:17.7.8"
    assert refused(winner_present, win_id=first.pk, by=sue, now=at)[0] == "not-called"
    assert refused(winner_absent, win_id=first.pk, by=sue, now=at)[0] == "not-called"
    assert refused(call_winner, win_id=second.pk, by=sue, now=at)[0] == "earlier-prize-first"
    called = call_winner(win_id=first.pk, by=sue, now=at)
    assert called.call_ends_at == at + 60 * SECOND
    assert call_winner(win_id=first.pk, by=sue, now=at + SECOND).call_ends_at == called.call_ends_at  # called once
    assert refused(winner_absent, win_id=first.pk, by=sue, now=at + 60 * SECOND) == ("call-not-over", clause)
    late = at + 61 * SECOND
    assert refused(winner_present, win_id=first.pk, by=sue, now=late) == ("call-over", clause)
    case = winner_absent(win_id=first.pk, by=sue, now=late)
    # One person's word: nothing is lost by it, and nobody else has won.
    assert [win.pk for win in world.wins()] == [first.pk, second.pk]
    assert refused(winner_absent, win_id=first.pk, by=sue, now=late)[0] == "loss-noted"
    (heir,) = lost(case)
    assert heir.pick.place == 3  # the alternate
    assert heir.pick.prize == 1
    assert refused(winner_absent, win_id=first.pk, by=sue, now=late)[0] == "win-lost"
    # And again, beyond the alternates: the drawn order goes on.
    call_winner(win_id=heir.pk, by=sue, now=late)
    (last,) = lost(winner_absent(win_id=heir.pk, by=sue, now=late + 61 * SECOND))
    assert (last.pick.place, last.pick.prize) == (4, 1)
    call_winner(win_id=last.pk, by=sue, now=late + 62 * SECOND)
    winner_present(win_id=last.pk, by=sue, now=late + 63 * SECOND)
    assert refused(winner_absent, win_id=last.pk, by=sue, now=late + 1000 * SECOND)[0] == "winner-present"
    assert [world.wins()[0].pk, world.wins()[1].pk] == [last.pk, second.pk]
    call_winner(win_id=second.pk, by=sue, now=late + 64 * SECOND)
    # Everything follows from the order and the two losses.
    made = published()
    assert [loss["place"] for loss in made["losses"]] == [1, 3]
    assert len(made["drawn"]) == 4
    assert failed(made, noted) == []
    assert oracle_faults(made, noted) == []
    results = Act.objects.filter(kind="promotion.result").order_by("id")
    assert [len(act.data["numbers"]) for act in results] == [2, 2, 2]
    shown = result_of(Promotion.objects.get())
    assert shown is not None
    assert shown["result"]["prizes"][0]["number"] == last.pick.number
    assert owed() == "4000.00"  # two prizes, whoever holds them


def test_a_claim_needs_the_winner_to_have_come_forward() -> None:
    draw = drawn(**PRESENT)
    (win,) = world.wins()
    asked: dict[str, Any] = {
        "win_id": win.pk,
        "name": "Anna",
        "address": "1 Lake Street",
        "by": world.supervisor(),
        "now": draw.drawn_at,
    }
    assert refused(make_claim, **asked) == ("not-present", "nsw-promo-2025:17.7.8")
    call_winner(win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)
    winner_present(win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)
    make_claim(**asked)


def test_calling_is_for_those_who_must_be_present() -> None:
    drawn()
    (win,) = world.wins()
    assert refused(call_winner, win_id=win.pk, by=world.supervisor()) == (
        "presence-not-needed",
        "nsw-promo-2025:17.8",
    )
    assert refused(call_winner, win_id=99, by=world.supervisor())[0] == "no-such-win"
    assert refused(call_winner, win_id=win.pk, by=world.auditor())[0] == "no-permission"


def test_everybody_absent_leaves_the_prize_without_a_winner() -> None:
    draw = drawn("AAB", **PRESENT)
    at, sue = draw.drawn_at, world.supervisor()
    assert at is not None
    while held := world.wins():
        call_winner(win_id=held[0].pk, by=sue, now=at)
        at += 61 * SECOND
        lost(winner_absent(win_id=held[0].pk, by=sue, now=at))
    assert Loss.objects.count() == 2  # both of A's entries go with the first that is absent
    assert Promotion.objects.get().status == "finished"
    assert owed() == "0.00"
    assert failed(published(), promised()) == []
    assert oracle_faults(published(), promised()) == []


# --- told -------------------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.8", "nsw-promo-2019:15.8")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_winners_are_told_within_two_days_and_every_attempt_is_kept(edition: str) -> None:
    draw = drawn(
        edition=edition, prizes=[prize(quantity=2)], notification=["telephone", "email", "mail", "face-to-face"]
    )
    at = draw.drawn_at
    assert at is not None
    reached, missed = world.wins()
    sue = world.supervisor()

    def tell(win: Win, how: str, reached: bool, after: timedelta) -> None:
        record_notification(win_id=win.pk, how=how, reached=reached, by=sue, at=at + after, now=at + after)

    tell(reached, "telephone", False, SECOND)
    tell(reached, "email", False, 2 * SECOND)
    tell(reached, "mail", False, 3 * SECOND)
    tell(reached, "face-to-face", True, DAY)
    tell(reached, "telephone", True, 2 * DAY)  # told again: the first one counts
    reached.refresh_from_db()
    assert reached.told_at == at + DAY
    assert list(reached.notifications.values_list("how", "reached")) == [
        ("telephone", False),
        ("email", False),
        ("mail", False),
        ("face-to-face", True),
        ("telephone", True),
    ]
    with pytest.raises(DatabaseError), transaction.atomic():
        reached.notifications.all().delete()
    # The other: nobody tried. Overdue after two days, to the second; the tick opens one incident.
    assert list(overdue(now=at + 2 * DAY)) == []
    tick(at + 2 * DAY)
    assert not Incident.objects.exists()
    assert [(win.pk, win.attempts) for win in overdue(now=at + 2 * DAY + SECOND)] == [(missed.pk, 0)]  # type: ignore[attr-defined]
    tick(at + 2 * DAY + SECOND)
    tick(at + 2 * DAY + SECOND)
    incident = Incident.objects.get()
    assert incident.kind == f"promotion-winner-not-notified-{edition}"
    assert incident.clause == {"2019": "nsw-promo-2019:15.8", "2025": "nsw-promo-2025:17.8"}[edition]
    tell(missed, "telephone", True, 3 * DAY)
    assert list(overdue(now=at + 4 * DAY)) == []


@pytest.mark.clause("nsw-promo-2025:17.8")
def test_who_was_tried_and_not_reached_is_listed_but_no_breach() -> None:
    draw = drawn()
    at = draw.drawn_at
    assert at is not None
    (win,) = world.wins()
    record_notification(win_id=win.pk, how="email", reached=False, by=world.supervisor(), at=at, now=at)
    tick(at + 3 * DAY)
    assert not Incident.objects.exists()
    assert [late.attempts for late in overdue(now=at + 3 * DAY)] == [1]  # type: ignore[attr-defined]


@pytest.mark.clause("nsw-promo-2025:17.8", "nsw-promo-2019:15.8")
def test_only_the_four_methods_and_those_of_the_terms() -> None:
    draw = drawn()
    (win,) = world.wins()
    asked: dict[str, Any] = {"win_id": win.pk, "reached": True, "by": world.supervisor(), "now": draw.drawn_at}
    assert refused(record_notification, **asked, how="pigeon") == ("method-unknown", "nsw-promo-2025:17.8")
    assert refused(record_notification, **asked, how="mail") == ("method-not-in-terms", "nsw-promo-2025:17.7.9")
    early = draw.drawn_at - DAY  # type: ignore[operator]
    assert refused(record_notification, **asked, how="email", at=early)[0] == "time-impossible"
    late = draw.drawn_at + DAY  # type: ignore[operator]
    assert refused(record_notification, **asked, how="email", at=late)[0] == "time-impossible"
    assert refused(record_notification, **asked, how="email", notes="x" * 301)[0] == "notes-too-long"


# --- unclaimed --------------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
@pytest.mark.parametrize(
    ("unclaimed", "holders"),
    [("alternate", [2, None]), ("redraw", [2, 3, 4, 5]), ("retained", [None])],
)
def test_what_nobody_claims_goes_by_the_terms(unclaimed: str, holders: list[Any]) -> None:
    draw = drawn("ABCDEFGH", prizes=[prize(alternates=1)], unclaimed=unclaimed)
    noted, now = promised(), draw.drawn_at
    assert now is not None
    for holder in holders:
        now += 28 * DAY
        (win,) = world.wins()
        asked: dict[str, Any] = {"win_id": win.pk, "by": world.supervisor()}
        assert refused(winner_unclaimed, **asked, now=now)[0] == "claim-not-over"  # to the second
        before = Loss.objects.count()
        now += SECOND
        tick(now)  # nothing is lost by the clock alone
        assert Loss.objects.count() == before
        lost(winner_unclaimed(**asked, now=now))
        assert Loss.objects.count() == before + 1
        assert [held.pick.place for held in world.wins()] == ([holder] if holder else [])
    finished = not world.wins()
    assert (Promotion.objects.get().status == "finished") is finished
    assert owed() == ("0.00" if finished else "2000.00")
    assert failed(published(), noted) == []
    assert oracle_faults(published(), noted) == []


def test_a_claim_under_way_keeps_the_prize_waiting() -> None:
    drawn()
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="Anna", address="1 Lake Street", by=world.supervisor(), now=win.claim_by)
    late: dict[str, Any] = {"win_id": win.pk, "by": world.supervisor(), "now": win.claim_by + DAY}
    assert refused(winner_unclaimed, **late)[0] == "claimed-already"
    assert world.wins()[0].status == "drawn"
    accept_claim(claim_id=claim.pk, by=manager())
    assert refused(winner_unclaimed, **late)[0] == "win-claimed"
    pay(claim, ("cheque", "2000.00"))
    assert Draw.objects.get().numbers == list(Pick.objects.values_list("number", flat=True))
