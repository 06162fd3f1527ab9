"""A ticket, as requests write it (API.md), read into what the verbs take."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rest_framework import serializers

from keno.entries import TicketRequest
from keno.models import TenderType
from keno.particulars import read_paper
from keno.rules.selection import NUMBERS, Play
from keno.sell import REST_AS_VOUCHER, REST_IN_CASH
from keno.tender import EXACT_CASH, LINES_LIMIT, Handed
from web.fields import Choice, ListOf, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown

SCHEDULES = ["standard", "special-1", "special-2", "special-3"]


class Numbers(ListOf[int]):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=WholeNumber(), max_length=NUMBERS, **options)


class PlayIn(StrictSerializer):
    spots = WholeNumber(help_text="How many numbers a way has.")
    stake = MoneyField(help_text="A way a game.")


class QuickPickIn(StrictSerializer):
    spots = WholeNumber(required=False, help_text="How many numbers; left out: a mystery quick pick.")


class TenderIn(StrictSerializer):
    type = Choice(choices=TenderType.values)
    amount = MoneyField(required=False, help_text="Cash or chips without it: as much as is missing.")
    reference = Text(
        required=False,
        max_length=250,
        help_text="The voucher; of a winning ticket or Keno voucher `SERIAL:CODE`, or its QR code as scanned.",
    )
    security_code = Text(
        required=False, max_length=40, help_text="Of a ticket or Keno voucher, where it is not in the reference."
    )


class EntryIn(StrictSerializer):
    """What a player marks on an entry form: `numbers` with `stake`, or `groups` with `plays` (4.4)."""

    numbers = Numbers(required=False, help_text="A plain ticket, with `stake`.")
    groups = serializers.ListField(child=Numbers(), max_length=NUMBERS, required=False, help_text="A way ticket.")
    plays = PlayIn(many=True, required=False, help_text="The plays of a way ticket.")
    stake = MoneyField(required=False, help_text="A way a game.")
    games = WholeNumber(default=1)
    schedule = Choice(choices=SCHEDULES, default="standard")
    jackpot = TrueOrFalse(default=False)


class TicketIn(EntryIn):
    """Exactly one of `numbers`, `groups` with `plays`, `quick_pick`, `set_bet`."""

    quick_pick = QuickPickIn(required=False, help_text="Numbers picked here, with `stake`.")
    set_bet = Text(required=False, max_length=32, help_text="The code of an approved set bet, with `stake`.")
    tender = TenderIn(many=True, required=False, help_text="Left out: exact cash.")
    rest = Choice(
        choices=[REST_IN_CASH, REST_AS_VOUCHER], default=REST_IN_CASH, help_text="How what is over comes back."
    )
    player = Text(
        required=False,
        max_length=32,
        help_text="The buyer’s own player card: the wager counts towards limits and promotions.",
    )
    example = shown(
        {
            "numbers": [4, 8, 15, 16, 23, 42],
            "stake": "2.00",
            "games": 3,
            "jackpot": True,
            "tender": [{"type": "cash", "amount": "10.00"}],
        }
    )


def entry_of(data: EntryIn) -> TicketRequest:
    return TicketRequest(
        numbers=data.numbers,
        groups=data.groups,
        plays=None if data.plays is None else [Play(play.spots, play.stake) for play in data.plays],
        stake=data.stake,
        games=data.games,
        schedule=data.schedule,
        jackpot=data.jackpot,
    )


def request_of(data: TicketIn) -> TicketRequest:
    picked = data.quick_pick
    spots = None if picked is None else picked.spots
    return replace(entry_of(data), quick_pick=picked is not None, spots=spots, set_bet=data.set_bet)


def tender_of(lines: list[TenderIn] | None) -> tuple[Handed, ...]:
    return EXACT_CASH if lines is None else tuple(map(_handed, lines[: LINES_LIMIT + 1]))


def _handed(line: TenderIn) -> Handed:
    kind, reference, code = TenderType(line.type), line.reference or "", line.security_code
    if kind in (TenderType.TICKET, TenderType.KENO_VOUCHER):
        reference, on_it = read_paper(reference)
        code = on_it if code is None else code
    return Handed(type=kind, amount=line.amount, reference=reference, security_code=code)
