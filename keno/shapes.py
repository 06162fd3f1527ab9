"""The shapes of Keno's approved values: how each is written, and the type it is read into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rest_framework.exceptions import ValidationError
from rest_framework.serializers import DictField, ListField

from house.approvals import Record, Shape
from keno.rules.bonuses import Bonus, Fund, Per
from keno.rules.jackpots import Ratio
from keno.rules.schedules import Schedule, special_3
from kernel.money import Money
from web.fields import BasisPoints, Choice, MoneyField, Text, WholeNumber

NAME_CHARACTERS_LIMIT: Final = 120


def _numbers(**options: Any) -> ListField:
    return ListField(child=WholeNumber(), allow_empty=False, **options)


# 4.7h: a way ticket of the catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBet:
    """Groups of numbers, or the sizes of groups that are picked afresh; and how many numbers each play has."""

    name: str
    plays: Sequence[int]
    groups: Sequence[Sequence[int]] | None = None
    sizes: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if (self.groups is None) == (self.sizes is None):
            raise ValidationError("A set bet has groups of numbers, or the sizes of groups picked afresh.")


class SetBetValue(Record):
    """A way ticket of the catalogue: groups of numbers, or the sizes of groups that are picked afresh."""

    name = Text(allow_blank=True, max_length=NAME_CHARACTERS_LIMIT)
    groups = ListField(child=_numbers(), allow_empty=False, required=False, help_text="Of numbers; or `sizes`.")
    sizes = _numbers(required=False, help_text="Of groups picked afresh; or `groups`.")
    plays = _numbers(help_text="How many numbers each play has.")
    makes = SetBet


# 8.4: {"tables": {"6": {"3": "1.00"}}, "band": ["0.75", "0.80"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Special3:
    """The prize for $1.00 by numbers marked and by matches, and the band in which each table's return has to be."""

    tables: Mapping[int, Mapping[int, Money]]
    band: Sequence[str]

    @property
    def schedule(self) -> Schedule:
        return special_3(self.tables)


class _ByNumber(DictField):
    """An object whose keys are small whole numbers in digits."""

    def to_internal_value(self, data: Any) -> dict[int, object]:
        if isinstance(data, dict) and not all(_is_small_number(key) for key in data):
            raise ValidationError("Write numbers and matches in digits.")
        return {int(key): value for key, value in super().to_internal_value(data).items()}


def _is_small_number(key: object) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit() and len(key) <= 2


class Special3Value(Record):
    """Prizes for $1.00, and the band in which the return of each table has to be."""

    tables = _ByNumber(child=_ByNumber(child=MoneyField()), help_text="By numbers marked, then by matches.")
    band = ListField(child=Text(max_length=20), min_length=2, max_length=2, help_text="Lowest and highest return.")
    makes = Special3


# 1.1: what was approved, under which reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    reference: str
    software: str
    remarks: str | None = None


class ConfigurationValue(Record):
    """What of the Keno system was approved, and under which reference."""

    reference = Text(max_length=200, help_text="Of the approval.")
    software = Text(max_length=200, help_text="That it is for.")
    remarks = Text(required=False, allow_blank=True, max_length=4_000)
    makes = Configuration


# 2.1, 12.4a: a set of balls; the definition of "Device": what draws


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    name: str
    reference: str


class EquipmentValue(Record):
    """A thing that an inspector has approved: a set of balls, a draw device."""

    name = Text(max_length=NAME_CHARACTERS_LIMIT, help_text="What it is: its make, its number.")
    reference = Text(max_length=200, help_text="Of the certificate or the inspection.")
    makes = Equipment


# 4.4


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryForm:
    layout: int
    reference: str
    help_line: str


class EntryFormValue(Record):
    """An entry form in a layout that this system draws, on paper and on telephones."""

    layout = WholeNumber(min_value=1, help_text="The number of the layout: another one is another approval.")
    reference = Text(max_length=80, help_text="Of the approval.")
    help_line = Text(max_length=100, help_text="Whom players call who want help; it is on every form.")
    makes = EntryForm


# 4.6


@dataclass(frozen=True, slots=True, kw_only=True)
class VoucherType:
    name: str


