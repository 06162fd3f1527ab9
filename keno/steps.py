"""What may be done next, and by whom: with a game, a ticket, a shift, an order, a claim. Pure.

The verbs refuse by these checks, and pages show only what they allow: each ``…_steps`` asks the very functions that
the verb asks, so that no page offers what would be refused for these reasons, and none hides what would be done.

The life of a game is the one table of what may follow what:

    scheduled -> open -> closed -> sealed -> drawing -> drawn -> settled
                                      ^---------void-----/

An attempt that is void leaves the game sealed, to be redrawn from the same tickets under its own number (12.2-12.4). An
invalidated game (14) is over: it is not redrawn. The database refuses every other change of status by a trigger made
from this same table. An attempt by generator has begun when the witness is asked: from then on nobody stops or changes
it without another person of the house and the inspector (``is_asked``; ``stop_draw.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from house.permissions import AS_INSPECTOR, PROPOSE, VIEW_APPROVALS
from house.persons import is_another
from keno import permissions
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal

if TYPE_CHECKING:
    from keno.models import Claim, Draw, Game, Order, PrizeHold, Shift, Ticket, Voucher
    from kernel.money import Money


class Status(StrEnum):
    SCHEDULED = "scheduled"
    OPEN = "open"
    CLOSED = "closed"
    SEALED = "sealed"
    DRAWING = "drawing"
    DRAWN = "drawn"
    SETTLED = "settled"
    INVALIDATED = "invalidated"


class Step(StrEnum):
    OPEN = "opened"
    CLOSE = "closed"
    SEAL = "sealed"
    FIRST_NUMBER = "drawn"
    LAST_NUMBER = "finished"
    SETTLE = "settled"
    VOID = "declared void"
    INVALIDATE = "invalidated"


TRANSITIONS: Final[Mapping[tuple[Status, Step], Status]] = MappingProxyType(
    {
        (Status.SCHEDULED, Step.OPEN): Status.OPEN,
        (Status.OPEN, Step.CLOSE): Status.CLOSED,
        (Status.CLOSED, Step.SEAL): Status.SEALED,  # the set of tickets, once and for ever
        (Status.SEALED, Step.FIRST_NUMBER): Status.DRAWING,  # 7.2: after the game has closed
        (Status.DRAWING, Step.LAST_NUMBER): Status.DRAWN,  # 7.1: the twentieth
        (Status.DRAWN, Step.SETTLE): Status.SETTLED,
        # Before the first number (12.2: balls are missing), during the draw (12.3, 12.4) or after it, until it counts.
        (Status.CLOSED, Step.VOID): Status.CLOSED,
        (Status.SEALED, Step.VOID): Status.SEALED,
        (Status.DRAWING, Step.VOID): Status.SEALED,
        (Status.DRAWN, Step.VOID): Status.SEALED,
        # A settled game stands: its prizes may be in players' hands. Balls recorded wrongly are put right by two people
        # (``resettle.py``); whatever else is wrong with it then is a dispute (14.6).
        (Status.OPEN, Step.INVALIDATE): Status.INVALIDATED,
        (Status.CLOSED, Step.INVALIDATE): Status.INVALIDATED,
        (Status.SEALED, Step.INVALIDATE): Status.INVALIDATED,
        (Status.DRAWING, Step.INVALIDATE): Status.INVALIDATED,
        (Status.DRAWN, Step.INVALIDATE): Status.INVALIDATED,
    }
)

_DRAWN: Final = 20  # 7.1
# For the trigger: a status that stays the same is no transition.
CHANGES: Final = sorted({(old.value, new.value) for (old, _), new in TRANSITIONS.items() if old != new})

OVER: Final = frozenset({Status.SETTLED, Status.INVALIDATED})
# Closed, and without all its numbers yet.
TO_DRAW: Final = (Status.CLOSED, Status.SEALED, Status.DRAWING)

_CLAUSES: Final[Mapping[Step, str]] = {
    Step.FIRST_NUMBER: "act-keno:7.2",
    Step.LAST_NUMBER: "act-keno:7.1",
    Step.VOID: "act-keno:12.3",
    Step.INVALIDATE: "act-keno:14.1",
}


def after(status: str, step: Step, *, game: int) -> Status:
    """The status that *step* leads to, or a refusal: 409, with the clause where there is one."""
    new = TRANSITIONS.get((Status(status), step))
    if new is None:
        raise Conflict(
            f"game-{status}",
            f"Game {game} is {status}: it cannot be {step} now.",
            clause=_CLAUSES.get(step),
        )
    return new


def _allowed(check: Callable[..., object], *args: object, **named: object) -> bool:
    try:
        check(*args, **named)
    except Refusal:
        return False
    return True


# ── A game ──────────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class GameSteps:
    close: bool
    draw: bool
    enter_balls: bool
    void: bool
    invalidate: bool
    confirm_balls: bool  # another person's, all twenty, to be read back
    count_balls: bool  # before the first one
    correct_ball: bool  # that was mistyped
    throw_dice: bool  # in the place of a witness that is away: an inspector's


def require_generator(game: Game) -> None:
    """Its numbers come from the seed, and it is being drawn or the next to be."""
    if game.device != "rng":
        raise Conflict("device-mechanical", f"Game {game.number} is drawn with the mechanical device: enter its balls.")
    _require_drawing(game)


def require_balls(game: Game) -> None:
    """Its balls are being drawn or are the next to be."""
    if game.device != "mechanical":
        raise Conflict("device-rng", f"Game {game.number} is drawn by random number generator: it has no balls.")
    _require_drawing(game)


def _require_drawing(game: Game) -> None:
    if game.status != Status.DRAWING:
        after(game.status, Step.FIRST_NUMBER, game=game.number)


def game_steps(game: Game, actor: Actor, *, draw: Draw | None = None, waits_for_witness: bool = False) -> GameSteps:
    """*draw*: its standing attempt, where the balls of a mechanical one matter."""

    def leads_on(step: Step) -> bool:
        return _allowed(after, game.status, step, game=game.number)

    runs = actor.may(permissions.RUN_GAMES)
    balls = runs and _allowed(require_balls, game)
    counted, entered = (draw.balls_counted, draw.entered_by) if draw is not None else (None, [])
    complete = draw is not None and len(draw.numbers) == _DRAWN
    return GameSteps(
        close=runs and leads_on(Step.CLOSE),
        draw=runs and _allowed(require_generator, game),
        enter_balls=balls and counted is not None and not complete,
        count_balls=balls and game.status != Status.DRAWING,
        correct_ball=balls and draw is not None and bool(draw.numbers),
        void=runs and leads_on(Step.VOID),
        invalidate=actor.may(permissions.INVALIDATE) and leads_on(Step.INVALIDATE),
        confirm_balls=balls and complete and is_another(actor, permissions.RUN_GAMES, *entered),
        throw_dice=actor.may(AS_INSPECTOR) and waits_for_witness and _allowed(require_generator, game),
    )


# ── A ticket ────────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class TicketSteps:
    look_up: bool  # with its security code, to see what it won
    pay: bool
    authorise: bool
    cancel: bool
    reprint: bool
    void: bool
    hold: bool
    release: bool
    void_win: bool  # of games that it won and was not paid for


def require_not_cancelled(ticket: Ticket) -> None:
    if ticket.cancelled_from is not None:
        raise Conflict("cancelled-already", "This ticket was cancelled before.", clause="act-keno:6.1")


def require_not_stopped(ticket: Ticket) -> None:
    if ticket.cancelled_from is not None:
        raise Conflict("cancelled-already", "This ticket plays no further game already.", clause="act-keno:14.3")


def ticket_steps(
    ticket: Ticket,
    actor: Actor,
    *,
    owing: Money,
    still_playing: bool,
    shown: bool = True,
    hold: PrizeHold | None = None,
) -> TicketSteps:
    """*shown*: the paper is there, or the caller sees everything. Otherwise nothing tells what it won."""
    free = hold is None
    return TicketSteps(
        look_up=not shown,
        pay=actor.may(permissions.PAY) and shown and bool(owing) and free,
        authorise=actor.may(permissions.PAY_LARGE) and bool(owing) and free,
        cancel=actor.may(permissions.CANCEL) and shown and still_playing and _allowed(require_not_cancelled, ticket),
        reprint=actor.may(permissions.REPRINT),
        void=actor.may(permissions.VOID_WAGER) and still_playing and _allowed(require_not_stopped, ticket),
        hold=actor.may(permissions.HOLD) and free and (still_playing or bool(owing)),
        release=actor.may(permissions.HOLD) and hold is not None and is_another(actor, permissions.HOLD, hold.put_by),
        void_win=actor.may(permissions.VOID_WIN) and bool(owing),
    )


def voucher_steps(voucher: Voucher, actor: Actor) -> frozenset[str]:
    may = actor.may(permissions.PAY_LARGE) and voucher.cashable and voucher.spent_at is None
    return frozenset({"authorise"} if may else ())


# ── A shift ─────────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class ShiftSteps:
    move_cash: bool
    close: bool


def require_open(shift: Shift) -> None:
    if shift.closed_at is not None:
        raise Conflict("shift-closed", f"Shift {shift.pk} is closed.")


def is_own(shift: Shift, by: Actor) -> bool:
    """A shift belongs to whoever opened it at that terminal: the person signed in there, or the device itself."""
    return shift.terminal == by.identity


def require_own_name(by: Actor, *names: str | None) -> None:
    """Nobody opens a shift in another's name, or at another's terminal."""
    if any(name not in (None, by.identity) for name in names):
        raise Forbidden("not-your-shift", "Everybody opens their own shift, at their own terminal.")


def require_may_close(shift: Shift, by: Actor) -> None:
    """Its own writer may; where it was left open, two others together."""
    by.require(permissions.SHIFT if is_own(shift, by) else permissions.SHIFT_OTHERS)


def require_may_move_cash(shift: Shift, by: Actor) -> None:
    """The shift's own writer is one of the two who hand it over; a supervisor, who is somebody else, the other."""
    by.require(permissions.SHIFT if is_own(shift, by) else permissions.CASH)


