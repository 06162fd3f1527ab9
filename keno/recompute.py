"""What a ticket is owed, computed again from what was sealed, before any of it is paid (decision 16).

Settlement wrote a prize's row in bulk, from copies. Whoever can write to the database could have changed the copies or
the row. So each payment computes it once more, from other sources, and compares. For the ticket: its leaf, from its
row, its plays and its security code, must be the leaf on record. For each prize:

- the numbers, the ticket root and the totals are those of the act by which the game was settled; that act, as it stands
  now, is in the sealed tree (in its first second it is not sealed yet); the rows of game and draw say the same;
- the ticket plays in that game: its leaf leads up to that ticket root (``sealed_set.py``), and no act of the log takes
  it out of the game;
- the prize is what ``rules/`` gives. Majors of a game that was pro-rated and jackpots depend on others: all tickets of
  the game with a major or a jackpot are settled again by the rules, and their count and sums must be the sealed totals;
- a bonus is what an approved version of it gives for these matches; its budget is not counted again;
- a refund is what was paid for the games that it is for.

A difference stops the payment and is an incident. What it costs is in docs/decisions/0033.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Value

from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from keno import approved, particulars, shapes
from keno.acts import GameSettled, TicketCancelled, WagersVoided, game_subject, ticket_subject
from keno.entries import find_version
from keno.incident_kinds import PRIZE_DIFFERS
from keno.models import CancellationRequest, Correction, Draw, Game, Play, Prize, PrizeKind, Ticket, TicketStatus
from keno.prize_acts import WinVoided
from keno.resettle_acts import GameResettled
from keno.resettle_kinds import CORRECTED
from keno.rules import selection as chosen
from keno.rules.bonuses import Bonus
from keno.rules.entry import TicketEntry
from keno.rules.price import Price
from keno.rules.prorate import MAJOR, MAJORS_TOTAL_LIMIT
from keno.rules.settle import TicketResult, WayGroup, check_draw, match, settle_game
from keno.sealed_set import place_of
from keno.steps import Status
from kernel.actors import Actor
from kernel.acts import Act as AnAct
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal
from ledger.models import Act
from ledger.proofs import is_as_sealed


class Differs(Exception):
    """What is on record is not what was sealed; says what."""


def require_as_sealed(ticket: Ticket, prizes: Sequence[Prize], *, by: Actor) -> None:
    """Refuse to pay what these sealed particulars did not win. One incident a ticket, however often it is tried."""
    try:
        owed = _Owed(ticket)
        for prize in prizes:
            owed.check(prize)
    except (Differs, Refusal) as found:
        why = str(found)
        raise Conflict(
            "prize-differs",
            f"Nothing is paid: {why} Keep the ticket, and call a supervisor: there is an incident about it.",
            clause="act-keno:10.1",
        ).noting(partial(_report, ticket.serial, why, by)) from None


@transaction.atomic
def _report(serial: str, why: str, by: Actor) -> None:
    subject = f"ticket:{serial}"
    Ticket.objects.select_for_update().get(serial=serial)  # two terminals, one incident
    if Incident.objects.filter(kind=PRIZE_DIFFERS.code, subject=subject, status=IncidentStatus.OPEN).exists():
        return
    open_incident(kind=PRIZE_DIFFERS, what=f"A payment was stopped. {why}", by=by, subject=subject)


class _Owed:
    """One ticket, as it was sealed when it was sold."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        plays = sorted(ticket.plays.all(), key=lambda play: play.place)
        if particulars.leaf_of(ticket, plays) != bytes(ticket.leaf):
            raise Differs(f"what is on record of ticket {ticket.serial} is not what was sealed when it was sold.")
        self.entry = _entry(ticket, plays)
        self.price = Price(ticket.games, ticket.price_a_game)
        if self.price.total != ticket.price:
            raise Differs(f"the price of a game of ticket {ticket.serial} is not what its whole price comes from.")

    def check(self, prize: Prize) -> None:
        if prize.kind == PrizeKind.REFUND:
            owed, jackpot = self._refund(prize.game), ZERO
        else:
            settled = _Settled(prize.game)
            self._is_in(settled)
            kind = prize.kind.removesuffix(CORRECTED)
            if kind == PrizeKind.BONUS:
                owed, jackpot = self._bonus(settled, prize.listed or []), ZERO
            else:
                owed, jackpot = self._won(settled)
            if kind != prize.kind:
                owed -= self._paid_before(prize.game, kind)
                jackpot = min(jackpot, owed)
        if (owed, jackpot) != (prize.amount, prize.jackpot):
            raise Differs(
                f"ticket {self.ticket.serial} has ${prize.amount} on record for game {prize.game}; what was sealed "
                f"gives ${owed}."
            )

    def _paid_before(self, game: int, kind: str) -> Money:
        """On the wrong numbers, before the game was settled again."""
        paid = self.ticket.prizes.filter(game=game, kind=kind, payment__isnull=False)
        return Money.total(prize.amount for prize in paid)

    def _is_in(self, settled: _Settled) -> None:
        ticket, game = self.ticket, settled.number
        if not ticket.first_game <= game <= ticket.plays_to or self._was_taken_out(game):
            raise Differs(f"ticket {ticket.serial} did not play in game {game}.")
        if place_of(ticket, game=game, root=settled.act.ticket_root) is None:
            raise Differs(f"ticket {ticket.serial} is not among the tickets that were sealed for game {game}.")

    def _was_taken_out(self, game: int) -> bool:
        """Cancelled or voided for this game, whatever the rows say by now (6.1, 14.3)."""
        kinds, subject = (TicketCancelled, WagersVoided), ticket_subject(self.ticket.serial)
        told = ((kind, act) for kind in kinds for act in _acts_of(kind, subject))
        void = (WinVoided.read(act.data, subject=subject).game for act in _acts_of(WinVoided, subject))
        return game in void or any(kind.read(act.data, subject=subject).from_ <= game for kind, act in told)

    def _won(self, settled: _Settled) -> tuple[Money, Money]:
        """What it won, and what of it is jackpot."""
        alone = match(self.entry, settled.drawn)
        majors = any(group.prize >= MAJOR for group in alone)
        if any(group.jackpot for group in alone) or (majors and settled.majors_before > MAJORS_TOTAL_LIMIT):
            alone = settled.among_others(self.ticket).ways
        total = Money.total(group.total for group in alone)
        return total, Money.total(group.total for group in alone if group.jackpot)

    def _bonus(self, settled: _Settled, listed: Iterable[dict[str, Any]]) -> Money:
        """The sum of what is listed, each of it as a version of its bonus gives it for one play."""
        ways = match(self.entry, settled.drawn)
        given: Counter[tuple[str, Money]] = Counter()
        for version in approved.versions(approved.BONUS):
            bonus = shapes.BONUS.read(version.value)
            if bonus.first_game <= settled.number <= bonus.last_game:
                given |= Counter(
                    (version.code, bonus.of_play(stake=group.stake, ways=group.count))
                    for group in ways
                    if _is_for(bonus, group)
                )
        said = Counter((one["bonus"], Money.parse(one["amount"])) for one in listed)
        return Money.total(amount for _, amount in (said & given).elements())

    def _refund(self, game: int) -> Money:
        ticket = self.ticket
        if ticket.status == TicketStatus.VOIDED and game == ticket.cancelled_from:  # of all games not played (14.3)
            last = ticket.games
        elif self._is_given_back(game):
            last = game - ticket.first_game + 1
        elif (taken_out := self._taken_out(game)) is not None:
            last = taken_out.to - ticket.first_game + 1
        else:
            raise Differs(f"nothing was given back to ticket {ticket.serial} for game {game}.")
        positions = range(game - ticket.first_game + 1, last + 1)
        return Money.total(self.price.paid_for(position) for position in positions)

    def _is_given_back(self, game: int) -> bool:
        """This game alone: it was invalidated (14.5), or the wager was void though it had won (14.3)."""
        invalidated = Game.objects.filter(number=game, status=Status.INVALIDATED).exists()
        return (invalidated and game <= self.ticket.plays_to) or self._is_void(game)

    def _is_void(self, game: int) -> bool:
        subject = ticket_subject(self.ticket.serial)
        said = [WinVoided.read(act.data, subject=subject) for act in _acts_of(WinVoided, subject)]
        return self.ticket.voided_wins.filter(game=game).exists() and any(act.game == game for act in said)

    def _taken_out(self, game: int) -> TicketCancelled | None:
        """A request to cancel that came while this game was asked about, and was honoured after all (6.1)."""
        ticket = self.ticket
        honoured = ticket.cancellation_requests.filter(game=game, outcome=CancellationRequest.Outcome.HONOURED)
        if not honoured.exists():
            return None
        subject = ticket_subject(ticket.serial)
        told = [TicketCancelled.read(act.data, subject=subject) for act in _acts_of(TicketCancelled, subject)]
        return next((act for act in told if act.from_ == game), None)


