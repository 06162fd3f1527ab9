"""Integrity in doubt: postponed until validated, or cancelled; the inspector's notice on its clock (17.11, 15.12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from chance.draw_proof import is_witnessed
from draws.commit import master_of, restore_master
from draws.models import Commitment
from house.approvals import approve
from house.incidents import close_incident, overdue, record_notice
from house.models import Incident, Notice
from kernel.refusal import Conflict
from ledger.balance import balance
from ledger.models import Act, Question
from promotions import accounts, integrity
from promotions import verify as checker
from promotions.amend import amend_promotion
from promotions.calls import call_winner
from promotions.claims import accept_claim, make_claim
from promotions.draw import dice, draw_promotion
from promotions.models import Draw, EntryList, Pick, Promotion, Win
from promotions.pay import Paid, pay_prize
from promotions.proof import draw_proof
from promotions.results import published as result_of
from promotions.run import close
from promotions.seal import seal
from promotions.tick import tick_draws as tick
from promotions.void import propose_void
from promotions.withdraw import withdraw_entry
from tests.world import promotion_draws as world
from tests.world.promotion_draws import drawn, failed, oracle_faults, promised, published, refused, sealed, unguarded
from tests.world.promotions import drafted, inspector, manager, prize, running
from tests.world.second_party import AtHand

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
    for each in (manager(), world.supervisor()):
        withdraw_entry(code="SPRING", number=first.pk, why="Not eligible.", by=each)
    seal(code="SPRING", now=promotion.draw_at)
    assert [entries.count for entries in EntryList.objects.order_by("number")] == [4, 3]
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert published()["list"] == 2
    assert failed(published(), promised()) == []
    assert oracle_faults(published(), promised()) == []
    # Who noted the first root sees that it is another list; the log says why. The promise is the same.
    assert {"published ticket root", "published count"} <= set(failed(published(), old))
    assert "published commitment" not in failed(published(), old)
    assert Commitment.objects.count() == 1
    assert Act.objects.get(kind="promotion.list-void").data["why"] == "An entry was not eligible."


@pytest.mark.clause("nsw-promo-2025:17.11")
def test_no_postponement_gives_another_promise() -> None:
    promotion = sealed()
    noted = promised()
    doubt()
    asked: dict[str, Any] = {"code": "SPRING", "why": "The key may have been read.", "by": manager()}
    assert refused(integrity.resume, **asked, new_seed=True) == ("promise-stands", CLAUSE["2025"])
    integrity.resume(**asked)
    doubt()
    integrity.resume(**asked)
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert failed(published(), noted) == []
    assert (Commitment.objects.count(), Draw.objects.count()) == (1, 1)


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
def test_a_draw_found_compromised_is_void_by_two_and_the_inspector(edition: str) -> None:
    promotion = sealed(edition=edition, prizes=[prize(quantity=2)])
    noted = promised()
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    gave = list(Draw.objects.get().numbers)
    before = [win.pk for win in world.wins()]
    for verb in (integrity.postpone, integrity.cancel):
        assert refused(lambda verb=verb: doubt(verb)) == ("promotion-drawn", CLAUSE[edition])
    assert refused(propose_void, code="SPRING", then="again", why=" ", by=manager())[0] == "reason-missing"
    assert refused(propose_void, code="SPRING", then="again", why=WHY, by=world.auditor())[0] == "no-permission"
    proposal = propose_void(code="SPRING", then="again", why=WHY, by=manager())
    assert refused(approve, proposal_id=proposal.pk, by=manager())[0] == "own-proposal"
    assert refused(approve, proposal_id=proposal.pk, by=inspector())[0] == "needs-second-person"
    approve(proposal_id=proposal.pk, by=world.supervisor())
    assert refused(approve, proposal_id=proposal.pk, by=manager("third"))[0] == "needs-inspector"
    assert (Promotion.objects.get().status, [win.pk for win in world.wins()]) == ("drawn", before)
    assert approve(proposal_id=proposal.pk, by=inspector()).status == "effective"
    # Void, with what it gave, and the notice owed.
    held = Promotion.objects.get()
    assert (held.status, held.resumes_as, held.over_reason) == ("postponed", "sealed", WHY)
    (void,) = Act.objects.filter(kind="draw.void")
    assert (void.data["attempt"], void.data["numbers"], void.data["cause"]) == (1, gave, WHY)
    assert Notice.objects.get().to == "inspector"
    assert set(Win.objects.values_list("status", flat=True)) == {"lost"}
    assert str(balance(accounts.OWING).amount) == "0.00"
    # The list was asked about: it stands.
    again: dict[str, Any] = {"code": "SPRING", "why": "The hall was cleared and sealed.", "by": manager()}
    assert refused(integrity.resume, **again, reseal=True) == ("list-asked-about", CLAUSE[edition])
    integrity.resume(**again)
    attempt = draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert attempt.attempt == 2
    assert not set(before) & {win.pk for win in world.wins()}
    assert str(balance(accounts.OWING).amount) == "4000.00"
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])
    (told,) = published()["void"]
    assert (told["attempt"], told["why"], told["proof"]["numbers"]) == (1, WHY, gave)
    assert Act.objects.filter(kind="draw.sealed").count() == 1
    shown = result_of(held)
    assert shown is not None
    assert [(each["attempt"], each["why"], each["numbers"]) for each in shown["void"]] == [(1, WHY, gave)]


def test_what_would_have_been_drawn_is_published_also_where_nobody_had_seen_it(second_party: AtHand) -> None:
    """Asked, answered, and not recorded because the list was touched: void, with the numbers that it gives."""
    promotion = sealed(prizes=[prize(quantity=2, alternates=1)])
    second_party.away = True
    asked: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at}
    draw_promotion(**asked)
    void: dict[str, Any] = {"code": "SPRING", "then": "cancel", "why": WHY, "by": manager()}
    assert refused(propose_void, **void)[0] == "not-answered-yet"  # nobody knows what it would give
    second_party.away = False
    unguarded("UPDATE promotions_entry SET leaf = sha256(leaf)")
    draw_promotion(**asked)
    assert Promotion.objects.get().status == "drawing"
    world.voided(then="cancel")
    after, attempt = Promotion.objects.get(), Draw.objects.get()
    assert (after.status, attempt.numbers, len(attempt.void_numbers)) == ("cancelled", [], 4)
    (act,) = Act.objects.filter(kind="draw.void")
    assert act.data["numbers"] == attempt.void_numbers
    assert Commitment.objects.get().master is not None  # nothing depends on it any more
    assert draw_proof(code="SPRING")["attempts"][0]["void_numbers"] == attempt.void_numbers


def test_what_has_been_paid_is_not_undone() -> None:
    drawn(prizes=[prize(quantity=2)])
    win = world.wins()[0]
    claim = make_claim(win_id=win.pk, name="A", address="a", by=world.supervisor(), now=win.won_at)
    accept_claim(claim_id=claim.pk, by=manager())
    proposal = propose_void(code="SPRING", then="again", why=WHY, by=manager())
    approve(proposal_id=proposal.pk, by=world.supervisor())
    pay_prize(claim_id=claim.pk, parts=[Paid("cheque", win.value, "1")], by=world.supervisor())
    assert refused(propose_void, code="SPRING", then="again", why=WHY, by=manager()) == ("prizes-paid", CLAUSE["2025"])
    # Nor by a proposal from before the payment.
    assert approve(proposal_id=proposal.pk, by=inspector()).status == "failed"
    assert (Promotion.objects.get().status, Draw.objects.get().voided_at) == ("drawn", None)


# --- the witness is away ---------------------------------------------------------------------------------------------
def test_while_the_witness_is_away_the_draw_waits_and_nothing_of_it_changes(second_party: AtHand) -> None:
    promotion = sealed()
    noted, second_party.away = promised(), True
    asked: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at}
    assert draw_promotion(**asked).drawn_at is None
    waiting = Promotion.objects.get()
    assert waiting.status == "drawing"
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("promotion-draw-waits", "promotion:SPRING")
    tick(promotion.draw_at)  # type: ignore[arg-type]
    assert Incident.objects.count() == 1
    shown = result_of(waiting)
    assert shown is not None
    assert (shown["waits"], shown["how"], shown["result"]) == (True, None, None)
    # Locked: nothing is postponed, cancelled, withdrawn, amended, sealed or entered.
    first = promotion.entries.order_by("id").first()
    assert first is not None
    assert refused(doubt)[0] == "promotion-drawing"
    assert refused(lambda: doubt(integrity.cancel))[0] == "promotion-drawing"
    assert refused(withdraw_entry, code="SPRING", number=first.pk, why="x", by=manager())[0] == "promotion-drawing"
    assert refused(seal, code="SPRING")[0] == "promotion-drawing"
    assert refused(integrity.resume, code="SPRING", why="x", by=manager(), reseal=True)[0] == "promotion-drawing"
    assert refused(amend_promotion, code="SPRING", changes={"nature": "x"}, why="x", by=manager())[0] == (
        "promotion-drawing"
    )
    # It comes back: the tick draws, by the question that was logged.
    second_party.away = False
    tick(promotion.draw_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "drawn"
    assert Question.objects.count() == 1
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])


def test_dice_are_the_inspectors_before_the_scrutineer_and_marked_for_ever(second_party: AtHand) -> None:
    promotion = sealed()
    noted, second_party.away = promised(), True
    throws: dict[str, Any] = {"code": "SPRING", "throws": "165423" * 10, "why": "The line is down.", "by": inspector()}
    assert refused(dice, **throws)[0] == "promotion-sealed"
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert refused(dice, **throws)[0] == "scrutineer-absent"
    world.overseen()
    for by in (manager(), world.supervisor(), world.auditor()):
        assert refused(dice, **throws | {"by": by})[0] in {"needs-inspector", "scrutineer-absent"}
    assert refused(dice, **throws | {"throws": "1" * 49})[0] == "dice-wrong"
    assert refused(dice, **throws | {"why": " "})[0] == "reason-missing"
    dice(**throws)
    assert refused(dice, **throws)[0] == "replaced-already"
    tick(promotion.draw_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "drawn"
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])
    assert Act.objects.get(kind="promotion.drawn").data["witnessed"] is False
    assert not is_witnessed(checker.check(published()))
    # The witness comes back and is heard; it changes nothing.
    numbers, second_party.away = list(Draw.objects.get().numbers), False
    shown = result_of(promotion)
    assert shown is not None
    assert shown["how"] == "dice"
    assert Draw.objects.get().numbers == numbers


def test_what_the_witness_answered_is_not_replaced_by_dice(second_party: AtHand) -> None:
    promotion = sealed()
    second_party.away = True
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    world.overseen()
    attempt = Draw.objects.get()
    second_party.away = False
    second_party.ask(attempt.promise, occasion="SPRING", attempt=1, by=manager())
    throws: dict[str, Any] = {"code": "SPRING", "throws": "1" * 60, "why": "Liked better.", "by": inspector()}
    assert refused(dice, **throws)[0] == "answered"


def test_a_lost_master_stops_the_draw_until_the_inspector_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    promotion = sealed()
    noted, promise = promised(), Commitment.objects.get()
    master = master_of(promise)
    monkeypatch.setenv("METERHOUSE_KEY_DRAW_MASTERS", "another key altogether")
    asked: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at}
    with pytest.raises(Conflict, match="inspector can give it back"):
        draw_promotion(**asked)
    assert (Promotion.objects.get().status, Pick.objects.count()) == ("drawing", 0)
    restore_master(purpose="promotion", name="SPRING", master=master, why="The key was lost.", by=inspector())
    draw_promotion(**asked)
    assert failed(published(), noted) == []


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.11", "nsw-promo-2019:15.12")
def test_a_cancelled_draw_stays_cancelled_and_its_master_is_shown(edition: str) -> None:
    promotion = sealed(edition=edition)
    doubt(integrity.cancel)
    after = Promotion.objects.get()
    assert (after.status, after.over_reason) == ("cancelled", WHY)
    assert draw_proof(code="SPRING")["promise"]["master"] is not None
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
    clause = {"2019": "nsw-promo-2019:15.11", "2025": "nsw-promo-2025:17.10"}[edition]
    assert (incident.clause, incident.subject) == (clause, "promotion:SPRING")
    # The person is advised of the right to complain to an inspector before it is closed, by another person.
    closing: dict[str, Any] = {"incident_id": incident.pk, "outcome": "The entry was not hers.", "by": manager("ben")}
    assert refused(close_incident, **closing) == ("notice-owed", clause)
    record_notice(incident_id=incident.pk, to="person", how="told of the right to complain", by=manager())
    close_incident(**closing)


def test_nobody_is_called_while_it_is_postponed() -> None:
    draw = drawn(must_be_present=True, call_seconds=60)
    (win,) = world.wins()
    world.voided()
    assert refused(call_winner, win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)[0] == "win-lost"
