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
from tournaments.rules.final import ALL, BY_LOT, PLAY_OFF, FinalTerms, final_fault
from tournaments.rules.money import conditions_fault
from tournaments.rules.seats import Seating
from web import words
from web.fields import BasisPoints, Choice, InstantField, MoneyField, Text, TrueOrFalse, WholeNumber

KIND_NAME: Final = "promotions"
CONDITIONS: Final = "promotions.tournament"
"""The kind of approved value that a tournament's conditions are; its code is the tournament's."""
SHARE_RULE: Final = "act-cp:16.4"
_FINAL_FAULTS: Final = {
    "final-unclear": "A final follows two heats or more: say how many are in, and name each table once.",
    "final-seats-too-few": "Everybody who may be in the final has a seat; where all who tie are in, everybody may be.",
    "final-entered-twice": "Where there is a final a player enters once: he cannot sit in it twice.",
}
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
class FinalAfterHeats:
    """Who of the heats is in the final, what decides between those who tie for the last place, and where they sit."""

    ties: str
    of_each_heat: int | None = None
    best_of_rest: int | None = None
    tables: Sequence[str] | None = None
    seats_a_table: int | None = None
    carries_over: bool | None = None


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
    final: FinalAfterHeats | None = None


class RebuysValue(Record):
    """Buying in again."""

    most = WholeNumber(min_value=1, max_value=100, help_text="How often one entry does.")
    price = MoneyField(allow_zero=False)
    until = InstantField()
    makes = RebuyTerms


class FinalValue(Record):
    """A final after the heats; the prizes are by its ranking."""

    of_each_heat = WholeNumber(required=False, min_value=1, max_value=100, help_text="The best of each heat.")
    best_of_rest = WholeNumber(
        required=False, min_value=1, max_value=100, help_text="Then the best of all heats among those who are left."
    )
    ties = Choice(
        choices=[ALL, PLAY_OFF, BY_LOT],
        help_text="Who tie for the last place: all are in, a play-off, or a lot between house and witness.",
    )
    tables = ListField(child=Text(max_length=32), required=False, help_text="Left out: no seats.")
    seats_a_table = WholeNumber(required=False, min_value=1, max_value=100)
    carries_over = TrueOrFalse(required=False, help_text="Scores of the heats count, too; left out: they do not.")
    makes = FinalAfterHeats


class ConditionsValue(Record):
    """Conditions of a tournament."""

    name = Text(max_length=120)
    game = Text(max_length=60)
    play = Text(max_length=4_000, help_text="How it is played.")
    entry_fee = MoneyField(allow_zero=False)
    retained = BasisPoints(help_text="Basis points of the entry fees.")
    prizes = ListField(child=BasisPoints(), help_text="By place, in basis points of the balance.")
    closes_at = InstantField(help_text="When entries close.")
    most_entries = WholeNumber(required=False, min_value=1)
    entries_a_player = WholeNumber(required=False, min_value=1, max_value=100, help_text="Left out: one.")
    rebuys = RebuysValue(required=False, help_text="Left out: nothing is bought again.")
    heats = WholeNumber(required=False, min_value=1, max_value=100)
    tables = ListField(child=Text(max_length=32), required=False, help_text="Where it is played; left out: no seats.")
    seats_a_table = WholeNumber(required=False, min_value=1, max_value=100)
    seats_assigned = TrueOrFalse(required=False, help_text="The house assigns seats; left out: they are drawn by lot.")
    final = FinalValue(required=False, help_text="Left out: the scores of the heats decide.")
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
    _check_final(new)
    if new.rebuys is not None and new.rebuys.until < new.closes_at:
        raise Refusal("rebuys-too-early", "Players buy in again after entries have closed.", field="new")


def _check_final(new: Conditions) -> None:
    """It follows heats, its entries have seats, and nobody is in it twice: he sits once."""
    given = new.final
    if given is None:
        return
    tables = given.tables or []
    fault: str | None = "final-unclear"
    if bool(tables) == bool(given.seats_a_table) and len(set(tables)) == len(tables) and new.most_entries is not None:
        final = FinalTerms(
            of_each_heat=given.of_each_heat or 0,
            best_of_rest=given.best_of_rest or 0,
            ties=given.ties,
            seating=Seating(heats=1, tables=tables, seats_a_table=given.seats_a_table or 0) if tables else None,
            carries_over=bool(given.carries_over),
        )
        fault = final_fault(final, heats=new.heats or 1, most_entries=new.most_entries)
    if (new.entries_a_player or 1) > 1:
        fault = fault or "final-entered-twice"
    if fault is not None:
        raise Refusal(fault, _FINAL_FAULTS[fault], field="new")


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
        f"{words.rate(new.retained)} retained, {len(new.prizes)} prizes."
    ),
)
