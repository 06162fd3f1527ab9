"""The draw room, as one reading: what is promised, sealed, drawn, signed and called, and what is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from house import people
from house.incidents import overdue
from house.models import Incident
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import NotFound
from promotions import prize_steps, queries, steps
from promotions.attempts import current_draw, said_to
from promotions.lifecycle import Step
from promotions.models import Draw, EntryList, Pick, Prize, Promotion, Win
from promotions.prize_steps import WinStep
from promotions.rules.editions import Edition
from promotions.rules.terms import Terms
from promotions.steps import DrawStep
from promotions.versions import edition_of, in_force, single_prizes, terms_of

ALTERNATES_SHOWN = 20
INCIDENTS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class WinLine:
    """A prize and who holds, or lost, it; *seconds* are left to come forward, below zero when they are over."""

    win: Win
    seconds: int | None
    steps: frozenset[WinStep]


@dataclass(frozen=True, slots=True)
class IncidentLine:
    incident: Incident
    is_late: bool


@dataclass(frozen=True)
class DrawRoom:
    promotion: Promotion
    rules: Edition
    terms: Terms
    lots: Sequence[Prize]  # as in the terms: three of a kind are one line
    prizes: Sequence[Prize]  # each single one
    worth: Money
    overseen: bool
    draw: Draw | None
    commitment: str
    how: str  # who or what answered: witness, dice, beacon; empty while nobody has
    waits: bool  # asked, and not answered
    scrutineer: str
    drawer: str
    sealed: EntryList | None
    root: str
    entries: int
    winners: Sequence[WinLine]
    alternates: Sequence[Pick]
    void: Sequence[Draw]
    seconds: int | None  # until the draw; None once its time has come
    incidents: Sequence[IncidentLine]
    steps: frozenset[Step | DrawStep]
    coming: frozenset[Step]


def draw_room(promotion: Promotion, *, by: Actor, now: datetime) -> DrawRoom:
    """Everything the desk shows to this person."""
    version = in_force(promotion)
    if version is None:
        raise NotFound("not-started", f"{promotion.code} has not started: its draw room opens with it.")
    terms, prizes = terms_of(version), single_prizes(version)
    draw, sealed = current_draw(promotion), queries.sealed_list(promotion)
    said = said_to(draw) if draw is not None and draw.begun_at is not None else None
    names = people.names([draw.scrutineer, draw.drawn_by] if draw else [])
    return DrawRoom(
        promotion=promotion,
        rules=edition_of(promotion),
        terms=terms,
        lots=list(version.prizes.order_by("place")),
        prizes=prizes,
        worth=Money.total(prize.value for prize in prizes),
        overseen=steps.is_overseen(prizes),
        draw=draw,
        commitment=bytes(draw.promise.commitment).hex() if draw else "",
        how=said.how.value if said else "",
        waits=draw is not None and draw.begun_at is not None and said is None,
        scrutineer=names.get(draw.scrutineer or "", "") if draw else "",
        drawer=names.get(draw.drawn_by or "", "") if draw else "",
        sealed=sealed,
        root=bytes(sealed.root).hex() if sealed else "",
        entries=queries.entry_count(promotion),
        winners=_winners(draw, terms, by=by, now=now) if draw else [],
        alternates=_alternates(draw) if draw else [],
        void=list(Draw.objects.filter(promotion=promotion, voided_at__isnull=False).order_by("attempt")),
        seconds=_seconds_until(promotion.draw_at, now),
        incidents=_incidents(promotion),
        steps=steps.of_draw(promotion, draw, prizes, by=by, now=now),
        coming=steps.may_come(promotion, draw, sealed, by),
    )


def _winners(draw: Draw, terms: Terms, *, by: Actor, now: datetime) -> list[WinLine]:
    wins = queries.wins_of(draw)
    return [
        WinLine(win, seconds_to_come(win, now), prize_steps.of_call(win, wins, terms, by=by, now=now)) for win in wins
    ]


def seconds_to_come(win: Win, now: datetime) -> int | None:
    """How long a winner who was called still has; None where nobody waits for him."""
    if win.status != "drawn" or win.present_at is not None or win.call_ends_at is None:
        return None
    left = (win.call_ends_at - now).total_seconds()
    return int(left) if left >= 0 else -1


def _alternates(draw: Draw) -> list[Pick]:
    return list(Pick.objects.filter(draw=draw, outcome="alternate").order_by("place")[:ALTERNATES_SHOWN])


def _seconds_until(moment: datetime | None, now: datetime) -> int | None:
    return int((moment - now).total_seconds()) if moment is not None and now < moment else None


def _incidents(promotion: Promotion) -> list[IncidentLine]:
    late = {notice.incident_id for notice in overdue()}
    found = Incident.objects.filter(subject=promotion.subject).order_by("-id")[:INCIDENTS_SHOWN]
    return [IncidentLine(each, each.pk in late) for each in found]
