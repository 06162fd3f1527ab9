"""The rules of Keno, on request at any terminal or display (14.10): each clause in our words, and the prizes."""

from __future__ import annotations

from rest_framework import serializers

from keno import approved
from keno.entries import find_schedule
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, SPECIAL_3, STANDARD, Schedule
from kernel.actors import Actor
from kernel.refusal import Refusal
from web import rulebook
from web.fields import MoneyField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.view import SIGNED_IN, HouseView, read

DOCUMENT = "act-keno:"


class ClauseOut(StrictSerializer):
    clause = Text()
    says = Text()


class PrizesOut(StrictSerializer):
    spots = WholeNumber()
    prizes = serializers.DictField(child=MoneyField(), help_text="For $1.00, by matches.")


class ScheduleOut(StrictSerializer):
    code = Text()
    clause = Text()
    tables = PrizesOut(many=True)


class RulesOut(StrictSerializer):
    configuration = serializers.DictField(allow_null=True, help_text="What the system was approved under.")
    clauses = ClauseOut(many=True)
    schedules = ScheduleOut(many=True)
    example = shown(
        {
            "configuration": {"reference": "GC-1999-17", "software": "Meterhouse 0.2.0"},
            "clauses": [{"clause": "7.1", "says": "twenty numbers are drawn"}],
            "schedules": [
                {
                    "code": "standard",
                    "clause": "act-keno:8.1",
                    "tables": [{"spots": 1, "prizes": {"0": "0.00", "1": "3.00"}}],
                }
            ],
        }
    )


def _clauses() -> list[dict[str, str]]:
    [(*_, clauses)] = rulebook.documents(DOCUMENT)
    return [{"clause": clause.id.removeprefix(DOCUMENT), "says": clause.what} for clause in clauses]


def _schedules() -> list[Schedule]:
    known = [STANDARD, SPECIAL_1, SPECIAL_2]
    try:
        known.append(find_schedule(SPECIAL_3)[0])
    except Refusal:  # none has been approved (8.4)
        return known
    return known


class Rules(HouseView):
    @read(permission=SIGNED_IN, gives=RulesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The rules of Keno: every clause the system has a part in, and the schedules in force."""
        return rules_in_words()


def rules_in_words() -> dict[str, object]:
    """Each clause and each table of prizes, for the call and for the public page."""
    return {
        "configuration": approved.value(approved.CONFIGURATION, "KENO"),
        "clauses": _clauses(),
        "schedules": [
            {
                "code": schedule.code,
                "clause": schedule.clause,
                "tables": [
                    {"spots": table.spots, "prizes": {str(k): prize for k, prize in enumerate(table.prizes)}}
                    for table in schedule.prize_tables
                ],
            }
            for schedule in _schedules()
        ],
    }
