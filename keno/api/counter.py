"""Calls about the counter: shifts, Keno vouchers, the catalogue of set bets."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import CARD_SHOWN, IdentityIn, identity_of
from keno import approved, shifts
from keno.api.payments import AuthorityOut
from keno.models import PaymentAuthority, Shift, Voucher
from keno.permissions import CLOSE_SHIFT, MOVE_CASH, PAY, PAY_LARGE, SEE, SHIFT
from keno.queries import counter as queries
from keno.vouchers import authorise_redemption, redeem_voucher
from kernel.actors import Actor
from kernel.money import ZERO
from kernel.refusal import NotFound
from web.fields import (
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import SIGNED_IN, ByDay, HouseView, listing, read, verb


class ShiftOut(StrictSerializer):
    """What is in the drawer is not told before it is counted."""

    id = WholeNumber()
    terminal = Text()
    writer = Text()
    gaming_day = DayField(source="day")
    opened_at = InstantField()
    opening_float = MoneyField()
    closed_at = InstantField(allow_null=True)
    closed_by = Text(allow_null=True)
    counted_cash = MoneyField(allow_null=True)
    counted_chips = MoneyField(allow_null=True)
    expected_cash = MoneyField(allow_null=True, allow_negative=True)
    expected_chips = MoneyField(allow_null=True, allow_negative=True)
    example = shown(
        {
            "id": 7,
            "terminal": "device:W-0001",
            "writer": "device:W-0001",
            "gaming_day": "2026-11-16",
            "opened_at": "2026-11-16T10:00:00+11:00",
            "opening_float": "500.00",
            "closed_at": None,
            "closed_by": None,
            "counted_cash": None,
            "counted_chips": None,
            "expected_cash": None,
            "expected_chips": None,
        }
    )


class ShiftIn(StrictSerializer):
    opening_float = MoneyField(default=ZERO)
    terminal = Text(max_length=80, required=False, help_text="One’s own; nobody opens another’s.")
    writer = Text(max_length=80, required=False, help_text="Who answers for the drawer: whoever opens it.")
    example = shown({"opening_float": "500.00"})


class Shifts(HouseView):
    @listing(permission=SEE, gives=ShiftOut)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[Shift]:
        """Shifts, the newest first; for a writer his own."""
        return queries.shifts(by, day=asked.gaming_day)

    @verb(permission=SHIFT, takes=ShiftIn, gives=ShiftOut, status=201)
    def post(self, by: Actor, data: ShiftIn) -> Shift:
        """Open a shift at this terminal."""
        return shifts.open_shift(opening_float=data.opening_float, terminal=data.terminal, writer=data.writer, by=by)


class OneShift(HouseView):
    @read(permission=SEE, gives=ShiftOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Shift:
        """One shift."""
        return queries.find_shift(id, by)


class CurrentShift(HouseView):
    @read(permission=SHIFT, gives=ShiftOut)
    def get(self, by: Actor, asked: Nothing) -> Shift:
        """The shift open at this terminal."""
        found = queries.open_shift_at(by.identity)
        if found is None:
            raise NotFound("no-such-shift", "No shift is open at this terminal.")
        return found


class DrawerIn(StrictSerializer):
    counted_cash = MoneyField()
    counted_chips = MoneyField(default=ZERO)
    example = shown({"counted_cash": "812.50", "counted_chips": "40.00"})


class DrawerOut(StrictSerializer):
    shift = ShiftOut()
    cash_over = MoneyField(
        allow_negative=True,
        allow_null=True,
        help_text="Counted less expected: short is negative. Null: a second person has to count too.",
    )
    chips_over = MoneyField(allow_negative=True, allow_null=True)
    example = shown({"shift": ShiftOut.example, "cash_over": "-2.50", "chips_over": "0.00"})


class CloseShift(HouseView):
    @verb(permission=CLOSE_SHIFT, takes=DrawerIn, gives=DrawerOut)
    def post(self, by: Actor, data: DrawerIn, *, id: int) -> shifts.Count:
        """Close a shift on what was counted.

        Its own writer may. One that was left open is closed by two others, each of whom counts: after the first
        nothing is closed yet. The expected amounts are told afterwards.
        """
        cash, chips = data.counted_cash, data.counted_chips
        return shifts.close_shift(shift_id=id, counted_cash=cash, counted_chips=chips, by=by)


class MovedOut(ShiftOut):
    waits = TrueOrFalse(help_text="Said by one of the two who hand it over; moved when the other says the same.")
    example = shown({**ShiftOut.example, "waits": True})

    def to_representation(self, instance: shifts.Moved) -> dict[str, object]:
        instance.shift.waits = instance.waits  # type: ignore[attr-defined]
        return super().to_representation(instance.shift)


class MoveIn(StrictSerializer):
    amount = MoneyField(allow_zero=False)
    example = shown({"amount": "2000.00"})


class Drop(HouseView):
    @verb(permission=MOVE_CASH, takes=MoveIn, gives=MovedOut)
    def post(self, by: Actor, data: MoveIn, *, id: int) -> shifts.Moved:
        """Take cash from the drawer to the cage.

        The shift's own writer and a supervisor each say how much: the second moves it.
        """
        return shifts.drop(shift_id=id, amount=data.amount, by=by)


class Fill(HouseView):
    @verb(permission=MOVE_CASH, takes=MoveIn, gives=MovedOut)
    def post(self, by: Actor, data: MoveIn, *, id: int) -> shifts.Moved:
        """Bring cash from the cage to the drawer.

        The shift's own writer and a supervisor each say how much: the second moves it.
        """
        return shifts.fill(shift_id=id, amount=data.amount, by=by)


class VoucherOut(StrictSerializer):
    code = Text()
    amount = MoneyField()
    cashable = TrueOrFalse(help_text="False: it pays for tickets and never becomes cash.")
    issued_at = InstantField()
    gaming_day = DayField(source="day")
    spent_at = InstantField(allow_null=True)
    example = shown(
        {
            "code": "7K2MX0Q4RT9B",
            "amount": "12.00",
            "cashable": True,
            "issued_at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "spent_at": None,
        }
    )


class OneVoucher(HouseView):
    @read(permission=SEE, gives=VoucherOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> Voucher:
        """A Keno voucher: for a writer what is on its paper, for others whether it was spent, too."""
        return queries.shown_voucher(code, by)


class RedeemIn(StrictSerializer):
    security_code = Text(max_length=40, required=False, help_text="Of the paper. Without it nothing is paid.")
    identity = IdentityIn(required=False, help_text="Who the customer is, from the approved limit of a gaming day on.")
    card = Text(max_length=64, required=False, help_text=CARD_SHOWN)
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V"})


class Redeem(HouseView):
    @verb(permission=PAY, takes=RedeemIn, gives=VoucherOut)
    def post(self, by: Actor, data: RedeemIn, *, code: str) -> Voucher:
        """Pay a Keno voucher out in cash."""
        return redeem_voucher(
            code=code,
            security_code=data.security_code,
            identity=identity_of(data.identity),
            card=data.card,
            by=by,
        )


class AuthoriseRedemption(HouseView):
    @verb(permission=PAY_LARGE, gives=AuthorityOut, status=201)
    def post(self, by: Actor, data: Nothing, *, code: str) -> PaymentAuthority:
        """Authorise the redemption of a large voucher; another person then pays it."""
        return authorise_redemption(code=code, by=by)


class SetBetOut(StrictSerializer):
    code = Text()
    name = Text(source="value.name")
    groups = serializers.ListField(
        child=serializers.ListField(child=WholeNumber()), source="value.groups", required=False
    )
    sizes = serializers.ListField(child=WholeNumber(), source="value.sizes", required=False)
    plays = serializers.ListField(child=WholeNumber(), source="value.plays")
    example = shown({"code": "LUCKY", "name": "Lucky threes", "groups": [[3, 13], [23], [33]], "plays": [2, 3]})


class SetBetsOut(StrictSerializer):
    results = SetBetOut(many=True)


class SetBets(HouseView):
    @read(permission=SIGNED_IN, gives=SetBetsOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The approved catalogue of set bets: fixed numbers, or sizes of groups picked afresh."""
        return {"results": approved.all_in_force(approved.SET_BET)}