def require_may_see(shift: Shift, by: Actor) -> None:
    """A writer sees his own. Another's is as if it were not there."""
    if not (is_own(shift, by) or by.may(permissions.SEE_ALL)):
        raise NotFound("no-such-shift", f"There is no shift {shift.pk} of yours.")


def shift_steps(shift: Shift, actor: Actor) -> ShiftSteps:
    is_open = _allowed(require_open, shift)
    return ShiftSteps(
        move_cash=is_open and _allowed(require_may_move_cash, shift, actor),
        close=is_open and _allowed(require_may_close, shift, actor),
    )


# ── An order, a claim ───────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class OrderSteps:
    issue: bool
    withdraw: bool


def require_waiting(order: Order) -> None:
    if order.status != "waiting":
        raise Conflict("order-ended", f"Order {order.pk} is {order.status}.", clause="act-keno:4.8")


def order_steps(order: Order, actor: Actor, *, saleable: bool) -> OrderSteps:
    """*saleable*: what it asks for could be sold now."""
    waits = _allowed(require_waiting, order)
    return OrderSteps(
        issue=waits and saleable and actor.may(permissions.SELL), withdraw=waits and actor.may(permissions.ORDER)
    )


@dataclass(frozen=True, slots=True)
class ClaimSteps:
    pay: bool
    look: bool  # at the proposal that a second person decides


