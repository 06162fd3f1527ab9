"""From what is asked for to what can be sold: numbers picked, set bets looked up, the schedule found (4.7)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from keno import approved
from keno.models import TicketKind
from keno.rules.entry import TicketEntry
from keno.rules.price import Quote, quote
from keno.rules.quickpick import Below, pick_groups, pick_mystery, pick_numbers
from keno.rules.schedules import SPECIAL_3, STANDARD, Schedule, schedule_named
from keno.rules.selection import Form, Play, Selection, plain, way
from keno.shapes import SetBet
from kernel.money import ZERO, Money
from kernel.refusal import Malformed, Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketRequest:
    """A ticket as it is asked for. Exactly one of *numbers*, *groups*, *quick_pick*, *set_bet*."""

    numbers: Sequence[int] | None = None
    groups: Sequence[Sequence[int]] | None = None
    plays: Sequence[Play] | None = None
    quick_pick: bool = False
    spots: int | None = None  # of a quick pick; none: a mystery
    set_bet: str | None = None
    stake: Money | None = None
    games: int = 1
    schedule: str = STANDARD.code
    jackpot: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """What can be sold, with its price."""

    kind: TicketKind
    entry: TicketEntry
    games: int
    quote: Quote
    premium: Money  # of one game, all jackpot ways together
    schedule_version: int | None
    set_bet: str


_KINDS = {
    Form.NUMBERS: TicketKind.STANDARD,
    Form.WAY: TicketKind.WAY,
    Form.QUICK_PICK: TicketKind.QUICK_PICK,
    Form.MYSTERY: TicketKind.MYSTERY,
    Form.SET_BET: TicketKind.SET_BET,
}


def compose(request: TicketRequest, *, below: Below = secrets.randbelow) -> Composed:
    """The ticket that this request makes, priced; refused with its clause and field where it cannot be sold."""
    schedule, version = find_schedule(request.schedule)
    selection = _select(request, schedule, below)
    entry = TicketEntry(selection, schedule, request.jackpot)
    premium = approved.amount(approved.PREMIUM) if entry.jackpot else ZERO
    priced = quote(entry, games=request.games, premium=premium)
    return Composed(
        kind=_KINDS[selection.form],
        entry=entry,
        games=request.games,
        quote=priced,
        premium=premium * entry.jackpot_ways,
        schedule_version=version,
        set_bet=request.set_bet or "",
    )


def find_schedule(code: str) -> tuple[Schedule, int | None]:
    """The schedule of that name and, of special 3, the version approved last (8.4)."""
    if code != SPECIAL_3:
        return schedule_named(code), None
    version = approved.in_force(approved.SPECIAL_3, SPECIAL_3)
    found = schedule_named(code, approved_special_3=approved.special_3_of(version) if version else None)
    return found, version.pk if version else None


def find_version(code: str, version: int | None) -> Schedule:
    """The schedule that a ticket was sold under; of special 3 by its version."""
    return schedule_named(code) if version is None else approved.special_3_of(approved.version(version))


def _select(request: TicketRequest, schedule: Schedule, below: Below) -> Selection:
    forms = [
        request.numbers is not None,
        request.groups is not None or request.plays is not None,
        request.quick_pick,
        request.set_bet is not None,
    ]
    if sum(forms) != 1:
        raise Malformed(
            "ticket-form",
            "A ticket has numbers, or groups and plays, or a quick pick, or a set bet: exactly one of these.",
        )
    if request.groups is not None or request.plays is not None:
        return _way(request)
    if request.stake is None:
        raise Malformed("stake-missing", "Say the stake a way.", field="stake")
    if request.numbers is not None:
        return plain(request.numbers, request.stake)
    if request.set_bet is not None:
        return _set_bet(request.set_bet, request.stake, below)
    if request.spots is None:
        numbers = pick_mystery(below, schedule=schedule, jackpot=request.jackpot)
        return plain(numbers, request.stake, form=Form.MYSTERY)
    return plain(pick_numbers(request.spots, below), request.stake, form=Form.QUICK_PICK)


def _way(request: TicketRequest) -> Selection:
    if request.groups is None:
        raise Malformed("groups-missing", "A way ticket has groups of numbers.", field="groups")
    if request.plays is None:
        raise Malformed("plays-missing", "A way ticket has plays: numbers in a way, and the stake.", field="plays")
    if request.stake is not None:
        raise Malformed("stake-misplaced", "On a way ticket each play has its own stake.", field="stake")
    return way(request.groups, request.plays)


def _set_bet(code: str, stake: Money, below: Below) -> Selection:
    found = approved.set_bet(code)
    if found is None:
        raise Refusal(
            "set-bet-unknown",
            f"There is no set bet “{code}” in the approved catalogue.",
            clause="act-keno:4.7h",
            field="set_bet",
        )
    return set_bet_selection(found, stake, below)


def set_bet_selection(bet: SetBet, stake: Money, below: Below = secrets.randbelow) -> Selection:
    """The bet at this stake: its fixed numbers, or numbers freshly picked."""
    groups = pick_groups(bet.sizes or (), below) if bet.groups is None else bet.groups
    return way(groups, tuple(Play(spots, stake) for spots in bet.plays), form=Form.SET_BET)
