"""An entry form in one line: what a player has marked on his own telephone, as its QR code says it to a terminal (4.4).

    KENO:PLAY:1:4.8.15.16.23.42:6*2.00:3:STANDARD:J
                numbers         plays  games schedule jackpot, or -

Groups stand with + between them, plays too: ``1.2.3+11.12:3*1.00+5*0.50``. Only letters of a QR code's alphanumeric
kind, so that it stays small. It is no ticket and says nothing about who made it: the writer's terminal reads it like a
marked form (``entry-code.js``), the server prices and sells it like any other, and nothing of it is stored before.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from keno.entries import TicketRequest
from keno.rules.selection import Play
from kernel.money import Money
from kernel.refusal import Malformed

PREFIX: Final = "KENO:PLAY:1:"
_FORM: Final = re.compile(
    r"KENO:PLAY:1:(?P<groups>[0-9.+]{1,400}):(?P<plays>[0-9.*+]{1,200}):(?P<games>[0-9]{1,5})"
    r":(?P<schedule>STANDARD|SPECIAL-[123]):(?P<jackpot>[J-])",
    re.ASCII,
)
_PLAY: Final = re.compile(r"([0-9]{1,2})\*([0-9]{1,5}\.[0-9]{2})", re.ASCII)


def written(request: TicketRequest) -> str:
    """Of numbers or groups that were marked; what is picked at the counter needs no form."""
    groups, plays = request.groups or (), request.plays or ()
    if request.numbers is not None and request.stake is not None:
        groups, plays = [request.numbers], [Play(len(request.numbers), request.stake)]
    parts = (
        "+".join(".".join(map(str, group)) for group in groups),
        "+".join(f"{play.spots}*{play.stake}" for play in plays),
        str(request.games),
        request.schedule.upper(),
        "J" if request.jackpot else "-",
    )
    return PREFIX + ":".join(parts)


def read(text: str) -> TicketRequest:
    """What a form asks for. That it can be sold is for the sale to say."""
    found = _FORM.fullmatch(text.strip().upper())
    plays = [_PLAY.fullmatch(each) for each in found["plays"].split("+")] if found else []
    if found is None or not all(plays):
        raise Malformed("not-an-entry", "That is no entry form of ours.", field="entry")
    try:
        groups = [[int(number) for number in group.split(".")] for group in found["groups"].split("+")]
    except ValueError:
        raise Malformed("not-an-entry", "That is no entry form of ours.", field="entry") from None
    asked = [Play(int(play[1]), Money.parse(play[2])) for play in plays if play]
    if len(groups) == 1 and len(asked) == 1 and asked[0].spots == len(groups[0]):
        marked = TicketRequest(numbers=groups[0], stake=asked[0].stake)
    else:
        marked = TicketRequest(groups=groups, plays=asked)
    games, schedule = int(found["games"]), found["schedule"].lower()
    return replace(marked, games=games, schedule=schedule, jackpot=found["jackpot"] == "J")
