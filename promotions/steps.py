"""What may be done next, and by whom. The verbs make their checks here; pages and calls ask the same functions.

A function that begins with ``must`` refuses; one that begins with ``of`` answers every step that would not be refused
to this person now. What only the words of a form can decide (a reason that is missing, an amount) is the verb's.
Winners and claims are in `promotions.prize_steps`, files of entries in `promotions.import_steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from house.permissions import AS_INSPECTOR, PROPOSE, VIEW_PLAYERS
from house.persons import is_another
from house.times import for_people
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.refusal import Conflict, Forbidden, Refusal
from promotions.lifecycle import NOT_STARTED, OPEN_IN, OVER, TRANSITIONS, Status, Step
from promotions.models import Draw, EntryList, Prize, Promotion
from promotions.permissions import (
    AMEND,
    CLAIM,
    DRAFT,
    DRAW,
    ENTER,
    ERASE,
    EXCLUDE,
    EXPORT,
    IMPORT,
    INTEGRITY,
    NOTIFY,
    PERSONAL,
    SCRUTINISE,
    SEE,
    SUBMIT,
    VOID_DRAW,
    WITHDRAW,
)
from promotions.rules.editions import Edition, needs_scrutineer
from promotions.versions import edition_of

Clause = Callable[[Edition], str]

PERMISSION: Final[Mapping[Step, Permission]] = {
    Step.EDIT: DRAFT,
    Step.SUBMIT: SUBMIT,
    Step.REDRAFT: DRAFT,
    Step.GIVE_UP: SUBMIT,
    Step.START: SUBMIT,
    Step.AMEND: AMEND,
    Step.ENTER: ENTER,
    Step.IMPORT: IMPORT,
    Step.WITHDRAW: WITHDRAW,
    Step.CLOSE: SUBMIT,
    Step.SEAL: SUBMIT,
    Step.DRAW: DRAW,
    Step.POSTPONE: INTEGRITY,
    Step.RESUME: INTEGRITY,
    Step.CANCEL: INTEGRITY,
    Step.VOID: VOID_DRAW,
    Step.VOID_FOR_GOOD: VOID_DRAW,
}
_NOT_NOW: Final[Mapping[Step, str]] = {
    Step.EDIT: "its terms are not edited any more, but taken back or amended",
    Step.SUBMIT: "it cannot be submitted now",
    Step.REDRAFT: "it cannot be taken back to be edited now",
    Step.GIVE_UP: "it is cancelled only if its integrity is compromised",
    Step.START: "it cannot be started now",
    Step.AMEND: "its terms are not amended now",
    Step.ENTER: "it takes no entries",
    Step.IMPORT: "it takes no entries",
    Step.WITHDRAW: "its list of entries stands",
    Step.CLOSE: "it cannot be closed now",
    Step.SEAL: "it cannot be sealed now",
    Step.DRAW: "it cannot be drawn now",
    Step.RECORD: "nobody has been asked about its draw",
    Step.FINISH: "it cannot be finished now",
    Step.POSTPONE: "it cannot be postponed now",
    Step.RESUME: "it is not postponed",
    Step.CANCEL: "it cannot be cancelled now",
    Step.VOID: "it has no draw that could be void",
    Step.VOID_FOR_GOOD: "it has no draw that could be void",
}
_ASKED: Final = frozenset({Status.DRAWING, Status.DRAWN})
_STOPS: Final = frozenset({Step.POSTPONE, Step.CANCEL})
_CLAUSE: Final[Mapping[Step, Clause]] = {
    Step.SUBMIT: lambda rules: rules.clause("submission"),
    Step.START: lambda rules: rules.clause("submission"),
    Step.GIVE_UP: lambda rules: rules.clause("integrity"),
    Step.AMEND: lambda rules: rules.clause("amendment"),
    Step.ENTER: lambda rules: rules.particular("7.6"),
    Step.IMPORT: lambda rules: rules.particular("7.6"),
    Step.CLOSE: lambda rules: rules.particular("7.6"),
    Step.DRAW: lambda rules: rules.particular("7.7"),
    Step.POSTPONE: lambda rules: rules.clause("integrity"),
    Step.RESUME: lambda rules: rules.clause("integrity"),
    Step.CANCEL: lambda rules: rules.clause("integrity"),
    Step.VOID: lambda rules: rules.clause("integrity"),
    Step.VOID_FOR_GOOD: lambda rules: rules.clause("integrity"),
}


class DrawStep(StrEnum):
    """What may be done in the draw room besides the steps of the promotion itself."""

    NOMINATE = "nominate"
    ATTEND = "attend"  # at the scrutineer's own screen
    ATTEND_HERE = "attend-here"  # the scrutineer signs in at the operator's screen
    SIGN = "sign"
    SIGN_HERE = "sign-here"
    PRACTISE = "practise"
    DICE = "dice"  # the inspector's, while the witness is away
    DISPUTE = "dispute"


class PeopleStep(StrEnum):
    """What may be done with what is known of the people of a promotion."""

    SEE = "see-people"
    EXPORT = "export"
    ERASE = "erase"
    OTHER_CLAIM = "other-claim"  # somebody claims a prize that is not his by the draw


class RoomStep(StrEnum):
    """What may be done that is not done to one promotion."""

    SEE = "see"
    DRAFT = "draft"
    ENTER = "enter"
    NOTIFY = "notify"
    EXCLUDE = "exclude"
    SEE_PLAYERS = "see-players"
    PROPOSE = "propose"


_ROOM: Final[Mapping[RoomStep, Permission]] = {
    RoomStep.SEE: SEE,
    RoomStep.DRAFT: DRAFT,
    RoomStep.ENTER: ENTER,
    RoomStep.NOTIFY: NOTIFY,
    RoomStep.EXCLUDE: EXCLUDE,
    RoomStep.SEE_PLAYERS: VIEW_PLAYERS,
    RoomStep.PROPOSE: PROPOSE,
}


def of_room(by: Actor) -> frozenset[RoomStep]:
    return frozenset(step for step, permission in _ROOM.items() if by.may(permission))


def allows(check: Callable[[], object]) -> bool:
    """Whether this check would not refuse."""
    try:
        check()
    except Refusal:
        return False
    return True


# A promotion


def must_allow(step: Step, promotion: Promotion) -> None:
    """Refuse a step that its status does not allow: 409, with the clause that decides."""
    status = Status(promotion.status)
    if status in OPEN_IN[step]:
        return
    if step is Step.CANCEL and status in NOT_STARTED:
        words = f"Promotion {promotion.code} has not started: cancel it as such."
    elif step is Step.AMEND and status is Status.DRAFT:
        words = f"Promotion {promotion.code} is draft: edit its draft."
    elif step in _STOPS and status in _ASKED:
        words = (
            f"The witness has been asked about the draw of {promotion.code}: propose that it is void. A second person "
            "and the inspector decide."
        )
    else:
        words = f"Promotion {promotion.code} is {status}: {_NOT_NOW[step]}."
    clause = _CLAUSE.get(step)
    raise Conflict(f"promotion-{status}", words, clause=clause(edition_of(promotion)) if clause else None)


def take(step: Step, promotion: Promotion) -> Status:
    """The status that the step leads to, or a refusal."""
    must_allow(step, promotion)
    return TRANSITIONS[Status(promotion.status), step]


def of_promotion(promotion: Promotion, by: Actor) -> frozenset[Step | PeopleStep]:
    status = Status(promotion.status)
    found: set[Step | PeopleStep] = {
        step for step, permission in PERMISSION.items() if status in OPEN_IN[step] and by.may(permission)
    }
    if by.may(PERSONAL):
        found.add(PeopleStep.SEE)
    if by.may(EXPORT) and allows(lambda: must_be_known(promotion)):
        found.add(PeopleStep.EXPORT)
    if by.may(CLAIM) and promotion.drawn_at is not None:
        found.add(PeopleStep.OTHER_CLAIM)
    return frozenset(found)


def must_be_known(promotion: Promotion) -> None:
    """Refuse where the people of a promotion have been forgotten."""
    if promotion.erased_at is not None:
        raise Conflict("entrant-forgotten", f"The personal data of {promotion.code} was deleted, as its terms say.")


def must_be_forgettable(promotion: Promotion, *, until: datetime | None, now: datetime) -> None:
    if promotion.erased_at is not None:
        raise Conflict("already-erased", f"The personal data of {promotion.code} has been deleted already.")
    if until is None or now < until:
        when = f" Its terms keep it until {for_people(until)}." if until else " It is not over."
        raise Conflict("retention-lasts", f"The personal data of {promotion.code} is kept for now.{when}")


def of_people(promotion: Promotion, by: Actor, *, until: datetime | None, now: datetime) -> frozenset[PeopleStep]:
    erase = by.may(ERASE) and allows(lambda: must_be_forgettable(promotion, until=until, now=now))
    return frozenset({PeopleStep.ERASE} if erase else ())


# A draw


def is_overseen(prizes: Iterable[Prize]) -> bool:
    """17.2, 15.2: where one prize is worth more than $10,000."""
    return any(needs_scrutineer(prize.value) for prize in prizes)


def must_be_promised(promotion: Promotion, draw: Draw | None) -> Draw:
    """The one promise was made before entries closed, whatever attempt this is."""
    if draw is None or (promotion.closed_at and draw.promise.made_at >= promotion.closed_at):
        raise Conflict(
            "nothing-promised",
            f"Nothing was promised for {promotion.code} while its entries were open: it is not drawn.",
        )
    return draw


def must_be_drawable(
    promotion: Promotion, draw: Draw | None, prizes: Sequence[Prize], *, by: Actor, now: datetime
) -> Draw:
    """Its time has come, its seed was promised, and where one must be there the scrutineer is, who never draws."""
    must_allow(Step.DRAW, promotion)
    edition = edition_of(promotion)
    assert promotion.draw_at is not None
    if now < promotion.draw_at:
        raise Conflict(
            "not-its-time",
            f"By its terms {promotion.code} is drawn {for_people(promotion.draw_at)}.",
            clause=edition.particular("7.7"),
        )
    draw = must_be_promised(promotion, draw)
    if is_overseen(prizes) and draw.attended_at is None:
        raise Conflict(
            "scrutineer-absent",
            "A prize is worth more than $10,000: the nominated scrutineer must be there before it is drawn.",
            clause=edition.clause("scrutineer"),
        )
    if not is_another(by, DRAW, draw.scrutineer):
        raise Conflict("scrutineer-draws", "Who oversees a draw does not draw it.", clause=edition.clause("scrutineer"))
    return draw


def must_be_waiting(promotion: Promotion, draw: Draw | None, *, by: Actor) -> Draw:
    """The witness has been asked and does not answer, and the scrutineer is there: the inspector may throw dice."""
    must_allow(Step.RECORD, promotion)
    assert draw is not None  # the table of steps has it so
    if draw.attended_at is None or not is_another(by, SCRUTINISE, draw.scrutineer):
        raise Conflict(
            "scrutineer-absent",
            "Dice are thrown before the scrutineer, who is another person: nominate one, who says that he is there.",
            clause=edition_of(promotion).clause("scrutineer"),
        )
    return draw


def must_want_scrutineer(draw: Draw) -> None:
    """Who oversees a draw that needs it is there before it begins; where nobody needed to be, somebody may come later:
    for dice, and for a prize that its winner loses."""
    if draw.begun_at is not None and (draw.scrutinised or draw.attended_at is not None):
        raise Conflict("already-drawn", f"{draw.promotion.code} has been drawn, or the witness asked.")


def must_be_drawn(draw: Draw) -> None:
    if draw.drawn_at is None:
        clause = edition_of(draw.promotion).clause("scrutineer")
        raise Conflict("not-drawn", f"{draw.promotion.code} has not been drawn.", clause=clause)


def must_be_scrutineer(draw: Draw, by: Actor) -> None:
    by.require(SCRUTINISE)
    if draw.scrutineer != by.identity:
        raise Forbidden(
            "not-the-scrutineer",
            "Only the nominated scrutineer does this.",
            clause=edition_of(draw.promotion).clause("scrutineer"),
        )


def of_draw(
    promotion: Promotion, draw: Draw | None, prizes: Sequence[Prize], *, by: Actor, now: datetime
) -> frozenset[Step | DrawStep]:
    found: set[Step | DrawStep] = {step for step in of_promotion(promotion, by) if isinstance(step, Step)}
    found.discard(Step.DRAW)
    if by.may(DRAW):
        found.add(DrawStep.PRACTISE)
        if allows(lambda: must_be_drawable(promotion, draw, prizes, by=by, now=now)):
            found.add(Step.DRAW)
    if draw is not None:
        found.update(_of_attempt(draw, by))
    if by.may(AS_INSPECTOR) and allows(lambda: must_be_waiting(promotion, draw, by=by)):
        found.add(DrawStep.DICE)
    return frozenset(found)


def _of_attempt(draw: Draw, by: Actor) -> Iterable[DrawStep]:
    waits, wanted = draw.drawn_at is None, allows(lambda: must_want_scrutineer(draw))
    if wanted and by.may(DRAW):
        yield DrawStep.NOMINATE
    if not waits and by.may(INTEGRITY):  # a person may dispute anything: asked for where there is a result
        yield DrawStep.DISPUTE
    own = allows(lambda: must_be_scrutineer(draw, by))
    here = bool(draw.scrutineer) and by.may(DRAW) and is_another(by, DRAW, draw.scrutineer)
    if wanted and draw.attended_at is None:
        yield from (step for step, may in ((DrawStep.ATTEND, own), (DrawStep.ATTEND_HERE, here)) if may)
    if not waits and draw.attended_at is not None and draw.signed_at is None:
        yield from (step for step, may in ((DrawStep.SIGN, own), (DrawStep.SIGN_HERE, here)) if may)


def may_come(promotion: Promotion, draw: Draw | None, sealed: EntryList | None, by: Actor) -> frozenset[Step]:
    """Steps for this person that may open while the draw room is looked at."""
    if promotion.status in OVER:
        return frozenset()
    comes = set()
    if by.may(DRAW) and (draw is None or draw.signed_at is None):
        comes.add(Step.DRAW)
    if by.may(SUBMIT) and sealed is None:
        comes.add(Step.SEAL)
    return frozenset(comes)
