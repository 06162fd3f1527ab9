"""Every power that says it takes several people: somebody who holds every right the house can give tries it alone.

The declaration is what the verbs ask (``house.persons.is_another`` refuses to be asked of a power that says one); here
is the other half: that what is declared is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from django.test import override_settings
from django.utils import timezone

from house import demo, gaming_days, permissions
from house.access import propose_access
from house.approvals import approve, kinds, propose
from house.approvals.letters import confirm_letter
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.matters import agree_to_dismissal, dismiss_matter, raise_matter
from house.cash.threshold import report_sent
from house.devices import register_device
from house.gaming_days import gaming_day_at
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.incidents import close_incident, open_incident, record_notice
from house.models import ThresholdReport
from house.permissions import AS_INSPECTOR, declared
from house.players.cards import register_player
from house.players.restrict import confirm, lift, restrict
from jackpot import permissions as jackpot
from jackpot.demo import build_demo as build_links
from keno import permissions as keno
from keno.cash_kinds import TICKET
from keno.demo import build_demo as build_keno
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.money import Money
from kernel.rooms import above
from promotions import permissions as promotions
from promotions.amend import amend_promotion
from promotions.claims import accept_claim, make_claim
from promotions.draft import edit_promotion
from promotions.enter import enter
from promotions.exclude import confirm_exclusion, exclude_card, readmit_card
from promotions.imports import begin_import, confirm_import, go_on
from promotions.losses import second_loss, sign_loss, winner_ineligible
from promotions.models import Win
from promotions.pay import Paid, pay_prize
from promotions.reject_import import reject_import
from promotions.scrutineer import attend, nominate_scrutineer
from promotions.submit import submit_promotion
from promotions.tournaments import (
    authorise_prize,
    enter_tournament,
    finish_tournament,
    propose_calling_off,
    refund_entry,
    score_tournament,
)
from promotions.tournaments import pay_tournament_prize as pay_tournament
from promotions.void import propose_void
from promotions.withdraw import withdraw_entry
from tablegames import permissions as tablegames
from tablegames.payment_errors import close_error, rectify, report_change_error
from tests.plugins.worlds import kept
from tests.powers import alone_at_jackpots as at_jackpots
from tests.powers import alone_at_keno as at_keno
from tests.powers.alone import alone, decided_by_proposer, other, stands_alone
from tests.world.approvals import INSPECTOR, letter_for
from tests.world.people import account
from tests.world.promotion_draws import drawn, sealed
from tests.world.promotions import drafted, running
from tests.world.proposals import WEEK, one_of_each_kind
from tests.world.stock import RECEIVER
from tests.world.tournaments import card_of
from tournaments.permissions import DECIDE_CALL_OFF

pytestmark = pytest.mark.django_db
Shows = Callable[[Actor], None]
HOURS: Final = {day: ["10:00", "04:00"] for day in WEEK}


def solo() -> Actor:
    """Everything that the house can give to one person. What is an inspector's it cannot give."""
    held = frozenset(str(each) for each in declared().values() if each != AS_INSPECTOR)
    return Actor("staff:manager", "Marcus Lindqvist", held)


def _open_house() -> None:
    gaming_days.forget()
    with override_settings(DEMO=True):
        demo.build_demo()
        build_links()
        build_keno()


opened = kept(_open_house)


@pytest.fixture(autouse=True)
def house(opened: None, settings: Any) -> None:
    settings.DEMO = True


# What is proposed


