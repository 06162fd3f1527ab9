"""Every power that says it takes several people: somebody who holds every right the house can give tries it alone.

The declaration is what the verbs ask (``house.persons.is_another`` refuses to be asked of a power that says one); here
is the other half: that what is declared is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.test import override_settings
from django.utils import timezone

from draws import ask as draws
from house import demo, gaming_days, permissions
from house.access import propose_access
from house.approvals import approve, kinds, propose, reject
from house.approvals.letters import confirm_letter
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.matters import agree_to_dismissal, dismiss_matter, raise_matter
from house.cash.threshold import report_sent
from house.devices import register_device
from house.gaming_days import gaming_day_at
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.incidents import close_incident, open_incident, record_notice
from house.models import Proposal, ThresholdReport
from house.permissions import AS_INSPECTOR, declared
from house.players.cards import register_player
from house.players.restrict import lift, restrict
from jackpot import permissions as jackpot
from jackpot.contribute import Message, contribute_bulk, decide_held
from jackpot.demo import build_demo as build_links
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.models import Hit
from jackpot.movements import seal_movement
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from jackpot.void_round import invalidate_round
from keno import permissions as keno
from keno.balls import confirm_balls, count_balls, enter_balls
from keno.cash_kinds import TICKET
from keno.choose_device import choose_device
from keno.claims import make_claim as make_keno_claim
from keno.close import close_game
from keno.demo import build_demo as build_keno
from keno.draw import ask_witness
from keno.hold import hold_prize, release_hold
from keno.invalidate import invalidate_game
from keno.kept_paper import tick_off
from keno.models import ClaimReason, Draw, Game, KenoSettings, Payment, Shift
from keno.pay import authorise_payment, pay_ticket
from keno.resettle import propose_resettlement
from keno.sell import sell_ticket
from keno.shifts import close_shift, fill, open_shift
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.void_win import propose_void_win
from kernel.actors import Actor, system
from kernel.codes import Permission
from kernel.money import Money
from kernel.rooms import above
from promotions import permissions as promotions
from promotions.amend import amend_promotion
from promotions.claims import accept_claim, make_claim
from promotions.exclude import exclude_card, readmit_card
from promotions.losses import second_loss, sign_loss, winner_ineligible
from promotions.models import Win
from promotions.pay import Paid, pay_prize
from promotions.scrutineer import attend, nominate_scrutineer
from promotions.tournaments import authorise_prize, enter_tournament, finish_tournament, score_tournament
from promotions.tournaments import pay_tournament_prize as pay_tournament
from promotions.void import propose_void
from tablegames import permissions as tablegames
from tablegames.payment_errors import close_error, rectify, report_change_error
from tests.plugins.worlds import kept
from tests.world.approvals import INSPECTOR, letter_for
from tests.world.keno_counter import move, win
from tests.world.mystery_link import open_mystery_link, played
from tests.world.people import someone
from tests.world.promotion_draws import drawn, sealed
from tests.world.promotions import running
from tests.world.refusals import refusal
from tests.world.stock import PLAIN, RECEIVER, WEEK, one_of_each_kind
from tests.world.tournaments import card_of

pytestmark = pytest.mark.django_db
Shows = Callable[[Actor], None]
HOURS: Final = {day: ["10:00", "04:00"] for day in WEEK}
ROYAL: Final = ["AS", "KS", "QS", "JS", "TS"]


def solo() -> Actor:
    """Everything that the house can give to one person. What is an inspector's it cannot give."""
    held = frozenset(str(each) for each in declared().values() if each != AS_INSPECTOR)
    return Actor("staff:manager", "Marcus Lindqvist", held)


def other(role: str) -> Actor:
    return someone(role, "somebody-else")


def alone(*codes: str, verb: Callable[..., object], **asked: Any) -> None:
    """It is refused, for being done by the same person."""
    assert refusal(verb, **asked).code in codes


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


