"""Stopping a draw that has begun: proposed by one, another stands behind it, the inspector decides (DRAWS.md, 12, 14).
Before the witness is asked a generator's draw is void by two people of the house.

Void, invalidation and a change of device. Nothing happens until the inspector has decided; then the twenty numbers that
would have come are published, and only after that the next attempt is asked about, from the same promise and tickets.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from house.approvals import Approvable, Record, Shape, propose
from house.models import Proposal, ProposalStatus
from keno.acts import game_subject
from keno.attempts import current_attempt, said_of
from keno.invalidate import hold_to_invalidate, invalidate, invalidate_game
from keno.invalidate import require_cause as require_invalidation_cause
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, InvalidationCause
from keno.permissions import DECIDE_VOID, INVALIDATE, RUN_GAMES, STOP_DRAW
from keno.queries.games import find_game, game_of_subject
from keno.steps import Step, after
from keno.void import CAUSES, DrawBegun, OthersDecide, require_cause, void, void_draw
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, Refusal
from web.fields import Choice, WholeNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidDraw:
    """Which attempt, and what is wrong with it."""

    attempt: int
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrawDevice:
    attempt: int
    cause: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidateGame:
    cause: str


class VoidDrawValue(Record):
    """The attempt that is to be void."""

    attempt = WholeNumber(min_value=1, max_value=1_000, help_text="The one that stands.")
    cause = Choice(choices=list(CAUSES))
    makes = VoidDraw


class RedrawDeviceValue(Record):
    """The attempt that is to be void, and what the game is drawn with instead."""

    attempt = WholeNumber(min_value=1, max_value=1_000, help_text="The one that stands.")
    cause = Choice(choices=list(CAUSES))
    device = Choice(choices=DrawDevice.values)
    makes = RedrawDevice


class InvalidateGameValue(Record):
    """Why the game is not drawn at all (14.1, 14.4)."""

    cause = Choice(choices=InvalidationCause.values)
    makes = InvalidateGame


def void_or_propose(
    *, number: int, by: Actor, cause: str, reason: str, device: str | None = None, now: datetime | None = None
) -> Game | Proposal:
    """Declare the draw void or, where others decide it, propose that it is: the answer says which."""
    try:
        return void_draw(number=number, by=by, cause=cause, reason=reason, device=device, now=now)
    except OthersDecide:
        draw = current_attempt(find_game(number))
    refuse_second(number)
    if not reason.strip():
        raise Refusal("reason-missing", "Say why it cannot go on.", clause="act-keno:12.3", field="reason")
    new: dict[str, object] = {"attempt": draw.attempt, "cause": cause}
    kind = str(VOID_DRAW)
    if draw.device == DrawDevice.RNG and draw.asked is None:
        kind, new["device"] = str(VOID_UNASKED), device or draw.device
    elif device is not None and device != draw.device:
        kind, new["device"] = str(REDRAW_DEVICE), device
    return _proposed(kind, number, new, why=reason.strip(), by=by)


def invalidate_or_propose(
    *, number: int, by: Actor, cause: str, reason: str, now: datetime | None = None
) -> Game | Proposal:
    """Invalidate the game or, where its draw has begun, propose it: the answer says which."""
    try:
        return invalidate_game(number=number, by=by, cause=cause, reason=reason, now=now)
    except DrawBegun:
        why = reason.strip() or f"Game {number} is to be invalidated."
        return _proposed(str(INVALIDATE_GAME), number, {"cause": cause}, why=why, by=by)


def stop_proposed(number: int) -> Proposal | None:
    """What waits to be decided about the draw of this game. Once the witness is asked it is too late for two alone."""
    kinds = [str(VOID_DRAW), str(REDRAW_DEVICE), str(INVALIDATE_GAME)]
    if Draw.objects.filter(game=number, voided_at=None, asked=None).exists():
        kinds.append(str(VOID_UNASKED))
    waiting = Proposal.objects.filter(
        kind__in=kinds, subject=game_subject(number), status__in=[ProposalStatus.PROPOSED, ProposalStatus.APPROVED]
    )
    return waiting.order_by("id").first()


def refuse_second(number: int) -> None:
    waiting = stop_proposed(number)
    if waiting is not None:
        raise Conflict("proposed-already", f"Proposal {waiting.pk} about the draw of game {number} waits for others.")


def _proposed(kind: str, number: int, new: dict[str, object], *, why: str, by: Actor) -> Proposal:
    refuse_second(number)
    return propose(kind=kind, subject=game_subject(number), new=new, why=why, by=by)


def _number(subject: str) -> int:
    return game_of_subject(subject).number


def _nothing(subject: str) -> None:
    game_of_subject(subject)


def _check_attempt(subject: str, *, attempt: int, cause: str, device: str | None = None) -> None:
    game = game_of_subject(subject)
    after(game.status, Step.VOID, game=game.number)
    require_cause(cause=cause, device=device)
    draw = current_attempt(game)
    if draw.attempt != attempt:
        raise Conflict("another-attempt", f"Game {game.number} is at attempt {draw.attempt}.", field="new.attempt")
    if draw.asked is not None and device != DrawDevice.MECHANICAL and said_of(draw) is None:
        raise Conflict(
            "not-answered-yet",
            f"The witness has not answered about game {game.number}: what would have come cannot be published yet.",
            clause="act-keno:12.3",
        )


def _check_void(subject: str, new: VoidDraw) -> None:
    _check_attempt(subject, attempt=new.attempt, cause=new.cause)


def _check_unasked(subject: str, new: RedrawDevice) -> None:
    _check_attempt(subject, attempt=new.attempt, cause=new.cause, device=new.device)
    game = game_of_subject(subject)
    draw = current_attempt(game)
    if draw.asked is not None or draw.device != DrawDevice.RNG:
        raise DrawBegun("draw-begun", f"The draw of game {game.number} has begun.", clause="act-keno:12.3")


def _check_device(subject: str, new: RedrawDevice) -> None:
    _check_attempt(subject, attempt=new.attempt, cause=new.cause, device=new.device)


def _check_invalidation(subject: str, new: InvalidateGame) -> None:
    game = game_of_subject(subject)
    require_invalidation_cause(new.cause)
    after(game.status, Step.INVALIDATE, game=game.number)


def _void(proposal: Proposal, new: VoidDraw, by: Actor) -> None:
    number, now = _number(proposal.subject), timezone.now()
    void(number=number, by=by, cause=new.cause, reason=proposal.why, now=now, proposal=proposal)


def _void_unasked(proposal: Proposal, new: RedrawDevice, by: Actor) -> None:
    lock_game(_number(proposal.subject))  # nobody asks the witness meanwhile
    _check_unasked(proposal.subject, new)
    _redraw(proposal, new, by)


def _redraw(proposal: Proposal, new: RedrawDevice, by: Actor) -> None:
    number, now = _number(proposal.subject), timezone.now()
    void(number=number, by=by, cause=new.cause, reason=proposal.why, now=now, device=new.device, proposal=proposal)


def _hold_invalidation(subject: str, new: InvalidateGame) -> None:
    hold_to_invalidate(_number(subject), now=timezone.now())


def _invalidate(proposal: Proposal, new: InvalidateGame, by: Actor) -> None:
    number, now = _number(proposal.subject), timezone.now()
    invalidate(number=number, by=by, cause=new.cause, reason=proposal.why, now=now, proposal=proposal)


VOID_DRAW = Approvable(
    kind="keno.void-draw",
    label="Void draw",
    shape=Shape[VoidDraw](VoidDrawValue()),
    authority=Authority.INSPECTOR,
    propose_permission=RUN_GAMES,
    second=STOP_DRAW,
    describe=lambda subject, old, new: f"Attempt {new.attempt} at game {_number(subject)} is void: {new.cause}.",
    current=_nothing,
    check=_check_void,
    apply=_void,
)
REDRAW_DEVICE = Approvable(
    kind="keno.redraw-device",
    label="Change of device",
    shape=Shape[RedrawDevice](RedrawDeviceValue()),
    authority=Authority.INSPECTOR,
    propose_permission=RUN_GAMES,
    second=STOP_DRAW,
    describe=lambda subject, old, new: (
        f"Attempt {new.attempt} at game {_number(subject)} is void, and the game is drawn "
        f"{'with balls' if new.device == DrawDevice.MECHANICAL else 'by random number generator'}: {new.cause}."
    ),
    current=_nothing,
    check=_check_device,
    apply=_redraw,
)
VOID_UNASKED = Approvable(
    kind="keno.void-unasked",
    label="Void draw, before the witness is asked",
    shape=Shape[RedrawDevice](RedrawDeviceValue()),
    permission=DECIDE_VOID,
    authority=Authority.HOUSE,
    propose_permission=RUN_GAMES,
    describe=lambda subject, old, new: (
        f"Attempt {new.attempt} at game {_number(subject)} is void before the witness is asked: {new.cause}. It is "
        f"drawn again {'with balls' if new.device == DrawDevice.MECHANICAL else 'by random number generator'}."
    ),
    current=_nothing,
    check=_check_unasked,
    apply=_void_unasked,
)
INVALIDATE_GAME = Approvable(
    kind="keno.invalidate-game",
    label="Invalidate game",
    shape=Shape[InvalidateGame](InvalidateGameValue()),
    authority=Authority.INSPECTOR,
    propose_permission=INVALIDATE,
    second=STOP_DRAW,
    describe=lambda subject, old, new: f"Game {_number(subject)} is invalidated: {new.cause}.",
    current=_nothing,
    check=_check_invalidation,
    hold=_hold_invalidation,
    apply=_invalidate,
)
