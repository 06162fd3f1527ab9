"""Stopping a draw that has begun: proposed by one, another stands behind it, the inspector decides (DRAWS.md, 12, 14).

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
from keno.models import DrawDevice, Game, InvalidationCause
from keno.permissions import INVALIDATE, RUN_GAMES, STOP_DRAW
from keno.queries.games import find_game, game_of_subject
from keno.steps import Step, after
from keno.void import CAUSES, DrawBegun, require_cause, void, void_draw
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict
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
    """Declare the draw void or, where it has begun, propose that it is: the answer says which."""
    try:
        return void_draw(number=number, by=by, cause=cause, reason=reason, device=device, now=now)
    except DrawBegun:
        draw = current_attempt(find_game(number))
    new: dict[str, object] = {"attempt": draw.attempt, "cause": cause}
    why = reason.strip() or f"The draw of game {number} is to be void."
    if device is not None and device != draw.device:
        return _proposed(str(REDRAW_DEVICE), number, {**new, "device": device}, why=why, by=by)
    return _proposed(str(VOID_DRAW), number, new, why=why, by=by)


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
    """What waits to be decided about the draw of this game."""
    kinds = [str(VOID_DRAW), str(REDRAW_DEVICE), str(INVALIDATE_GAME)]
    waiting = Proposal.objects.filter(
        kind__in=kinds, subject=game_subject(number), status__in=[ProposalStatus.PROPOSED, ProposalStatus.APPROVED]
    )
    return waiting.order_by("id").first()


def _proposed(kind: str, number: int, new: dict[str, object], *, why: str, by: Actor) -> Proposal:
    waiting = stop_proposed(number)
    if waiting is not None:
        raise Conflict(
            "proposed-already",
            f"Proposal {waiting.pk} about the draw of game {number} waits: another person of the house and the "
            "inspector decide it.",
        )
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


def _check_device(subject: str, new: RedrawDevice) -> None:
    _check_attempt(subject, attempt=new.attempt, cause=new.cause, device=new.device)


def _check_invalidation(subject: str, new: InvalidateGame) -> None:
    game = game_of_subject(subject)
    require_invalidation_cause(new.cause)
    after(game.status, Step.INVALIDATE, game=game.number)


def _void(proposal: Proposal, new: VoidDraw, by: Actor) -> None:
    number, now = _number(proposal.subject), timezone.now()
    void(number=number, by=by, cause=new.cause, reason=proposal.why, now=now, proposal=proposal)


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
