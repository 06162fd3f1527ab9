"""The conditions of a tournament of any game but Keno (act-cp:16.2): their form, what the rule forbids, which hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from rest_framework.serializers import ListField

from house import approved
from house.approvals import Record, Shape, approved_value
from house.models import ApprovedValue
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from tournaments.kinds import ApprovedConditions, as_conditions
from tournaments.queries import is_open
from tournaments.rules.money import conditions_fault
from web.fields import InstantField, MoneyField, Text, TrueOrFalse, WholeNumber

KIND_NAME: Final = "promotions"
CONDITIONS: Final = "promotions.tournament"
"""The kind of approved value that a tournament's conditions are; its code is the tournament's."""
SHARE_RULE: Final = "act-cp:16.4"
_CODE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}", re.ASCII)


def conditions_in_force(code: str) -> ApprovedConditions | None:
    return as_conditions(approved.in_force(CONDITIONS, code))


def versions() -> QuerySet[ApprovedValue]:
    """Every version of the conditions of every tournament."""
    return ApprovedValue.objects.filter(kind=CONDITIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuyTerms:
    """How often an entry buys in again, at which price, until when."""

    most: int
    price: Money
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Conditions of entry and play; shares in basis points."""

    name: str
    game: str
    play: str
    entry_fee: Money
    retained: int
    prizes: Sequence[int]
    closes_at: datetime
    most_entries: int | None = None
    entries_a_player: int | None = None
    rebuys: RebuyTerms | None = None
    heats: int | None = None
    tables: Sequence[str] | None = None
    seats_a_table: int | None = None
    seats_assigned: bool | None = None


class RebuysValue(Record):
    """Buying in again."""

    most = WholeNumber(min_value=1, max_value=100, help_text="How often one entry does.")
    price = MoneyField(allow_zero=False)
    until = InstantField()
    makes = RebuyTerms


class ConditionsValue(Record):
    """Conditions of a tournament."""

    name = Text(max_length=120)
    game = Text(max_length=60)
    play = Text(max_length=4_000, help_text="How it is played.")
    entry_fee = MoneyField(allow_zero=False)
    retained = WholeNumber(help_text="Basis points of the entry fees.")
    prizes = ListField(child=WholeNumber(), help_text="By place, in basis points of the balance.")
    closes_at = InstantField(help_text="When entries close.")
    most_entries = WholeNumber(required=False, min_value=1)
    entries_a_player = WholeNumber(required=False, min_value=1, max_value=100, help_text="Left out: one.")
    rebuys = RebuysValue(required=False, help_text="Left out: nothing is bought again.")
    heats = WholeNumber(required=False, min_value=1, max_value=100)
    tables = ListField(child=Text(max_length=32), required=False, help_text="Where it is played; left out: no seats.")
    seats_a_table = WholeNumber(required=False, min_value=1, max_value=100)
    seats_assigned = TrueOrFalse(required=False, help_text="The house assigns seats; left out: they are drawn by lot.")
    makes = Conditions


SHAPE: Final = Shape[Conditions](ConditionsValue())


def _check_code(code: str) -> None:
    if _CODE.fullmatch(code) is None:
        raise NotFound(
            "no-such-subject",
            "Write the subject like tournament:SPRING, up to 16 capitals and digits.",
            field="subject",
        )


def _check(code: str, new: Conditions | None) -> None:
    if is_open(KIND_NAME, code):
        raise Conflict("tournament-entered", "Somebody has entered under these conditions: they stand.", field="new")
    if new is not None:
        _check_play(new)
    match new and conditions_fault(retained=new.retained, prizes=new.prizes):
        case "retained-too-much":
            words = "At most 10% of the entry fees is retained."
            raise Refusal("retained-too-much", words, clause=SHARE_RULE, field="new")
        case "prizes-not-whole":
            words = "The prizes by place add up to the whole balance: 10000 basis points."
            raise Refusal("prizes-not-whole", words, clause=SHARE_RULE, field="new")


def _check_play(new: Conditions) -> None:
    """Seats for everybody who may enter; rebuys end after entries have closed, not before."""
    tables = new.tables or []
    if (
        bool(tables) != bool(new.seats_a_table)
        or len(set(tables)) != len(tables)
        or ((new.heats or new.seats_assigned) and not tables)
    ):
        raise Refusal("seats-unclear", "Name each table once, and say how many sit at one.", field="new")
    seats = (new.heats or 1) * len(tables) * (new.seats_a_table or 0)
    if tables and (new.most_entries is None or new.most_entries > seats):
        raise Refusal("seats-too-few", f"There are {seats} seats: say that no more enter.", field="new")
    if new.rebuys is not None and new.rebuys.until < new.closes_at:
        raise Refusal("rebuys-too-early", "Players buy in again after entries have closed.", field="new")


KIND = approved_value(
    CONDITIONS,
    prefix="tournament",
    label="Tournament",
    shape=SHAPE,
    authority=Authority.INSPECTOR,
    check_code=_check_code,
    check=_check,
    describe=lambda code, new: (
        f"Tournament {code}, “{new.name}” of {new.game}: ${new.entry_fee} to enter, "
        f"{new.retained / 100:g}% retained, {len(new.prizes)} prizes."
    ),
)
