"""Calls about the counter: shifts, Keno vouchers, the catalogue of set bets."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.fields import DayField, InstantField, MoneyField, StrictSerializer, Text, Whole, shown
from house.api.view import SIGNED_IN, HouseView, listing, read, verb
from house.refusal import NotFound
from keno import approved, shifts
from keno.models import Shift, Voucher
from keno.permissions import CASH, PAY, SEE, SHIFT
from keno.serials import read_serial
from keno.vouchers import redeem_voucher
from ledger.money import ZERO


class ShiftOut(StrictSerializer):
    """What is in the drawer is not told before it is counted."""

    id = Whole()
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
    terminal = Text(max_length=80, required=False, help_text="Another's, which a manager may open.")
    writer = Text(max_length=80, required=False, help_text="Who answers for the drawer.")
    example = shown({"opening_float": "500.00"})


class Shifts(HouseView):
    @listing(permission=SEE, gives=ShiftOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> Any:
        """Shifts, the newest first."""
        rows = Shift.objects.all()
        return rows.filter(day=asked["gaming_day"]) if "gaming_day" in asked else rows

    @verb(permission=SHIFT, takes=ShiftIn, gives=ShiftOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Shift:
        """Open a shift at this terminal."""
        return shifts.open_shift(by=by, **data)


class OneShift(HouseView):
    @read(permission=SEE, gives=ShiftOut)
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> Shift:
        """One shift."""
        return _shift(pk=id)


class CurrentShift(HouseView):
    @read(permission=SHIFT, gives=ShiftOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> Shift:
        """The shift open at this terminal."""
        return _shift(terminal=by.identity, closed_at=None)


def _shift(**where: Any) -> Shift:
    found = Shift.objects.filter(**where).first()
    if found is None:
        raise NotFound("no-such-shift", "There is no such shift.")
    return found


class DrawerIn(StrictSerializer):
    counted_cash = MoneyField()
    counted_chips = MoneyField(default=ZERO)
    example = shown({"counted_cash": "812.50", "counted_chips": "40.00"})


class DrawerOut(StrictSerializer):
    shift = ShiftOut()
    cash_over = MoneyField(allow_negative=True, help_text="Counted less expected: short is negative.")
    chips_over = MoneyField(allow_negative=True)
    example = shown({"shift": ShiftOut.example, "cash_over": "-2.50", "chips_over": "0.00"})


class CloseShift(HouseView):
    @verb(permission=SHIFT, takes=DrawerIn, gives=DrawerOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> shifts.Count:
        """Close a shift on what was counted.

        Its own writer may, or a manager for another. The expected amounts are told afterwards.
        """
        return shifts.close_shift(shift_id=id, by=by, **data)


class MoveIn(StrictSerializer):
    amount = MoneyField(allow_zero=False)
    example = shown({"amount": "2000.00"})


class Drop(HouseView):
    @verb(permission=CASH, takes=MoveIn, gives=ShiftOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Shift:
        """Take cash from the drawer to the cage."""
        shifts.drop(shift_id=id, amount=data["amount"], by=by)
        return _shift(pk=id)


class Fill(HouseView):
    @verb(permission=CASH, takes=MoveIn, gives=ShiftOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Shift:
        """Bring cash from the cage to the drawer."""
        shifts.fill(shift_id=id, amount=data["amount"], by=by)
        return _shift(pk=id)


class VoucherOut(StrictSerializer):
    code = Text()
    amount = MoneyField()
    issued_at = InstantField()
    gaming_day = DayField(source="day")
    spent_at = InstantField(allow_null=True)
    example = shown(
        {
            "code": "7K2MX0Q4RT9B",
            "amount": "12.00",
            "issued_at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "spent_at": None,
        }
    )


class OneVoucher(HouseView):
    @read(permission=SEE, gives=VoucherOut)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> Voucher:
        """A Keno voucher."""
        found = Voucher.objects.filter(code=read_serial(code)).first()
        if found is None:
            raise NotFound("no-such-voucher", "There is no such Keno voucher.")
        return found


class RedeemIn(StrictSerializer):
    security_code = Text(max_length=40)
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V"})


class Redeem(HouseView):
    @verb(permission=PAY, takes=RedeemIn, gives=VoucherOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> Voucher:
        """Pay a Keno voucher out in cash."""
        return redeem_voucher(code=code, security_code=data["security_code"], by=by)


class SetBetOut(StrictSerializer):
    code = Text()
    name = Text(source="value.name")
    groups = serializers.ListField(child=serializers.ListField(child=Whole()), source="value.groups", required=False)
    sizes = serializers.ListField(child=Whole(), source="value.sizes", required=False)
    plays = serializers.ListField(child=Whole(), source="value.plays")
    example = shown({"code": "LUCKY", "name": "Lucky threes", "groups": [[3, 13], [23], [33]], "plays": [2, 3]})


class SetBetsOut(StrictSerializer):
    results = SetBetOut(many=True)


class SetBets(HouseView):
    @read(permission=SIGNED_IN, gives=SetBetsOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> dict[str, Any]:
        """The approved catalogue of set bets: fixed numbers, or sizes of groups picked afresh."""
        return {"results": approved.all_in_force(approved.SET_BET)}
