"""A winning wager of a person in breach, voided after the draw and before it is paid (14.3): proposed by one, decided
by another.

Only a ticket that won can be: to give a loser his stake back after the draw would be a free option. The stake is
refunded. What was won goes back to where it came from: a jackpot to its pool, a bonus to what funded it, the rest to
the house's prizes; never to other winners, whose prizes stand as they were settled. What the wager had put into the
jackpots stays there: what they show to everybody does not fall for one person's breach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approvals import Approvable, Record, Shape, propose
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal, ProposalStatus
from jackpot import pools
from keno import accounts, bonuses, jackpots, recompute
from keno.acts import ticket_subject
from keno.hold import end_hold, put_on_hold
from keno.models import Game, Prize, PrizeKind, Resettlement, Ticket, VoidedWin
from keno.particulars import read_serial
from keno.pay import lock_ticket, lock_unpaid, unpaid_of
from keno.permissions import DECIDE_VOID_WIN, VOID_WIN
from keno.prize_acts import WinVoided
from keno.queries.tickets import find_ticket, held_on
from keno.refunds import exclude_from_keno
from keno.return_to_players import hold_fund, owed_by_fund
from keno.rules.jackpots import give_back
from keno.rules.price import Price
from keno.steps import Status
from keno.void_win_kinds import BONUS_VOID, JACKPOT_RETURNED, PRIZE_VOID, UNCLAIMED_BACK, VOID_REFUND
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.models import Transfer
from ledger.post import Booking, post_many
from web.fields import Text, WholeNumber

_CLAUSE: Final = "act-keno:14.3"
_SUBJECT: Final = ticket_subject("")


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidWin:
    """In which game it had won; the number of the player in breach, where he is to be excluded as well."""

    game: int
    exclude: str | None = None


class VoidWinValue(Record):
    """The game whose winning wager is to be void."""

    game = WholeNumber(min_value=1, help_text="Settled; the ticket won in it and was not paid for it.")
    exclude = Text(
        required=False, allow_null=True, max_length=24, help_text="The number of the player in breach (14.3b)."
    )
    makes = VoidWin


@transaction.atomic
def propose_void_win(*, serial: str, game: int, why: str, by: Actor, exclude: str | None = None) -> Proposal:
    """Propose that the winning wager is void. From this moment on the ticket is on hold, if it was not before."""
    by.require(VOID_WIN)
    if not why.strip():
        raise Refusal("reason-missing", "Say which rule was broken, and how.", clause=_CLAUSE, field="why")
    ticket = lock_ticket(serial)
    if proposed(ticket, game) is not None:
        raise Conflict("proposed-already", "Another person decides it already: it was proposed.", clause=_CLAUSE)
    new = {"game": game, "exclude": exclude}
    made = propose(kind=str(KIND), subject=ticket_subject(ticket.serial), new=new, why=why.strip(), by=by)
    if held_on(ticket) is None:
        put_on_hold(ticket, why=why.strip(), owner=by.identity, by=by)
    return made


def proposed(ticket: Ticket, game: int) -> Proposal | None:
    """What waits to be decided about this ticket's wager in the game."""
    waiting = Proposal.objects.filter(
        kind=str(KIND),
        subject=ticket_subject(ticket.serial),
        new__game=game,
        status__in=[ProposalStatus.PROPOSED, ProposalStatus.APPROVED],
    )
    return waiting.first()


def _serial(subject: str) -> str:
    serial = read_serial(subject.removeprefix(_SUBJECT))
    if not subject.startswith(_SUBJECT) or not serial:
        raise NotFound("no-such-ticket", "Write the subject like keno-ticket:7K2MX0Q4RT9B.", field="subject")
    return serial


def _canonical(subject: str) -> str:
    return ticket_subject(find_ticket(_serial(subject)).serial)


def _nothing(subject: str) -> None:
    find_ticket(_serial(subject))


def _check(subject: str, new: VoidWin) -> None:
    _require_unpaid_win(find_ticket(_serial(subject)), new.game)


def _require_unpaid_win(ticket: Ticket, game: int) -> list[Prize]:
    """What it won in the game, none of it paid; refused where it lost, or where nothing is drawn yet."""
    if not ticket.first_game <= game <= ticket.plays_to:
        raise Refusal("not-in-game", f"The ticket does not play in game {game}.", clause=_CLAUSE, field="new.game")
    if not Game.objects.filter(number=game, status=Status.SETTLED).exists():
        raise Conflict("not-settled", f"Game {game} is not settled.", clause=_CLAUSE)
    if Resettlement.objects.filter(game=game).exists():
        raise Conflict(
            "resettled-already",
            f"Game {game} was settled again. What is wrong about its wagers now is a dispute.",
            clause="act-keno:14.6",
        )
    won = list(Prize.objects.filter(ticket=ticket, game=game).exclude(kind=PrizeKind.REFUND).order_by("kind"))
    if not won:
        raise Refusal(
            "did-not-win",
            f"The ticket won nothing in game {game}: after the draw its stake stands.",
            clause=_CLAUSE,
            field="new.game",
        )
    if any(prize.void_id is not None for prize in won):
        raise Conflict("void-already", f"Its wager in game {game} is void already.", clause=_CLAUSE)
    if any(prize.payment_id is not None for prize in won):
        raise Conflict("already-paid", f"What it won in game {game} has been paid.", clause=_CLAUSE)
    return won


def _hold(subject: str, new: VoidWin) -> None:
    jackpots.hold_pools(day=gaming_day_at(timezone.now()).date)
    hold_fund()


