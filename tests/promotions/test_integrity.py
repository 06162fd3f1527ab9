"""Integrity in doubt: postponed until validated, or cancelled; the inspector's notice on its clock (17.11, 15.12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from house.incidents import close_incident, overdue, record_notice
from house.models import Incident, Notice
from ledger.balance import balance
from ledger.models import Act
from promotions import accounts, integrity
from promotions.calls import call_winner
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.models import Draw, EntryList, Promotion, Win
from promotions.pay import Paid, pay_prize
from promotions.proof import draw_proof
from promotions.run import close
from promotions.seal import seal
from promotions.tick import tick_draws as tick
from promotions.withdraw import withdraw_entry
from tests.world import promotion_draws as world
from tests.world.promotion_draws import drawn, failed, oracle_faults, promised, published, refused, sealed
from tests.world.promotions import drafted, manager, prize, running

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("edition", ["2019", "2025"])
CLAUSE = {"2019": "nsw-promo-2019:15.12", "2025": "nsw-promo-2025:17.11"}
WITHIN = {"2019": timedelta(0), "2025": timedelta(hours=48)}
WHY = "A box of coupons was found open."


def doubt(verb: Callable[..., Incident] = integrity.postpone, **more: Any) -> Incident:
    return verb(**{"code": "SPRING", "why": WHY, "by": manager()} | more)


@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
@BOTH
@pytest.mark.parametrize("verb", [integrity.postpone, integrity.cancel], ids=["postponed", "cancelled"])
def test_the_inspector_is_told_at_once_or_within_48_hours(edition: str, verb: Callable[..., Incident]) -> None:
    sealed(edition=edition)
    incident = doubt(verb)
    assert incident.clause == CLAUSE[edition]
    notice = Notice.objects.get()
    assert notice.to == "inspector"
    assert notice.due_at == incident.happened_at + WITHIN[edition]
    late = notice.due_at + timedelta(minutes=6)
    assert list(overdue(now=late)) == [notice]
    owed = refused(close_incident, incident_id=incident.pk, outcome="Done.", by=manager("ben"))
    assert owed == ("notice-owed", CLAUSE[edition])
    record_notice(incident_id=incident.pk, to="inspector", how="telephone", by=manager())
    assert list(overdue(now=late)) == []
    assert refused(close_incident, incident_id=incident.pk, outcome="Mine.", by=manager())[0] == "own-affair"
    close_incident(incident_id=incident.pk, outcome="Validated.", by=manager("ben"))


@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
@BOTH
def test_a_postponed_promotion_goes_on_where_it_stood(edition: str) -> None:
    promotion = sealed(edition=edition)
    noted = promised()
    assert refused(doubt, why=" ")[0] == "reason-missing"
    assert refused(doubt, by=world.supervisor())[0] == "no-permission"
    doubt()
    held = Promotion.objects.get()
    assert (held.status, held.resumes_as, held.over_reason) == ("postponed", "sealed", WHY)
    assert (
        refused(draw_promotion, code="SPRING", by=world.supervisor(), now=promotion.draw_at)[0] == "promotion-postponed"
    )
    tick(promotion.draw_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "postponed"
    assert refused(doubt)[0] == "promotion-postponed"
    asked: dict[str, Any] = {"code": "SPRING", "by": manager()}
    assert refused(integrity.resume, **asked, why="")[0] == "reason-missing"
    integrity.resume(**asked, why="Counted again by two people.")
    assert refused(integrity.resume, **asked, why="Again.") == ("promotion-sealed", CLAUSE[edition])
    # The promise from before the close still stands.
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert failed(published(), noted) == []


@pytest.mark.clause("nsw-promo-2025:17.11")
def test_a_list_in_doubt_is_void_corrected_and_sealed_anew() -> None:
    promotion = sealed("ABCD")
    old = promised()
    doubt()
    integrity.resume(code="SPRING", why="An entry was not eligible.", by=manager(), reseal=True)
    assert Promotion.objects.get().status == "closed"
    first = promotion.entries.order_by("id").first()
    assert first is not None
    withdraw_entry(code="SPRING", number=first.pk, why="Not eligible.", by=manager())
    seal(code="SPRING", now=promotion.draw_at)
    assert [entries.count for entries in EntryList.objects.order_by("number")] == [4, 3]
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert published()["list"] == 2
    assert failed(published(), promised()) == []
    assert oracle_faults(published(), promised()) == []
    # Who noted the first root sees that it is another list; the log says why.
    assert "published ticket root" in failed(published(), old)
    assert Act.objects.get(kind="promotion.list-void").data["why"] == "An entry was not eligible."


@pytest.mark.clause("nsw-promo-2025:17.11")
def test_a_seed_in_doubt_is_revealed_and_another_promised() -> None:
    promotion = sealed()
    old = promised()
    doubt()
    integrity.resume(code="SPRING", why="The key may have been read.", by=manager(), new_seed=True)
    void, new = Draw.objects.order_by("attempt")
    assert (void.void_reason, void.attempt, new.attempt) == ("The key may have been read.", 1, 2)
    shown = draw_proof(code="SPRING")
    assert [attempt["seed"] is not None for attempt in shown["attempts"]] == [True, False]
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert failed(published(), promised()) == []
    assert failed(published(), old) == ["published commitment"]


@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
def test_a_draw_found_compromised_is_void_and_made_again() -> None:
    promotion = sealed(prizes=[prize(quantity=2)])
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    before = [win.pk for win in world.wins()]
    doubt()
    assert Promotion.objects.get().status == "postponed"
    assert set(Win.objects.values_list("status", flat=True)) == {"lost"}
    assert str(balance(accounts.OWING).amount) == "0.00"
    integrity.resume(code="SPRING", why="The hall was cleared and sealed.", by=manager())
    again = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert again.attempt == 2
    assert not set(before) & {win.pk for win in world.wins()}
    assert str(balance(accounts.OWING).amount) == "4000.00"
    assert failed(published(), promised()) == []
    (void,) = Act.objects.filter(kind="promotion.draw-void")
    assert void.data["attempt"] == 1
    assert len(void.data["numbers"]) == 2


def test_what_has_been_paid_is_not_undone() -> None:
    drawn(prizes=[prize(quantity=2)])
    win = world.wins()[0]
    claim = make_claim(win_id=win.pk, name="A", address="a", by=world.supervisor(), now=win.won_at)
    accept_claim(claim_id=claim.pk, by=manager())
    pay_prize(claim_id=claim.pk, parts=[Paid("cheque", win.value, "1")], by=world.supervisor())
    for verb in (integrity.postpone, integrity.cancel):
        assert refused(lambda verb=verb: doubt(verb)) == ("prizes-paid", CLAUSE["2025"])


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
def test_a_cancelled_draw_stays_cancelled_and_its_seed_is_shown(edition: str) -> None:
    promotion = sealed(edition=edition)
    doubt(integrity.cancel)
    after = Promotion.objects.get()
    assert (after.status, after.over_reason) == ("cancelled", WHY)
    assert Draw.objects.get().seed is not None
    asked: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at}
    assert refused(draw_promotion, **asked)[0] == "promotion-cancelled"
    assert refused(integrity.resume, code="SPRING", why="Again.", by=manager())[0] == "promotion-cancelled"


def test_a_running_promotion_takes_no_entries_while_it_is_postponed() -> None:
    world.open_day()
    promotion = running()
    world.put_in("AB")
    doubt()
    assert refused(lambda: world.put_in("C"))[0].startswith("promotion-")
    integrity.resume(code="SPRING", why="Validated.", by=manager())
    close(code="SPRING", now=promotion.closes_at)
    assert refused(integrity.resume, code="SPRING", why="x", by=manager(), reseal=True)[0] == "promotion-closed"
    doubt()
    assert refused(integrity.resume, code="SPRING", why="x", by=manager(), reseal=True)[0] == "list-not-sealed"


def test_only_what_has_started_is_in_doubt() -> None:
    drafted()
    assert refused(doubt)[0] == "promotion-draft"
    assert refused(lambda: doubt(integrity.cancel))[0] == "promotion-draft"
    assert refused(doubt, code="NONE")[0] == "no-such-promotion"


@pytest.mark.clause("nsw-promo-2025:17.10", "nsw-promo-2019:15.11")
@BOTH
def test_a_dispute_is_on_record(edition: str) -> None:
    drawn(edition=edition)
    incident = integrity.record_dispute(code="SPRING", what="He says he was there.", by=manager())
    assert incident.clause == {"2019": "nsw-promo-2019:15.11", "2025": "nsw-promo-2025:17.10"}[edition]
    assert incident.subject == "promotion:SPRING"


def test_nobody_is_called_while_it_is_postponed() -> None:
    draw = drawn(must_be_present=True, call_seconds=60)
    (win,) = world.wins()
    doubt()
    assert refused(call_winner, win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)[0] == "win-lost"