def require_payable(claim: Claim, by: Actor) -> None:
    """Approved, and by somebody else: by letter two of the house have put it in force."""
    if claim.paid_at is not None:
        raise Conflict("already-paid", f"Claim {claim.pk} has been paid.")
    if claim.approved_by is None:
        raise Conflict("not-approved", f"Claim {claim.pk} has not been approved.", clause="act-keno:11.1")
    if not is_another(by, permissions.PAY_CLAIM, claim.approved_by):
        raise Forbidden("needs-second-person", "Somebody else pays it: you have confirmed the inspector’s letter.")


def claim_steps(claim: Claim, actor: Actor, *, proposal: int | None) -> ClaimSteps:
    waits = claim.paid_at is None and claim.approved_by is None
    return ClaimSteps(
        pay=actor.may(permissions.PAY_CLAIM) and _allowed(require_payable, claim, actor),
        look=waits and proposal is not None and actor.may(VIEW_APPROVALS),
    )


# ── What is begun afresh ────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class RoomSteps:
    """What somebody may do that is not done to one game, ticket or shift."""

    sell: bool
    pay: bool
    cancel: bool
    open_shift: bool
    take_order: bool
    make_claim: bool
    choose_device: bool
    simulate: bool
    propose: bool
    print_receipt: bool
    see: bool
    see_all: bool
    see_claimants: bool


def room_steps(actor: Actor) -> RoomSteps:
    return RoomSteps(
        sell=actor.may(permissions.SELL),
        pay=actor.may(permissions.PAY),
        cancel=actor.may(permissions.CANCEL),
        open_shift=actor.may(permissions.SHIFT),
        take_order=actor.may(permissions.ORDER),
        make_claim=actor.may(permissions.CLAIM),
        choose_device=actor.may(permissions.CHOOSE_DEVICE),
        simulate=actor.may(permissions.REPORTS),
        propose=actor.may(PROPOSE),
        print_receipt=actor.may(permissions.PRINT),
        see=actor.may(permissions.SEE),
        see_all=actor.may(permissions.SEE_ALL),
        see_claimants=actor.may(permissions.CLAIMANTS),
    )
