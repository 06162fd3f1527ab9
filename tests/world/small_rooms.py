"""What promotions, tournaments, table games and the house's own desk do in the small house (``small_house.py``): an
evening each, by the people of the demo, through the verbs."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from house.approvals import approve, propose, reject
from house.approvals.letters import confirm_letter, countersign, record_letter
from house.incident_kinds import FOREIGN_OR_MISSING_CARD
from house.incidents import close_incident, record_notice, report_incident
from house.log import record_act
from house.models import Proposal
from house.players import restrict
from house.players.acts import CardIssued, PlayerRegistered
from house.players.age import record_birth, today
from house.rules.age import last_birthday_of_age
from house.staff import hire
from kernel.actors import Actor
from kernel.money import Money
from promotions import scrutineer
from promotions.amend import amend_promotion
from promotions.calls import call_winner, winner_absent, winner_present
from promotions.claimants import Shown
from promotions.claims import accept_claim, deny_claim, make_claim, make_other_claim
from promotions.draw import draw_promotion
from promotions.exclude import confirm_exclusion, exclude_card, readmit_card
from promotions.imports import begin_import, confirm_import, go_on
from promotions.integrity import resume
from promotions.losses import second_loss, sign_loss
from promotions.models import Draw, Entry, EntryList, Promotion, Win
from promotions.pay import Paid, pay_prize
from promotions.reject_import import reject_import
from promotions.run import close
from promotions.seal import seal
from promotions.tournaments import (
    authorise_refund,
    close_heats,
    draw_seats,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    propose_calling_off,
    rebuy,
    refund_entry,
    score_tournament,
)
from promotions.void import propose_void
from promotions.withdraw import withdraw_entry
from tablegames import demo as tablegames_demo
from tablegames import notices, payment_errors, seats
from tablegames.models import PaymentError
from tablegames.rules.terms import Limit
from tablegames.settle import Entered, record_check
from tests.world.own_signs import own_sign
from tests.world.people import someone
from tests.world.promotion_draws import CAR, put_in
from tests.world.promotions import prize, running
from tests.world.tournaments import FINAL_SEATS, HEATS, card_of
from tests.world.tournaments import TERMS as CONDITIONS

SUPERVISOR, MANAGER, AUDITOR = someone("supervisor"), someone("manager"), someone("auditor")
INSPECTOR, ADMINISTRATOR, WRITER = someone("inspector"), someone("administrator"), someone("writer")
NOTARY = someone("manager", "notary")
THIRD = someone("manager", "third")
SECOND: Final = timedelta(seconds=1)
DINNER: Final = prize(
    name="Dinner",
    kind="voucher",
    value="80.00",
    payment=["issued"],
    details={"redeemable_at": "Any restaurant of the casino", "expires": "none"},
)


def _drawn(code: str, people: str, edition: str = "2025", *, overseen: bool = False, **terms: Any) -> Promotion:
    promotion = running(code, edition, **terms)
    put_in(people, code)
    assert promotion.closes_at is not None
    close(code=code, now=promotion.closes_at)
    seal(code=code, now=promotion.closes_at + SECOND)
    if overseen:
        scrutineer.nominate_scrutineer(code=code, scrutineer=AUDITOR.identity, by=SUPERVISOR)
        scrutineer.attend(code=code, by=AUDITOR, now=promotion.draw_at)
    draw_promotion(code=code, by=SUPERVISOR, now=promotion.draw_at)
    return Promotion.objects.get(code=code)


def _wins(code: str) -> list[Win]:
    held = Win.objects.filter(promotion__code=code, pick__outcome="winner", pick__draw__voided_at=None)
    return list(held.select_related("pick", "prize").order_by("pick__prize"))


def _paid(win: Win, method: str, *, amount: Money | None = None, **how: Any) -> None:
    at = win.won_at + SECOND
    shown = Shown(date(1984, 2, 29), household=False)
    claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", shown=shown, by=SUPERVISOR, now=at)
    accept_claim(claim_id=claim.pk, by=MANAGER, now=at)
    parts = [Paid(method, amount or win.value, "" if method == "cash" else f"R-{win.pk}")]
    pay_prize(claim_id=claim.pk, parts=parts, by=SUPERVISOR, **how)


def _lost(win: Win, by: Actor, code: str, at: Any) -> None:
    """Absent when called: said by one, seconded by another, signed by the scrutineer."""
    call_winner(win_id=win.pk, by=by, now=at)
    winner_absent(win_id=win.pk, by=by, now=at + 61 * SECOND)
    if not win.pick.draw.scrutineer:
        scrutineer.nominate_scrutineer(code=code, scrutineer=AUDITOR.identity, by=by)
        scrutineer.attend(code=code, by=AUDITOR)
    second_loss(win_id=win.pk, by=MANAGER)
    sign_loss(win_id=win.pk, by=AUDITOR)


def promotions() -> None:
    """One amended; one with a loss; one overseen, its car handed over; one void and drawn again."""
    promotion = running("SPRING", "2025")
    amend_promotion(code="SPRING", changes={"awarded_where": "Level 2"}, why="Works.", by=MANAGER)
    approve(proposal_id=Proposal.objects.latest("id").pk, by=ADMINISTRATOR)
    present: dict[str, Any] = {"must_be_present": True, "call_seconds": 60, "one_prize_a_person": True}
    present |= {"minimum_age": 18, "households_excluded": True}
    promotion = _drawn("AUTUMN", "ABCDEFGHAB", prizes=[prize(alternates=1), prize(name="Second")], **present)
    first, _ = _wins("AUTUMN")
    assert promotion.drawn_at is not None
    _lost(first, SUPERVISOR, "AUTUMN", promotion.drawn_at)
    at = promotion.drawn_at + 100 * SECOND
    for win in _wins("AUTUMN"):
        call_winner(win_id=win.pk, by=SUPERVISOR, now=at)
        winner_present(win_id=win.pk, by=SUPERVISOR, now=at)
    _paid(_wins("AUTUMN")[0], "transfer")
    other = make_other_claim(
        code="AUTUMN", what="The second prize", value=Money.dollars(2_000), name="Bo Marsh", address="2 Lake Street",
        by=SUPERVISOR,
    )  # fmt: skip
    deny_claim(claim_id=other.pk, reasons="Another entry was drawn.", by=MANAGER)
    _drawn("CARS", "ABCDEF", "2019", overseen=True, prizes=[CAR, DINNER])
    scrutineer.sign(code="CARS", by=AUDITOR)
    car, dinner = _wins("CARS")
    _paid(car, "handed-over")
    _paid(dinner, "issued")
    _drawn("AGAIN", "ABCDEF")
    proposal = propose_void(code="AGAIN", then="again", why="The hall was cleared.", by=SUPERVISOR)
    approve(proposal_id=proposal.pk, by=MANAGER)
    approve(proposal_id=proposal.pk, by=INSPECTOR)
    resumed = resume(code="AGAIN", why="The hall is open again.", by=MANAGER)
    draw_promotion(code="AGAIN", by=SUPERVISOR, now=resumed.draw_at)


def kept_out() -> None:
    """An entry withdrawn by two; a card, a player and a birth before the seal, another player before the draw."""
    promotion = running("WINTER", "2025")
    put_in("QRSTUVW", "WINTER")
    withdrawn = Entry.objects.filter(promotion=promotion).earliest("pk").pk
    for each in (SUPERVISOR, MANAGER):
        withdraw_entry(code="WINTER", number=withdrawn, why="Not his coupon.", by=each)
    made = begin_import(code="WINTER", name="w.csv", lines=["reference,card\n", "file 1,C-V\n"], by=SUPERVISOR)
    confirm_import(import_id=go_on(made.pk).pk, by=MANAGER)
    wrong = begin_import(code="WINTER", name="x.csv", lines=["reference,card\n", "file 2,C-W\n"], by=SUPERVISOR)
    go_on(wrong.pk)
    for each in (SUPERVISOR, MANAGER):
        reject_import(import_id=wrong.pk, why="Another month's.", by=each)
    exclude_card(card="C-R", why="household", by=MANAGER)
    confirm_exclusion(card="C-R", by=NOTARY)
    for player in ("P-C-S", "P-C-T", "P-C-U"):  # their rows were there before the log
        with transaction.atomic():
            record_act(PlayerRegistered(player=player), by=MANAGER)
            record_act(CardIssued(card=player.removeprefix("P-"), player=player), by=MANAGER)
    young = last_birthday_of_age(today()) + timedelta(days=1)
    for each in (SUPERVISOR, MANAGER):
        record_birth(player_number="P-C-S", born=young, by=each)
    before = restrict.restrict(player_number="P-C-T", kind="exclusion", reason="He asked.", by=SUPERVISOR)
    restrict.confirm(restriction_id=before.pk, by=MANAGER)
    assert promotion.closes_at is not None
    close(code="WINTER", now=promotion.closes_at)
    seal(code="WINTER", now=promotion.closes_at + SECOND)
    after = restrict.restrict(player_number="P-C-U", kind="employee", reason="Hired.", by=SUPERVISOR)
    restrict.confirm(restriction_id=after.pk, by=MANAGER)
    draw_promotion(code="WINTER", by=SUPERVISOR, now=promotion.draw_at)
    assert EntryList.objects.get(promotion=promotion).count == 4
    assert len(Draw.objects.get(promotion=promotion).barred) == 1
    for each in (NOTARY, THIRD):
        readmit_card(card="C-R", by=each)
    for each in (MANAGER, NOTARY):
        restrict.lift(restriction_id=before.pk, by=each)
    record_birth(player_number="P-C-S", born=date(1984, 2, 29), by=MANAGER)


def letters() -> None:
    """The commission approves by letter: recorded by one, confirmed by another, countersigned by an inspector."""
    running("OLD", "2019")
    amend_promotion(code="OLD", changes={"awarded_where": "Level 2"}, why="Works.", by=MANAGER)
    proposal = Proposal.objects.latest("id")
    letter = record_letter(
        proposal_id=proposal.pk,
        signed_by="J. Okonkwo",
        office="The commission",
        reference="C/26/1",
        dated=timezone.now().date() - timedelta(days=2),
        document=b"Version 2 of the terms is approved.",
        by=MANAGER,
    )
    confirm_letter(proposal_id=proposal.pk, sha256=letter.sha256, by=ADMINISTRATOR)
    countersign(proposal_id=proposal.pk, by=INSPECTOR)


def desk() -> None:
    """The house's own: an adjustment, roles, a device that somebody holds, an incident that is closed."""
    moved = {"debit": "promotions:cage", "credit": "promotions:bank", "amount": "12.50", "cause": "entry-error"}
    _decided(kind="ledger.adjustment", subject="ledger", new=moved, by=SUPERVISOR)
    refused = propose(kind="ledger.adjustment", subject="ledger", new=moved, why="Once more.", by=SUPERVISOR)
    reject(proposal_id=refused.pk, by=MANAGER, comment="It was booked.")
    hire(username="nora", name="Nora Quist", roles=["writer"], by=ADMINISTRATOR)
    _decided(kind="house.staff-roles", subject="staff:nora", new=["supervisor"], by=ADMINISTRATOR)
    dinners = {"value": "20.00", "first": 7001, "last": 7003}
    _decided(kind="keno.voucher-register", subject="voucher-register:DINE", new=dinners, by=SUPERVISOR)
    device = {"profile": "supervisor", "name": "Sunita's tablet", "place": "The floor"}
    _decided(kind="house.device-registration", subject="staff:supervisor", new=device, by=ADMINISTRATOR)
    incident = report_incident(
        kind=FOREIGN_OR_MISSING_CARD, what="A card is missing.", by=SUPERVISOR, subject="staff:dealer"
    )
    for notice in incident.notices.all():
        record_notice(incident_id=incident.pk, to=notice.to, how="telephone", by=SUPERVISOR)
    close_incident(incident_id=incident.pk, outcome="Settled by the cameras.", by=MANAGER)