def _apply(proposal: Proposal, new: VoidWin, by: Actor) -> None:
    now = timezone.now()
    ticket = lock_ticket(_serial(proposal.subject))
    put = held_on(ticket)
    if put is None:
        raise Conflict("not-held", f"Ticket {ticket.serial} is not on hold any more.", clause=_CLAUSE)
    _require_unpaid_win(ticket, new.game)
    won = [prize for prize in lock_unpaid(ticket) if prize.game == new.game and prize.kind != PrizeKind.REFUND]
    recompute.require_as_sealed(ticket, won, by=by)  # what was never won goes back to no pool
    by_spots = _jackpots_of(won)
    refund = Price(ticket.games, ticket.price_a_game).paid_for(new.game - ticket.first_game + 1)
    voided = VoidedWin.objects.create(
        ticket=ticket,
        game=new.game,
        amount=Money.total(prize.amount for prize in won),
        jackpot=Money.total(by_spots.values()),
        bonus=Money.total(prize.amount for prize in won if prize.kind == PrizeKind.BONUS),
        refund=refund,
        proposal=proposal,
        at=now,
    )
    Prize.objects.filter(pk__in=[prize.pk for prize in won], payment=None).update(void=voided)
    _give_back(voided, won, by_spots, by=by, at=now)
    record_act(
        WinVoided(
            ticket=ticket.serial,
            game=new.game,
            won=voided.amount,
            jackpots=by_spots,
            bonus=voided.bonus,
            refund=refund,
            why=proposal.why,
            proposal=proposal.pk,
            excluded=new.exclude,
        ),
        by=by,
    )
    if new.exclude is not None:
        exclude_from_keno(new.exclude, why=proposal.why, by=by)
    if not unpaid_of(ticket).exclude(kind=PrizeKind.REFUND).exists():  # nothing else is looked into
        end_hold(put, why=proposal.why, by=by, decided=proposal)


def _jackpots_of(won: Sequence[Prize]) -> dict[int, Money]:
    """By spots, as it was shared at the settlement."""
    found: dict[int, Money] = defaultdict(lambda: ZERO)
    for way in (way for prize in won if prize.jackpot for way in prize.ways if way["jackpot"]):
        found[way["spots"]] += Money.parse(way["prize"]) * way["count"] + Money.parse(way["loose"])
    assert Money.total(found.values()) == Money.total(prize.jackpot for prize in won)
    return dict(found)


def _give_back(voided: VoidedWin, won: Sequence[Prize], by_spots: dict[int, Money], *, by: Actor, at: datetime) -> None:
    """Out of what is owed to the ticket, to where it had come from; the stake out of what was earned."""
    day, reference = gaming_day_at(at).date, f"{voided.ticket.serial}/{voided.game}"
    owing = accounts.PRIZES_OWING
    moved_on = Money.total(prize.amount for prize in won if prize.unclaimed_on is not None)  # 11.2
    booked = [
        Booking(debit=source, credit=owing, amount=part, kind=UNCLAIMED_BACK, reference=f"{reference}/{place}")
        for place, (source, part) in enumerate(owed_by_fund(moved_on, held=hold_fund()))
    ]
    fixed = voided.amount - voided.jackpot - voided.bonus
    booked.append(Booking(debit=owing, credit=accounts.PRIZES, amount=fixed, kind=PRIZE_VOID, reference=reference))
    for code, amount in _bonuses_of(won).items():
        fund = Transfer.objects.get(kind=bonuses.KIND, reference=f"{code}/{voided.game}").debit.code
        booked.append(
            Booking(debit=owing, credit=fund, amount=amount, kind=BONUS_VOID, reference=f"{code}/{reference}")
        )
    if voided.refund:
        stakes, refunds = accounts.STAKES, accounts.REFUNDS_OWING
        booked.append(
            Booking(debit=stakes, credit=refunds, amount=voided.refund, kind=VOID_REFUND, reference=reference)
        )
        Prize.objects.create(
            ticket=voided.ticket, game=voided.game, kind=PrizeKind.REFUND, amount=voided.refund, day=day
        )
    post_many(bookings=[booking for booking in booked if booking.amount], by=by, day=day, at=at)
    for spots, amount in by_spots.items():
        _return_jackpot(spots, amount, reference=reference, by=by, day=day)


def _return_jackpot(spots: int, amount: Money, *, reference: str, by: Actor, day: date) -> None:
    pools.book(
        link=jackpots.POOLS[spots],
        movements=give_back(jackpots.purses_of(spots), amount).moves,
        kind=JACKPOT_RETURNED,
        reference=reference,
        by=by,
        day=day,
        outside={"winners": accounts.PRIZES_OWING},
    )


def _bonuses_of(won: Sequence[Prize]) -> dict[str, Money]:
    found: dict[str, Money] = defaultdict(lambda: ZERO)
    for one in (one for prize in won if prize.kind == PrizeKind.BONUS for one in prize.listed or ()):
        found[one["bonus"]] += Money.parse(one["amount"])
    return dict(found)


KIND = Approvable(
    kind="keno.void-win",
    label="Void winning wager",
    shape=Shape[VoidWin](VoidWinValue()),
    permission=DECIDE_VOID_WIN,
    authority=Authority.HOUSE,
    propose_permission=VOID_WIN,
    describe=lambda subject, old, new: (
        f"The winning wager of ticket {_serial(subject)} in game {new.game} is void: its stake is refunded."
    ),
    current=_nothing,
    check=_check,
    canonical=_canonical,
    hold=_hold,
    apply=_apply,
)
