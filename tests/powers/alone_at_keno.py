"""Keno’s powers of several people, tried by one person with every right."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from house.approvals import approve
from house.approvals.letters import confirm_letter
from house.models import Proposal
from keno import permissions as keno
from keno.balls import confirm_balls, count_balls, enter_balls
from keno.claims import make_claim as make_keno_claim
from keno.claims import pay_claim
from keno.close import close_game
from keno.draw import ask_witness
from keno.hold import hold_prize, release_hold
from keno.kept_paper import tick_off
from keno.models import Claim, ClaimReason, Draw, Game, KenoSettings, Payment, Shift
from keno.overpayments import propose_overpayment
from keno.pay import authorise_payment, pay_ticket
from keno.resettle import propose_resettlement
from keno.shifts import close_shift, fill, open_shift
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.void_win import propose_void_win
from kernel.actors import Actor
from kernel.money import Money
from kernel.rooms import above
from tests.powers.alone import alone, decided_by_proposer, other, stands_alone
from tests.world.approvals import letter_for
from tests.world.keno_played import on_balls, won_with_balls
from tests.world.stock import RECEIVER


def keno_claim(by: Actor) -> None:
    claimed(won(by, "60.00").serial, by=by)
    decided_by_proposer(by)


def claimed(serial: str, *, by: Actor) -> Claim:
    claimant = {"name": "A", "address": "B", "contact": "C"}
    return make_keno_claim(serial=serial, reason=ClaimReason.LOST, claimant=claimant, grounds="Lost.", by=by)


def paid_claim(by: Actor) -> None:
    """Whoever confirmed the inspector's letter does not pay what it approved."""
    clerk = other("manager")
    claim = claimed(won(by, "60.00").serial, by=clerk)
    proposal = Proposal.objects.get(subject=f"claim:{claim.pk}")
    letter = letter_for(proposal, by=clerk)
    confirm_letter(proposal_id=proposal.pk, sha256=letter.sha256, by=by)
    alone("needs-second-person", verb=pay_claim, claim_id=claim.pk, cheque_number="1", by=by)
    assert Claim.objects.get(pk=claim.pk).paid_at is None


def won(by: Actor, amount: str) -> Any:
    """A ticket that was sold by him, and has won this."""
    if not Shift.objects.filter(terminal=by.identity).exists():
        open_shift(by=by, opening_float=Money.dollars(2_000))
    supervisor = by if by.may(keno.RUN_GAMES) else other("supervisor")
    sold = won_with_balls(amount, writer=by, supervisor=supervisor)
    sold.ticket.code = sold.security_code  # type: ignore[attr-defined]
    return sold.ticket


def keno_payment(by: Actor) -> None:
    """Up to the approved amount one pays; above it one authorises, and another pays."""
    assert above(keno.PAY) == Money.dollars(10_000)
    small, large = won(by, "10000.00"), won(by, "12000.00")
    who: dict[str, Any] = {"identity": RECEIVER, "by": by}
    paid = pay_ticket(serial=small.serial, security_code=small.code, **who)
    assert paid.payment.supervisor is None
    asked = {"serial": large.serial, "security_code": large.code, **who}
    alone("supervisor-needed", verb=pay_ticket, **asked)
    authorise_payment(serial=large.serial, by=by)
    alone("two-people-needed", verb=pay_ticket, **asked)


def paid_paper(by: Actor) -> None:
    """Whoever paid a ticket does not tick it off."""
    ticket = won(by, "10.00")
    paid = pay_ticket(serial=ticket.serial, security_code=ticket.code, by=by).payment
    alone("needs-second-person", verb=tick_off, payment_id=paid.pk, by=by)


def held_prize(by: Actor) -> None:
    """Whoever put a prize on hold does not end the hold."""
    serial = won(by, "10.00").serial
    hold_prize(serial=serial, why="A breach?", by=by)
    alone("needs-second-person", verb=release_hold, serial=serial, why="No.", by=by)


def void_win(by: Actor) -> None:
    """Whoever proposed that a winner is void does not decide it."""
    ticket = won(by, "10.00")
    made = propose_void_win(serial=ticket.serial, game=ticket.first_game, why="A breach.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def others_shift(by: Actor) -> None:
    shift = open_shift(by=other("writer"), opening_float=Money.dollars(500))
    for _ in range(2):
        close_shift(shift_id=shift.pk, counted_cash=Money.dollars(500), by=by)
    assert Shift.objects.get(pk=shift.pk).closed_at is None


def drawer(by: Actor) -> None:
    shift = open_shift(by=other("writer"))
    for _ in range(2):
        assert fill(shift_id=shift.pk, amount=Money.dollars(100), by=by).waits


def balls(by: Actor) -> None:
    KenoSettings.objects.update(balls_confirmed=True)
    number = drawn_with_balls(by)
    alone("needs-second-person", verb=confirm_balls, number=number, by=by)
    assert Draw.objects.get(game=number).finished_at is None


def resettled(by: Actor) -> None:
    """Whoever proposed that a game is settled again does not decide it."""
    number = drawn_with_balls(by)
    made = propose_resettlement(number=number, numbers=list(range(2, 22)), why="Seen.", by=by)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def overpaid(by: Actor) -> None:
    """Nobody says of his own payment that it was too much; of another's, whoever says so does not decide it."""
    writer = other("writer")
    for payer in (by, writer):
        ticket = won(payer, "60.00")
        pay_ticket(serial=ticket.serial, security_code=ticket.code, by=payer)
    own, others = Payment.objects.order_by("id")
    asked: dict[str, Any] = {"amount": Money.dollars(9), "why": "Camera 2.", "by": by}
    alone("needs-second-person", verb=propose_overpayment, payment_id=own.pk, **asked)
    made = propose_overpayment(payment_id=others.pk, **asked)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def void_unasked(by: Actor) -> None:
    """Whoever proposed that a draw is void does not decide it, though nobody was asked yet."""
    number = Game.objects.get(status="open").number
    close_game(number=number, by=by)
    made = void_or_propose(number=number, by=by, cause="malfunction", reason="Smoke.")
    assert isinstance(made, Proposal)
    alone("own-proposal", verb=approve, proposal_id=made.pk, by=by)


def drawn_with_balls(by: Actor) -> int:
    number = on_balls(by=by)
    close_game(number=number, by=by)
    count_balls(number=number, counted=80, ball_set="A", by=by)
    enter_balls(number=number, balls=list(range(1, 21)), by=by)
    return number


def asked_about(by: Actor) -> int:
    """The game on sale, closed; its draw has begun."""
    number = Game.objects.get(status="open").number
    close_game(number=number, by=by)
    ask_witness(number=number, now=timezone.now())
    return number


def stopped_draw(by: Actor) -> None:
    stands_alone(void_or_propose(number=asked_about(by), by=by, cause="malfunction", reason="Smoke."), by)


def stopped_game(by: Actor) -> None:
    stands_alone(invalidate_or_propose(number=asked_about(by), by=by, cause="fire", reason="Smoke."), by)