def _decided(*, kind: str, subject: str, new: Any, by: Actor) -> None:
    proposal = propose(kind=kind, subject=subject, new=new, why="It is needed.", by=by)
    assert approve(proposal_id=proposal.pk, by=MANAGER).status == "effective", proposal.outcome


def tournaments() -> None:
    """One played to its prizes, with a rebuy and somebody who left, two of three of them paid; one called off."""
    now = timezone.now()
    closes = now + timedelta(hours=2)
    for code in ("CUP", "SHIELD"):
        rebuys = {"most": 1, "price": "20.00", "until": closes.isoformat()}
        seats = {"tables": ["LP-01"], "seats_a_table": 4, "most_entries": 4}
        terms = {**CONDITIONS, **seats, "closes_at": closes.isoformat(), "rebuys": rebuys}
        proposal = propose(
            kind="promotions.tournament", subject=f"tournament:{code}", new=terms, why="A cup.", by=SUPERVISOR
        )
        approve(proposal_id=proposal.pk, by=INSPECTOR)
    entries = [
        enter_tournament(code="CUP", card=card_of(name), by=SUPERVISOR, now=now) for name in ("Anna", "Ben", "Cara")
    ]
    away = enter_tournament(code="CUP", card=card_of("Eve"), by=SUPERVISOR, now=now)
    authorise_refund(entry_id=away.pk, why="Called away.", by=SUPERVISOR, now=now)
    refund_entry(entry_id=away.pk, by=MANAGER, now=now)
    rebuy(entry_id=entries[2].pk, by=SUPERVISOR, now=now)
    left = enter_tournament(code="SHIELD", card=card_of("Dan"), by=SUPERVISOR, now=now)
    later = closes + SECOND
    scores = {entries[0].pk: 40, entries[1].pk: 40, entries[2].pk: 7}
    draw_seats(code="CUP", by=SUPERVISOR, now=later)
    for each in (SUPERVISOR, MANAGER):
        score_tournament(code="CUP", scores=scores, by=each, now=later)
    finish_tournament(code="CUP", by=MANAGER, now=later)
    for entry in entries[:2]:
        pay_tournament_prize(entry_id=entry.pk, by=SUPERVISOR, now=later)
    _final(now, closes)
    made = propose_calling_off(code="SHIELD", why="Nobody came.", by=SUPERVISOR)
    approve(proposal_id=made.pk, by=MANAGER)
    refund_entry(entry_id=left.pk, by=WRITER)