def _acts_of(kind: type[AnAct], subject: str) -> QuerySet[Act]:
    return Act.objects.filter(kind=kind.kind, subject=subject)


class _Settled:
    """A settled game, as the log has it."""

    def __init__(self, number: int) -> None:
        self.number = number
        acts = list(_acts_of(GameSettled, game_subject(number)))
        if len(acts) != 1 or not is_as_sealed(acts[0]):
            raise Differs(f"the log does not say once, as it was sealed, how game {number} was settled.")
        self.act = GameSettled.read(acts[0].data, subject=acts[0].subject)
        self.numbers, self.totals = self.act.numbers, self.act.totals
        for again in _acts_of(GameResettled, game_subject(number)):  # 12.1: once
            if not is_as_sealed(again):
                raise Differs(f"the log does not say, as it was sealed, how game {number} was settled again.")
            corrected = GameResettled.read(again.data, subject=again.subject)
            self.numbers, self.totals = corrected.numbers, corrected.totals
        draws = Draw.objects.filter(game=number, voided_at=None, game__status=Status.SETTLED)
        standing = draws.select_related("game").first()
        if standing is None or self._is_other(standing):
            raise Differs(f"what is on record of game {number} is not what was settled.")
        self.drawn = check_draw(self.numbers)

    def _is_other(self, draw: Draw) -> bool:
        settled = list(self.numbers), self.act.attempt, dict(self.totals)
        return settled != (draw.numbers, draw.attempt, draw.game.totals)

    @property
    def majors_before(self) -> Money:
        majors: Any = self.totals["majors"]
        return Money.parse(majors["before"])

    @cached_property
    def _great(self) -> dict[int, TicketResult]:
        """Every ticket with a major or a jackpot, settled again together: they depend on one another."""
        tickets = list(self._tickets().prefetch_related("plays").order_by("serial"))
        totals: Any = self.totals
        entries = [_entry(each, sorted(each.plays.all(), key=lambda play: play.place)) for each in tickets]
        displayed = {int(spots): Money.parse(won["amount"]) for spots, won in totals["jackpots"].items()}
        result = settle_game(drawn=self.drawn, entries=entries, jackpots=displayed)
        majors = result.majors
        found = {
            "majors": {"before": str(majors.before), "after": str(majors.after), "count": majors.count},
            "jackpots": {
                str(spots): {"amount": str(won.amount), "ways": won.ways} for spots, won in result.jackpots.items()
            },
        }
        if found != {name: totals[name] for name in found}:
            raise Differs(f"the major prizes and jackpots on record of game {self.number} are not the sealed ones.")
        return {ticket.pk: one for ticket, one in zip(tickets, result.tickets, strict=True)}

    def _tickets(self) -> QuerySet[Ticket]:
        """Those with a major or a jackpot. Of a game settled again more than those: whoever had or has one, or whose
        payment it corrected."""
        kinds = (PrizeKind.PRIZE, PrizeKind.PRIZE_CORRECTED)
        great = Prize.objects.filter(Q(major=True) | Q(jackpot__gt=Value(0)), game=self.number, kind__in=kinds)
        corrected = Correction.objects.filter(resettlement__game=self.number)
        return Ticket.objects.filter(Q(pk__in=great.values("ticket")) | Q(pk__in=corrected.values("ticket")))

    def among_others(self, ticket: Ticket) -> TicketResult:
        return self._great.get(ticket.pk) or TicketResult(ZERO, ())


def _entry(ticket: Ticket, plays: Sequence[Play]) -> TicketEntry:
    staked = tuple(chosen.Play(play.spots, play.stake) for play in plays)
    selection = chosen.Selection(groups=tuple(map(tuple, ticket.groups)), plays=staked)
    return TicketEntry(selection, find_version(ticket.schedule, ticket.schedule_version), ticket.jackpot)


def _is_for(bonus: Bonus, group: WayGroup) -> bool:
    return (group.spots, group.matches) == (bonus.spots, bonus.matches)
