"""Tournaments of any game: approved conditions, fees through the ledger, a tenth at most retained, the rest paid."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house import gaming_days
from house.approvals import approve, propose
from house.cash.identity import Identity
from house.models import CashLine, GamingDay
from keno import tournaments as keno_tournaments
from kernel.actors import Actor
from ledger.balance import balance
from ledger.models import Act, Transfer
from promotions import accounts
from promotions.tournaments import (
    ANY_GAME,
    authorise_prize,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    propose_calling_off,
    refund_entry,
    score_tournament,
)
from tests.world.people import someone
from tests.world.promotion_draws import refused, supervisor
from tests.world.promotions import inspector, manager
from tests.world.tournaments import CLOSES, NOW, TERMS, approve_conditions, card_of
from tournaments.models import Tournament, TournamentEntry
from tournaments.steps import TournamentStatus, prize_steps, tournament_steps

pytestmark = pytest.mark.django_db

LATER = CLOSES + timedelta(seconds=1)
ASKED: dict[str, Any] = {"kind": "promotions.tournament", "subject": "tournament:SPRING", "why": "A cup."}


@pytest.fixture(autouse=True)
def _open_house() -> None:
    GamingDay.objects.create(date=NOW.date(), opens_at=NOW - timedelta(hours=5), closes_at=NOW + timedelta(hours=12))
    gaming_days.forget()
    for name in ("Anna", "Ben", "Cara", "Dan", "Eve"):
        card_of(name)


def enter(
    player: str, *, now: datetime = NOW, code: str = "SPRING", identity: Identity | None = None
) -> TournamentEntry:
    return enter_tournament(code=code, card=card_of(player), by=supervisor(), identity=identity, now=now)


def books(account: str) -> str:
    return str(balance(account).amount)


@pytest.mark.clause("act-cp:16.4", "act-cp:16.2", "act-bj:18.2", "act-ar:11.2", "act-bac:12.2", "act-mb:12.2")
@pytest.mark.clause("act-pg:18.2", "act-sb:11.2", "act-mw:11.2", "act-pk:19.2")
def test_a_tournament_from_its_approval_to_its_prizes() -> None:
    assert refused(enter, player="Anna") == ("tournament-not-approved", "act-cp:16.2")
    approve_conditions()
    anna, ben, cara, dan = (enter(player) for player in ("Anna", "Ben", "Cara", "Dan"))
    assert (books(accounts.TOURNAMENTS), books(accounts.CAGE)) == ("200.20", "200.20")
    scores = {anna.pk: 900, ben.pk: 40, cara.pk: 40, dan.pk: 0}
    sue, mona = supervisor(), manager()
    asked: dict[str, Any] = {"code": "SPRING", "by": sue, "now": LATER}
    assert refused(score_tournament, **asked | {"now": CLOSES}, scores=scores) == ("tournament-open", "act-cp:16.2")
    assert refused(score_tournament, **asked, scores={anna.pk: 1})[0] == "scores-incomplete"
    assert refused(finish_tournament, **asked)[0] == "not-scored"
    score_tournament(**asked, scores=scores | {dan.pk: 5})
    score_tournament(**asked, scores=scores)  # corrected
    assert refused(finish_tournament, **asked)[0] == "scores-not-confirmed"
    other = scores | {ben.pk: 41}
    assert refused(score_tournament, **asked | {"by": mona}, scores=other)[0] == "scores-differ"
    score_tournament(**asked | {"by": mona}, scores=scores)
    assert refused(score_tournament, **asked, scores=other)[0] == "scores-stand"
    assert refused(propose_calling_off, code="SPRING", why="My friend lost.", by=mona)[0] == "scores-stand"
    assert refused(enter, player="Eve", now=LATER) == ("tournament-begun", "act-cp:16.2")
    finish_tournament(code="SPRING", by=mona, now=LATER)
    # Retained 10% of 200.20; 180.18 by 50/30/20, Ben and Cara sharing second and third.
    assert [(each.place, str(each.prize)) for each in TournamentEntry.objects.order_by("id")] == [
        (1, "90.09"),
        (2, "45.05"),
        (2, "45.04"),
        (4, "0.00"),
    ]
    assert (books(accounts.TOURNAMENT_FEES), books(accounts.TOURNAMENTS)) == ("20.02", "180.18")
    assert refused(finish_tournament, code="SPRING", by=mona)[0] == "tournament-over"
    assert refused(score_tournament, **asked, scores=scores)[0] == "tournament-over"
    assert refused(propose_calling_off, code="SPRING", why="No.", by=mona)[0] == "tournament-over"
    paid = pay_tournament_prize(entry_id=anna.pk, by=sue, method="cheque", now=LATER)
    assert paid.paid_how == "cheque"
    pay_tournament_prize(entry_id=ben.pk, by=sue, now=LATER)
    pay_tournament_prize(entry_id=cara.pk, by=sue, now=LATER)
    assert refused(pay_tournament_prize, entry_id=anna.pk, by=sue)[0] == "already-paid"
    assert refused(pay_tournament_prize, entry_id=dan.pk, by=sue) == ("nothing-to-pay", "act-cp:16.4")
    assert refused(pay_tournament_prize, entry_id=0, by=sue)[0] == "no-such-entry"
    # Everything that came in has gone out, to the cent.
    assert books(accounts.TOURNAMENTS) == "0.00"
    assert (books(accounts.CAGE), books(accounts.BANK)) == ("110.11", "-90.09")
    kinds = Transfer.objects.filter(kind__startswith="promotions.tournament").values_list("kind", flat=True)
    assert sorted(set(kinds)) == [
        "promotions.tournament-entry",
        "promotions.tournament-prize",
        "promotions.tournament-retained",
    ]
    (act,) = Act.objects.filter(kind="tournament.finished")
    assert (act.data["fees"], act.data["retained"]) == ("200.20", "20.02")


@pytest.mark.clause("act-cp:16.4")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"retained": 1_001}, "retained-too-much"),
        ({"retained": -1}, "retained-too-much"),
        ({"prizes": [9_999]}, "prizes-not-whole"),
        ({"prizes": [10_000, 0]}, "prizes-not-whole"),
        ({"prizes": []}, "prizes-not-whole"),
    ],
    ids=str,
)
def test_conditions_that_keep_too_much_are_refused(change: dict[str, Any], code: str) -> None:
    asked = ASKED | {"by": supervisor()}
    assert refused(propose, **asked, new=TERMS | change) == (code, "act-cp:16.4")


@pytest.mark.parametrize(
    "change",
    [
        {"name": " "},
        {"game": 7},
        {"play": "x" * 4_001},
        {"entry_fee": "0.00"},
        {"entry_fee": 5},
        {"closes_at": "tomorrow"},
        {"most_entries": 0},
        {"retained": "10%"},
        {"prizes": 10_000},
        {"prizes": [True]},
        {"strange": 1},
    ],
    ids=str,
)
def test_conditions_that_cannot_be_read_are_refused(change: dict[str, Any]) -> None:
    asked = ASKED | {"by": supervisor()}
    assert refused(propose, **asked, new=TERMS | change)[0] == "value-not-readable"
    assert refused(propose, **asked | {"subject": "tournament:spring"}, new=TERMS)[0] == "no-such-subject"
    assert refused(propose, **asked, new="cup")[0] == "value-not-readable"


def test_conditions_need_another_person_and_stand_once_somebody_has_entered() -> None:
    made = propose(**ASKED, new=TERMS, by=manager())
    assert refused(approve, proposal_id=made.pk, by=manager())[0] != ""
    assert refused(enter, player="Anna")[0] == "tournament-not-approved"
    approve(proposal_id=made.pk, by=inspector())
    enter("Anna")
    assert refused(propose, **ASKED, new=TERMS | {"retained": 0}, by=manager())[0] == "tournament-entered"


def test_withdrawn_conditions_take_no_entries() -> None:
    asked = ASKED | {"by": supervisor()}
    assert refused(propose, **asked, new=None)[0] == "nothing-changes"
    approve_conditions()
    approve_conditions(None)
    assert refused(enter, player="Anna") == ("tournament-not-approved", "act-cp:16.2")


def test_a_full_tournament_and_an_unnamed_player() -> None:
    approve_conditions(TERMS | {"most_entries": 1})
    assert refused(enter_tournament, code="SPRING", card=" ", by=supervisor(), now=NOW)[0] == "card-unknown"
    assert refused(enter_tournament, code="SPRING", card="", by=supervisor(), now=NOW)[0] == "card-needed"
    enter("Anna")
    assert refused(enter, player="Ben") == ("tournament-full", "act-cp:16.2")
    card = card_of("Ben")
    assert refused(enter_tournament, code="SPRING", card=card, by=inspector(), now=NOW)[0] == "no-permission"


def test_a_tournament_is_called_off_by_two_and_a_third_gives_every_fee_back() -> None:
    approve_conditions()
    entries = [enter(player) for player in ("Anna", "Ben")]
    sue, mona, cashier = supervisor(), manager(), someone("writer", "wes")
    assert refused(propose_calling_off, code="SPRING", why=" ", by=sue)[0] == "reason-missing"
    assert refused(propose_calling_off, code="SPRING", why="Mine.", by=cashier)[0] == "no-permission"
    assert refused(propose_calling_off, code="SUMMER", why="Rain.", by=sue)[0] == "no-such-tournament"
    made = propose_calling_off(code="SPRING", why="Too few players.", by=sue)
    assert refused(propose_calling_off, code="SPRING", why="Again.", by=mona)[0] == "proposed-already"
    assert refused(approve, proposal_id=made.pk, by=sue)[0] == "own-proposal"
    assert (books(accounts.TOURNAMENTS), Tournament.objects.get().cancelled_at) == ("100.10", None)
    with pytest.raises(DatabaseError), transaction.atomic():
        Tournament.objects.update(cancelled_at=NOW, cancelled_by="staff:x", cancel_proposed_by=None)
    with pytest.raises(DatabaseError), transaction.atomic():
        Tournament.objects.update(cancelled_at=NOW, cancelled_by="staff:x", cancel_proposed_by="staff:x")
    assert approve(proposal_id=made.pk, by=mona).status == "effective"
    assert books(accounts.TOURNAMENTS) == "100.10"  # owed until somebody comes for it
    assert refused(pay_tournament_prize, entry_id=entries[0].pk, by=sue)[0] == "nothing-to-pay"
    assert refused(enter, player="Cara")[0] == "tournament-over"
    for each in (sue, mona):
        assert refused(refund_entry, entry_id=entries[0].pk, by=each)[0] == "two-people-needed"
    for entry in entries:
        refund_entry(entry_id=entry.pk, by=cashier, now=NOW)
    assert (books(accounts.TOURNAMENTS), books(accounts.CAGE)) == ("0.00", "0.00")
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEntry.objects.update(paid_by="staff:x")
    called_off = Tournament.objects.get()
    assert (called_off.cancel_reason, called_off.cancelled_by) == ("Too few players.", mona.identity)
    (act,) = Act.objects.filter(kind="tournament.called-off")
    assert (act.actor, act.data["owed"], act.data["proposal"]) == (mona.identity, "100.10", made.pk)


def test_what_stands_meanwhile_is_not_called_off() -> None:
    approve_conditions()
    entry, sue, mona = enter("Anna"), supervisor(), manager()
    made = propose_calling_off(code="SPRING", why="Too few players.", by=sue)
    for each in (sue, mona):
        score_tournament(code="SPRING", scores={entry.pk: 1}, by=each, now=LATER)
    done = approve(proposal_id=made.pk, by=mona)
    assert (done.status, Tournament.objects.get().cancelled_at) == ("failed", None)
    asked = {"kind": "promotions.call-off-tournament", "subject": "tournament:SPRING", "why": "Rain.", "by": mona}
    assert refused(propose, **asked, new={"called_off": False})[0] == "not-called-off"
    assert refused(propose, **asked | {"subject": "keno-tournament:SPRING"}, new=None)[0] == "no-such-tournament"


@pytest.mark.clause("act-cp:16.4")
@pytest.mark.parametrize(("players", "fee", "rate"), [(7, "33.33", 999), (1, "0.01", 1_000), (13, "19.99", 0)])
def test_the_balance_is_paid_whole_whatever_it_is(players: int, fee: str, rate: int) -> None:
    """Oracle: exact fractions. Retained is at most the rate; prizes and retained are the fees, to the cent."""
    approve_conditions(TERMS | {"entry_fee": fee, "retained": rate})
    entries = [enter(f"Player {n}") for n in range(players)]
    for each in (supervisor(), manager()):
        score_tournament(code="SPRING", scores={entry.pk: n % 5 for n, entry in enumerate(entries)}, by=each, now=LATER)
    finish_tournament(code="SPRING", by=manager(), now=LATER)
    tournament = Tournament.objects.get()
    fees = Fraction(fee) * players
    assert tournament.retained is not None
    assert (
        Fraction(str(tournament.retained))
        <= fees * Fraction(rate, 10_000)
        < Fraction(str(tournament.retained)) + Fraction(1, 100)
    )
    prizes = sum((Fraction(str(entry.prize)) for entry in TournamentEntry.objects.all()), Fraction(0))
    assert prizes + Fraction(str(tournament.retained)) == fees
    for entry in TournamentEntry.objects.filter(place__lte=3):
        pay_tournament_prize(entry_id=entry.pk, by=supervisor(), now=LATER)
    assert books(accounts.TOURNAMENTS) == "0.00"


ANNA = Identity(
    name="Anna Marsh", born=date(1980, 2, 29), address="1 Lake Street", document="passport", document_number="PA1"
)


@pytest.mark.clause("act-cp:16.4")
def test_a_large_prize_goes_by_cheque_to_somebody_known_and_past_two_people() -> None:
    approve_conditions(TERMS | {"entry_fee": "20000.00", "prizes": [10_000]})
    assert refused(enter, player="Anna")[0] == "identity-needed"  # the fee alone asks for it
    entry = enter("Anna", identity=ANNA)
    sue, mona = supervisor(), manager()
    for each in (sue, mona):
        score_tournament(code="SPRING", scores={entry.pk: 1}, by=each, now=LATER)
    finish_tournament(code="SPRING", by=mona, now=LATER)
    pay: dict[str, Any] = {
        "entry_id": entry.pk,
        "method": "cheque",
        "cheque_number": "000779",
        "identity": ANNA,
        "by": sue,
        "now": LATER,
    }
    assert refused(pay_tournament_prize, **pay)[0] == "supervisor-needed"
    authorise_prize(entry_id=entry.pk, by=mona)
    assert refused(authorise_prize, entry_id=entry.pk, by=sue)[0] == "authorised-already"
    assert refused(pay_tournament_prize, **pay | {"by": mona})[0] == "two-people-needed"
    assert refused(pay_tournament_prize, **pay | {"method": "cash", "cheque_number": ""})[0] == "cheque-number"
    assert refused(pay_tournament_prize, **pay | {"method": "chips"})[0] == "method-unknown"
    assert refused(pay_tournament_prize, **pay | {"cheque_number": " "})[0] == "cheque-number"
    assert refused(pay_tournament_prize, **pay | {"identity": None})[0] == "identity-needed"
    assert books(accounts.TOURNAMENTS) == "18000.00"
    paid = pay_tournament_prize(**pay)
    assert (paid.cheque_number, paid.authorised_by) == ("000779", mona.identity)
    assert CashLine.objects.get(what="tournament-prize").identity == ANNA.as_json()
    assert (books(accounts.TOURNAMENTS), books(accounts.BANK)) == ("0.00", "-18000.00")
    (act,) = Act.objects.filter(kind="tournament.payment-authorised")
    assert (act.subject, act.data) == ("tournament:SPRING", {"entry": entry.pk, "amount": "18000.00"})
    for changes in ({"paid_by": "staff:mona"}, {"cheque_number": "000780"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            TournamentEntry.objects.update(**changes)


def test_entries_of_another_room_are_not_found() -> None:
    approve_conditions()
    entry = enter("Anna")
    by = Actor("device:W-1", "W-1", frozenset({"keno.pay"}))
    assert refused(keno_tournaments.pay_tournament_prize, entry_id=entry.pk, by=by)[0] == "no-such-entry"


def test_steps_are_those_that_the_verbs_allow() -> None:
    approve_conditions(TERMS | {"entry_fee": "20000.00", "prizes": [10_000]})
    entry, sue, mona = enter("Anna", identity=ANNA), supervisor(), manager()
    tournament = Tournament.objects.get()
    assert tournament_steps(ANY_GAME, TournamentStatus.OPEN, tournament, sue).enter
    assert not tournament_steps(ANY_GAME, TournamentStatus.OPEN, tournament, inspector()).cancel
    score_tournament(code="SPRING", scores={entry.pk: 1}, by=sue, now=LATER)
    tournament.refresh_from_db()
    assert not tournament_steps(ANY_GAME, TournamentStatus.SCORED, tournament, sue).confirm
    assert tournament_steps(ANY_GAME, TournamentStatus.SCORED, tournament, mona).confirm
    assert not tournament_steps(ANY_GAME, TournamentStatus.SCORED, tournament, mona).finish
    score_tournament(code="SPRING", scores={entry.pk: 1}, by=mona, now=LATER)
    assert tournament_steps(ANY_GAME, TournamentStatus.CONFIRMED, tournament, sue).finish
    finish_tournament(code="SPRING", by=mona, now=LATER)
    entry.refresh_from_db()
    before = prize_steps(ANY_GAME, entry, sue)
    assert (before.large, before.by_cheque, before.authorise, before.pay) == (True, True, True, False)
    authorise_prize(entry_id=entry.pk, by=mona)
    entry.refresh_from_db()
    assert prize_steps(ANY_GAME, entry, sue).pay
    assert not prize_steps(ANY_GAME, entry, mona).pay