def _final(now: Any, closes: Any) -> None:
    """Heats, a lot between those who tie, a final."""
    into = {"of_each_heat": 1, "ties": "lot", **FINAL_SEATS}
    terms = {**CONDITIONS, **HEATS, "closes_at": closes.isoformat(), "final": into}
    made = propose(kind="promotions.tournament", subject="tournament:MASTERS", new=terms, why="A final.", by=SUPERVISOR)
    approve(proposal_id=made.pk, by=INSPECTOR)
    names = ("Anna", "Ben", "Cara", "Dan")
    entries = [enter_tournament(code="MASTERS", card=card_of(name), by=SUPERVISOR, now=now) for name in names]
    asked: dict[str, Any] = {"code": "MASTERS", "now": closes + SECOND}
    draw_seats(**asked, by=SUPERVISOR)
    for each in (SUPERVISOR, MANAGER):
        score_tournament(**asked, scores={entry.pk: 5 for entry in entries}, by=each)
    finalists = close_heats(**asked, by=SUPERVISOR)
    draw_seats(**asked, by=SUPERVISOR)
    for each in (SUPERVISOR, MANAGER):
        score_tournament(**asked, scores={entry.pk: 5 + at for at, entry in enumerate(finalists)}, by=each)
    finish_tournament(**asked, by=MANAGER)


