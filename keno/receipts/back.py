"""What is on the back of a ticket, as on the entry forms and on ``/play/``: the odds and the return of what it plays,
and whom to call for help. In thermal print there is one side: it stands below the code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from keno import approved
from keno.entries import find_version
from keno.entry_forms import FormCode, Odds, odds
from keno.models import Play, Ticket
from keno.rules.mathematics import schedule_mathematics

_AVERAGE: Final = "What comes back is the average of very many games."
_JACKPOT: Final = "Of jackpot ways a quarter of the stake goes into the jackpots besides."


def back_of(ticket: Ticket, plays: Sequence[Play]) -> tuple[str, ...]:
    """Sentences, one a line."""
    of = _odds(ticket.schedule, ticket.schedule_version)
    said = [_said(of[play.spots]) for play in plays if play.spots in of]
    said += [_AVERAGE, *([_JACKPOT] if ticket.jackpot else [])]
    return (*said, *([line] if (line := _help_line()) else []))


def _said(each: Odds) -> str:
    what = "1 number" if each.spots == 1 else f"{each.spots} numbers"
    return f"{what}: any prize {each.any_prize}, top prize {each.top_prize}, comes back {each.returned}"


@lru_cache(maxsize=64)
def _odds(schedule: str, version: int | None) -> dict[int, Odds]:
    """By numbers in a way. A version of a schedule never changes."""
    return {table.spots: odds(table) for table in schedule_mathematics(find_version(schedule, version))}


def _help_line() -> str:
    """As approved with the entry forms, in whatever layout they are."""
    found = (approved.entry_form(code) for code in FormCode)
    return next((form.help_line for form in found if form is not None), "")
