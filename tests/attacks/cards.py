"""Cards as an insider might write them to get past a look-up."""

from __future__ import annotations

import urllib.parse
from typing import Any, Final

from tests.attacks.insider import Caller, House

SPELLINGS: Final = (
    "rx-1",
    "Rx-1",
    " RX-1 ",
    "RX\N{NON-BREAKING HYPHEN}1",
    "RX\N{EN DASH}1",
    "R\N{ZERO WIDTH SPACE}X-1",
    "\N{FULLWIDTH LATIN CAPITAL LETTER R}X-\N{FULLWIDTH DIGIT ONE}",
)
TICKET: Final = {"numbers": [1, 2, 3], "stake": "2.00"}


def path(card: str) -> str:
    return urllib.parse.quote(card, safe="")


def register(house: House, card: str = "RX-1") -> tuple[Caller, str]:
    """A supervisor, and the number of the player registered with this card."""
    supervisor = house.insider("supervisor")
    player = supervisor.post("players/", {"name": "Robin Xu", "card": card}).ok(201)
    return supervisor, str(player["number"])


def refused_wager(answer: Any, code: str) -> bool:
    """A round starts without a wager that is refused: the table is told why."""
    body = answer.ok(201)
    assert [each["code"] for each in body["refused"]] == [code], body
    assert body["accepted"] == []
    return True
