"""A round that a won jackpot has been waiting for, for five minutes: two people end or void it (act-pg:13.3).

One proposes how it ended, with what lay on its boxes and surveillance's reference, or that it is void; another decides.
What it won is then a hit like any other, in which neither of them takes a further step.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from house import incidents
from house.approvals import Approvable, Record, Shape
from house.models import Incident, Proposal
from jackpot import at_once, links, permissions, steps, terms
from jackpot.approvables import code_of, link_of
from jackpot.finish_round import end_with, find_round
from jackpot.incident_kinds import ROUND_WAITED_FOR
from jackpot.models import Hit, Round
from jackpot.rules.payouts import Dealt
from jackpot.rules.policies import Game
from jackpot.void_round import void_by_two
from kernel.actors import Actor, system
from kernel.authority import Authority
from kernel.refusal import Conflict, Refusal
from web.fields import ListOf, Text, TrueOrFalse, WholeNumber

BY: Final = system("waiting-rounds")
_NOT_SETTLED: Final = (Hit.Status.CLAIMED, Hit.Status.VERIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    box: int
    pieces: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    round: int
    void: bool
    hands: list[Laid]
    surveillance: str


class LaidValue(Record):
    """What lay on a box."""

    box = WholeNumber(min_value=1, max_value=20)
    pieces = ListOf(child=Text(max_length=16), max_length=20, help_text="Its cards or tiles.")
    makes = Laid


class RoundEndValue(Record):
    """How a round ended that a won jackpot waits for."""

    round = WholeNumber(min_value=1)
    void = TrueOrFalse(help_text="It does not count: its wagers go back.")
    hands = LaidValue(many=True, help_text="What lay on its boxes; none where it is void.")
    surveillance = Text(max_length=200, help_text="Its reference of what was seen.")
    makes = RoundEnd


def _write(new: RoundEnd) -> dict[str, object]:
    hands = [{"box": hand.box, "pieces": hand.pieces} for hand in new.hands]
    return {"round": new.round, "void": new.void, "hands": hands, "surveillance": new.surveillance}


def watch_waiting_rounds(now: datetime) -> int:
    """Tell once of every round that a won jackpot has been waiting for too long; the answer is how many."""
    won = Hit.objects.filter(status__in=_NOT_SETTLED, claimed_at__lt=now - at_once.WAITS_AT_MOST)
    waited = {key for keys in won.values_list("round__waits_for", flat=True) for key in keys or ()}
    late = Round.objects.filter(pk__in=waited, status=Round.Status.OPEN).select_related("table", "terms")
    told = [each for each in late.order_by("pk") if at_once.is_overdue(each)] if waited else []
    return sum(_tell(each) for each in told)


def _tell(late: Round) -> bool:
    subject = f"round:{late.pk}"
    if Incident.objects.filter(kind=ROUND_WAITED_FOR, subject=subject).exists():
        return False
    what = f"Round {late.pk} at {late.table} is open, and a jackpot that was won waits for it: propose how it ended."
    incidents.open_incident(kind=ROUND_WAITED_FOR, what=what, by=BY, subject=subject)
    return True


def check(subject: str, new: RoundEnd) -> None:
    ending = find_round(new.round)
    if ending.terms.link.subject != subject:
        raise Refusal("not-on-this-link", f"Round {new.round} is not played on {code_of(subject)}.", field="round")
    steps.must_be_running(ending, Round.Status.OPEN)
    if not at_once.is_overdue(ending):
        raise Conflict("round-not-overdue", f"Nobody has been waiting for round {new.round}: its table ends it.")
    if new.void and new.hands:
        raise Refusal("void-has-no-hands", "A round that is void has no hands.", field="hands")
    if not new.surveillance.strip():
        raise Refusal("surveillance-missing", "Enter surveillance’s reference.", field="surveillance")


def apply(proposal: Proposal, new: RoundEnd, by: Actor) -> None:
    check(proposal.subject, new)
    if new.void:
        void_by_two(round_id=new.round, why=f"other: {proposal.why}", by=by)
        return
    ending = find_round(new.round)
    tiles = terms.of(ending.terms).rules.game is Game.TILES
    hands = [
        Dealt(box=hand.box, tiles=hand.pieces) if tiles else Dealt(box=hand.box, cards=hand.pieces)
        for hand in new.hands
    ]
    end_with(ending, hands=hands, folded=(), by=by, by_two=True)


def _exists(subject: str) -> None:
    link_of(subject)


def _hold(subject: str, new: object) -> None:
    links.hold(link_of(subject).code)


WAITING_ROUND = Approvable(
    kind=steps.END_KIND,
    label="The end of a round that a won jackpot waits for",
    shape=Shape[RoundEnd](RoundEndValue(), write=_write),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{code_of(subject)}: round {new.round} is {'void' if new.void else 'finished as proposed'} "
        f"({new.surveillance})."
    ),
    current=_exists,
    check=check,
    hold=_hold,
    apply=apply,
)
