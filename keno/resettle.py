"""A game that was settled on wrong numbers is settled again on the balls that came out (12.1): proposed by one, decided
by another.

Only where people had typed what a machine drew: a generator's numbers are proven. Prizes that were not paid are
replaced, paid ones become over- and underpayments (``resettled_prizes.py``), jackpots are put right by their rule
(``jackpot_corrections.py``). What was paid too much is on an account of its own, and is asked back (``recover.py``).
Once a game, and not where its prizes have become unclaimed or a wager of it was voided: then it is a dispute (14.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone
from rest_framework import serializers

from house.approvals import Approvable, Record, Shape, propose
from house.gaming_days import gaming_day_at
from house.incidents import open_incident
from house.log import record_act
from house.models import Proposal, ProposalStatus
from keno import accounts, bonuses, jackpot_corrections, jackpots, resettled_prizes, winners
from keno.acts import game_subject
from keno.attempts import current_attempt
from keno.incident_kinds import GAME_RESETTLED
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, Prize, Resettlement
from keno.permissions import DECIDE_RESETTLEMENT, RESETTLE
from keno.queries.games import game_of_subject
from keno.resettle_acts import GameResettled
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK, OVERPAID, PRIZES_AGAIN, PRIZES_BACK
from keno.return_to_players import hold_fund
from keno.rules.prorate import Proration
from keno.rules.schedules import GUARANTEES
from keno.rules.settle import check_draw
from keno.settle import forget_matches, share_jackpots, totals_of, write_matches
from keno.steps import Status
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from ledger.models import Transfer
from ledger.post import Booking, post_many
from web.fields import WholeNumber

_CLAUSE: Final = "act-keno:12.1-record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resettle:
    """The twenty balls that came out, in their order."""

    numbers: tuple[int, ...]


class ResettleValue(Record):
    """The balls that came out."""

    numbers = serializers.ListField(
        child=WholeNumber(), max_length=80, help_text="The twenty balls that came out, in their order."
    )
    makes = Resettle


@transaction.atomic
def propose_resettlement(*, number: int, numbers: Sequence[int], why: str, by: Actor) -> Proposal:
    """Propose that a settled game is settled again on these numbers. Nothing happens until another person decides."""
    by.require(RESETTLE)
    if not why.strip():
        raise Refusal("reason-missing", "Say what shows which balls came out.", clause=_CLAUSE, field="why")
    lock_game(number)
    if (waiting := resettlement_proposed(number)) is not None:
        raise Conflict("proposed-already", f"Proposal {waiting.pk} about game {number} waits.", clause=_CLAUSE)
    new = {"numbers": list(numbers)}
    return propose(kind=str(KIND), subject=game_subject(number), new=new, why=why.strip(), by=by)


def resettlement_proposed(number: int) -> Proposal | None:
    """What waits to be decided about the numbers of this game."""
    waiting = [ProposalStatus.PROPOSED, ProposalStatus.APPROVED]
    return Proposal.objects.filter(kind=str(KIND), subject=game_subject(number), status__in=waiting).first()


def may_propose(game: Game, by: Actor) -> bool:
    """Whether a page offers it."""
    if not by.may(RESETTLE) or resettlement_proposed(game.number) is not None:
        return False
    try:
        require_resettleable(game)
    except Refusal:
        return False
    return True


def _nothing(subject: str) -> None:
    game_of_subject(subject)


def _check(subject: str, new: Resettle) -> None:
    require_wrong(game_of_subject(subject), new.numbers)


def require_wrong(game: Game, numbers: Sequence[int]) -> Draw:
    """The standing attempt, where it can be settled again on these numbers."""
    require_resettleable(game)
    draw = current_attempt(game)
    if check_draw(numbers) == frozenset(draw.numbers):
        raise Refusal(
            "nothing-changes", f"Game {game.number} was settled on these numbers.", clause=_CLAUSE, field="new.numbers"
        )
    return draw


def require_resettleable(game: Game) -> None:
    if game.device != DrawDevice.MECHANICAL:
        raise Conflict(
            "device-rng", f"Game {game.number} was drawn by generator: its numbers are proven.", clause=_CLAUSE
        )
    if game.status != Status.SETTLED:
        raise Conflict(
            "not-settled", f"Game {game.number} is {game.status}: correct its balls as they are.", clause=_CLAUSE
        )
    if Resettlement.objects.filter(game=game).exists():
        raise Conflict(
            "resettled-already",
            f"Game {game.number} was settled again before. What is wrong now is a dispute.",
            clause="act-keno:14.6",
        )
    won = Prize.objects.filter(game=game.number)
    if won.filter(void__isnull=False).exists() or won.filter(unclaimed_on__isnull=False).exists():
        raise Conflict(
            "prizes-moved",
            f"A winning wager of game {game.number} was voided, or its prizes have become unclaimed. What is wrong now "
            "is a dispute.",
            clause="act-keno:14.6",
        )


def _hold(subject: str, new: Resettle) -> None:
    jackpots.hold_pools(day=gaming_day_at(timezone.now()).date)
    hold_fund()


def _apply(proposal: Proposal, new: Resettle, by: Actor) -> None:
    now = timezone.now()
    day = gaming_day_at(now).date
    game = lock_game(game_of_subject(proposal.subject).number)
    draw = require_wrong(game, new.numbers)
    recorded, before = list(draw.numbers), dict(game.totals or {})
    resettlement = Resettlement.objects.create(
        game=game, recorded=recorded, numbers=list(new.numbers), totals=before, why=proposal.why,
        proposal=proposal, at=now,
    )  # fmt: skip
    draw.numbers = list(new.numbers)
    draw.save(update_fields=["numbers"])
    majors, won, covered = _find(game, draw, day=day, by=by)
    bonus = _bonuses_again(game, draw, day=day, by=by)
    right = resettled_prizes.find_right(game=game.number)
    overpaid, underpaid = resettled_prizes.replace(resettlement)
    fixed = right.prizes - right.jackpots + covered
    _book(game, before=_fixed(before), again=fixed, overpaid=overpaid, day=day, by=by)
    assert draw.stakes is not None
    game.totals = totals_of(game, stakes=draw.stakes, written=right, majors=majors, won=won)
    if bonus:
        game.totals["bonuses"] = str(bonus)
    game.save(update_fields=["totals"])
    record_act(
        GameResettled(
            game=game.number,
            attempt=draw.attempt,
            recorded=tuple(recorded),
            numbers=new.numbers,
            totals=game.totals,
            overpaid=overpaid,
            underpaid=underpaid,
            why=proposal.why,
            proposal=proposal.pk,
        ),
        by=by,
    )
    what = f"Game {game.number} was settled again: its balls had been recorded wrongly. {proposal.why}"
    open_incident(kind=GAME_RESETTLED, what=what, by=by, subject=game.subject)


def _find(game: Game, draw: Draw, *, day: date, by: Actor) -> tuple[Proration, dict[str, dict[str, object]], Money]:
    """The winning ways of the right numbers, majors and jackpots settled, for ``resettled_prizes``; the jackpots; and
    what the house covers of them."""
    forget_matches(game.number)
    drawn, last = check_draw(draw.numbers), 0
    while (upto := write_matches(game, drawn, after_ticket=last)) is not None:
        last = upto
    majors = winners.find(game=game.number, drawn=draw.numbers)
    corrected = {
        spots: jackpot_corrections.correct(
            game=game, spots=spots, wins=bool(winners.jackpot_ways(spots=spots)), day=day, by=by
        )
        for spots in GUARANTEES
    }
    won = share_jackpots(lambda spots: corrected[spots].won)
    forget_matches(game.number)
    return majors, won, Money.total(each.won - each.from_pool for each in corrected.values())


def _bonuses_again(game: Game, draw: Draw, *, day: date, by: Actor) -> Money:
    """What the wrong numbers had cost goes back to what funds it, then the right ones are paid for: of the bonuses that
    were in force when the game was first settled."""
    settled = jackpot_corrections.settled_act(game)
    held = bonuses.hold_bonuses(game.number, at=settled.at)
    before = Transfer.objects.filter(kind=bonuses.KIND, reference__in=[f"{code}/{game.number}" for code, _ in held])
    back = [
        Booking(
            debit=accounts.PRIZES_OWING,
            credit=each.debit.code,
            amount=each.amount,
            kind=BONUS_BACK,
            reference=each.reference,
        )
        for each in before.select_related("debit").order_by("id")
    ]
    post_many(bookings=back, by=by, day=day)
    return bonuses.fund_bonuses(held, game=game.number, drawn=draw.numbers, day=day, by=by, kind=BONUS_AGAIN)


def _fixed(totals: dict[str, object]) -> Money:
    """Of a settlement: its prizes without the jackpots."""
    shared: dict[str, dict[str, str]] = totals["jackpots"]  # type: ignore[assignment]
    return Money.parse(str(totals["prizes"])) - Money.total(Money.parse(won["amount"]) for won in shared.values())


def _book(game: Game, *, before: Money, again: Money, overpaid: Money, day: date, by: Actor) -> None:
    """All that the wrong numbers won out of what is owed, all that the right ones win into it; and what had been paid
    and was not won, which nobody owes any more."""
    owing, prizes = accounts.PRIZES_OWING, accounts.PRIZES
    moves = (
        (PRIZES_BACK, owing, prizes, before),
        (PRIZES_AGAIN, prizes, owing, again),
        (OVERPAID, accounts.OVERPAID, owing, overpaid),
    )
    booked = [
        Booking(debit=debit, credit=credit, amount=amount, kind=kind, reference=f"game/{game.number}")
        for kind, debit, credit, amount in moves
        if amount
    ]
    post_many(bookings=booked, by=by, day=day)


KIND = Approvable(
    kind="keno.resettle",
    label="Settle a game again",
    shape=Shape[Resettle](ResettleValue()),
    permission=DECIDE_RESETTLEMENT,
    authority=Authority.HOUSE,
    propose_permission=RESETTLE,
    describe=lambda subject, old, new: (
        f"Game {game_of_subject(subject).number} is settled again on the balls that came out: "
        f"{', '.join(map(str, new.numbers))}."
    ),
    current=_nothing,
    check=_check,
    hold=_hold,
    apply=_apply,
)
