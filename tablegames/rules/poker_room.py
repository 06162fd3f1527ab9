"""A table of the poker room (act-pk): what its sign says, and what is charged by time. Pots: ``showdown.py``."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NoReturn

from kernel.money import Money
from kernel.refusal import Refusal
from tablegames.rules.terms import Terms, only

TABLE_STAKE: Final = "table-stake"
BET: Final = "bet"
PERIODS_LIMIT: Final = 48


def check_terms(terms: Terms) -> None:
    """The minimum table stake and bet are on the sign (4.1); commission from the pots or by time (14.2, 14.3)."""
    only(
        terms,
        "commission_maximum",
        "time_charge",
        "time_minutes",
        game="The poker room",
        wagers=(TABLE_STAKE, BET),
    )
    for name in (TABLE_STAKE, BET):
        if not (name in terms.limits and terms.limits[name].minimum):
            raise Refusal(
                "terms-invalid",
                "The sign shows the minimum table stake and the minimum bet.",
                clause="act-pk:4.1",
                field=f"terms.limits.{name}",
            )
    if (terms.time_charge is None) != (terms.time_minutes is None):
        raise Refusal(
            "terms-invalid",
            "A charge by time is an amount for a number of minutes.",
            clause="act-pk:14.3",
            field="terms.time_minutes",
        )
    if (terms.commission_maximum is None) == (terms.time_charge is None):
        raise Refusal(
            "terms-invalid",
            "Commission is charged for every game: from the pots, up to an approved maximum, or by time.",
            clause="act-pk:14.1",
            field="terms.commission_maximum",
        )


def settle(**_: object) -> NoReturn:
    raise Refusal(
        "pots-not-hands", "Players play against each other here: enter the pot at the poker room’s page.", field="game"
    )


def charge(terms: Terms, *, periods: int, starts_at: datetime) -> tuple[Money, datetime]:
    """14.3: what is due in advance for a number of periods, and until when it is paid."""
    if terms.time_charge is None or terms.time_minutes is None:
        raise Refusal(
            "not-by-time", "At this table commission is taken from the pots.", clause="act-pk:14.2", field="table"
        )
    if not 1 <= periods <= PERIODS_LIMIT:
        raise Refusal("periods-impossible", f"Pay for 1 to {PERIODS_LIMIT} periods at a time.", field="periods")
    return Money(terms.time_charge.micros * periods), starts_at + timedelta(minutes=terms.time_minutes * periods)
