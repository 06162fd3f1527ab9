"""The conditions of a Keno tournament (15): what the rule does not allow in them, and which are in force."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from house.models import ApprovedValue
from keno import approved, shapes
from keno.catalogue import any_code, approved_value
from keno.rules.schedules import schedule_named
from keno.shapes import TournamentTerms
from kernel.refusal import Conflict, Refusal
from tournaments.kinds import ApprovedConditions, as_conditions
from tournaments.queries import is_open
from tournaments.rules.money import conditions_fault
from web import words

KIND_NAME: Final = "keno"


def conditions_in_force(code: str) -> ApprovedConditions | None:
    return as_conditions(approved.in_force(approved.TOURNAMENT, code))


def versions() -> QuerySet[ApprovedValue]:
    """Every version of the conditions of every tournament."""
    return ApprovedValue.objects.filter(kind=approved.full_name(approved.TOURNAMENT))


def _check(code: str, new: TournamentTerms) -> None:
    if is_open(KIND_NAME, code):
        raise Conflict("tournament-entered", "Somebody has entered under these conditions: they stand.", field="new")
    match conditions_fault(retained=new.retained, prizes=new.prizes):
        case "retained-too-much":
            words = "At most 10% of the entry fees is retained."
            raise Refusal("retained-too-much", words, clause="act-keno:15.4", field="new")
        case "prizes-not-whole":
            words = "The prizes by place add up to the whole balance: 10000 basis points."
            raise Refusal("prizes-not-whole", words, clause="act-keno:15.4", field="new")
    if not 1 <= new.first_game <= new.last_game:
        raise Refusal("window-impossible", "The games go from a first one to a last one.", field="new")
    schedule = schedule_named(new.schedule)  # special 3 may change meanwhile, and is not offered
    if schedule.prize_table(new.spots) is None:
        raise Refusal("spots-not-in-schedule", f"{schedule.code} has no prizes for that many numbers.", field="new")


CONDITIONS = approved_value(
    approved.TOURNAMENT,
    label="Tournament",
    shape=shapes.TOURNAMENT,
    check_code=any_code,
    check=_check,
    describe=lambda code, new: (
        f"Tournament {code}, “{new.name}”: ${new.entry_fee} to enter, {words.rate(new.retained)} retained, "
        f"games {new.first_game} to {new.last_game}, {len(new.prizes)} prizes."
    ),
)