def tables() -> None:
    """A sign that changes, a hand paid wrongly on two wagers: what was short is paid, what was too much given up."""
    tablegames_demo.build_demo()
    sign = {"limits": {"ante": {"minimum": "5.00", "maximum": "200.00"}}, "maximum_payout": "40000.00"}
    _decided(kind="tablegames.terms", subject="gaming-table:CSP-01", new=sign, by=SUPERVISOR)
    hand = {"player": ["8S", "8H", "5D", "5C", "3C"], "dealer": ["AD", "KC", "9H", "4S", "2D"]}
    entered = Entered(game="caribbean-stud", wagers={"ante": Money.dollars(10), "bet": Money.dollars(20)}, cards=hand)
    paid = {"ante": Money.dollars(15), "bet": Money.dollars(30)}
    record_check(entered=entered, paid=paid, table="CSP-01", by=SUPERVISOR)
    over, under = PaymentError.objects.order_by("id")
    payment_errors.rectify(error_id=under.pk, amount=Money.dollars(10), how="In chips.", by=MANAGER)
    payment_errors.decide_intent(error_id=over.pk, intent="unintentional", enquiries="Cameras.", by=SUPERVISOR)
    payment_errors.take_step(error_id=over.pk, kind="contact", how="Called.", succeeded=False, by=SUPERVISOR)
    payment_errors.close_error(error_id=over.pk, outcome="attempted", what="Not found.", by=MANAGER)
    _signs()