def _access(by: Actor) -> None:
    made = propose_access(username="writer", because="lost-both", why="Lost.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def _device(by: Actor) -> None:
    held = {"name": "Night audit", "kind": "service", "profile": "supervisor"}
    alone("needs-second-person", verb=register_device, by=by, **held)
    decided_by_proposer(by)


def _letter(by: Actor) -> None:
    made = propose(kind="house.opening-hours", subject="venue", new=HOURS, why="Winter.", by=other("supervisor"))
    type(made).objects.filter(pk=made.pk).update(authority="commission")
    letter = letter_for(made, by=by)
    alone("same-person", verb=confirm_letter, proposal_id=made.pk, sha256=letter.sha256, by=by)


def _inspector(by: Actor) -> None:
    """The house proposes: an inspector has nothing of his own to decide, and nobody who proposes is one."""
    asked = {"kind": "house.opening-hours", "subject": "venue", "new": HOURS, "why": "Winter."}
    alone("inspector-proposes", verb=propose, **asked, by=INSPECTOR)
    both = Actor(by.identity, by.name, by.permissions | {AS_INSPECTOR})
    waiting = one_of_each_kind()["keno.bonus"]
    alone("needs-inspector", verb=approve, proposal_id=waiting.pk, by=both)


def _submission(by: Actor) -> None:
    drafted("OWN", begin=timezone.now() + timedelta(days=3))
    edit_promotion(code="OWN", terms={"place": "Level 2"}, by=by)
    alone("same-person", verb=submit_promotion, code="OWN", by=by)


def _amendment(by: Actor) -> None:
    running("OLD", "2019")
    amend_promotion(code="OLD", changes={"awarded_where": "Level 2"}, why="Clearer.", by=by)
    decided_by_proposer(by)


def _amendment_decided(by: Actor) -> None:
    running("NEW", "2025")
    amend_promotion(code="NEW", changes={"awarded_where": "Level 2"}, why="Clearer.", by=by)
    decided_by_proposer(by)


# Players, cash, the counter


def _exclusion(by: Actor) -> None:
    player = register_player(name="Pat Morgan", card="C-1", by=by)
    made = restrict(player_number=player.number, kind="exclusion", reason="He asked.", by=by)
    for verb in (confirm, lift):
        alone("same-person", verb=verb, restriction_id=made.pk, by=by)


def _threshold_report(by: Actor) -> None:
    now = timezone.now()
    day = gaming_day_at(now).date
    paid = HandedOver(kind=TICKET, payment=1, reference="x", cash=Money.dollars(12_000), day=day, at=now)
    hand_over(paid, receiver=Receiver(identity=RECEIVER), by=by)
    alone("two-people-needed", verb=report_sent, report_id=ThresholdReport.objects.get().pk, by=by)


def _matter(by: Actor) -> None:
    matter = raise_matter(what="He counted twice.", by=other("writer"))
    dismiss_matter(matter_id=matter.pk, why="A teller.", by=by)
    alone("two-people-needed", verb=agree_to_dismissal, matter_id=matter.pk, by=by)


def _wrong_change(by: Actor, *, owed: int, paid: int) -> int:
    return report_change_error(
        cause="cash-change", owed=Money.dollars(owed), paid=Money.dollars(paid), what="Wrong change.", by=by
    ).pk


def _underpayment(by: Actor) -> None:
    error = _wrong_change(by, owed=9000, paid=0)
    alone("same-person", verb=rectify, error_id=error, amount=Money.dollars(9000), how="In cash.", by=by)


def _given_up(by: Actor) -> None:
    error = _wrong_change(by, owed=0, paid=9000)
    alone("same-person", verb=close_error, error_id=error, outcome="attempted", what="He is gone.", by=by)


def _excluded_card(by: Actor) -> None:
    register_player(name="Pat Morgan", card="C-1", by=by)
    exclude_card(card="C-1", why="employee", by=by)
    for verb in (confirm_exclusion, readmit_card):
        alone("same-person", verb=verb, card="C-1", by=by)


def _withdrawn_entry(by: Actor) -> None:
    running("LIST")
    entry = enter(code="LIST", card="C-1", by=by)
    saying = partial(withdraw_entry, code="LIST", number=entry.pk, why="An employee.", by=by)
    saying()
    alone("same-person", verb=saying)


def _imported_file(by: Actor) -> None:
    running("FILE")
    made = begin_import(code="FILE", name="f.csv", lines=["reference,card\n", "1,C-1\n"], by=by)
    go_on(made.pk)
    alone("same-person", verb=confirm_import, import_id=made.pk, by=by)
    saying = partial(reject_import, import_id=made.pk, why="Another month's.", by=by)
    saying()
    alone("same-person", verb=saying)


def _own_incident(by: Actor) -> None:
    made = open_incident(kind=EQUIPMENT_MALFUNCTION, what="He pulled the plug.", by=by)
    record_notice(incident_id=made.pk, to="inspector", how="telephone", by=by)
    alone("own-affair", verb=close_incident, incident_id=made.pk, outcome="Nothing.", by=by)


# Promotions


def _prize(by: Actor) -> None:
    drawn()
    claim = make_claim(win_id=Win.objects.get().pk, name="Ben Ngata", address="2 Hill Road", by=by)
    accept_claim(claim_id=claim.pk, by=by)
    cash = [Paid("cash", Win.objects.get().value, "")]
    alone("same-person", verb=pay_prize, claim_id=claim.pk, parts=cash, by=by)


def _scrutineer(by: Actor) -> None:
    sealed()
    alone("scrutineer-draws", verb=nominate_scrutineer, code="SPRING", scrutineer=by.identity, by=by)


def _void_draw(by: Actor) -> None:
    drawn()
    stands_alone(propose_void(code="SPRING", then="again", why="Smoke.", by=by), by)


def _lost_prize(by: Actor) -> None:
    drawn()
    win = Win.objects.get()
    winner_ineligible(win_id=win.pk, why="An employee.", by=by)
    alone("same-person", verb=second_loss, win_id=win.pk, by=by)
    second_loss(win_id=win.pk, by=other("supervisor"))
    account(by, "manager")
    nominate_scrutineer(code="SPRING", scrutineer=by.identity, by=other("manager"))
    attend(code="SPRING", by=by)
    alone("same-person", verb=sign_loss, win_id=win.pk, by=by)


def _tournament(by: Actor, *, fee: str) -> int:
    now = timezone.now()
    closes = now + timedelta(days=2)
    new = {"name": "Poker night", "game": "Lunar Poker", "entry_fee": fee, "retained": 0, "prizes": [10000],
           "play": "Chips.", "closes_at": closes.isoformat()}  # fmt: skip
    made = propose(kind="promotions.tournament", subject="tournament:POKER", new=new, why="Winter.", by=by)
    approve(proposal_id=made.pk, by=INSPECTOR)
    entry = enter_tournament(code="POKER", card=card_of("Tia"), identity=RECEIVER, by=by)
    score_tournament(code="POKER", scores={entry.pk: 1}, by=by, now=closes + timedelta(seconds=1))
    return entry.pk


def _scored_too(entry: int) -> None:
    later = timezone.now() + timedelta(days=3)
    score_tournament(code="POKER", scores={entry: 1}, by=other("manager"), now=later)


def _scores(by: Actor) -> None:
    _tournament(by, fee="50.00")
    alone("scores-not-confirmed", verb=finish_tournament, code="POKER", by=by)


def _tournament_prize(by: Actor) -> None:
    entry = _tournament(by, fee=str(above(promotions.PAY_TOURNAMENT) + Money.dollars(1)))
    _scored_too(entry)
    finish_tournament(code="POKER", by=other("manager"))
    asked: dict[str, Any] = {"entry_id": entry, "method": "cheque", "cheque_number": "1", "identity": RECEIVER}
    alone("supervisor-needed", verb=pay_tournament, **asked, by=by)
    authorise_prize(entry_id=entry, by=by)
    alone("two-people-needed", verb=pay_tournament, **asked, by=by)


def _called_off(by: Actor) -> None:
    """Neither who proposed it nor who decided hands a fee back."""
    entry = _tournament(by, fee="50.00")
    made = propose_calling_off(code="POKER", why="Smoke.", by=by)
    stands_alone(made, by)
    approve(proposal_id=made.pk, by=(second := other("manager")))
    for each in (by, second):
        alone("two-people-needed", verb=refund_entry, entry_id=entry, by=each)


SHOWN: Final[dict[Permission, Shows]] = {
    permissions.PROPOSE: decided_by_proposer,
    permissions.DECIDE_HOUSE: decided_by_proposer,
    permissions.DECIDE_STAFF: decided_by_proposer,
    permissions.DECIDE_LEDGER: decided_by_proposer,
    permissions.ADJUST_LEDGER: decided_by_proposer,
    permissions.MANAGE_PERMISSIONS: decided_by_proposer,
    permissions.MANAGE_STAFF: _access,
    permissions.MANAGE_DEVICES: _device,
    permissions.AS_INSPECTOR: _inspector,
    permissions.RECORD_LETTERS: _letter,
    permissions.RESTRICT_PLAYERS: _exclusion,
    permissions.REPORT_THRESHOLD: _threshold_report,
    permissions.MATTERS: _matter,
    permissions.CLOSE_INCIDENTS: _own_incident,
    keno.PAY: at_keno.keno_payment,
    keno.PAY_LARGE: at_keno.keno_payment,
    keno.SHIFT_OTHERS: at_keno.others_shift,
    keno.CASH: at_keno.drawer,
    keno.CLAIM: at_keno.keno_claim,
    keno.PAY_CLAIM: at_keno.paid_claim,
    keno.CHECK_PAPER: at_keno.paid_paper,
    keno.HOLD: at_keno.held_prize,
    keno.VOID_WIN: at_keno.void_win,
    keno.DECIDE_VOID_WIN: at_keno.void_win,
    keno.RUN_GAMES: at_keno.balls,
    keno.STOP_DRAW: at_keno.stopped_draw,
    keno.DECIDE_VOID: at_keno.void_unasked,
    keno.OVERPAYMENT: at_keno.overpaid,
    keno.DECIDE_OVERPAYMENT: at_keno.overpaid,
    keno.RESETTLE: at_keno.resettled,
    keno.DECIDE_RESETTLEMENT: at_keno.resettled,
    keno.INVALIDATE: at_keno.stopped_game,
    keno.TOURNAMENT: decided_by_proposer,
    keno.DECIDE: decided_by_proposer,
    jackpot.INVALIDATE: at_jackpots.round_with_a_hit,
    jackpot.VERIFY: at_jackpots.verification,
    jackpot.PAY: at_jackpots.jackpot_payment,
    jackpot.AUTHORISE: at_jackpots.authorisation,
    jackpot.DENY: at_jackpots.denial,
    jackpot.HELD: at_jackpots.held_contributions,
    jackpot.VOID_MOVEMENT: at_jackpots.void_movement,
    jackpot.DECIDE: decided_by_proposer,
    promotions.SUBMIT: _submission,
    promotions.AMEND: _amendment,
    promotions.DECIDE_TERMS: _amendment_decided,
    promotions.WITHDRAW: _withdrawn_entry,
    promotions.EXCLUDE: _excluded_card,
    promotions.IMPORT: _imported_file,
    promotions.DRAW: _scrutineer,
    promotions.SCRUTINISE: _scrutineer,
    promotions.VOID_DRAW: _void_draw,
    promotions.LOSE: _lost_prize,
    promotions.PAY: _prize,
    promotions.RUN_TOURNAMENT: _scores,
    promotions.PAY_TOURNAMENT: _tournament_prize,
    promotions.REFUND_TOURNAMENT: _called_off,
    DECIDE_CALL_OFF: _called_off,
    tablegames.DECIDE: decided_by_proposer,
    tablegames.SIGNS: decided_by_proposer,
    tablegames.RECTIFY: _underpayment,
    tablegames.CLOSE: _given_up,
}


def test_every_power_of_several_people_is_shown_to_be_one() -> None:
    assert {each for each in declared().values() if each.people > 1} == set(SHOWN)
    assert {each for kind in kinds().values() for each in (kind.propose_permission, kind.permission) if each} <= set(
        SHOWN
    )


@pytest.mark.parametrize("shown", list(dict.fromkeys(SHOWN.values())), ids=lambda shown: shown.__name__.strip("_"))
def test_one_person_with_every_right_is_not_enough(shown: Shows) -> None:
    shown(solo())