class VoucherTypeValue(Record):
    """Vouchers that are taken for Keno."""

    name = Text(allow_blank=True, max_length=NAME_CHARACTERS_LIMIT)
    makes = VoucherType


# 5.3: in basis points of the stake, together the whole 25%


class JackpotRatioValue(Record):
    """The split of the 25% between the pools of a jackpot."""

    prize = BasisPoints(help_text="Basis points of the stake.")
    secondary = BasisPoints(help_text="Basis points of the stake.")
    reimbursement = BasisPoints(help_text="Basis points of the stake.")
    makes = Ratio


# 4.7e


def _bonus(*, per: str, fund: str, **terms: Any) -> Bonus:
    return Bonus(per=Per(per), fund=Fund(fund), **terms)


class BonusValue(Record):
    """An extra prize in a window of games, until its budget is spent."""

    name = Text(allow_blank=True, max_length=NAME_CHARACTERS_LIMIT)
    first_game = WholeNumber()
    last_game = WholeNumber()
    spots = WholeNumber()
    matches = WholeNumber()
    prize = MoneyField()
    per = Choice(choices=[*Per])
    budget = MoneyField()
    fund = Choice(choices=[*Fund])
    makes = _bonus


# 15.2


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTerms:
    """Conditions of entry and play; shares in basis points."""

    name: str
    entry_fee: Money
    retained: int
    prizes: Sequence[int]
    spots: int
    stake: Money
    schedule: str
    first_game: int
    last_game: int


class TournamentValue(Record):
    """Conditions of a Keno tournament."""

    name = Text(allow_blank=True, max_length=NAME_CHARACTERS_LIMIT)
    entry_fee = MoneyField(allow_zero=False)
    retained = BasisPoints(help_text="Basis points of the entry fees.")
    prizes = ListField(child=BasisPoints(), allow_empty=False, help_text="By place, in basis points of the balance.")
    spots = WholeNumber()
    stake = MoneyField(allow_zero=False)
    schedule = Text(max_length=32)
    first_game = WholeNumber()
    last_game = WholeNumber()
    makes = TournamentTerms


# 11.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ToJackpot:
    amount: Money


class ToJackpotValue(Record):
    """Unclaimed prizes that are added to a jackpot."""

    amount = MoneyField(allow_zero=False)
    makes = ToJackpot


# 4.6: which approved vouchers were issued


@dataclass(frozen=True, slots=True, kw_only=True)
class VoucherRegister:
    """Vouchers of one type and one worth: numbered from *first* to *last*, or listed as they are printed."""

    value: Money
    first: int | None = None
    last: int | None = None
    numbers: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if (self.first is None) != (self.last is None) or (self.first is None) == (self.numbers is None):
            raise ValidationError("A register has the first and the last number of a range, or a list of numbers.")


class VoucherRegisterValue(Record):
    """Vouchers that were issued, and what each is worth: a range of numbers, or a list."""

    value = MoneyField(allow_zero=False, help_text="Of each of them.")
    first = WholeNumber(required=False, min_value=1, max_value=10**12, help_text="Of a range, with `last`.")
    last = WholeNumber(required=False, min_value=1, max_value=10**12)
    numbers = ListField(
        child=Text(max_length=40), allow_empty=False, required=False, help_text="As printed, without the type."
    )
    makes = VoucherRegister


SET_BET: Final = Shape[SetBet](SetBetValue())
SPECIAL_3: Final = Shape[Special3](Special3Value())
CONFIGURATION: Final = Shape[Configuration](ConfigurationValue())
EQUIPMENT: Final = Shape[Equipment](EquipmentValue())
ENTRY_FORM: Final = Shape[EntryForm](EntryFormValue())
VOUCHER_TYPE: Final = Shape[VoucherType](VoucherTypeValue())
VOUCHER_REGISTER: Final = Shape[VoucherRegister](VoucherRegisterValue())
AMOUNT: Final = Shape[Money](MoneyField())
RATIO: Final = Shape[Ratio](JackpotRatioValue())
BONUS: Final = Shape[Bonus](BonusValue())
TOURNAMENT: Final = Shape[TournamentTerms](TournamentValue())
TO_JACKPOT: Final = Shape[ToJackpot](ToJackpotValue())