def _decided_by_proposer(by: Actor) -> None:
    """Of every kind: whoever proposed it decides nothing, and nothing has changed by the proposal itself."""
    everything = Actor(by.identity, by.name, by.permissions | {AS_INSPECTOR})
    for proposal in one_of_each_kind().values():
        type(proposal).objects.filter(pk=proposal.pk).update(proposed_by=by.identity)
        for verb in (approve, reject):
            for who in (by, everything):
                alone("own-proposal", verb=verb, proposal_id=proposal.pk, by=who)


def _access(by: Actor) -> None:
    made = propose_access(username="writer", because="lost-both", why="Lost.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def _device(by: Actor) -> None:
    held = {"name": "Night audit", "kind": "service", "profile": "supervisor"}
    alone("needs-second-person", verb=register_device, by=by, **held)
    _decided_by_proposer(by)


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


def _keno_claim(by: Actor) -> None:
    sold = _won(by, "60.00")
    make_keno_claim(
        serial=sold.serial,
        reason=ClaimReason.LOST,
        claimant={"name": "A", "address": "B", "contact": "C"},
        grounds="Lost.",
        by=by,
    )
    _decided_by_proposer(by)


def _amendment(by: Actor) -> None:
    running("OLD", "2019")
    amend_promotion(code="OLD", changes={"awarded_where": "Level 2"}, why="Clearer.", by=by)
    _decided_by_proposer(by)


def _amendment_decided(by: Actor) -> None:
    running("NEW", "2025")
    amend_promotion(code="NEW", changes={"awarded_where": "Level 2"}, why="Clearer.", by=by)
    _decided_by_proposer(by)


# Players, cash, the counter


def _exclusion(by: Actor) -> None:
    player = register_player(name="Pat Morgan", card="C-1", by=by)
    made = restrict(player_number=player.number, kind="exclusion", reason="He asked.", by=by)
    alone("same-person", verb=lift, restriction_id=made.pk, by=by)


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
    alone("same-person", verb=readmit_card, card="C-1", by=by)


def _own_incident(by: Actor) -> None:
    made = open_incident(kind=EQUIPMENT_MALFUNCTION, what="He pulled the plug.", by=by)
    record_notice(incident_id=made.pk, to="inspector", how="telephone", by=by)
    alone("own-affair", verb=close_incident, incident_id=made.pk, outcome="Nothing.", by=by)


def _won(by: Actor, amount: str) -> Any:
    open_shift(by=by, opening_float=Money.dollars(2_000))
    sold = sell_ticket(request=PLAIN, by=by)
    win(sold.ticket, amount)
    sold.ticket.code = sold.security_code  # type: ignore[attr-defined]
    return sold.ticket


def _keno_payment(by: Actor) -> None:
    """Up to the approved amount one pays; above it one authorises, and another pays."""
    limit = above(keno.PAY)
    small, large = str(limit), str(limit + Money.parse("0.01"))
    ticket = _won(by, small)
    asked: dict[str, Any] = {"security_code": ticket.code, "identity": RECEIVER, "by": by}
    paid = pay_ticket(serial=ticket.serial, **asked)
    assert paid.payment.supervisor is None
    assert paid.continuation is not None
    asked["security_code"] = paid.continuation.security_code
    win(ticket, large, game=ticket.first_game + 1)
    alone("supervisor-needed", verb=pay_ticket, serial=ticket.serial, **asked)
    authorise_payment(serial=ticket.serial, by=by)
    alone("two-people-needed", verb=pay_ticket, serial=ticket.serial, **asked)


def _paid_paper(by: Actor) -> None:
    """Whoever paid a ticket does not tick it off."""
    paid = Payment.objects.create(
        ticket=_won(by, "10.00"), amount=Money.dollars(10), method="cash", cash=Money.dollars(10),
        paid_at=timezone.now(), day=timezone.now().date(), paid_by=by.identity, retain_until=timezone.now(),
    )  # fmt: skip
    alone("needs-second-person", verb=tick_off, payment_id=paid.pk, by=by)


def _held_prize(by: Actor) -> None:
    """Whoever put a prize on hold does not end the hold."""
    serial = _won(by, "10.00").serial
    hold_prize(serial=serial, why="A breach?", by=by)
    alone("needs-second-person", verb=release_hold, serial=serial, why="No.", by=by)


def _void_win(by: Actor) -> None:
    """Whoever proposed that a winner is void does not decide it."""
    ticket = _won(by, "10.00")
    move(ticket.first_game, "settled")
    made = propose_void_win(serial=ticket.serial, game=ticket.first_game, why="A breach.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def _others_shift(by: Actor) -> None:
    shift = open_shift(by=other("writer"), opening_float=Money.dollars(500))
    for _ in range(2):
        close_shift(shift_id=shift.pk, counted_cash=Money.dollars(500), by=by)
    assert Shift.objects.get(pk=shift.pk).closed_at is None


def _drawer(by: Actor) -> None:
    shift = open_shift(by=other("writer"))
    for _ in range(2):
        assert fill(shift_id=shift.pk, amount=Money.dollars(100), by=by).waits


def _balls(by: Actor) -> None:
    KenoSettings.objects.update(balls_confirmed=True)
    number = _drawn_with_balls(by)
    alone("needs-second-person", verb=confirm_balls, number=number, by=by)
    assert Draw.objects.get(game=number).finished_at is None


def _resettled(by: Actor) -> None:
    """Whoever proposed that a game is settled again does not decide it."""
    number = _drawn_with_balls(by)
    made = propose_resettlement(number=number, numbers=list(range(2, 22)), why="Seen.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def _void_unasked(by: Actor) -> None:
    """Whoever proposed that a draw is void does not decide it, though nobody was asked yet."""
    number = Game.objects.get(status="open").number
    close_game(number=number, by=by)
    made = void_or_propose(number=number, by=by, cause="malfunction", reason="Smoke.")
    assert isinstance(made, Proposal)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def _drawn_with_balls(by: Actor) -> int:
    choose_device(device="mechanical", by=by)
    invalidate_game(number=Game.objects.get(status="open").number, by=by)  # the next is drawn with balls
    number = Game.objects.get(status="open").number
    close_game(number=number, by=by)
    count_balls(number=number, counted=80, ball_set="A", by=by)
    enter_balls(number=number, balls=list(range(1, 21)), by=by)
    return number


# Jackpots


def _hit(dealer: Actor) -> Hit:
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=dealer)
    (hit,) = finish_round(round_id=started.pk, hands=[Dealt(box=2, cards=ROYAL)], by=dealer)
    return hit


def _verification(by: Actor) -> None:
    alone("same-person", verb=verify_hit, hit_id=_hit(by).pk, cards=ROYAL, surveillance="CAM-1", by=by)


def _jackpot_payment(by: Actor) -> None:
    """Neither who dealt nor who verified pays: three people."""
    dealt = _hit(by)
    verify_hit(hit_id=dealt.pk, cards=ROYAL, surveillance="CAM-1", by=other("supervisor"))
    alone("same-person", verb=pay_hit, hit_id=dealt.pk, identity=RECEIVER, payment_reference="1", by=by)
    seen = _hit(other("dealer"))
    verify_hit(hit_id=seen.pk, cards=ROYAL, surveillance="CAM-1", by=by)
    alone("same-person", verb=pay_hit, hit_id=seen.pk, identity=RECEIVER, payment_reference="1", by=by)


def _denial(by: Actor) -> None:
    alone("same-person", verb=deny_hit, hit_id=_hit(by).pk, reason="Foreign card.", by=by)


def _round_with_a_hit(by: Actor) -> None:
    number = _hit(by).round_id
    alone("same-person", verb=invalidate_round, round_id=number, cause="fire", why="A marked card.", by=by)


def _held_contributions(by: Actor) -> None:
    much = Message(id="much", table="BOOM-01", wagers=5_000, at=timezone.now())
    (held,) = contribute_bulk(messages=[much], by=by).held
    alone("same-person", verb=decide_held, batch_id=held.batch, release=True, by=by)


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
    _stands_alone(propose_void(code="SPRING", then="again", why="Smoke.", by=by), by)


def _stands_alone(proposal: Game | Proposal, by: Actor) -> None:
    """Who proposed it neither stands behind it nor decides it."""
    assert isinstance(proposal, Proposal)
    for who in (by, Actor(by.identity, by.name, by.permissions | {AS_INSPECTOR})):
        alone("own-proposal", verb=approve, proposal_id=proposal.pk, by=who)


def _asked_about(by: Actor) -> int:
    """The game on sale, closed; its draw has begun."""
    number = Game.objects.get(status="open").number
    close_game(number=number, by=by)
    ask_witness(number=number, now=timezone.now())
    return number


def _stopped_draw(by: Actor) -> None:
    _stands_alone(void_or_propose(number=_asked_about(by), by=by, cause="malfunction", reason="Smoke."), by)


def _stopped_game(by: Actor) -> None:
    _stands_alone(invalidate_or_propose(number=_asked_about(by), by=by, cause="fire", reason="Smoke."), by)


def _void_movement(by: Actor) -> None:
    link = open_mystery_link()
    played()
    seal = seal_movement(link, now=timezone.now(), by=system("tests"))
    assert seal is not None
    draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=system("tests"))
    new = {"number": 1, "attempt": 1, "cause": "Smoke."}
    _stands_alone(propose(kind="jackpot.void-attempt", subject="jackpot:MYS", new=new, why="Smoke.", by=by), by)


def _lost_prize(by: Actor) -> None:
    drawn()
    win = Win.objects.get()
    winner_ineligible(win_id=win.pk, why="An employee.", by=by)
    alone("same-person", verb=second_loss, win_id=win.pk, by=by)
    second_loss(win_id=win.pk, by=other("supervisor"))
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


SHOWN: Final[dict[Permission, Shows]] = {
    permissions.PROPOSE: _decided_by_proposer,
    permissions.DECIDE_HOUSE: _decided_by_proposer,
    permissions.DECIDE_STAFF: _decided_by_proposer,
    permissions.DECIDE_LEDGER: _decided_by_proposer,
    permissions.ADJUST_LEDGER: _decided_by_proposer,
    permissions.MANAGE_PERMISSIONS: _decided_by_proposer,
    permissions.MANAGE_STAFF: _access,
    permissions.MANAGE_DEVICES: _device,
    permissions.AS_INSPECTOR: _inspector,
    permissions.RECORD_LETTERS: _letter,
    permissions.RESTRICT_PLAYERS: _exclusion,
    permissions.REPORT_THRESHOLD: _threshold_report,
    permissions.MATTERS: _matter,
    permissions.CLOSE_INCIDENTS: _own_incident,
    keno.PAY: _keno_payment,
    keno.PAY_LARGE: _keno_payment,
    keno.SHIFT_OTHERS: _others_shift,
    keno.CASH: _drawer,
    keno.CLAIM: _keno_claim,
    keno.CHECK_PAPER: _paid_paper,
    keno.HOLD: _held_prize,
    keno.VOID_WIN: _void_win,
    keno.DECIDE_VOID_WIN: _void_win,
    keno.RUN_GAMES: _balls,
    keno.STOP_DRAW: _stopped_draw,
    keno.DECIDE_VOID: _void_unasked,
    keno.RESETTLE: _resettled,
    keno.DECIDE_RESETTLEMENT: _resettled,
    keno.INVALIDATE: _stopped_game,
    keno.DECIDE: _decided_by_proposer,
    jackpot.INVALIDATE: _round_with_a_hit,
    jackpot.VERIFY: _verification,
    jackpot.PAY: _jackpot_payment,
    jackpot.DENY: _denial,
    jackpot.HELD: _held_contributions,
    jackpot.VOID_MOVEMENT: _void_movement,
    jackpot.DECIDE: _decided_by_proposer,
    promotions.AMEND: _amendment,
    promotions.DECIDE_TERMS: _amendment_decided,
    promotions.EXCLUDE: _excluded_card,
    promotions.DRAW: _scrutineer,
    promotions.SCRUTINISE: _scrutineer,
    promotions.VOID_DRAW: _void_draw,
    promotions.LOSE: _lost_prize,
    promotions.PAY: _prize,
    promotions.RUN_TOURNAMENT: _scores,
    promotions.PAY_TOURNAMENT: _tournament_prize,
    tablegames.DECIDE: _decided_by_proposer,
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