def _signs() -> None:
    """A minimum raised over a player's head, one with a sign of his own, notices of limits and of closing."""
    seat = seats.seat_player(table="CSP-01", box=1, by=SUPERVISOR)
    limits = {"ante": Limit(Money.dollars(25), Money.dollars(200))}
    notices.raise_minimum_at_once(table="CSP-01", limits=limits, by=SUPERVISOR)
    own = {"ante": Limit(Money.dollars(50), Money.dollars(1000))}
    own_sign(table="CSP-01", seat=seat.pk, limits=own, by=SUPERVISOR, agreed_by=MANAGER)
    hand = {"player": ["8S", "8H", "5D", "5C", "3C"], "dealer": ["AD", "KC", "9H", "4S", "2D"]}
    wagers = {"ante": Money.dollars(400), "bet": Money.dollars(800)}
    record_check(
        entered=Entered(game="caribbean-stud", wagers=wagers, cards=hand),
        paid={"ante": Money.dollars(400), "bet": Money.dollars(1600)},
        table="CSP-01",
        box=1,
        by=SUPERVISOR,
    )
    later = timezone.now() + timedelta(minutes=25)
    limits = {"ante": Limit(Money.dollars(30), Money.dollars(200))}
    notices.announce_limits(table="CSP-01", limits=limits, takes_effect_at=later, by=SUPERVISOR)
    notice = notices.announce_closing(table="CSP-01", closes_at=later, by=SUPERVISOR)
    notices.take_notice_down(table="CSP-01", number=notice.pk, by=SUPERVISOR)
    notices.announce_closing(table="CSP-01", closes_at=later, by=SUPERVISOR)
    notices.close_table(table="LP-01", by=SUPERVISOR)
    notices.reopen_table(table="LP-01", by=SUPERVISOR)
    seats.seat_player(table="LP-01", box=2, by=SUPERVISOR)


PARTS: Final = [promotions, kept_out, tournaments, letters, tables, desk]  # after the letters nothing asks the witness
